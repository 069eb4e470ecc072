import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: 'dist/app',
    emptyOutDir: true,
    target: 'es2022',
    // Everything comes from files of our own: the policy of the page lets nothing inline through.
    assetsInlineLimit: 0,
    manifest: 'manifest.json',
    sourcemap: false,
    // The viewer of the reference is one file of somebody else's.
    chunkSizeWarningLimit: 1000,
    // The application, and the reference of the API, which loads nothing of it.
    rollupOptions: { input: ['index.html', 'docs.html'] },
  },
  server: { proxy: { '/v1': 'http://127.0.0.1:8080', '/media': 'http://127.0.0.1:8080' } },
});
