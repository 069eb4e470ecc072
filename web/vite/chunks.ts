// Which modules share a file. By itself Rollup makes a file of each set of modules that the same pages need, some twenty small ones for a
// page, and over HTTP/1.1 a browser fetches six at a time. So each page has one file of its own, and what pages share is in few.
import { basename } from 'node:path';
import type { Rollup } from 'vite';

/** A module that at least this many pages need is in the file of the frame. */
const IN_FRAME = 8;
/** So is a module of at most so many characters that at least this many pages need. */
const SMALL = { characters: 1_000, pages: 4 };
/** The pages of each other file that is shared. What is shared otherwise goes where most of its pages are. */
const SHARED: Record<string, string[]> = {
  books: ['Home', 'Books', 'Book', 'Landing', 'Gallery'],
  library: ['Home', 'Books'],
  voices: ['Speak', 'Voices', 'Pronunciation', 'WordList', 'Developers', 'Landing'],
  speech: ['Speak', 'Voices'],
  words: ['Pronunciation', 'WordList'],
  account: ['SignIn', 'Register', 'Confirm', 'Forgot', 'Reset', 'Settings'],
  developers: ['Developers', 'Keys', 'Webhooks', 'Webhook'],
  changes: ['History', 'Credits', 'Keys', 'Webhook', 'Pronunciation', 'WordList'],
  lists: ['Books', 'History', 'Credits', 'Keys', 'Webhooks', 'Webhook', 'Pronunciation', 'WordList'],
};
/** The modules that a page imports as soon as it knows what to show, a file for each list. What several parts of a page need is in the first of them. */
export const PARTS = {
  Book: {
    contents: ['components/books/Contents.svelte'],
    cast: ['components/books/CastCard.svelte', 'state/bookcast.svelte.ts'],
    form: ['components/books/ConvertForm.svelte', 'components/books/CastRows.svelte'],
  },
  Speak: { form: ['components/speech/speakform.ts'] },
};
/** The pages whose styles share a file, so that each page needs one besides that of the frame. */
const STYLES: Record<string, string[]> = {
  books: ['Home', 'Books', 'Book'],
  speech: ['Speak', 'Voices'],
  words: ['Pronunciation', 'WordList'],
  account: [...(SHARED.account ?? []), 'Agree', 'Listen'],
  developers: SHARED.developers ?? [],
};
/** Texts that share a file in each language: those of pages that go together, and the shortest ones. The others have one each. */
const TEXTS = [
  ['home', 'books', 'uploads', 'library'],
  ['speak', 'speechoptions'],
  ['book', 'contents', 'cast'],
  ['convert', 'wordlists'],
  ['voicelist', 'voicefilter'],
  ['pronunciation', 'words'],
  ['developers', 'snippets', 'keys', 'webhooks'],
  ['credits', 'usage'],
  ['account', 'settings', 'agree'],
  ['landing', 'listen'],
  ['bookmarklet', 'connection', 'gallery', 'notfound', 'secrets', 'speakers', 'spoken', 'voiceline'],
  ['player', 'largeplayer'],
  ['conversion', 'comparison'],
  ['bookfiles', 'shares', 'tags', 'details'],
];

type Modules = Pick<Rollup.PluginContext, 'getModuleIds' | 'getModuleInfo'>;

/** A module and all that it imports at once; with `later`, also what it imports when it is needed, other than pages. */
function closure(modules: Modules, id: string, later = false, found = new Set<string>()): Set<string> {
  if (found.has(id)) return found;
  found.add(id);
  const { importedIds = [], dynamicallyImportedIds = [] } = modules.getModuleInfo(id) ?? {};
  for (const imported of importedIds) closure(modules, imported, later, found);
  if (later) for (const imported of dynamicallyImportedIds) if (!imported.includes('/src/pages/')) closure(modules, imported, later, found);
  return found;
}

type Use = {
  /** The pages that need the module at once. */
  pages: string[];
  /** Whether dialogs of other pages need it, too. */
  isElsewhere: boolean;
  /** Whether it is short, and imports nothing outside the frame. */
  isSmall: boolean;
};

/** The file of a module; `own` is one of its own. */
function sharedFile(own: string, { pages, isElsewhere, isSmall }: Use): string {
  if (pages.length >= IN_FRAME || (isSmall && pages.length >= SMALL.pages)) return 'index';
  const [page = ''] = pages;
  if (pages.length === 1) return !isElsewhere ? page : ((isSmall && Object.keys(SHARED).find((name) => SHARED[name]?.includes(page))) || `${page}-parts`);
  // As many of its pages as possible, and as few others. Without a name Rollup would add the module to a page.
  const fit = (name: string): number => {
    const group = SHARED[name] ?? [];
    const common = pages.filter((page) => group.includes(page)).length;
    return 4 * common - 2 * pages.length - group.length;
  };
  const best = Object.keys(SHARED).reduce((one, other) => (fit(other) > fit(one) ? other : one));
  if (fit(best) >= 0) return best;
  return Object.keys(SHARED).find((name) => pages.every((page) => SHARED[name]?.includes(page))) ?? own;
}

/** The file of the styles of a component that exactly these pages need. */
function styleFile(pages: string[]): string {
  const count = (name: string): number => pages.filter((page) => STYLES[name]?.includes(page)).length;
  const area = Object.keys(STYLES).find((name) => count(name) > pages.length / 2);
  return area ? `${area}-styles` : pages.length === 1 ? `${pages[0]}-styles` : 'index';
}

function assign(root: string, modules: Modules): Map<string, string> {
  const files = new Map<string, string>();
  const frame = closure(modules, `${root}/index.html`);
  /** The pages that need a module at once, and those that need it at all. The player and the like are on every page. */
  const [needing, using] = [new Map<string, string[]>(), new Map<string, string[]>()];
  const note = (users: Map<string, string[]>, ids: Set<string>, page: string): void => {
    for (const id of ids) if (!frame.has(id)) users.set(id, [...(users.get(id) ?? []), page]);
  };
  const everywhere = closure(modules, `${root}/index.html`, true);
  note(using, everywhere, 'every page');
  for (const id of modules.getModuleIds()) {
    const page = new RegExp(`^${root}/src/pages/(\\w+)\\.svelte$`).exec(id)?.[1];
    if (page) {
      note(needing, closure(modules, id), page);
      note(using, closure(modules, id, true), page);
    }
    const [, language, texts = ''] = new RegExp(`^${root}/src/i18n/messages/(\\w+)/(\\w+)\\.ts$`).exec(id) ?? [];
    const group = TEXTS.find((names) => names.includes(texts));
    if (group) files.set(id, `${language}-${group[0]}`);
    // The few lines that texts with plurals need.
    if (id.includes('/@messageformat/runtime/')) files.set(id, 'index');
  }
  const inParts = Object.entries(PARTS).flatMap(([page, parts]) =>
    Object.entries(parts).map(([name, paths]) => ({ page, name, ids: new Set(paths.flatMap((path) => [...closure(modules, `${root}/src/${path}`)])) })),
  );
  for (const { page, name, ids } of inParts) {
    for (const id of ids) {
      if (needing.has(id) || everywhere.has(id) || files.has(id)) continue;
      const isShared = inParts.some((other) => other.page !== page && other.ids.has(id));
      const isStyle = id.includes('type=style');
      // What is shown first needs no file of styles of its own.
      files.set(id, isStyle && name !== 'form' ? styleFile([page]) : `${isShared ? 'shared-form' : `${page}-${name}`}${isStyle ? '-styles' : ''}`);
    }
  }
  for (const id of frame) files.set(id, 'index');
  for (const [id, pages] of needing) {
    if (id.includes('type=style')) {
      files.set(id, styleFile(pages));
      continue;
    }
    const own = basename(id).replace(/\W.*/, '');
    const info = modules.getModuleInfo(id);
    const isSmall = (info?.code?.length ?? 0) <= SMALL.characters && (info?.importedIds ?? []).every((imported) => frame.has(imported) || (needing.get(imported)?.length ?? 0) >= IN_FRAME);
    files.set(id, sharedFile(own, { pages, isElsewhere: (using.get(id)?.length ?? 0) > pages.length, isSmall }));
  }
  return files;
}

/** For Rollup's `manualChunks`: the file of each module that a page needs at once. Dialogs and the like are left to Rollup. */
export function chunks(root: string): Rollup.GetManualChunk {
  let files: Map<string, string> | undefined;
  return (id, modules) => (files ??= assign(root, modules as Modules)).get(id);
}
