// The picture: one bar a memory, the oldest left, as high as it is clear, in the
// colour of its layer. Where the bars do not fit they scroll; only those in view
// are drawn, and a strip below shows the whole and where one is.

import { $, date, decimal, el, fill, memories as counted, meta } from "./dom.js";

const order = ["anchor", "important", "recent", "fading"];
const margin = { top: 12, bottom: 24, left: 28 };
const narrowest = 3, scrolled = 4, widest = 40; // px a bar with its gap: where all fit, where they scroll, where they are few

let bars = [];      // live memories, oldest first
let marked = new Set(); // ids that a forecast takes
let at = -1;        // the bar that is shown below
let pitch = scrolled;
let open = () => {};
let colors = {};
let whole = null;   // the strip without its window, drawn once
let frame = 0;
let edge = 1;       // how far right the view ends, 0…1 of the whole

const stage = $("stage"), canvas = $("bars"), track = stage.querySelector(".track"), overview = $("overview");

export function start(onOpen) {
  open = onOpen;
  new ResizeObserver(layout).observe(stage);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
  stage.addEventListener("scroll", () => { edge = (stage.scrollLeft + stage.clientWidth) / stage.scrollWidth; draw(); }, { passive: true });
  canvas.addEventListener("pointermove", (e) => { if (e.pointerType === "mouse") show(hit(e)); });
  canvas.addEventListener("click", (e) => { const i = hit(e); show(i); if (i >= 0) open(bars[i].id); });
  stage.addEventListener("keydown", key);
  stage.addEventListener("focus", () => { if (at < 0) show(bars.length - 1, true); });
  overview.addEventListener("pointerdown", (e) => { overview.setPointerCapture(e.pointerId); jump(e); });
  overview.addEventListener("pointermove", (e) => { if (overview.hasPointerCapture(e.pointerId)) jump(e); });
}

// set shows other memories; the bar one looks at stays.
export function set(list) {
  const held = bars[at]?.id;
  bars = list;
  at = held ? bars.findIndex((m) => m.id === held) : -1;
  legend();
  layout();
  tell();
}

// mark dims the bars that a forecast takes.
export function mark(ids) {
  marked = ids;
  repaint();
}

function legend() {
  const n = Object.fromEntries(order.map((l) => [l, 0]));
  for (const m of bars) n[m.layer]++;
  $("picture-title").textContent = counted(bars.length);
  fill($("legend"), ...order.map((l) => el("li", {}, el("span", { class: `layer ${l}` }, l), " ", el("b", {}, String(n[l])))));
}

function layout() {
  const room = stage.clientWidth - margin.left;
  if (room <= 0) return;
  const fits = room / Math.max(bars.length, 1);
  pitch = fits < narrowest ? scrolled : Math.min(widest, fits);
  const width = margin.left + pitch * bars.length;
  const scrolls = width > stage.clientWidth + 1;
  track.style.width = scrolls ? `${Math.ceil(width)}px` : "100%";
  overview.hidden = !scrolls;
  stage.scrollLeft = Math.round(edge * stage.scrollWidth) - stage.clientWidth;
  size(canvas, stage.clientWidth, track.clientHeight);
  size(overview, overview.clientWidth, overview.clientHeight);
  repaint();
}

function size(c, w, h) {
  const dpr = window.devicePixelRatio || 1;
  c.width = Math.max(1, Math.round(w * dpr));
  c.height = Math.max(1, Math.round(h * dpr));
  if (c === canvas) c.style.width = `${w}px`;
}

function repaint() {
  const style = getComputedStyle(document.documentElement);
  for (const name of [...order, "line", "strong", "quiet", "ink", "well", "sheet", "danger", "accent"]) colors[name] = style.getPropertyValue(`--${name}`).trim();
  whole = null;
  draw();
}

function draw() {
  if (frame) return;
  frame = requestAnimationFrame(() => { frame = 0; paint(); if (!overview.hidden) paintOverview(); });
}

function paint() {
  const g = canvas.getContext("2d"), dpr = window.devicePixelRatio || 1;
  const w = canvas.width / dpr, h = canvas.height / dpr;
  g.setTransform(dpr, 0, 0, dpr, 0, 0);
  g.clearRect(0, 0, w, h);
  const base = h - margin.bottom, tall = base - margin.top;
  grid(g, w, base, tall);
  g.save();
  g.beginPath();
  g.rect(margin.left, 0, w, h);
  g.clip();
  const first = Math.max(0, Math.floor(stage.scrollLeft / pitch)), last = Math.min(bars.length, Math.ceil((stage.scrollLeft + w) / pitch));
  const gap = pitch >= 8 ? 2 : 1;
  for (let i = first; i < last; i++) {
    const m = bars[i], x = margin.left + i * pitch - stage.scrollLeft, high = Math.max(2, m.clarity * tall);
    const gone = marked.has(m.id);
    g.globalAlpha = gone ? 0.28 : at >= 0 && i !== at ? 0.8 : 1;
    g.fillStyle = colors[m.layer] || colors.fading;
    g.beginPath();
    g.roundRect(x, base - high, pitch - gap, high, [Math.min(3, (pitch - gap) / 2), Math.min(3, (pitch - gap) / 2), 0, 0]);
    g.fill();
    g.globalAlpha = 1;
    if (gone) { g.fillStyle = colors.danger; g.fillRect(x, base + 1, pitch - gap, 2); }
    if (m.pinned) { g.fillStyle = colors.ink; g.beginPath(); g.arc(x + (pitch - gap) / 2, base - high - 5, 1.8, 0, 7); g.fill(); }
    if (i === at) { g.strokeStyle = colors.ink; g.lineWidth = 1.5; g.strokeRect(x - 0.75, base - high - 0.75, pitch - gap + 1.5, high + 1.5); }
  }
  dates(g, first, last, h);
  g.restore();
}

function grid(g, w, base, tall) {
  g.font = "11px system-ui, sans-serif";
  g.textBaseline = "middle";
  g.textAlign = "left";
  for (const y of [0, 0.5, 1]) {
    const at = Math.round(base - y * tall) + 0.5;
    g.strokeStyle = y === 0 ? colors.strong : colors.line;
    g.beginPath(); g.moveTo(margin.left, at); g.lineTo(w, at); g.stroke();
    g.fillStyle = colors.quiet;
    g.fillText(y === 0.5 ? "0.5" : String(y), 0, Math.max(6, at));
  }
}

// dates writes a date under the first bar in view and under the first of each
// month, or day where all are close, never two on top of each other.
function dates(g, first, last, h) {
  g.fillStyle = colors.quiet;
  let free = -Infinity, before = "";
  const days = last > first && new Date(bars[last - 1].createdAt) - new Date(bars[first].createdAt) < 70 * 864e5;
  for (let i = first; i < last; i++) {
    const key = bars[i].createdAt.slice(0, days ? 10 : 7);
    if (key === before) continue;
    before = key;
    const text = date(bars[i].createdAt), x = Math.max(margin.left, margin.left + i * pitch - stage.scrollLeft);
    if (x < free || x + g.measureText(text).width > stage.clientWidth) continue;
    g.fillText(text, x, h - 8);
    free = x + g.measureText(text).width + 20;
  }
}

// paintOverview draws the whole memory, once, and the part in view over it. In a
// column of several memories the higher stand behind the lower ones.
function paintOverview() {
  const g = overview.getContext("2d"), w = overview.width, h = overview.height;
  if (!whole || whole.width !== w || whole.height !== h) {
    whole = new OffscreenCanvas(w, h);
    const o = whole.getContext("2d"), step = w / bars.length, wide = Math.max(1, step);
    const sorted = bars.map((m, i) => [m, i]).sort((a, b) => b[0].clarity - a[0].clarity);
    for (const [m, i] of sorted) {
      o.globalAlpha = marked.has(m.id) ? 0.25 : 0.9;
      o.fillStyle = colors[m.layer] || colors.fading;
      o.fillRect(i * step, h - m.clarity * (h - 4), wide, m.clarity * (h - 4));
    }
  }
  g.globalAlpha = 1;
  g.clearRect(0, 0, w, h);
  g.drawImage(whole, 0, 0);
  const all = stage.scrollWidth, x = (stage.scrollLeft / all) * w, part = (stage.clientWidth / all) * w;
  g.fillStyle = colors.well;
  g.globalAlpha = 0.55;
  g.fillRect(0, 0, x, h);
  g.fillRect(x + part, 0, w, h);
  g.globalAlpha = 1;
  g.strokeStyle = colors.accent;
  g.lineWidth = 2 * (window.devicePixelRatio || 1);
  g.strokeRect(x + 1, 1, Math.max(part - 2, 4), h - 2);
}

function hit(e) {
  const x = e.offsetX - margin.left + stage.scrollLeft;
  const i = Math.floor(x / pitch);
  return x >= 0 && i < bars.length ? i : -1;
}

function jump(e) {
  stage.scrollLeft = (e.offsetX / overview.clientWidth) * stage.scrollWidth - stage.clientWidth / 2;
}

function key(e) {
  const page = Math.max(1, Math.floor(stage.clientWidth / pitch / 2));
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, PageUp: at - page, PageDown: at + page, Home: 0, End: bars.length - 1 }[e.key];
  if (to !== undefined) show(Math.max(0, Math.min(bars.length - 1, to)), true);
  else if ((e.key === "Enter" || e.key === " ") && bars[at]) open(bars[at].id);
  else return;
  e.preventDefault();
}

// show puts memory i below the picture; scroll brings its bar into view.
function show(i, scroll = false) {
  if (i === at) return;
  at = i;
  if (scroll && bars[i]) {
    const x = i * pitch;
    if (x < stage.scrollLeft + pitch) stage.scrollLeft = x - pitch * 3;
    else if (x + margin.left + pitch * 2 > stage.scrollLeft + stage.clientWidth) stage.scrollLeft = x + margin.left + pitch * 4 - stage.clientWidth;
  }
  draw();
  tell();
}

let twin = 0; // two ids take turns, so that a screen reader notices the change

function tell() {
  const m = bars[at], spoken = $("stage").querySelector("[role=option]");
  if (!m) {
    stage.removeAttribute("aria-activedescendant");
    fill($("under"), el("p", { class: "quiet" }, bars.length ? "Point at a bar, or go there with the arrow keys. A click or Enter opens the memory." : "Nothing is remembered yet."));
    return;
  }
  spoken.id = `bar-${(twin = 1 - twin)}`;
  spoken.textContent = `${m.content}, ${m.layer}, clarity ${decimal(m.clarity)}, ${date(m.createdAt)}`;
  spoken.setAttribute("aria-posinset", at + 1);
  spoken.setAttribute("aria-setsize", bars.length);
  stage.setAttribute("aria-activedescendant", spoken.id);
  fill($("under"), el("p", { class: "text", dir: "auto" }, m.content), meta(m));
}
