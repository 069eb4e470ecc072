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

/** Compiles the runes of modules such as list.svelte.ts. */
const runes = {
  name: 'runes',
  setup: (bundler) =>
    bundler.onLoad({ filter: /\.svelte\.ts$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), { loader: 'ts', target: 'esnext' });
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
  // The texts of a page are loaded with it.
  inject: [join(folder, 'english.ts')],
});
globalThis.namespaces = Object.keys(readMessages()[SOURCE]);
for (const name of names) await import(pathToFileURL(join(outdir, name.replace(/\.ts$/, '.mjs'))));
