// The card: the text that stands in every prompt. It is only replaced if nobody
// else changed it since it was read.

import * as api from "./api.js";
import { $, number, toast } from "./dom.js";

let read = null; // {text, hash} as it was read

const box = $("card-text");
const dirty = () => read !== null && box.value !== read.text;

export function start() {
  box.addEventListener("input", size);
  $("card-reload").addEventListener("click", () => reload(true));
  $("card-save").addEventListener("click", save);
}

// load reads the card; what is being written here is not thrown away for it.
export async function load() {
  const got = await api.get("/v1/card");
  box.readOnly = !api.trusted();
  if (dirty() && got.hash !== read.hash) {
    toast("The card was changed elsewhere; “Read again” shows it.", { bad: true });
    return;
  }
  if (!dirty()) take(got);
}

function take(got) {
  read = got;
  box.value = got.text;
  size();
}

async function reload() {
  try {
    take(await api.get("/v1/card"));
  } catch (err) {
    toast(api.words(err), { bad: true });
  }
}

function size() {
  const bytes = new TextEncoder().encode(box.value).length;
  $("card-size").textContent = `${number(bytes)} bytes${bytes > 65536 ? " of at most 65,536" : ""}${dirty() ? ", not saved" : ""}`;
  $("card-save").disabled = !dirty() || !api.trusted();
}

async function save() {
  try {
    take(await api.ask("PUT", "/v1/card", { body: { content: box.value, hash: read.hash } }));
    toast("The card is saved; the former one is in the archive.");
  } catch (err) {
    toast(api.words(err), { bad: true });
  }
}
