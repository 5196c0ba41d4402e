// Search, with every score explained; without words the newest memories.

import * as api from "./api.js";
import { $, decimal, el, fill, memories, meta, more } from "./dom.js";

let open = () => {};
let newest = [];
let asked = "";

export function start(onOpen) {
  open = onOpen;
  $("search-form").addEventListener("submit", (e) => { e.preventDefault(); run(true); });
  $("search-words").addEventListener("input", () => { if (!$("search-words").value.trim()) run(); });
}

// set tells the memories there are, and looks again where something was asked.
export function set(list) {
  newest = [...list].reverse();
  run();
}

async function run(byHand = false) {
  const words = $("search-words").value.trim();
  if (byHand || !words) asked = words;
  if (!asked) {
    $("search-note").textContent = newest.length ? "The newest first." : api.trusted() ? "" : "Without words there is nothing to show here: lists are for the owner alone.";
    more($("results"), $("search-more"), newest, (m) => item(m), 20);
    return;
  }
  try {
    const count = byHand && $("search-count").checked;
    const got = await api.ask("POST", "/v1/memories/search", { body: { query: asked, explain: true, rehearse: count, limit: 30 } });
    const best = Math.max(...got.memories.map((m) => m.score), 0.000001);
    $("search-note").textContent = (got.memories.length ? memories(got.memories.length) : "Nothing in the memory answers this.") + (got.withheld ? " · private memories are kept back here" : "");
    more($("results"), $("search-more"), got.memories, (m) => item(m, best), 30);
    if (got.dropped?.length) $("search-more").append(dropped(got.dropped));
  } catch (err) {
    $("search-note").textContent = api.words(err);
    fill($("results"));
    fill($("search-more"));
  }
}

function item(m, best) {
  return el("li", { class: "open", "data-id": m.id, click: (e) => { if (!e.target.closest("details")) open(m.id); } },
    el("button", { type: "button", class: "text", dir: "auto" }, m.content),
    meta(m),
    best && score(m, best));
}

// What a formula adds up or multiplies; the rest is what the words brought.
const weights = ["lexical", "clarity", "importance", "recalled", "anchor", "recency", "level", "frequency"];

function score(m, best) {
  const own = weights.filter((name) => name in m.parts);
  const sum = own.reduce((s, name) => s + m.parts[name], 0) || 1;
  const bar = el("span", { class: "bar", "aria-hidden": "true" }, ...own.map((name, i) => width(el("i", { class: `p${i % 6}` }), (m.parts[name] / sum) * (m.score / best))));
  const rest = Object.keys(m.parts).filter((name) => !own.includes(name)).sort();
  return el("details", { class: "score" },
    el("summary", {}, el("span", {}, "score ", el("b", {}, decimal(m.score))), bar, el("span", {}, "relevance ", el("b", {}, decimal(m.relevance)))),
    el("div", { class: "parts" },
      ...own.map((name, i) => part(name, m.parts[name], `p${i % 6}`)),
      ...rest.map((name) => part(name.replace("words.", "words: "), m.parts[name], ""))));
}

const part = (name, value, color) =>
  el("div", {}, el("span", { class: "name" }, color && el("i", { class: color }), name), el("b", {}, decimal(value)));

function width(e, share) {
  e.style.width = `${Math.max(0, Math.min(1, share)) * 100}%`;
  return e;
}

function dropped(list) {
  const known = new Map(newest.map((m) => [m.id, m.content]));
  return el("details", { class: "score" },
    el("summary", {}, `${memories(list.length)} found and not shown `),
    el("ul", { class: "gone" }, ...list.slice(0, 50).map((d) =>
      el("li", {}, el("p", { class: "text", dir: "auto" }, known.get(d.id) || d.id), el("div", { class: "meta" }, el("span", {}, d.why), el("span", {}, `relevance ${decimal(d.relevance)}`))))));
}
