// Calls a server with OpenAI's own JavaScript SDK, unchanged. Started by openai_sdk.py, with the server's address and keys in
// OPENAI_BASE_URL, OPENAI_API_KEY and POOR_KEY.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const OpenAI = require("openai");

const text = "The lamp was lit before the storm came over the hill.";
// As a program that was written for OpenAI makes it: the address and the key come from the environment.
const client = new OpenAI({ maxRetries: 0, timeout: 60_000 });
const folder = process.argv[2];

async function main() {
  // Each format, whole. openai_sdk.py decodes the files.
  for (const format of ["mp3", "opus", "flac", "wav", "pcm"]) {
    const speech = await client.audio.speech.create({ model: "tts-1", voice: "alloy", input: text, response_format: format });
    fs.writeFileSync(path.join(folder, `speech.${format}`), Buffer.from(await speech.arrayBuffer()));
  }

  // A stream: the same bytes, in pieces.
  const asked = { model: "gpt-4o-mini-tts", voice: "heart", input: text, response_format: "pcm", instructions: "Softly." };
  const speech = await client.audio.speech.create(asked);
  assert.equal(speech.headers.get("lectern-ignored"), "instructions");
  const pieces = [];
  for await (const piece of speech.body) pieces.push(Buffer.from(piece));
  assert(pieces.length > 1, "a stream comes in pieces");
  const { response } = await client.audio.speech.create(asked).withResponse();
  assert.deepEqual(Buffer.from(await response.arrayBuffer()), Buffer.concat(pieces));

  const names = [];
  for await (const model of client.models.list()) names.push(model.id);
  assert.equal(names[0], "lectern");
  assert.equal((await client.models.retrieve("lectern")).owned_by, "lectern");

  const say = (fields, key) => (key ? new OpenAI({ apiKey: key, maxRetries: 0 }) : client).audio.speech.create({
    model: "tts-1", voice: "heart", input: text, ...fields,
  });
  for (const [kind, status, code, call] of [
    [OpenAI.AuthenticationError, 401, "invalid_api_key", () => say({}, "sk-not-a-key-of-this-service")],
    [OpenAI.APIError, 402, "insufficient_balance", () => say({}, process.env.POOR_KEY)],
    [OpenAI.PermissionDeniedError, 403, "ereader_tier_not_available", () => say({ voice: "alma" })],
    [OpenAI.NotFoundError, 404, "ereader_not_found", () => say({ voice: "nobody" })],
    [OpenAI.NotFoundError, 404, "not_found", () => client.models.retrieve("gpt-5")],
    [OpenAI.UnprocessableEntityError, 422, "validation_failed", () => say({ response_format: "aac" })],
    [OpenAI.UnprocessableEntityError, 422, "text_too_long", () => say({ input: "a".repeat(5_001) })],
  ]) {
    await assert.rejects(call, (error) => error instanceof kind && error.status === status && error.code === code, code);
  }
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
