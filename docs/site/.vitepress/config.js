import { fileURLToPath } from 'node:url';

import { configure, slugify } from '../markdown.js';
import { excluded, paths, sidebar } from '../pages.js';
import { extractScripts, writeScripts } from '../scripts.js';

const base = '/docs/guide/';

/** A page of the service that is not of this site. */
const elsewhere = (text, path) => ({ text, link: `pathname://${path}`, target: '_self', noIcon: true });

/** The documents are outside of this folder; the packages that their built pages import are in it. */
const packages = {
  name: 'packages-of-the-site',
  enforce: 'pre',
  resolveId(id, importer, options) {
    if (!importer?.endsWith('.md') || !/^vue(\/|$)/.test(id)) return null;
    return this.resolve(id, fileURLToPath(import.meta.url), { ...options, skipSelf: true });
  },
};

/** The search needs words only: highlighting the code once more would take a third of the build. */
function renderForSearch(source, env, md) {
  const { highlight } = md.options;
  md.options.highlight = null;
  try {
    return md.render(source, env);
  } finally {
    md.options.highlight = highlight;
  }
}

export default {
  base,
  srcDir: '../..',
  outDir: '../../web/dist/guide',
  srcExclude: excluded(),
  rewrites: paths,
  title: 'Lectern guide',
  titleTemplate: ':title · Lectern guide',
  description: 'How to use, run and change Lectern, the text-to-speech service that you run yourself.',
  head: [['link', { rel: 'icon', href: '/icon.svg', type: 'image/svg+xml' }]],
  lastUpdated: false,
  metaChunk: true,
  markdown: {
    html: false,
    linkify: false,
    anchor: { slugify },
    config: configure,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    siteTitle: 'Lectern guide',
    sidebar,
    outline: { level: [2, 3], label: 'On this page' },
    nav: [elsewhere('API reference', '/docs'), elsewhere('Lectern', '/')],
    search: { provider: 'local', options: { _render: renderForSearch } },
    externalLinkIcon: false,
  },
  vite: {
    plugins: [packages],
    build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 3000, rollupOptions: { treeshake: { preset: 'smallest' } } },
  },
  transformHtml: (html) => extractScripts(html, base),
  buildEnd: ({ outDir }) => writeScripts(outDir),
};
