// Elements and words. Every text goes in as text: nothing here reads HTML.

export const $ = (id) => document.getElementById(id);

// el makes an element: el("p", {class: "quiet"}, "text", child, …). A property
// that is a function is a listener; null and false children are left out.
export function el(name, props, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(props || {})) {
    if (typeof value === "function") e.addEventListener(key, value);
    else if (value === true) e.setAttribute(key, "");
    else if (value !== false && value != null) e.setAttribute(key, value);
  }
  e.append(...children.filter((c) => c !== null && c !== undefined && c !== false));
  return e;
}

export function svg(name, props, ...children) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(props || {})) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

export const fill = (parent, ...children) => parent.replaceChildren(...children.filter(Boolean));

const formats = (timeZone) => [
  new Intl.DateTimeFormat(undefined, { timeZone, year: "numeric", month: "short", day: "numeric" }),
  new Intl.DateTimeFormat(undefined, { timeZone, year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" }),
];
let [day, minute] = formats(undefined);

// inZone makes times read as in the folder's zone; one that the browser does not
// know leaves them in its own.
export function inZone(name) {
  try {
    [day, minute] = formats(name);
  } catch { /* such as Local */ }
}

const whole = new Intl.NumberFormat("en");

// date takes a time, or a bare date, which is the same day everywhere.
export const date = (t) => (t ? (t.length === 10 ? bare.format(new Date(t)) : day.format(new Date(t))) : "");
const bare = new Intl.DateTimeFormat(undefined, { timeZone: "UTC", year: "numeric", month: "short", day: "numeric" });
export const time = (t) => (t ? minute.format(new Date(t)) : "");
export const number = (n) => whole.format(n);
export const decimal = (x) => (Math.round(x * 100) / 100).toFixed(2);
export const plural = (n, one, many) => `${number(n)} ${n === 1 ? one : many}`;
export const memories = (n) => plural(n, "memory", "memories");

// layer is the chip of a layer; "" is a memory that no longer holds.
export const layer = (name) => el("span", { class: `layer ${name || "none"}` }, name || "superseded");

// meta is the small line under a memory.
export function meta(m) {
  return el("div", { class: "meta" },
    layer(m.layer),
    m.layer && el("span", {}, `clarity ${decimal(m.clarity)}`),
    el("span", {}, `importance ${decimal(m.importance)}`),
    el("span", {}, m.kind),
    el("span", {}, date(m.createdAt)),
    m.recallCount > 0 && el("span", {}, `recalled ${m.recallCount}×`),
    m.pinned && el("span", { class: "chip" }, "pinned"),
    m.private && el("span", { class: "chip" }, "private"));
}

// toast says something at the edge of the page, for a while.
export function toast(text, { bad = false, action = "", run = null } = {}) {
  const t = el("div", { class: bad ? "toast bad" : "toast" }, el("span", {}, text));
  if (run) t.append(el("button", { type: "button", click: () => { t.remove(); run(); } }, action));
  $("toasts").append(t);
  setTimeout(() => t.remove(), run ? 12000 : 6000);
}

// later calls f once things have been quiet for ms.
export function later(ms, f) {
  let timer;
  return (...args) => { clearTimeout(timer); timer = setTimeout(() => f(...args), ms); };
}

// more shows the first items of a list and a button for the next ones.
export function more(list, button, items, make, step = 50) {
  let shown = 0;
  const next = () => {
    list.append(...items.slice(shown, shown + step).map(make));
    shown = Math.min(shown + step, items.length);
    fill(button, shown < items.length && el("button", { type: "button", click: next }, `Show more (${number(items.length - shown)} left)`));
  };
  list.replaceChildren();
  next();
}
