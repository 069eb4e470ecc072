// A synthesis request as code: for curl, and for the clients of sdk/. What JSON writes is a literal in Python and in TypeScript too.
export type SynthesisCall = {
  ereaderId: string;
  text: string;
  format: string;
  speed: number;
  language: string | null;
  isSsml?: boolean;
  pitch?: number;
  speakers?: Record<string, string> | undefined;
  lexiconIds?: string[] | undefined;
};

export function snippets(call: SynthesisCall, origin: string): { name: string; code: string }[] {
  const body: Record<string, unknown> = { ereader_id: call.ereaderId, text: call.text || 'Hello from Lectern.' };
  if (call.format !== 'mp3') body.format = call.format;
  if (call.speed !== 1) body.speed = call.speed;
  if (call.language) body.language = call.language;
  if (call.isSsml) body.text_type = 'ssml';
  if (call.pitch) body.pitch = call.pitch;
  if (call.speakers) body.speakers = call.speakers;
  if (call.lexiconIds) body.lexicon_ids = call.lexiconIds;
  const json = JSON.stringify(body, null, 2);
  // A single quote ends a shell string: close the string, add an escaped quote, and open it again.
  const shell = json.replaceAll("'", String.raw`'\''`);
  const url = `${origin}/v1/saas/tts:synthesize`;
  const file = `speech.${call.format}`;
  return [
    {
      name: 'curl',
      code: `curl -sS ${url} \\\n  -H "Authorization: Bearer $LECTERN_API_KEY" \\\n  -H 'Content-Type: application/json' \\\n  -d '${shell}'`,
    },
    {
      name: 'Python',
      code: `# The client is in sdk/python of Lectern's source.\nfrom lectern import Lectern\n\nclient = Lectern(base_url="${origin}")\nspoken = client.speech.synthesize(\n${Object.entries(body).map(([name, value]) => `    ${name}=${JSON.stringify(value)},\n`).join('')})\nclient.files.download(spoken.audio_url, "${file}")`,
    },
    {
      name: 'TypeScript',
      code: `// The client is in sdk/typescript of Lectern's source.\nimport { Lectern } from "lectern-tts";\nimport { saveTo } from "lectern-tts/node";\n\nconst client = new Lectern({ baseURL: "${origin}" });\nconst spoken = await client.speech.synthesize(${json.replace(/^ {2}"(\w+)":/gm, '  $1:')});\nawait saveTo("${file}", await client.files.open(spoken.audio_url));`,
    },
  ];
}
