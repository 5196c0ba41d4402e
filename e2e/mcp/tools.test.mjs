// Every tool, resource and prompt by the official client, on stdio and HTTP. The
// client checks each structured answer against the schema the tool listed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { connect, connectHTTP, memory, serve } from "./memory.mjs";

const all = ["card", "consolidate", "forget", "list", "recall", "remember", "update"].map((verb) => `memory_${verb}`);
const say = (client, name, args) => client.callTool({ name, arguments: args });
const text = (result) => result.content.map((part) => part.text).join("\n");

async function well(client, name, args) {
  const result = await say(client, name, args);
  assert.ok(!result.isError, `${name}: ${text(result)}`);
  return result.structuredContent;
}

async function refused(client, name, args, says) {
  const result = await say(client, name, args);
  assert.ok(result.isError, `${name} was not refused: ${text(result)}`);
  assert.match(text(result), says);
}

// everyTool lives through one memory, with arguments as models write them.
async function everyTool(client, m) {
  const made = await well(client, "memory_remember", { content: "@ann told me she keeps two cats", importance: "0.8", private: "false", speaker: "@ann" });
  assert.equal(made.outcome, "created");
  assert.equal(made.memory.importance, 0.8);
  assert.equal(made.memory.private, false);
  const again = await well(client, "memory_remember", { content: ["@ann told me she keeps two cats"], level: "2.0" });
  assert.deepEqual([again.outcome, again.id], ["reinforced", made.id]);

  const found = await well(client, "memory_recall", { query: "does Ann have cats", limit: "5" });
  assert.deepEqual(found.memories.map((x) => x.id), [made.id]);
  assert.deepEqual((await well(client, "memory_recall", { query: "submarine" })).memories, []);

  const changed = await well(client, "memory_update", { id: made.id.slice(0, 5), content: "@ann told me she keeps four cats", pinned: true });
  assert.equal(changed.memory.content, "@ann told me she keeps four cats");
  assert.equal(changed.memory.layer, "anchor");

  const tea = await well(client, "memory_remember", { content: "Чай в пять, 喝茶", kind: "event", at: "2026-11-28" });
  assert.equal((await well(client, "memory_list", { limit: 1 })).next, 1);
  assert.equal((await well(client, "memory_list", {})).total, 2);
  await refused(client, "memory_forget", { id: "cats" }, new RegExp(`${made.id} \\| fact`));
  assert.deepEqual((await well(client, "memory_forget", { ids: JSON.stringify([tea.id]), why: "said in jest" })).forgotten, [tea.id]);

  const card = await well(client, "memory_card", {});
  await well(client, "memory_card", { content: "- @ann is the owner\n", hash: card.hash });
  assert.equal(m.read("memory.md"), "- @ann is the owner\n");
  await refused(client, "memory_card", { content: "x", hash: card.hash }, /changed since it was read/);

  assert.equal((await well(client, "memory_consolidate", { dryRun: true })).dryRun, true);
  assert.equal((await well(client, "memory_consolidate")).done, true);
  await refused(client, "memory_remember", {}, /needs content/);
  await refused(client, "memory_remember", { content: "x", importance: "high" }, /a number from 0 to 1/);
}

async function resources(client) {
  const listed = await client.listResources();
  assert.deepEqual(listed.resources.map((r) => r.uri).sort(), ["memory://card", "memory://prompt"]);
  assert.equal((await client.readResource({ uri: "memory://card" })).contents[0].text, "- @ann is the owner\n");
  const section = (await client.readResource({ uri: "memory://prompt?q=cats" })).contents[0].text;
  assert.match(section, /^# Memory\n/);
  assert.match(section, /four cats/);
  const prompt = await client.getPrompt({ name: "memory-rule", arguments: { message: "cats" } });
  assert.match(prompt.messages[0].content.text, /poorer without[^]*four cats/);
}

test("every tool on stdio", async (t) => {
  const m = memory(t);
  const client = await connect(t, m);
  assert.match(client.getInstructions(), /memory_recall[^]*poorer without/);
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name), all);
  for (const tool of tools) {
    for (const hint of ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"]) {
      assert.equal(typeof tool.annotations[hint], "boolean", `${tool.name} ${hint}`);
    }
    assert.ok(tool.title && tool.description && tool.inputSchema && tool.outputSchema);
  }
  await everyTool(client, m);
  await resources(client);
  await client.close();
  const list = m.run("list");
  assert.match(list.stdout, /four cats/);
  assert.equal(JSON.parse(m.run("--json", "doctor").stdout).ok, true);
});

test("every tool over HTTP", async (t) => {
  const m = memory(t);
  const url = await serve(t, m);
  if ((await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" })).status === 404) {
    t.skip("this binary serves no /mcp");
    return;
  }
  const client = await connectHTTP(t, url);
  await everyTool(client, m);
  await resources(client);
});

test("others are listed and told less", async (t) => {
  const files = {
    "memory.json": `{"version":1,"memories":[
 {"id":"hid1","content":"her zebrawood pension is ten thousand","kind":"fact","importance":0.9,"private":true,"createdAt":"2026-11-01T08:00:00Z"}
,{"id":"tea1","content":"tea at five in the garden","kind":"fact","importance":0.5,"createdAt":"2026-11-03T08:00:00Z"}
]}
`,
  };
  for (const [who, verbs] of Object.entries({ owner: ["forget", "recall", "remember", "update"], public: ["recall"] })) {
    const client = await connect(t, memory(t, files), "--audience", who);
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map((tool) => tool.name), verbs.map((verb) => `memory_${verb}`));
    const got = await say(client, "memory_recall", { query: "zebrawood" });
    assert.doesNotMatch(JSON.stringify(got), /pension|hid1/);
    assert.equal(got.structuredContent.withheld, who === "owner" ? 1 : 0);
    const heard = await well(client, "memory_recall", { query: "tea in the garden" });
    assert.deepEqual(heard.memories.map((x) => x.id), ["tea1"]);
  }
});

test("the tools have the names that config.yaml gives them", async (t) => {
  const client = await connect(t, memory(t, { "config.yaml": "mcp: {names: {remember: memory_save, recall: memory_search}}\n" }));
  await well(client, "memory_save", { content: "tea at five" });
  assert.equal((await well(client, "memory_search", { query: "tea" })).memories.length, 1);
});

test("two clients at once lose nothing", async (t) => {
  const m = memory(t);
  const clients = [await connect(t, m), await connect(t, m)];
  const kept = await Promise.all(clients.flatMap((client, c) =>
    Array.from({ length: 15 }, (_, i) => well(client, "memory_remember", { content: `client ${c} counted ${i} ${"abcdefghijklmno"[i]} sheep` }))));
  assert.equal(new Set(kept.map((x) => x.id)).size, 30);
  assert.equal((await well(clients[0], "memory_list", { limit: 100 })).total, 30);
});

test("a folder that is not there is told by the tools", async (t) => {
  const m = memory(t);
  const client = await connect(t, { ...m, dir: `${m.dir}-nowhere` });
  await refused(client, "memory_recall", { query: "tea" }, /there is no folder[^]*plastic init/);
});
