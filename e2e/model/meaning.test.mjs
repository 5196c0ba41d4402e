// The built binary with real vectors: questions that share no word with their answer.
// PLASTIC names the binary. Prints recall@5 by words, by vectors, blended and by RRF.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { start } from "./server.mjs";

const run = promisify(execFile);
const plastic = resolve(process.env.PLASTIC ?? "../../plastic");
const lines = (file) => readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line));

test("questions in other words find their memories by meaning", async (t) => {
  const server = await start();
  const dir = mkdtempSync(join(tmpdir(), "plastic-meaning-"));
  t.after(() => {
    server.stop();
    rmSync(dir, { recursive: true });
  });
  const env = { ...process.env, HOME: dir, XDG_STATE_HOME: join(dir, "state"), XDG_CONFIG_HOME: join(dir, "config") };
  const call = async (...args) => (await run(plastic, ["--dir", join(dir, "memory"), ...args], { env })).stdout;
  await run(plastic, ["init", join(dir, "memory")], { env });
  await call("config", "set", "model.apiBase", server.url);
  await call("config", "set", "model.embed", "use-lite-en");
  await call("config", "set", "model.readTimeout", "30s");

  // The folder itself: vectors are made once; where its cosines lie is measured.
  const memories = lines("memories.jsonl"), queries = lines("queries.jsonl");
  await call("import", "memories.jsonl");
  const made = JSON.parse(await call("--json", "reindex"));
  assert.equal(made.embedded, memories.length);
  assert.equal(server.calls.texts, memories.length);
  const again = JSON.parse(await call("--json", "reindex", "--measure"));
  assert.equal(again.embedded, 0);
  console.log(await call("reindex", "--measure"));

  const figures = async (...args) => JSON.parse(await call("--json", "eval", "memories.jsonl", "queries.jsonl", ...args)).recall["5"];
  const at5 = { words: await figures() };
  at5["blend, 0.4 to 1"] = await figures("--embed");
  await call("config", "set", "recall.cosineZero", again.measured.cosineZero);
  await call("config", "set", "recall.cosineOne", again.measured.cosineOne);
  at5.blend = await figures("--embed");
  await call("config", "set", "recall.fusion", "rrf");
  at5.rrf = await figures("--embed");
  await call("config", "set", "recall.fusion", "blend");

  const vectors = await server.encoder.embed(memories.map((m) => m.content));
  const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
  const cosine = (a, b) => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
  let found = 0;
  for (const q of queries) {
    const [v] = await server.encoder.embed([q.query]);
    const best = memories.map((m, i) => [cosine(v, vectors[i]), m.id]).sort((a, b) => b[0] - a[0]).slice(0, 5);
    if (best.some(([, id]) => q.gold.includes(id))) found += 1;
  }
  at5.vectors = found / queries.length;
  console.log("recall@5 of", queries.length, "questions:", Object.entries(at5).map(([k, v]) => `${k} ${(100 * v).toFixed(1)}`).join(", "));
  assert.ok(at5.blend > at5.words + 0.2, "vectors find what words do not");

  // A recall costs one call; without an endpoint it goes on by words.
  const calls = server.calls.embeddings;
  const got = JSON.parse(await call("--json", "recall", "is she pregnant?"));
  assert.equal(server.calls.embeddings, calls + 1);
  assert.ok(got.memories.some((m) => m.content.includes("expecting a baby")), JSON.stringify(got));
  server.stop();
  await call("config", "set", "model.apiBase", "http://127.0.0.1:1/v1");
  const words = JSON.parse(await call("--json", "recall", "the kitchen light"));
  assert.match(words.degraded, /words only/);
  assert.equal(words.memories[0].content, "the kitchen light flickers");
});
