// What a page does with the client, for scripts/sdks.py: bundled, and run in a browser. The address's fragment has the key and the
// service's address.
import { APIError, Lectern, type Material } from "lectern-tts";

const [apiKey, service] = location.hash.slice(1).split(",") as [string, string];

async function heard(): Promise<object> {
  const client = new Lectern({ baseURL: location.origin, apiKey });
  const heart = await client.ereaders.get("heart");
  const stream = await client.speech.stream({ ereader_id: heart.id, text: "A page speaks." });
  const audio = (await stream.blob()).size;

  const told: number[] = [];
  const file = new File(["A text of a page. ".repeat(10_000)], "page.txt");
  const uploaded = await client.materials.upload(file, { onProgress: (sent, total) => told.push(sent / total) });
  const material: Material = await client.materials.wait(uploaded.id);

  let code = "";
  try {
    await client.speech.synthesize({ ereader_id: "erd_00000000000000000000000000000000", text: "Hello." });
  } catch (error) {
    if (error instanceof APIError) code = error.code;
  }

  let socket = 0;
  const direct = new Lectern({ baseURL: service, apiKey });
  for await (const event of (await direct.speech.socket({ ereader_id: heart.id })).speak(["A page ", "speaks."])) {
    if (event.type === "audio") socket += event.data.byteLength;
  }
  return { audio, progress: told.at(-1) === 1, status: material.status, code, socket };
}

const result = await heard().catch((error: unknown) => ({ error: String(error) }));
await fetch("/told", { method: "POST", body: JSON.stringify(result) });
