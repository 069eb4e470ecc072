// Calls a server with ElevenLabs' own JavaScript SDK, unchanged. Started by elevenlabs_sdk.py, with the server's address and
// a key in LECTERN_URL and LECTERN_API_KEY.
"use strict";

const assert = require("node:assert/strict");
const { ElevenLabsClient, ElevenLabsError } = require("@elevenlabs/elevenlabs-js");

const text = "The lamp was lit before the storm came over the hill.";
const client = new ElevenLabsClient({
  baseUrl: process.env.LECTERN_URL,
  apiKey: process.env.LECTERN_API_KEY,
  maxRetries: 0,
});

async function whole(stream) {
  const pieces = [];
  for await (const piece of stream) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

async function main() {
  const speech = client.textToSpeech;
  const asked = { text, modelId: "eleven_flash_v2_5", outputFormat: "pcm_24000", voiceSettings: { speed: 1, stability: 0.5 } };
  const converted = await whole(await speech.convert("heart", asked));
  const streamed = await whole(await speech.stream("heart", asked));
  assert.deepEqual(converted, streamed);
  // Two to six seconds of two bytes each.
  assert(converted.length > 96_000 && converted.length < 288_000, `${converted.length} bytes`);

  const timed = await speech.convertWithTimestamps("heart", { text, outputFormat: "pcm_24000" });
  assert.equal(timed.alignment.characters.join(""), text);
  const audio = [];
  for await (const line of await speech.streamWithTimestamps("heart", { text, outputFormat: "pcm_24000" })) {
    audio.push(Buffer.from(line.audioBase64, "base64"));
  }
  assert.deepEqual(Buffer.concat(audio), Buffer.from(timed.audioBase64, "base64"));

  const { voices } = await client.voices.getAll();
  const heart = voices.find((voice) => voice.name === "Heart");
  assert.equal((await client.voices.get(heart.voiceId)).labels.slug, "heart");
  assert.equal((await client.voices.search({ search: "heart" })).voices[0].voiceId, heart.voiceId);
  assert.equal((await client.models.list())[0].modelId, "lectern");
  assert((await client.user.subscription.get()).characterLimit > 0);
  assert.equal((await client.user.get()).subscription.tier, "free");

  await assert.rejects(
    speech.convert("nobody", { text }),
    (error) => error instanceof ElevenLabsError && error.statusCode === 404 && error.body.detail.status === "ereader_not_found",
  );
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
