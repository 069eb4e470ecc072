// Which texts a page needs: the namespaces of its modules, and of all that these import at once.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export const SRC = new URL('../src/', import.meta.url).pathname;
const MESSAGES = 'i18n/messages/';

const sources = new Map();
/** A source file: what it imports, the namespaces that it uses, and those that it loads by itself. Paths are below src/. */
function readSource(path) {
  let source = sources.get(path);
  if (source) return source;
  const text = readFileSync(join(SRC, path), 'utf8').replace(/\/\/.*|\/\*[^]*?\*\//g, '');
  const targets = Array.from(text.matchAll(/^\s*(?:import|export) (?!type\b)(?:[^;]*? from )?'(\.[^']+)'/gm), ([, target]) => join(dirname(path), target));
  const imports = targets.flatMap((target) => ['', '.ts', '.js'].map((end) => target + end).filter((file) => /\.(svelte|ts|js)$/.test(file) && existsSync(join(SRC, file))));
  const used = targets.filter((target) => target.startsWith(MESSAGES)).map((target) => target.slice(MESSAGES.length));
  const isComponent = path.endsWith('.svelte') && path !== 'App.svelte';
  const loaded = isComponent ? Array.from(text.matchAll(/loadTexts\('(\w+)'\)/g), ([, name]) => name) : [];
  source = { imports: imports.filter((file) => !file.startsWith(MESSAGES)), used, loaded };
  sources.set(path, source);
  return source;
}

/** `path` and all modules that it imports at once. */
export function closure(path, seen = new Set()) {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const file of readSource(path).imports) closure(file, seen);
  return seen;
}

/** The namespaces that a module and its imports use, and those that they load by themselves. */
export function textsOf(path) {
  const files = [...closure(path)].map(readSource);
  const union = (name) => new Set(files.flatMap((file) => file[name]));
  return { used: union('used'), loaded: union('loaded') };
}

/** The pages of routes.ts, each with the pattern of its addresses and the namespaces that its route loads; `guest` is what is shown while nobody is signed in. */
export function readRoutes() {
  const routes = readFileSync(join(SRC, 'routes.ts'), 'utf8').matchAll(/\{ path: \/(.+?)\/, title.*/g);
  return Array.from(routes).flatMap(([route, pattern]) =>
    Array.from(route.matchAll(/(\w+): \(\) => page\(import\('\.\/(pages\/\w+\.svelte)'\)((?:, '\w+')*)\)/g), ([, kind, path, names]) => ({
      pattern,
      path,
      isGuest: kind === 'guest',
      texts: Array.from(names.matchAll(/\w+/g), ([name]) => name),
    })),
  );
}

/** The modules that are imported when they are needed, other than pages and languages: [importer, imported, the namespaces that come with it]. */
export function readDynamicImports(files) {
  return files
    .filter(({ path }) => path !== 'routes.ts' && !path.startsWith('i18n/'))
    .flatMap(({ path, text }) =>
      // `withTexts(import('…'), 'words')`, or an import alone.
      Array.from(text.matchAll(/(?<!typeof )import\('(\.[^']+)'\)((?:, '\w+')*)/g), ([, target, names]) => [path, join(dirname(path), target), Array.from(names.matchAll(/\w+/g), ([name]) => name)]),
    )
    .map(([from, target, texts]) => [relative('', from), existsSync(join(SRC, target)) ? target : `${target}.ts`, texts]);
}
