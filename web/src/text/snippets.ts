// A synthesis request as code in several languages.
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
  return [
    {
      name: 'curl',
      code: `curl -sS ${url} \\\n  -H "Authorization: Bearer $LECTERN_API_KEY" \\\n  -H 'Content-Type: application/json' \\\n  -d '${shell}'`,
    },
    {
      name: 'Python',
      code: `import json, os, urllib.request\n\nbody = json.loads(r'''${json.replaceAll("'''", "\\u0027\\u0027\\u0027")}''')\nrequest = urllib.request.Request(\n    "${url}",\n    data=json.dumps(body).encode(),\n    headers={\n        "Authorization": "Bearer " + os.environ["LECTERN_API_KEY"],\n        "Content-Type": "application/json",\n    },\n)\nwith urllib.request.urlopen(request) as response:\n    print(json.load(response)["audio_url"])`,
    },
    {
      name: 'TypeScript',
      code: `const response = await fetch("${url}", {\n  method: "POST",\n  headers: {\n    Authorization: \`Bearer \${process.env.LECTERN_API_KEY}\`,\n    "Content-Type": "application/json",\n  },\n  body: JSON.stringify(${json.replaceAll('\n', '\n  ')}),\n});\nif (!response.ok) throw new Error(await response.text());\nconsole.log((await response.json()).audio_url);`,
    },
  ];
}
