// One memory in a dialog: to read, to change, to forget, or to write anew.

import * as api from "./api.js";
import { $, date, decimal, el, fill, time, toast } from "./dom.js";

let current = null; // the memory that is open, null for a new one
let changed = () => {};

const dialog = $("memory");

export function start(onChange) {
  changed = onChange;
  $("memory-form").addEventListener("submit", (e) => { e.preventDefault(); save(); });
  $("memory-forget").addEventListener("click", forget);
  $("memory-importance").addEventListener("input", weigh);
  for (const d of document.querySelectorAll("dialog")) {
    d.addEventListener("click", (e) => { if (e.target === d || e.target.closest("[data-close]")) d.close(); });
  }
}

export async function open(id) {
  try {
    show((await api.get(api.memory(id))).memory);
  } catch (err) {
    toast(api.words(err), { bad: true });
  }
}

export const create = () => show(null);

function show(m) {
  current = m;
  const may = api.reader() !== "public";
  $("memory-title").textContent = m ? "Memory" : "Remember";
  $("memory-content").value = m ? m.content : "";
  $("memory-kind").value = m ? m.kind : "fact";
  $("memory-importance").value = m ? m.importance : 0.5;
  $("memory-pinned").checked = m ? m.pinned : false;
  $("memory-private").checked = m ? m.private : false;
  $("memory-save").textContent = m ? "Save" : "Remember";
  $("memory-forget").hidden = !m;
  for (const e of dialog.querySelectorAll("textarea, input, #memory-save, #memory-forget")) e.disabled = !may;
  note(may ? "" : "The public can read this and change nothing.");
  fail("");
  fill($("memory-similar"));
  fill($("memory-facts"), ...(m ? facts(m) : []));
  weigh();
  if (!dialog.open) dialog.showModal();
  if (!m) $("memory-content").focus();
}

function facts(m) {
  const rows = {
    "id": m.id,
    "layer": m.layer ? `${m.layer}, clarity ${decimal(m.clarity)}` : "superseded",
    "created": time(m.createdAt),
    "changed": time(m.updatedAt),
    "recalled": m.recallCount ? `${m.recallCount}×, last ${time(m.lastRecalledAt)}` : "",
    "held until": m.validTo ? `${date(m.validTo)}${m.supersededBy ? `, then ${m.supersededBy}` : ""}` : "",
    "speaker": m.speaker, "source": m.source, "session": m.session,
  };
  return Object.entries(rows).filter(([, v]) => v).flatMap(([k, v]) => [el("dt", {}, k), el("dd", { dir: "auto" }, v)]);
}

function note(text) {
  $("memory-note").textContent = text;
  $("memory-note").hidden = !text;
}

function fail(text) {
  $("memory-error").textContent = text;
  $("memory-error").hidden = !text;
}

function weigh() {
  const x = Number($("memory-importance").value);
  $("memory-importance-value").textContent = decimal(x);
  $("memory-hint").textContent = x >= 0.75 ? "From about 0.75 on it is important and never forgotten." : x <= 0.25 ? "It may fade quickly." : "";
}

async function save() {
  const fields = {
    content: $("memory-content").value, kind: $("memory-kind").value.trim() || "fact", importance: Number($("memory-importance").value),
    pinned: $("memory-pinned").checked, private: $("memory-private").checked,
  };
  if (current) {
    for (const key of Object.keys(fields)) if (fields[key] === current[key]) delete fields[key];
    if (Object.keys(fields).length === 0) { dialog.close(); return; }
  }
  try {
    const got = current ? await api.ask("PATCH", api.memory(current.id), { body: fields }) : await api.ask("POST", "/v1/memories", { body: fields });
    changed();
    toast(current ? "Changed." : got.outcome === "reinforced" ? "It said the same as a memory before: that one is stronger now." : "Remembered.");
    if (!got.similar.length) { dialog.close(); return; }
    show(got.memory);
    similar(got.similar);
  } catch (err) {
    fail(api.words(err));
  }
}

function similar(list) {
  fill($("memory-similar"), el("h3", {}, "Saved. Similar ones — does one of them no longer hold?"),
    el("ul", { class: "gone" }, ...list.map((s) => el("li", {},
      el("div", { class: "row" }, el("p", { class: "text", dir: "auto" }, s.content), el("button", { type: "button", click: () => open(s.id) }, "Open"))))));
}

async function forget() {
  const id = current.id;
  try {
    await api.ask("DELETE", api.memory(id), { body: { why: "from the page" } });
    dialog.close();
    changed();
    toast("Forgotten.", { action: "Undo", run: () => restore(id) });
  } catch (err) {
    fail(api.words(err));
  }
}

export async function restore(id) {
  try {
    await api.ask("POST", `/v1/memories/archive/${encodeURIComponent(id)}/restore`);
    changed();
    toast("It is back.");
  } catch (err) {
    toast(api.words(err), { bad: true });
  }
}
