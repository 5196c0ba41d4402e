// The archive: what left the memory, and the way back.

import * as api from "./api.js";
import { $, el, memories, more, time } from "./dom.js";

let entries = [];
let restore = () => {};
let living = () => false;

export function start(onRestore, isLiving) {
  restore = onRestore;
  living = isLiving;
  $("archive-as").addEventListener("change", show);
}

export async function load() {
  entries = (await api.get("/v1/memories/archive")).archive.reverse();
  show();
}

function show() {
  const as = $("archive-as").value;
  const list = entries.filter((e) => !as || e.as === as);
  $("archive-note").textContent = list.length ? `${memories(list.length)}, the latest first` : "Nothing here.";
  more($("archive-list"), $("archive-more"), list, item);
}

const names = { forgotten: "forgotten", pruned: "pruned", removed: "removed by another hand", version: "former wording" };

function item(e) {
  const back = e.memory.kind !== "card" && !living(e.memory.id);
  return el("li", { "data-id": e.memory.id },
    el("div", { class: "row" },
      el("p", { class: "text", dir: "auto" }, e.memory.content),
      back && el("button", { type: "button", click: (ev) => { ev.target.disabled = true; restore(e.memory.id).then(() => { ev.target.disabled = false; }); } }, "Restore")),
    el("div", { class: "meta" },
      el("span", { class: "chip" }, e.memory.kind === "card" ? "former card" : names[e.as] || e.as),
      el("span", {}, time(e.archivedAt)),
      e.why && el("span", {}, e.why),
      e.by && el("span", {}, `by ${e.by}`)));
}
