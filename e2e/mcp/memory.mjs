// A memory folder of its own for one test, and clients of the built binary over it.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

export const binary = resolve(process.env.PLASTIC ?? fileURLToPath(new URL("../../plastic", import.meta.url)));

// memory makes a folder; files are written into it. It goes when the test t ends.
export function memory(t, files = {}) {
  const home = mkdtempSync(join(tmpdir(), "plastic-e2e-"));
  const dir = join(home, "memory");
  const env = { PATH: process.env.PATH, HOME: home, PLASTIC_NOW: "2026-11-30T12:00:00Z" };
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const run = (...args) => spawnSync(binary, ["--dir", dir, ...args], { env, encoding: "utf8" });
  const made = spawnSync(binary, ["init", dir], { env, encoding: "utf8" });
  if (made.status !== 0) throw new Error(`init: ${made.stderr ?? made.error}`);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  return { dir, home, env, run, read: (name) => readFileSync(join(dir, name), "utf8") };
}

// connect starts the server on stdio and gives a client of it.
export async function connect(t, m, ...args) {
  const client = new Client({ name: "e2e", version: "1" });
  await client.connect(new StdioClientTransport({ command: binary, args: ["mcp", "--dir", m.dir, ...args], env: m.env, stderr: "inherit" }));
  t.after(() => client.close());
  await client.listTools(); // from here on the client holds every answer against its schema
  return client;
}

// serve starts the HTTP server and gives its address.
export async function serve(t, m) {
  const child = spawn(binary, ["serve", "--dir", m.dir, "--listen", "127.0.0.1:0"], { env: m.env, stdio: ["ignore", "ignore", "pipe"] });
  t.after(() => child.kill());
  for await (const line of createInterface({ input: child.stderr })) {
    const found = line.match(/http:\/\/\S+/);
    if (found) return new URL("/mcp", found[0]);
  }
  throw new Error("the server ended before it listened");
}

// connectHTTP gives a client of the server at url.
export async function connectHTTP(t, url) {
  const client = new Client({ name: "e2e", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(url));
  t.after(() => client.close());
  await client.listTools();
  return client;
}
