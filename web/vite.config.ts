import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin, transformWithEsbuild } from 'vite';

/** Adds src/theme.js to each page as a script that runs before the first paint. Vite bundles only modules, which run later. */
function themeScript(): Plugin {
  const file = 'src/theme.js';
  let code = '';
  let path = `/${file}`;
  return {
    name: 'theme-script',
    async configResolved({ command, root }) {
      if (command !== 'build') return;
      ({ code } = await transformWithEsbuild(await readFile(`${root}/${file}`, 'utf8'), file, { minify: true }));
      path = `/assets/theme-${createHash('sha256').update(code).digest('hex').slice(0, 8)}.js`;
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: path.slice(1), source: code });
    },
    transformIndexHtml: () => [{ tag: 'script', attrs: { src: path }, injectTo: 'head-prepend' }],
  };
}

const digest = (data: string): string => createHash('sha256').update(data).digest('hex').slice(0, 12);

/** Builds src/worker/main.ts as /sw.js, whose name must stay the same, with the list of the files that it keeps. */
function serviceWorker(): Plugin {
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

export default defineConfig({
  plugins: [svelte(), themeScript(), serviceWorker()],
  build: {
    outDir: 'dist/app',
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy forbids inline assets.
    assetsInlineLimit: 0,
    manifest: 'manifest.json',
    // scripts/budget.js counts what matters.
    reportCompressedSize: false,
    sourcemap: false,
    // The viewer of the API reference is one large third-party file.
    chunkSizeWarningLimit: 1000,
    // The application, and the API reference, which is independent of it.
    rollupOptions: { input: ['index.html', 'docs.html'] },
  },
  server: { proxy: { '/v1': 'http://127.0.0.1:8080', '/media': 'http://127.0.0.1:8080' } },
});
