// What the head of the application's page does before its module runs: src/theme.js, src/language.js and src/early.js, inline, because
// a request on a slow line takes longer than they do, and so are the styles of the frame. The content security policy allows this script
// and these styles by their hashes (crates/http/src/pages/policy.rs). The reference has theme.js as a file.
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type HtmlTagDescriptor, type Plugin, type Rollup, transformWithEsbuild } from 'vite';

import { type PageRoute, readRoutes } from '../scripts/texts.js';
import { PARTS } from './chunks.js';

/** What is asked for together: the indices of files, styles and texts, and addresses of data. */
type Wanted = [files: number[], styles: number[], texts: number[], data: string[]];
/** What early.js knows of the pages, without the files of the frame, which the page itself names. Files are names in /assets without their ending. */
type PageFiles = {
  files: string[];
  styles: string[];
  /** The addresses, as `/books/{id}`; whether the page is for guests; what it needs at once; what it shows with its data; and what is less urgent. */
  routes: [path: string, isGuest: 0 | 1, ...wanted: Wanted[]][];
  /** The files with texts, `LANGUAGE-NAME-HASH`: their names, and the hash of each language. The first one is needed by every page. */
  texts: string[];
  languages: Record<string, string>;
};

/**
 * What each page asks of the service first: early.js asks for it beside the page's files. The addresses are those of the page's own
 * requests, to the letter, after `/v1/bff/`, with the fields of the page's own address in braces, and days as `{-29}`, counted from today
 * (UTC). `environment` is added after `?` and `&`.
 * tests/loading.test.js compares them with what the pages ask for.
 */
const DATA: Record<string, string[]> = {
  Home: ['materials?limit=6&', 'credits/balance?', 'places?'],
  Landing: ['auth/registration'],
  Register: ['auth/registration'],
  Agree: ['consent'],
  Books: ['library?limit=50&', 'places?'],
  Book: ['materials/{id}?', 'materials/{id}/chunks?limit=1000&', 'materials/{id}/chapters?'],
  Speak: ['ereaders?limit=100&', 'lexicons?limit=100&', 'credits/balance?'],
  Voices: ['ereaders?limit=100&'],
  Pronunciation: ['lexicons?limit=100&', 'ereaders?limit=100&'],
  WordList: ['lexicons/{id}?include=entries&', 'ereaders?limit=100&'],
  History: ['ereaders?limit=100&', 'history?limit=50&'],
  Credits: ['credits/balance?', 'credits/packs', 'usage?from={-29}&to={1}&group_by=day&'],
  Settings: ['sessions', 'preferences'],
  Developers: ['ereaders?limit=100&'],
  Keys: ['keys?limit=50&'],
  Webhooks: ['webhooks?limit=50&'],
  Webhook: ['webhooks/{id}?', 'webhooks/{id}/deliveries?limit=50&'],
};

/** What is shown of a page with its data, and therefore asked for early, too. */
type Part = { modules: string[]; texts: string[]; data: string[] };
const SHOWN: Record<string, Part> = { Book: { modules: [...PARTS.Book.contents, ...PARTS.Book.cast], texts: [], data: ['materials/{id}/cast?'] } };
/** And what is asked for after all else, because it is seen after that. */
const LATER: Record<string, Part> = {
  Credits: { modules: [], texts: [], data: ['purchases?limit=50', 'credits/statement?limit=50&', 'credits/threshold'] },
  Book: { modules: PARTS.Book.form, texts: ['voices', 'convert'], data: ['ereaders?limit=100&', 'materials/{id}/place?'] },
};

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

function pageFiles(root: string, bundle: Bundle): { early: PageFiles; counted: PageFiles & { frame: string[] }; frameStyle: string } {
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
  /** The file of texts in one language, in its parts: `home` and the hash. */
  const textFile = (code: string, path: string): [name: string, hash: string] => {
    const [file = '', ...others] = needed(`i18n/messages/${code}${path}.ts`).map(short);
    const [, name, hash] = new RegExp(`^${code}-(.+)-(.{7})$`).exec(file) ?? [];
    if (!name || !hash || others.length) throw new Error(`${code}${path} is not in a file of texts alone: ${[file, ...others].join()}`);
    return [name, hash];
  };
  const languages = Object.fromEntries(codes.map((code) => [code, textFile(code, '')[1]]));
  const texts: string[] = [textFile('en', '')[0]];
  /** The index of a text's file, which has the same name in each language. */
  const textIndex = (text: string): number => {
    const [name = '', ...others] = new Set(codes.map((code) => textFile(code, `/${text}`)[0]));
    if (others.length) throw new Error(`${text} shares a file in some languages only`);
    return index(texts, name);
  };
  const wanted = (names: string[], texts: string[], data: string[]): Wanted => [
    names.filter(hasScript).map((name) => index(files, short(name))),
    stylesOf(names).map((name) => index(styles, short(name))),
    [...new Set(texts.map(textIndex))],
    data,
  ];
  const row = ({ pattern, path, isGuest, texts }: PageRoute): PageFiles['routes'][number] => {
    const page = basename(path, '.svelte');
    const asked = new Set<string>();
    /** What was not asked for yet. */
    const rest = (paths: string[]): string[] => paths.flatMap(loaded).filter((name) => !asked.has(name) && asked.add(name));
    const own = wanted(rest([path]), texts, DATA[page] ?? []);
    const parts = [SHOWN[page], LATER[page]].flatMap((part) => (part ? [wanted(rest(part.modules), part.texts, part.data)] : []));
    return [pattern.replace(/\\|\^|\$$/g, '').replace(/\(\?<(\w+)>\[\/\]\+\)/g, '{$1}'), isGuest ? 1 : 0, own, ...parts];
  };
  const known = readRoutes();
  const routes = known.filter(({ path }) => !RARE.test(path)).map(row);
  // Before the others are added.
  const early = structuredClone({ files, styles, routes, texts, languages });
  const rare = known.filter(({ path }) => RARE.test(path)).map(row);
  const [frameStyle = '', ...others] = stylesOf(frame);
  if (!frameStyle || others.length) throw new Error(`the styles of the frame are not one file: ${stylesOf(frame).join()}`);
  return { early, counted: { files, styles, routes: [...routes, ...rare], texts, languages, frame }, frameStyle };
}

/** Adds the scripts to the pages. */
export function headScripts(): Plugin {
  let [root, isBuild, theme, style] = ['', false, '', ''];
  let known: ReturnType<typeof pageFiles> | undefined;
  const read = (name: string): Promise<string> => readFile(`${root}/src/${name}.js`, 'utf8');
  /** The script of the application. Without a build its files have other names, and nothing is asked for early. */
  async function script(): Promise<string> {
    const files = known?.early ?? { files: [], styles: [], routes: [], texts: [], languages: { en: '', de: '', fr: '', es: '', ja: '' } };
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
      const { counted: { frame }, frameStyle } = known;
      style = String((bundle[frameStyle] as Rollup.OutputAsset).source).trim();
      delete bundle[frameStyle];
      // Neither the page nor any module is to ask for them.
      for (const name of frame) (bundle[name] as Rollup.OutputChunk).viteMetadata?.importedCss.delete(frameStyle);
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
          const styled = isBuild ? html.replace('</head>', (end) => `  <style>${style}</style>\n  ${end}`) : html;
          return styled.replace('<meta charset="utf-8" />', (charset) => `${charset}\n    ${inline}`);
        }
        return [isBuild ? { tag: 'script', attrs: { src: `/${theme}` }, injectTo: 'head-prepend' } : { tag: 'script', children: await read('theme'), injectTo: 'head-prepend' }];
      },
    },
  };
}
