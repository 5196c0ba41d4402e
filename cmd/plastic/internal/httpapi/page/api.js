// The server, as functions. A failure is an Error with the server's own words,
// code and hint.

let token = sessionStorage.getItem("token") || "";
let as = ""; // an audience below the token's own
let granted = ""; // who the server says reads, without as

export const reader = () => as || granted;
export const trusted = () => reader() === "trusted";
export function readAs(audience) { as = audience; }
export function useToken(value) {
  token = value.trim();
  if (token) sessionStorage.setItem("token", token);
  else sessionStorage.removeItem("token");
}

function headers(more) {
  return token ? { ...more, Authorization: `Bearer ${token}` } : more;
}

function address(path, query) {
  const q = new URLSearchParams();
  for (const [key, value] of Object.entries(query || {})) {
    for (const one of [].concat(value)) if (one !== "" && one != null) q.append(key, one);
  }
  if (as) q.append("audience", as);
  const text = q.toString();
  return text ? `${path}?${text}` : path;
}

export async function ask(method, path, { query, body } = {}) {
  const answer = await fetch(address(path, query), {
    method,
    headers: headers(body === undefined ? {} : { "Content-Type": "application/json" }),
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch(() => { throw Object.assign(new Error("the server can not be reached"), { code: "io", hint: "" }); });
  const who = answer.headers.get("Plastic-Audience");
  if (who && !as) granted = who;
  const got = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(got.error), { code: got.code, hint: got.hint });
  return got;
}

export const get = (path, query) => ask("GET", path, { query });
export const memory = (id) => `/v1/memories/${encodeURIComponent(id)}`;

// words are what a failure says, with its next step.
export const words = (err) => (err.hint ? `${err.message} (${err.hint})` : err.message);

// events reads the stream of changes until stop is aborted, and comes back after
// a break. hear gets each event's name and data, and "open" and "lost".
export async function events(hear, stop) {
  for (let wait = 500; !stop.aborted; wait = Math.min(wait * 2, 15000)) {
    try {
      const answer = await fetch(address("/v1/events"), { headers: headers({ Accept: "text/event-stream" }), signal: stop });
      if (answer.ok) {
        hear("open", {});
        wait = 500;
        await readStream(answer.body, hear);
      }
    } catch { /* told below, and tried again */ }
    if (stop.aborted) return;
    hear("lost", {});
    await new Promise((done) => setTimeout(done, wait));
  }
}

async function readStream(body, hear) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      let name = "message", data = "";
      for (const line of block.split("\n")) {
        if (line.startsWith("event: ")) name = line.slice(7);
        if (line.startsWith("data: ")) data = line.slice(6);
      }
      if (data) hear(name, JSON.parse(data));
    }
  }
}
