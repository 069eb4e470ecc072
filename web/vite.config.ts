import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [svelte()],
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
