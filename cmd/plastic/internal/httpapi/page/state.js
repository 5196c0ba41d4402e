// The state of the folder: counts, the next night, and what is wrong.

import * as api from "./api.js";
import { $, date, el, fill, inZone, number, plural, time } from "./dom.js";

export async function load() {
  const s = await api.get("/v1/stats");
  inZone(s.timezone);
  $("folder").textContent = s.dir;
  const kinds = Object.entries(s.kinds).sort((a, b) => b[1] - a[1]).map(([k, n]) => `${k} ${number(n)}`).join(", ");
  const rows = {
    "Reads as": api.reader(),
    "Live": number(s.live),
    "Superseded": number(s.superseded),
    "Kinds": kinds || "none",
    "Archive": api.trusted() ? number(s.archive) : "",
    "Card": s.card.bytes ? `${number(s.card.bytes)} bytes, about ${plural(s.card.tokens, "token", "tokens")}` : api.trusted() ? "empty" : "",
    "Last night": date(s.lastNight) || "none yet",
    "Next night": time(s.nextNight),
    "Time zone": s.timezone,
    "Channel": s.channel.enabled ? `recall ${s.channel.recall}, retain ${s.channel.retain ? "on" : "off"}` : "off",
  };
  fill($("figures"), ...Object.entries(rows).filter(([, v]) => v !== "").flatMap(([k, v]) => [el("dt", {}, k), el("dd", {}, v)]));
  if (!api.trusted()) {
    fill($("problems"), el("li", { class: "quiet" }, "They are told to the owner alone."));
    return;
  }
  fill($("problems"), ...(s.problems.length
    ? s.problems.map((p) => el("li", { class: "bad" }, p.message, p.hint && el("div", { class: "quiet" }, p.hint)))
    : [el("li", { class: "quiet" }, "None. The folder is well.")]));
}
