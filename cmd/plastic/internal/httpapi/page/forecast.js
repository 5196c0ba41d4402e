// The forecast: what the coming nights take, under the settings in force and
// under those of the sliders.

import * as api from "./api.js";
import { $, date, el, fill, later, memories, number, svg, toast } from "./dom.js";

const sliders = [
  { key: "days", name: "Nights ahead", min: 1, max: 90, step: 1, own: 14 },
  { key: "memory.keepFraction", name: "Share of a day that a night keeps", min: 0, max: 1, step: 0.01 },
  { key: "memory.decayHalfLifeDays", name: "Half-life, days", min: 1, max: 180, step: 1 },
  { key: "memory.importanceThreshold", name: "Important from", min: 0, max: 1, step: 0.01 },
  { key: "memory.recentCount", name: "Newest that stay clear", min: 0, max: 200, step: 1 },
  { key: "memory.anchorCount", name: "Earliest that never fade", min: 0, max: 200, step: 1 },
];

let inForce = {}; // values by key, as config.yaml has them
let mark = () => {};
let turn = 0; // the newest question; older answers come too late

export function start(onMark) {
  mark = onMark;
  for (const s of sliders) {
    const out = el("output", {});
    const input = el("input", { type: "range", min: s.min, max: s.max, step: s.step, id: `slide-${s.key.replace(".", "-")}`, input: () => { label(s); run(); } });
    s.input = input;
    s.out = out;
    s.box = el("label", {}, el("span", { class: "row" }, el("span", {}, s.name), out), input);
    if (s.own) input.value = s.own;
    $("sliders").append(s.box);
  }
  $("forecast-reset").addEventListener("click", () => { put(); run(); });
  $("forecast-save").addEventListener("click", save);
}

export async function load() {
  const { config } = await api.get("/v1/config");
  const moved = changes();
  for (const c of config) inForce[c.key] = Number(c.value);
  if (Object.keys(moved).length === 0) put();
  await ask();
}

function put() {
  for (const s of sliders) {
    if (!s.own) {
      s.input.max = Math.max(s.max, inForce[s.key]);
      s.input.value = inForce[s.key];
    }
    label(s);
  }
}

function label(s) {
  s.out.textContent = s.input.value;
  s.box.classList.toggle("moved", s.key in changes());
}

function changes() {
  const out = {};
  for (const s of sliders) {
    if (!s.own && s.key in inForce && Number(s.input.value) !== inForce[s.key]) out[s.key] = s.input.value;
  }
  return out;
}

const run = later(150, () => ask().catch((err) => toast(api.words(err), { bad: true })));

async function ask() {
  const mine = ++turn, set = changes();
  const got = await api.get("/v1/forecast", { days: sliders[0].input.value, set: Object.entries(set).map(([k, v]) => `${k}=${v}`) });
  if (mine !== turn) return;
  $("forecast-save").disabled = Object.keys(set).length === 0;
  show(got);
}

function show(f) {
  const then = f.compared || f;
  const first = then.days[0], last = then.days.at(-1);
  $("forecast-words").textContent = first.before === last.after
    ? `Nothing goes until ${date(last.date)}: ${memories(last.after)} stay.`
    : `Tonight takes ${number(first.pruned)}. Until ${date(last.date)}, ${number(first.before - last.after)} of ${memories(first.before)} go and ${number(last.after)} stay, if nothing new is remembered.`;
  chart(f);
  const ids = (list) => new Set(list.map((m) => m.id));
  if (f.compared) {
    const now = ids(f.gone), other = ids(f.compared.gone);
    const more = f.compared.gone.filter((m) => !now.has(m.id)), fewer = f.gone.filter((m) => !other.has(m.id));
    fill($("forecast-lists"), more.length > 0 && gone("Would go too", more), fewer.length > 0 && gone("Would stay", fewer),
      more.length + fewer.length === 0 && el("p", { class: "quiet" }, "The same memories go as with what is set."));
  } else {
    fill($("forecast-lists"), f.gone.length > 0 && gone("Will be gone", f.gone));
  }
  mark(ids(then.gone));
}

function gone(title, list) {
  return el("div", {},
    el("h3", {}, `${title}: ${number(list.length)}`),
    el("ul", { class: "gone" }, ...list.slice(0, 25).map((m) => el("li", {},
      el("p", { class: "text", dir: "auto" }, m.content),
      el("div", { class: "meta" }, el("span", {}, m.kind), el("span", {}, date(m.createdAt)))))),
    list.length > 25 && el("p", { class: "quiet" }, `… and ${number(list.length - 25)} more; they are marked in the picture.`));
}

// chart draws how many memories there are after each night.
function chart(f) {
  const box = $("forecast-chart"), w = Math.max(box.clientWidth, 260), h = 190, left = 44, right = 12, top = 10, bottom = 28;
  const all = [f.days, f.compared?.days].filter(Boolean);
  const high = Math.max(1, ...all.flat().map((d) => d.before));
  const n = f.days.length;
  const x = (i) => left + (i / n) * (w - left - right);
  const y = (v) => top + (1 - v / high) * (h - top - bottom);
  const line = (days, kind) => svg("polyline", { class: kind, points: [`${x(0)},${y(days[0].before)}`, ...days.map((d, i) => `${x(i + 1)},${y(d.after)}`)].join(" ") });
  const text = (x, y, t, anchor) => { const e = svg("text", { x, y, "text-anchor": anchor }); e.textContent = t; return e; };
  const s = svg("svg", { viewBox: `0 0 ${w} ${h}`, role: "img", "aria-label": "Memories after each night" });
  for (const v of [0, high / 2, high]) {
    s.append(svg("line", { class: "grid", x1: left, x2: w - right, y1: y(v), y2: y(v) }), text(left - 8, y(v) + 4, number(Math.round(v)), "end"));
  }
  s.append(line(f.days, f.compared ? "now" : "now only"));
  if (f.compared) s.append(line(f.compared.days, "then"));
  s.append(text(left, h - 6, "now", "start"), text(w - right, h - 6, date(f.days.at(-1).date), "end"));
  box.replaceChildren(s);
}

async function save() {
  try {
    const body = {};
    for (const [key, value] of Object.entries(changes())) body[key] = Number(value);
    await api.ask("PATCH", "/v1/config", { body });
    Object.assign(inForce, body);
    toast("config.yaml is changed; its comments are kept.");
    put();
    await ask();
  } catch (err) {
    toast(api.words(err), { bad: true });
  }
}
