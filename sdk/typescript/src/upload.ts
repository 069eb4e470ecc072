// Files on their way to the service.

/** A file: from an `<input>`, from `fileFrom` of `lectern-tts/node`, or its bytes. */
export type Uploadable = Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;

function quoted(name: string): string {
  return name.replace(/\r?\n|\r/g, "%0D%0A").replaceAll('"', "%22");
}

/** A form with a file, as one `Blob`: its length is known, and it can be sent several times. */
export async function form(
  file: Uploadable,
  filename: string,
  fields: Record<string, string | undefined>,
): Promise<Blob> {
  const boundary = `lectern-${Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16)).join("")}`;
  const parts: BlobPart[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    parts.push(`--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`);
  }
  const disposition = `form-data; name="file"; filename="${quoted(filename)}"`;
  parts.push(`--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: application/octet-stream\r\n\r\n`);
  const end = `\r\n--${boundary}--\r\n`;
  const type = `multipart/form-data; boundary=${boundary}`;
  const size = file instanceof Blob ? file.size : file.byteLength;
  const head = new Blob(parts).size;
  const whole = new Blob([...parts, file, end], { type });
  if (whole.size === head + size + end.length) return whole;
  // Bun loses files on disk inside of other blobs.
  return new Blob([...parts, await new Response(file).arrayBuffer(), end], { type });
}

/** The name of a `File`. */
export function nameOf(file: Uploadable): string {
  const { name } = file as { name?: unknown };
  return typeof name === "string" && name ? name : "upload";
}
