// The page: it wires the parts and keeps them up to date by the event stream.

import * as api from "./api.js";
import * as archive from "./archive.js";
import * as card from "./card.js";
import { $, later, toast } from "./dom.js";
import * as forecast from "./forecast.js";
import * as memory from "./memory.js";
import * as nights from "./nights.js";
import * as picture from "./picture.js";
import * as search from "./search.js";
import * as sleep from "./sleep.js";
import * as state from "./state.js";

const only = "This is there for the owner alone (audience trusted).";
const loads = { forecast: forecast.load, nights: nights.load, archive: archive.load, card: card.load };

let ids = new Set(); // of all memories that are in the folder and hold
let gone = new Set(); // what the forecast takes
let tab = "search";

async function loadMemories() {
  await state.load();
  let list = [];
  if (api.trusted()) list = (await api.get("/v1/memories")).memories;
  ids = new Set(list.map((m) => m.id));
  $("picture-note").hidden = api.trusted();
  $("picture-note").textContent = `The picture shows every memory. ${only}`;
  $("picture-body").hidden = !api.trusted();
  $("legend").hidden = !api.trusted();
  if (api.trusted()) picture.set(list);
  else $("picture-title").textContent = "Memory";
  $("new").disabled = api.reader() === "public";
  search.set(list);
}

// loadTab fills the open tab, or says why there is nothing.
async function loadTab() {
  picture.mark(tab === "forecast" ? gone : new Set());
  const load = loads[tab];
  if (!load) return;
  const note = $(tab).querySelector(".note"), body = $(tab).querySelector(".body");
  try {
    await load();
    note.hidden = true;
    body.hidden = false;
  } catch (err) {
    note.textContent = err.code === "denied" ? only : api.words(err);
    note.hidden = false;
    body.hidden = true;
  }
}

async function loadAll() {
  try {
    await loadMemories();
    await sleep.load();
  } catch (err) {
    toast(api.words(err), { bad: true });
  }
  await loadTab();
}

const soon = later(120, loadAll);

function choose(name) {
  tab = name;
  for (const b of document.querySelectorAll("[role=tab]")) {
    const on = b.getAttribute("aria-controls") === name;
    b.setAttribute("aria-selected", on);
    b.tabIndex = on ? 0 : -1;
    $(b.getAttribute("aria-controls")).hidden = !on;
  }
  loadTab();
}

function tabs() {
  const all = [...document.querySelectorAll("[role=tab]")];
  for (const b of all) b.addEventListener("click", () => choose(b.getAttribute("aria-controls")));
  all[0].parentElement.addEventListener("keydown", (e) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
    if (!step) return;
    const next = all[(all.indexOf(document.activeElement) + step + all.length) % all.length];
    next.focus();
    choose(next.getAttribute("aria-controls"));
  });
}

function live(name, text) {
  $("live").className = `live ${name}`;
  $("live").lastElementChild.textContent = text;
}

let stop = new AbortController();

function listen() {
  stop.abort();
  stop = new AbortController();
  let lost = false;
  api.events((name, data) => {
    if (name === "open") {
      live("on", "live");
      if (lost) soon();
      lost = false;
    } else if (name === "lost") {
      lost = true;
      live("off", "not connected");
    } else if (name === "hello") {
      sleep.asleep(data.sleeping);
    } else if (name === "sleeping" || name === "awake") {
      sleep.asleep(name === "sleeping");
    } else {
      soon();
    }
  }, stop.signal);
}

function readers() {
  $("audience").addEventListener("change", () => { api.readAs($("audience").value); loadAll(); listen(); });
  $("open-token").addEventListener("click", () => { $("token-value").value = ""; $("token").showModal(); });
  $("token-form").addEventListener("submit", (e) => {
    e.preventDefault();
    api.useToken($("token-value").value);
    $("token").close();
    loadAll();
    listen();
  });
}

picture.start(memory.open);
search.start(memory.open);
memory.start(soon);
archive.start(memory.restore, (id) => ids.has(id));
nights.start(soon);
sleep.start(soon);
forecast.start((set) => { gone = set; if (tab === "forecast") picture.mark(set); });
card.start();
tabs();
readers();
$("new").addEventListener("click", memory.create);
await loadAll();
listen();
setInterval(soon, 10 * 60 * 1000); // clarity fades by itself
