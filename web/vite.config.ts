import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

import { chunks } from './vite/chunks.js';
import { headScripts } from './vite/pages.js';
import { textNames } from './vite/texts.js';
import { serviceWorker } from './vite/worker.js';

export default defineConfig({
  plugins: [svelte(), textNames(), headScripts(), serviceWorker()],
  build: {
    outDir: 'dist/app',
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy forbids inline assets.
    assetsInlineLimit: 0,
    // early.js asks for the files; a browser without modulepreload loads them a little later.
    modulePreload: { polyfill: false },
    // scripts/budget.js counts what matters.
    reportCompressedSize: false,
    sourcemap: false,
    // The viewer of the API reference is one large third-party file.
    chunkSizeWarningLimit: 1000,
    // The application, and the API reference, which is independent of it.
    rollupOptions: {
      input: ['index.html', 'docs.html'],
      output: {
        manualChunks: chunks(fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '')),
        // Shorter than by default: the head of the page has half a hundred of these names. Only versions of one file need to differ.
        ...Object.fromEntries(['entryFileNames', 'chunkFileNames', 'assetFileNames'].map((kind) => [kind, `assets/[name]-[hash:7]${kind.startsWith('asset') ? '[extname]' : '.js'}`])),
      },
      // Files that import each other may be run in the wrong order.
      onwarn(warning, warn) {
        if (warning.code === 'CIRCULAR_CHUNK') throw new Error(warning.message);
        warn(warning);
      },
    },
  },
  server: { proxy: { '/v1': 'http://127.0.0.1:8080', '/media': 'http://127.0.0.1:8080' } },
});
