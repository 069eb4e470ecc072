// Runs the unit tests in tests/unit, which are TypeScript: Node 18 cannot, so esbuild bundles them with what they import.
import { rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, transform } from 'esbuild';
import { compileModule } from 'svelte/compiler';

import { generate, readMessages, SOURCE } from '../scripts/messages.js';

// Tests read files by paths relative to web/.
process.chdir(new URL('..', import.meta.url).pathname);
const folder = new URL('./unit/', import.meta.url).pathname;
const names = (await readdir(folder)).filter((name) => name.endsWith('.test.ts'));
const outdir = await mkdtemp(join(tmpdir(), 'lectern-unit.'));
process.once('exit', () => rmSync(outdir, { recursive: true, force: true }));

/** The module of the language with the texts of all pages in it: in a browser they come with each page. */
function withTexts(code) {
  const names = Object.keys(readMessages()[SOURCE]);
  const imports = names.map((name) => `import ${name}Texts from './messages/${SOURCE}/${name}';`);
  return `${code}\n${imports.join('\n')}\nshown = { language: '${SOURCE}', catalogs: { ${names.map((name) => `${name}: ${name}Texts`).join(', ')} } };\n`;
}

/** Compiles the runes of modules such as list.svelte.ts. */
const runes = {
  name: 'runes',
  setup: (bundler) =>
    bundler.onLoad({ filter: /\.svelte\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const { code } = await transform(path.endsWith('i18n/language.svelte.ts') ? withTexts(text) : text, { loader: 'ts', target: 'esnext' });
      return { contents: compileModule(code, { filename: path, generate: 'client' }).js.code, loader: 'js' };
    }),
};
generate();
await build({
  entryPoints: names.map((name) => join(folder, name)),
  outdir,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  conditions: ['browser'],
  plugins: [runes],
});
for (const name of names) await import(pathToFileURL(join(outdir, name.replace(/\.ts$/, '.mjs'))));
