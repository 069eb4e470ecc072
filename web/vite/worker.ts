import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { build } from 'esbuild';
import type { Plugin } from 'vite';

const digest = (data: string): string => createHash('sha256').update(data).digest('hex').slice(0, 12);

/** Builds src/worker/main.ts as /sw.js, whose name must stay the same, with the list of the files that it keeps. */
export function serviceWorker(): Plugin {
  let root = '';
  return {
    name: 'service-worker',
    apply: 'build',
    configResolved(config) {
      root = config.root;
    },
    async writeBundle({ dir = '' }, bundle) {
      // The API reference needs a connection anyway, and is larger than everything else.
      const names = Object.keys(bundle).filter((name) => /^assets\/(?!docs-).*\.(js|css)$/.test(name)).sort();
      const revised = await Promise.all(['index.html', 'icon.svg', 'icon-192.png', 'manifest.webmanifest'].map(async (name) => ({ name, revision: digest(await readFile(`${dir}/${name}`, 'utf8')) })));
      const files = [
        ...names.map((name) => ({ url: `/${name}`, revision: null })),
        ...revised.map(({ name, revision }) => ({ url: name === 'index.html' ? '/' : `/${name}`, revision })),
      ];
      await build({
        entryPoints: [`${root}/src/worker/main.ts`],
        outfile: `${dir}/sw.js`,
        bundle: true,
        minify: true,
        format: 'iife',
        target: 'es2022',
        legalComments: 'none',
        define: { 'process.env.NODE_ENV': '"production"', SHELL: JSON.stringify({ version: digest(JSON.stringify(files)), files }) },
      });
    },
  };
}
