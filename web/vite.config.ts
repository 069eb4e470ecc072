import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
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

export default defineConfig({
  plugins: [svelte(), themeScript()],
  build: {
    outDir: 'dist/app',
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy forbids inline assets.
    assetsInlineLimit: 0,
    manifest: 'manifest.json',
    sourcemap: false,
    // The viewer of the API reference is one large third-party file.
    chunkSizeWarningLimit: 1000,
    // The application, and the API reference, which is independent of it.
    rollupOptions: { input: ['index.html', 'docs.html'] },
  },
  server: { proxy: { '/v1': 'http://127.0.0.1:8080', '/media': 'http://127.0.0.1:8080' } },
});
