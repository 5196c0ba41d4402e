// The nights: what each of them took and raised, why, and the way back.

import * as api from "./api.js";
import { $, date, decimal, el, fill, memories, more, number, plural, time, toast } from "./dom.js";

let drawn = "";        // what the list was made of
let texts = new Map(); // contents by id, as far as the folder has them
let there = new Set(); // ids of what is in the memory
let changed = () => {};
let turn = 0; // the newest question; older answers come too late
const unfolded = new Set(); // keys of what is open
const lefts = new Map();    // what the last undo of a night left as it is, by its key

export function start(onChange) {
  changed = onChange;
}

// load reads the journal. A list that would say the same stays as it is, with
// the focus and the question that stand in it.
export async function load() {
  const mine = ++turn;
  const [{ runs }, now, away] = await Promise.all([
    api.get("/v1/sleep/runs"), api.get("/v1/memories", { all: true }), api.get("/v1/memories/archive"),
  ]);
  if (mine !== turn) return;
  const nights = told(runs);
  const named = new Set(nights.flatMap((n) => [...n.archived, ...n.raised, ...n.ops].flatMap((x) => x.ids || [x.id])));
  texts = new Map();
  for (const e of away.archive) if (named.has(e.memory.id) && e.memory.content) texts.set(e.memory.id, e.memory.content);
  there = new Set(now.memories.map((m) => m.id).filter((id) => named.has(id)));
  for (const m of now.memories) if (named.has(m.id)) texts.set(m.id, m.content);
  const next = JSON.stringify([runs, [...texts], [...there]]);
  if (next === drawn) return;
  drawn = next;
  show(nights);
}

// told makes one entry of each night, the latest first, with what was undone of
// it. Only the last of a date can be undone.
function told(runs) {
  const out = [], last = {}, numbers = {}, back = {};
  for (const r of runs) if (r.undo) back[r.date] = [...(back[r.date] || []), ...(r.reverted || [])];
  runs.forEach((r, i) => {
    if (r.undo) {
      if (last[r.date]) last[r.date].undone.push(r);
      return;
    }
    if (r.after) { // what became of sleep.after, behind its night
      if (out.length) out[0].phases = [...out[0].phases, ...r.phases];
      return;
    }
    const c = r.compress, why = new Map(c.reasons.map((x) => [x.id, x]));
    const items = (ids) => ids.map((id) => why.get(id) || { id });
    for (const o of r.dryRun ? [] : (r.phases || []).flatMap((p) => p.ops || [])) { // they are counted over a date
      o.n = numbers[r.date] = (numbers[r.date] || 0) + 1;
      o.undone = (back[r.date] || []).includes(o.n);
    }
    const night = {
      key: `${r.date} ${i}`, date: r.date, started: r.started, plan: Boolean(r.dryRun), counted: c.done || c.dryRun && c.before > 0, before: c.before, after: c.after,
      archived: items(c.archived), raised: items(c.raised), phases: r.phases || [], ops: (r.phases || []).flatMap((p) => p.ops || []), undone: [], latest: false,
    };
    if (!night.plan && c.done) {
      if (last[r.date]) last[r.date].latest = false;
      last[r.date] = night;
      night.latest = true;
    }
    out.unshift(night);
  });
  return out;
}

const quiet = (n) => n.archived.length + n.raised.length + n.ops.length + n.undone.length === 0;

function show(nights) {
  const groups = [];
  for (const n of nights) {
    if (!quiet(n)) groups.push(n);
    else if (Array.isArray(groups.at(-1))) groups.at(-1).push(n);
    else groups.push([n]);
  }
  const still = nights.filter(quiet).length;
  $("nights-note").textContent = nights.length
    ? `${plural(nights.length, "night", "nights")}, the latest first${still ? `; ${number(still)} changed nothing` : ""}`
    : "No night has been yet.";
  const held = document.activeElement?.closest?.("#nights-list [data-key]")?.dataset.key;
  more($("nights-list"), $("nights-more"), groups, (g) => (Array.isArray(g) ? fold(g) : item(g)), 30);
  if (held) [...$("nights-list").children].find((e) => e.dataset.key === held)?.querySelector("summary").focus();
}

// unfolds is a details whose inside is made when it is first opened, and which
// stays open when the list is made anew.
function unfolds(key, summary, make) {
  const inside = el("div", {});
  const d = el("details", {}, summary, inside);
  let made = false;
  const open = () => {
    if (!made) fill(inside, ...make());
    made = true;
  };
  if (unfolded.has(key)) {
    d.open = true;
    open();
  }
  d.addEventListener("toggle", () => {
    if (d.open) { unfolded.add(key); open(); } else unfolded.delete(key);
  });
  return d;
}

function fold(group) {
  const key = `fold ${group.at(-1).key}`, first = date(group.at(-1).date), last = date(group[0].date);
  const title = `${plural(group.length, "night", "nights")} without change`;
  return el("li", { class: "night still", "data-key": key },
    unfolds(key, el("summary", {}, el("span", {}, title), el("span", {}, first === last ? first : `${first} – ${last}`)),
      () => [el("ul", { class: "gone" }, ...group.map((n) => el("li", { class: "row" }, el("span", {}, date(n.date)), el("span", {}, n.counted ? memories(n.after) : ""))))]));
}

function item(n) {
  const counts = [
    n.archived.length > 0 && `pruned ${number(n.archived.length)}`,
    n.raised.length > 0 && `raised ${number(n.raised.length)}`,
    n.ops.length > 0 && plural(n.ops.length, "operation of the model", "operations of the model"),
  ].filter(Boolean).join(", ");
  const summary = el("summary", {},
    el("b", {}, date(n.date)),
    n.counted && el("span", { class: "way" }, `${number(n.before)} → ${number(n.after)}`),
    el("span", {}, counts),
    n.plan && el("span", { class: "chip" }, "planned only"),
    n.undone.length > 0 && el("span", { class: "chip" }, undoable(n) ? "partly undone" : "undone"));
  return el("li", { class: "night", "data-key": n.key, "data-date": n.date }, unfolds(n.key, summary, () => inside(n)));
}

function inside(n) {
  return [
    ...n.undone.map((u) => el("p", { class: "note" }, `Undone ${time(u.started)}: ${came(u)}.`)),
    n.latest && (undoable(n) || lefts.has(n.key)) && undoing(n),
    ...changes(n.archived, n.raised, n.phases, (id) => texts.get(id), true, (o) => !n.plan && standing(o) && undoingOne(n, o)),
  ].filter(Boolean);
}

const came = (u) => [
  u.restored.length > 0 && `${memories(u.restored.length)} came back`,
  u.lowered.length > 0 && `${number(u.lowered.length)} ${u.lowered.length === 1 ? "has its" : "have their"} former importance`,
  u.reverted?.length > 0 && `${plural(u.reverted.length, "operation", "operations")} taken back`,
].filter(Boolean).join(", ");

// changes lists what a night takes and raises and what a model did, with texts as
// far as text knows them. where says of each whether it is in the memory now; undo
// gives the way back from one operation.
export function changes(archived, raised, phases, text, where = false, undo = () => null) {
  return [
    list("To the archive", archived, (x) => [where && there.has(x.id) && el("span", { class: "chip" }, "in the memory again"), x.why && el("span", {}, x.why)], text),
    list("Raised for good", raised, (x) => [x.was !== undefined && el("span", {}, `importance was ${decimal(x.was)}`), x.why && el("span", {}, x.why)], text),
    ...phases.filter((p) => p.ops?.length).map((p) => list(`Phase ${p.name}`, p.ops.map((o) => ({ ...o, id: o.ids.join(", ") })), (o) => [
      el("span", { class: "chip" }, o.undone ? `${o.op}, undone` : o.applied ? o.op : `${o.op}, not applied`), o.why && el("span", {}, o.why), o.refused && el("span", {}, `refused: ${o.refused}`),
    ], (id) => id.split(", ").map((one) => text(one)).filter(Boolean).join("\n"), undo)),
  ].filter(Boolean);
}

function list(title, items, rest, text, after = () => null) {
  if (!items.length) return null;
  const ul = el("ul", { class: "gone" }), next = el("div", {});
  more(ul, next, items, (x) => el("li", { "data-id": x.id },
    text(x.id) ? el("p", { class: "text", dir: "auto" }, text(x.id)) : el("p", { class: "quiet" }, "Its text is gone from the archive."),
    el("div", { class: "meta" }, el("span", { class: "mono" }, x.id), ...rest(x).filter(Boolean)), after(x)), 25);
  return el("div", {}, el("h3", {}, `${title}: ${number(items.length)}`), ul, next);
}

// standing is whether an operation was done and still is.
const standing = (o) => o.applied && !o.undone;

const undoable = (n) => n.archived.some((x) => !there.has(x.id) && texts.has(x.id)) || n.ops.some(standing) ||
  n.raised.some((x) => there.has(x.id) && !n.undone.some((u) => u.lowered.includes(x.id)));

// undoing is the button and, once it is pressed, the question before it is done.
// What an undo left as it is stands there with the way to undo that too.
function undoing(n) {
  const box = el("div", { class: "ask" });
  const button = (name, kind, click) => el("button", { type: "button", class: kind, click }, name);
  const note = (words, more, ...buttons) => fill(box, el("div", { class: "note", role: "group", "aria-label": "Undo this night" },
    el("p", {}, words), more, buttons.length > 0 && el("div", { class: "line ends" }, ...buttons)));
  const rest = () => {
    const left = lefts.get(n.key);
    if (!left) {
      fill(box, el("div", { class: "line" }, button("Undo this night", "undo", question)));
      return;
    }
    const items = el("ul", { class: "gone" }, ...left.map((l) => el("li", {}, el("p", { class: "text", dir: "auto" }, texts.get(l.id) || l.id), el("div", { class: "meta" }, l.why))));
    const edited = left.some((l) => n.raised.some((r) => r.id === l.id) && there.has(l.id));
    note("This was left as it is:", items, button("Leave it", "keep", away), edited && button("Undo it all the same", "danger yes", () => undo(true)));
  };
  const away = () => {
    lefts.delete(n.key);
    rest();
    box.querySelector("button").focus();
  };
  const question = () => {
    note([n.archived.length > 0 && `Back as before, and not pruned again until somebody touches it: ${memories(n.archived.length)}.`,
      n.raised.length > 0 && "What was raised gets its former importance.",
      n.ops.some(standing) && "What the model did is taken back."].filter(Boolean).join(" "), null,
    button("Leave it", "keep", away), button("Yes, undo it", "danger yes", () => undo(false)));
    box.querySelector("button").focus();
  };
  const undo = async (force) => {
    for (const b of box.querySelectorAll("button")) b.disabled = true;
    try {
      const got = await api.ask("POST", `/v1/sleep/runs/${encodeURIComponent(n.date)}/undo`, { body: { force } });
      if (got.restored.length + got.lowered.length + got.reverted.length > 0) toast(`The night of ${date(n.date)} is undone: ${came(got)}.`);
      const left = force ? got.left.filter((l) => n.raised.some((r) => r.id === l.id)) : got.left; // the rest was told before
      if (left.length) lefts.set(n.key, left);
      else lefts.delete(n.key);
      changed();
    } catch (err) {
      toast(api.words(err), { bad: true });
    }
    rest();
    box.querySelector("button")?.focus();
  };
  rest();
  return box;
}

// undoingOne is the same for one operation of a night.
function undoingOne(n, o) {
  const box = el("div", { class: "line" });
  const button = (name, kind, click) => el("button", { type: "button", class: kind, click }, name);
  const show = (...parts) => {
    fill(box, ...parts);
    box.querySelector("button").focus();
  };
  const away = () => show(button("Undo this", "undo-one", question));
  const question = () => show(el("span", {}, "Take this operation back?"), button("Leave it", "keep", away), button("Yes, undo it", "danger yes", () => undo(false)));
  const undo = async (force) => {
    for (const b of box.querySelectorAll("button")) b.disabled = true;
    try {
      const got = await api.ask("POST", `/v1/sleep/runs/${encodeURIComponent(n.date)}/undo`, { body: { op: o.n, force } });
      if (got.reverted.length) {
        toast("The operation is undone.");
        changed();
        return;
      }
      show(el("span", {}, `It was left as it is: ${got.left.map((l) => l.why).join("; ")}.`), button("Leave it", "keep", away),
        !force && button("Undo it all the same", "danger yes", () => undo(true)));
    } catch (err) {
      toast(api.words(err), { bad: true });
      away();
    }
  };
  fill(box, button("Undo this", "undo-one", question));
  return box;
}
