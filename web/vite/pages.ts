// What the head of the application's page does before its module runs: src/theme.js, src/language.js and src/early.js, inline, because
// a request on a slow line takes longer than they do. The content security policy allows this script by its hash
// (crates/http/src/pages/policy.rs). The reference has theme.js as a file.
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type HtmlTagDescriptor, type Plugin, type Rollup, transformWithEsbuild } from 'vite';

import { type PageRoute, readRoutes } from '../scripts/texts.js';
import { PARTS } from './chunks.js';

/** What early.js knows of the pages, without the files of the frame, which the page itself names. Files are names in /assets without their ending. */
type PageFiles = {
  files: string[];
  styles: string[];
  /** The addresses, as `/books/{id}`; whether the page is for guests; the indices of its files, styles and texts; its data; and the files, styles and texts of what is less urgent. */
  routes: [path: string, isGuest: 0 | 1, files: number[], styles: number[], texts: number[], data: string[], eagerFiles: number[], eagerStyles: number[], eagerTexts: number[]][];
  /** The files with the texts of each language, in the same order. The first one is needed by every page. */
  languages: Record<string, string[]>;
};

/**
 * What each page asks of the service first: early.js asks for it beside the page's files. The addresses are those of the page's own
 * requests, to the letter, after `/v1/bff/`, with the fields of the page's own address in braces. `environment` is added after `?` and `&`.
 * tests/loading.test.js compares them with what the pages ask for.
 */
const DATA: Record<string, string[]> = {
  Home: ['materials?limit=6&', 'credits/balance?', 'places?'],
  Landing: ['auth/registration'],
  Register: ['auth/registration'],
  Agree: ['consent'],
  Books: ['library?limit=50&', 'places?'],
  Book: ['materials/{id}?', 'materials/{id}/place?', 'ereaders?limit=100&', 'materials/{id}/chunks?limit=1000&', 'materials/{id}/chapters?', 'materials/{id}/cast?'],
  Speak: ['ereaders?limit=100&', 'lexicons?limit=100&', 'credits/balance?'],
  Voices: ['ereaders?limit=100&'],
  Pronunciation: ['lexicons?limit=100&', 'ereaders?limit=100&'],
  WordList: ['lexicons/{id}?include=entries&', 'ereaders?limit=100&'],
  History: ['ereaders?limit=100&', 'history?limit=50&'],
  Credits: ['credits/packs', 'credits/threshold', 'credits/balance?', 'purchases?limit=50', 'credits/statement?limit=50&'],
  Settings: ['sessions', 'preferences'],
  Developers: ['ereaders?limit=100&'],
  Keys: ['keys?limit=50&'],
  Webhooks: ['webhooks?limit=50&'],
  Webhook: ['webhooks/{id}?', 'webhooks/{id}/deliveries?limit=50&'],
};

/** What is shown of a page with its data, and therefore asked for early, too: after all else, because less of it is seen at once. */
const EAGER: Record<string, string[]> = { Book: PARTS.Book ?? [] };
const EAGER_TEXTS: Record<string, string[]> = { Book: ['contents', 'voices', 'wordlists'] };

/** Small pages that are fast without. */
const RARE = /\/(Confirm|Gallery|NotFound|Reset)\.svelte$/;

type Bundle = Rollup.OutputBundle;
const chunksOf = (bundle: Bundle): Rollup.OutputChunk[] => Object.values(bundle).filter((file) => file.type === 'chunk');

/** A chunk and all that it imports, without what is in `known`. */
function closure(bundle: Bundle, name: string, known: Set<string>): string[] {
  const chunk = bundle[name];
  if (chunk?.type !== 'chunk' || known.has(name)) return [];
  known.add(name);
  return [name, ...chunk.imports.flatMap((imported) => closure(bundle, imported, known))];
}

function pageFiles(root: string, bundle: Bundle): { early: PageFiles; counted: PageFiles & { frame: string[] } } {
  const chunks = chunksOf(bundle);
  const chunkOf = (path: string): Rollup.OutputChunk => {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(`${root}/src/${path}`));
    if (!chunk) throw new Error(`${path} is in no file`);
    return chunk;
  };
  const stylesOf = (names: string[]): string[] => names.flatMap((name) => [...((bundle[name] as Rollup.OutputChunk).viteMetadata?.importedCss ?? [])]);
  const frame = closure(bundle, chunkOf('main.ts').fileName, new Set());
  const [files, styles]: [string[], string[]] = [[], []];
  const index = (list: string[], name: string): number => (list.includes(name) ? list.indexOf(name) : list.push(name) - 1);
  const short = (name: string): string => name.replace(/^assets\/(.*)\.\w+$/, '$1');
  const loaded = (path: string): string[] => closure(bundle, chunkOf(path).fileName, new Set(frame));
  // Vite will drop the scripts of files that are styles alone.
  const hasScript = (name: string): boolean => (bundle[name] as Rollup.OutputChunk).moduleIds.some((id) => !id.includes('type=style'));
  const needed = (path: string): string[] => loaded(path).filter(hasScript);

  const codes = [...new Set(chunks.flatMap(({ moduleIds }) => moduleIds.flatMap((id) => new RegExp(`^${root}/src/i18n/messages/(\\w+)/common\\.ts$`).exec(id)?.[1] ?? [])))];
  if (!codes.length) throw new Error('no texts are in the bundle');
  const languages = Object.fromEntries(codes.map((code): [string, string[]] => [code, needed(`i18n/messages/${code}.ts`).map(short)]));
  if (Object.values(languages).some(({ length }) => length !== 1)) throw new Error('the texts of every page are not in one file');
  /** The index of a text's file, which is the same in each language. */
  const textIndex = (name: string): number => {
    const found = codes.map((code) => {
      const [file = '', ...others] = needed(`i18n/messages/${code}/${name}.ts`).map(short);
      if (others.length) throw new Error(`${code}/${name} is in several files`);
      return index(languages[code] ?? [], file);
    });
    if (found.some((at) => at !== found[0])) throw new Error(`${name} shares a file in some languages only`);
    return found[0] ?? 0;
  };
  const row = ({ pattern, path, isGuest, texts }: PageRoute): PageFiles['routes'][number] => {
    const page = basename(path, '.svelte');
    const [own, parts] = [loaded(path), (EAGER[page] ?? []).flatMap(loaded)];
    const later = [...new Set(parts)].filter((name) => !own.includes(name));
    const scripts = (names: string[]): number[] => names.filter(hasScript).map((name) => index(files, short(name)));
    const sheets = (names: string[]): number[] => stylesOf(names).map((name) => index(styles, short(name)));
    return [
      pattern.replace(/\\|\^|\$$/g, '').replace(/\(\?<(\w+)>\[\/\]\+\)/g, '{$1}'),
      isGuest ? 1 : 0,
      scripts(own),
      sheets(own),
      [...new Set(texts.map(textIndex))],
      DATA[page] ?? [],
      scripts(later),
      sheets(later),
      (EAGER_TEXTS[page] ?? []).map(textIndex),
    ];
  };
  const known = readRoutes();
  const routes = known.filter(({ path }) => !RARE.test(path)).map(row);
  // Before the others are added.
  const early = structuredClone({ files, styles, routes, languages });
  const rare = known.filter(({ path }) => RARE.test(path)).map(row);
  return { early, counted: { files, styles, routes: [...routes, ...rare], languages, frame: [...frame, ...stylesOf(frame)] } };
}

/** Adds the scripts to the pages. */
export function headScripts(): Plugin {
  let [root, isBuild, theme] = ['', false, ''];
  let known: ReturnType<typeof pageFiles> | undefined;
  const read = (name: string): Promise<string> => readFile(`${root}/src/${name}.js`, 'utf8');
  /** The script of the application. Without a build its files have other names, and nothing is asked for early. */
  async function script(): Promise<string> {
    const files = known?.early ?? { files: [], styles: [], routes: [], languages: Object.fromEntries(['en', 'de', 'fr', 'es', 'ja'].map((code) => [code, []])) };
    const define = { PAGE_FILES: JSON.stringify(files) };
    const sources = (await Promise.all((isBuild ? ['theme', 'language', 'early'] : ['theme', 'language']).map(read))).join('\n');
    return isBuild ? (await transformWithEsbuild(sources, 'head.js', { minify: true, format: 'iife', define })).code.trim() : `const PAGE_FILES = ${define.PAGE_FILES};${sources}`;
  }
  return {
    name: 'head-scripts',
    // Before the pages are written.
    enforce: 'pre',
    configResolved(config) {
      [root, isBuild] = [config.root, config.command === 'build'];
    },
    async generateBundle(_, bundle) {
      known = pageFiles(root, bundle);
      const { code } = await transformWithEsbuild(await read('theme'), 'theme.js', { minify: true });
      theme = `assets/theme-${createHash('sha256').update(code).digest('hex').slice(0, 8)}.js`;
      this.emitFile({ type: 'asset', fileName: theme, source: code });
    },
    // For scripts/budget.js.
    async writeBundle() {
      await writeFile(`${root}/dist/pages.json`, JSON.stringify(known?.counted));
    },
    transformIndexHtml: {
      order: 'post',
      async handler(html, { path }): Promise<string | HtmlTagDescriptor[]> {
        // After the character set, which must come early, and before the styles, for which it would wait.
        if (path === '/index.html') {
          const inline = `<script>${await script()}</script>`;
          return html.replace('<meta charset="utf-8" />', (charset) => `${charset}\n    ${inline}`);
        }
        return [isBuild ? { tag: 'script', attrs: { src: `/${theme}` }, injectTo: 'head-prepend' } : { tag: 'script', children: await read('theme'), injectTo: 'head-prepend' }];
      },
    },
  };
}
