// The files with the texts of a language have one hash in common, so that the head of the page, which names all of them (pages.ts), names
// five hashes and not one for each file.
import { createHash } from 'node:crypto';
import type { Plugin, Rollup } from 'vite';

const HASH = /-[\w-]{7}\.js$/;

/** The files of each language that have only texts in them. */
function textFiles(bundle: Rollup.OutputBundle): Map<string, Rollup.OutputChunk[]> {
  const found = new Map<string, Rollup.OutputChunk[]>();
  for (const chunk of Object.values(bundle)) {
    if (chunk.type !== 'chunk' || !chunk.moduleIds.length) continue;
    const languages = new Set(chunk.moduleIds.map((id) => /\/src\/i18n\/messages\/(\w+)(?:\/\w+)?\.ts$/.exec(id)?.[1]));
    const [language] = languages;
    if (languages.size === 1 && language && chunk.moduleIds.some((id) => id.includes(`/messages/${language}/`))) found.set(language, [...(found.get(language) ?? []), chunk]);
  }
  return found;
}

/** Renames these files. The names of files that import them change with them, since Rollup has computed those from the names of before. */
export function textNames(): Plugin {
  return {
    name: 'text-names',
    apply: 'build',
    // Before anything else notes the names.
    enforce: 'pre',
    generateBundle(_, bundle) {
      const names = new Map<string, string>();
      for (const [language, chunks] of textFiles(bundle)) {
        const hash = createHash('sha256').update(chunks.map(({ fileName }) => fileName).sort().join()).digest('base64url').replaceAll('-', '_').slice(0, 7);
        for (const { fileName } of chunks) {
          const stem = fileName.replace(/^assets\//, '').replace(HASH, '').replace(new RegExp(`^${language}(-|$)`), '') || 'all';
          names.set(fileName, `assets/${language}-${stem}-${hash}.js`);
        }
      }
      const base = (name: string): string => name.replace(/^assets\//, '');
      const renamed = (name: string): string => names.get(name) ?? name;
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        for (const [before, after] of names) chunk.code = chunk.code.replaceAll(base(before), base(after));
        chunk.imports = chunk.imports.map(renamed);
        chunk.dynamicImports = chunk.dynamicImports.map(renamed);
      }
      for (const [before, after] of names) {
        const chunk = bundle[before] as Rollup.OutputChunk;
        chunk.fileName = after;
        delete bundle[before];
        bundle[after] = chunk;
      }
    },
  };
}
