// The MCP conformance suite against /mcp of the built binary. Most of its server
// scenarios call tools, prompts and resources of the suite's own example server
// (test_simple_text, test://static-text, …): they can only fail here, and each is named
// with what it wants. Anything else that fails is a fault of ours.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { memory, serve } from "./memory.mjs";

const wants = {
  "completion-complete": "a completion for the prompt test_prompt_with_arguments; completions are not offered",
  "tools-call-simple-text": "the tool test_simple_text",
  "tools-call-image": "the tool test_image_content",
  "tools-call-audio": "the tool test_audio_content",
  "tools-call-embedded-resource": "the tool test_embedded_resource",
  "tools-call-mixed-content": "the tool test_multiple_content_types",
  "tools-call-with-logging": "the tool test_tool_with_logging",
  "tools-call-error": "the tool test_error_handling",
  "tools-call-with-progress": "the tool test_tool_with_progress",
  "tools-call-sampling": "the tool test_sampling",
  "tools-call-elicitation": "the tool test_elicitation",
  "elicitation-sep1034-defaults": "the tool test_elicitation_sep1034_defaults",
  "elicitation-sep1330-enums": "the tool test_elicitation_sep1330_enums",
  "json-schema-2020-12": "the tool json_schema_2020_12_tool",
  "server-sse-polling": "the tool test_reconnection",
  "resources-read-text": "the resource test://static-text",
  "resources-read-binary": "the resource test://static-binary",
  "resources-templates-read": "the template test://template/{id}/data",
  "resources-subscribe": "the resource test://watched-resource; subscriptions are not offered",
  "resources-unsubscribe": "the resource test://watched-resource; subscriptions are not offered",
  "prompts-get-simple": "the prompt test_simple_prompt",
  "prompts-get-with-args": "the prompt test_prompt_with_arguments",
  "prompts-get-embedded-resource": "the prompt test_prompt_with_embedded_resource",
  "prompts-get-with-image": "the prompt test_prompt_with_image",
};
const must = ["server-initialize", "ping", "logging-set-level", "tools-list", "resources-list", "prompts-list"];

test("what of the conformance suite can run here passes", async (t) => {
  const m = memory(t);
  const url = await serve(t, m);
  const results = mkdtempSync(join(tmpdir(), "plastic-conformance-"));
  t.after(() => rmSync(results, { recursive: true, force: true }));
  const suite = fileURLToPath(new URL("node_modules/.bin/conformance", import.meta.url));
  const child = spawn(suite, ["server", "--url", url.href], { cwd: results, stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => (out += piece));
  await new Promise((done) => child.on("close", done));
  const passed = [], failed = [];
  for (const [, mark, name] of out.matchAll(/^([✓✗]) (\S+): \d+ passed/gmu)) (mark === "✓" ? passed : failed).push(name);
  assert.deepEqual(must.filter((name) => !passed.includes(name)), [], out.slice(-2000));
  assert.deepEqual(failed.filter((name) => !(name in wants)), [], out.slice(-2000));
  console.log(`conformance: ${passed.length} scenarios pass, ${failed.length} want the suite's own server`);
});
