// Sleep: whether the memory sleeps, waking it, and a night by hand, whose plan is
// shown before it is done.

import * as api from "./api.js";
import { $, date, fill, memories, number, toast } from "./dom.js";
import { changes } from "./nights.js";

let changed = () => {};
let again = false; // the plan that is shown is of a night that has been

export function start(onChange) {
  changed = onChange;
  $("wake").addEventListener("click", wake);
  $("sleep-now").addEventListener("click", plan);
  $("plan-form").addEventListener("submit", (e) => { e.preventDefault(); sleep(); });
}

export async function load() {
  asleep((await api.get("/v1/sleep")).sleeping);
}

// asleep shows or hides that the memory sleeps.
export function asleep(on) {
  const held = document.activeElement === $("wake");
  $("sleeping").hidden = !on;
  $("sleeping-words").textContent = on ? "The memory sleeps…" : "";
  $("wake").hidden = !api.trusted();
  $("sleep-now").disabled = on;
  if (held && !on) $("tab-nights").focus();
}

async function wake() {
  $("wake").disabled = true;
  try {
    const { woken } = await api.ask("POST", "/v1/sleep/wake", { body: {} });
    toast(woken ? "It wakes. What was not applied yet is not; the night is due again." : "It was awake already.");
    if (!woken) asleep(false);
  } catch (err) {
    toast(api.words(err), { bad: true });
  }
  $("wake").disabled = false;
}

async function plan() {
  $("sleep-now").disabled = true;
  try {
    const [night, { memories: all }] = await Promise.all([
      api.ask("POST", "/v1/sleep", { body: { dryRun: true } }), api.get("/v1/memories", { all: true }),
    ]);
    const c = night.compress, known = new Map(all.map((m) => [m.id, m.content]));
    again = c.done;
    $("plan-words").textContent = c.pruned ? `${number(c.before)} → ${memories(c.after)}. What goes is kept in the archive, and the night can be undone.`
      : `No memory goes: ${memories(c.after)} stay.`;
    $("plan-note").textContent = `The night of ${date(c.date)} has been. This would be one more for that date.`;
    $("plan-note").hidden = !again;
    $("plan-go").textContent = again ? "Sleep once more" : "Sleep";
    const items = (ids) => ids.map((id) => ({ id }));
    fill($("plan-lists"), ...changes(items(c.archived), items(c.raised), night.phases, (id) => known.get(id)));
    $("plan-lists").hidden = c.pruned + c.promoted === 0;
    $("plan").showModal();
    $("plan-lists").scrollTop = 0;
  } catch (err) {
    toast(api.words(err), { bad: true });
  }
  $("sleep-now").disabled = false;
}

async function sleep() {
  $("plan").close();
  $("sleep-now").disabled = true;
  try {
    const { compress: c } = await api.ask("POST", "/v1/sleep", { body: { again } });
    toast(`Slept: ${c.before} → ${memories(c.after)}, pruned ${c.pruned}, raised ${c.promoted}.`);
  } catch (err) {
    toast(api.words(err), { bad: true });
  }
  $("sleep-now").disabled = false;
  changed();
}
