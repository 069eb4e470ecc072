// The policy of the service allows no scripts inside of pages: each becomes a file.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const found = new Map();

/** The page with its inline scripts replaced by references to files. */
export function extractScripts(html, base) {
  return html.replace(/<script(?<attributes>(?:\s[^>]*)?)>(?<code>[^]+?)<\/script>/g, (whole, ...match) => {
    const { attributes, code } = match.at(-1);
    if (/\ssrc=/.test(attributes)) return whole;
    const name = `assets/inline-${createHash('sha256').update(code).digest('hex').slice(0, 8)}.js`;
    found.set(name, code);
    return `<script${attributes.replace(/\sid="[^"]*"/, '')} src="${base}${name}"></script>`;
  });
}

export function writeScripts(folder) {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  for (const [name, code] of found) writeFileSync(join(folder, name), code);
}
