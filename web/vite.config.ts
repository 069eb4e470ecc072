import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type HtmlTagDescriptor, type Plugin, type Rollup, transformWithEsbuild } from 'vite';

/** A chunk and all that it imports, without what the frame has loaded already. */
function filesOf(bundle: Rollup.OutputBundle, name: string, loaded: string[]): string[] {
  const chunk = bundle[name];
  if (chunk?.type !== 'chunk' || loaded.includes(name)) return [];
  return [name, ...chunk.imports.flatMap((imported) => filesOf(bundle, imported, [...loaded, name]))];
}

/**
 * Adds scripts that run before the first paint: Vite bundles only modules, which run later. src/theme.js is on every page, and
 * src/language.js on the application's, with the names of the languages' files in it.
 */
function headScripts(): Plugin {
  const paths = { theme: '', language: '' };
  let [root, isBuild] = ['', false];
  const read = (name: string): Promise<string> => readFile(`${root}/src/${name}.js`, 'utf8');
  return {
    name: 'head-scripts',
    // Before the pages are written.
    enforce: 'pre',
    configResolved(config) {
      [root, isBuild] = [config.root, config.command === 'build'];
    },
    async generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const frame = chunks.find((chunk) => chunk.facadeModuleId === `${root}/index.html`)?.fileName ?? '';
      const frameFiles = filesOf(bundle, frame, []);
      const files = chunks.flatMap((chunk) => {
        const language = new RegExp(`^${root}/src/i18n/messages/(\\w+)\\.ts$`).exec(chunk.facadeModuleId ?? '')?.[1];
        return language && chunk.isDynamicEntry ? [[language, filesOf(bundle, chunk.fileName, frameFiles).map((file) => `/${file}`)]] : [];
      });
      if (!files.length) throw new Error('no files of languages are in the bundle');
      for (const name of ['theme', 'language'] as const) {
        const define = { LANGUAGE_FILES: JSON.stringify(Object.fromEntries(files)) };
        const { code } = await transformWithEsbuild(await read(name), `${name}.js`, { minify: true, define });
        const fileName = `assets/${name}-${createHash('sha256').update(code).digest('hex').slice(0, 8)}.js`;
        this.emitFile({ type: 'asset', fileName, source: code });
        paths[name] = `/${fileName}`;
      }
    },
    transformIndexHtml: {
      order: 'post',
      async handler(_, { path }) {
        const names = path === '/index.html' ? (['language', 'theme'] as const) : (['theme'] as const);
        const script = async (name: 'theme' | 'language'): Promise<HtmlTagDescriptor> =>
          isBuild
            ? { tag: 'script', attrs: { src: paths[name] }, injectTo: 'head-prepend' }
            : { tag: 'script', children: `const LANGUAGE_FILES = { en: [], de: [], fr: [], es: [], ja: [] };${await read(name)}`, injectTo: 'head-prepend' };
        return Promise.all(names.map(script));
      },
    },
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
  plugins: [svelte(), headScripts(), serviceWorker()],
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
