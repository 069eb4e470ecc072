// The language of the interface: which one it is, and its messages. language.js has chosen it before the first paint; a choice in
// the settings or the menu changes it at once, without a reload.
import { untrack } from 'svelte';

export const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A text, or for one with values what makes it. */
type Catalog = (string | ((values: object) => string))[];
type Source = { common: Catalog; others: Record<string, () => Promise<{ default: Catalog }>> };
/** Only the language that is shown is loaded. */
const SOURCES = {
  en: () => import('./messages/en'),
  de: () => import('./messages/de'),
  fr: () => import('./messages/fr'),
  es: () => import('./messages/es'),
  ja: () => import('./messages/ja'),
} as Record<Language, () => Promise<unknown>> as Record<Language, () => Promise<Source>>;

const STORAGE_KEY = 'lectern.language';
const root = globalThis.document?.documentElement;
const isLanguage = (tag: string | null | undefined): tag is Language => LANGUAGES.some((language) => language === tag);

type Shown = { language: Language; catalogs: Record<string, Catalog | undefined> };
let shown = $state.raw<Shown>({ language: isLanguage(root?.lang) ? root.lang : 'en', catalogs: {} });
/** What the pages that were opened have needed. */
const needed = new Set<string>();

export const currentLanguage = (): Language => shown.language;

/** The tag for `Intl`: the language as the browser's owner writes it, such as `en-GB`, if they do. */
export const currentLocale = (): string =>
  globalThis.navigator?.languages?.find((tag) => tag.split('-')[0] === shown.language) ?? shown.language;

/** Something made for the current locale, such as a formatter, kept until the language changes. */
export function perLocale<T>(make: (locale: string) => T): () => T {
  let [known, made]: [string, T | undefined] = ['', undefined];
  return () => {
    const locale = currentLocale();
    if (locale !== known || made === undefined) [known, made] = [locale, make(locale)];
    return made;
  };
}

type Text<V> = V extends void ? () => string : (values: V) => string;
/** Makes the functions of a namespace. While it is not loaded, its texts are empty; they appear when it is. */
export function namespace(name: string): <V extends object | void = void>(index: number) => Text<V> {
  return <V>(index: number) =>
    ((values: object) => {
      const text = shown.catalogs[name]?.[index] ?? '';
      return typeof text === 'string' ? text : text(values);
    }) as Text<V>;
}

async function fetchCatalogs(language: Language, names: Iterable<string>): Promise<Shown['catalogs']> {
  const { common, others } = await SOURCES[language]();
  const entries = Array.from(names, async (name) => [name, (await others[name]?.())?.default] as const);
  return { common, ...Object.fromEntries(await Promise.all(entries)) };
}

/** Loads the texts of pages and components beyond `common`. */
export async function loadTexts(...names: string[]): Promise<void> {
  const missing = names.filter((name) => !shown.catalogs[name]);
  for (const name of names) needed.add(name);
  if (shown.catalogs.common && !missing.length) return;
  const { language } = shown;
  const catalogs = await fetchCatalogs(language, missing);
  if (shown.language === language) shown = { language, catalogs: { ...shown.catalogs, ...catalogs } };
}

/** A module that is imported when it is needed, together with its texts. Where it is shown, it has its words from the start. */
export const withTexts = async <T>(module: Promise<T>, ...names: string[]): Promise<T> =>
  // A template that awaits this must not begin anew whenever texts arrive.
  (await Promise.all([module, untrack(() => loadTexts(...names))]))[0];

/** Shows the interface in another language as soon as its texts are loaded. Rejects when they cannot be, and changes nothing then. */
export async function setLanguage(language: Language): Promise<void> {
  await showLanguage(language);
  try {
    localStorage.setItem(STORAGE_KEY, language);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}
async function showLanguage(language: Language): Promise<void> {
  shown = { language, catalogs: await fetchCatalogs(language, needed) };
  // Sets `lang` and `dir`.
  globalThis.dispatchEvent?.(new CustomEvent(STORAGE_KEY, { detail: language }));
}

// Another tab has chosen.
globalThis.addEventListener?.('storage', ({ key, newValue }) => {
  if (key === STORAGE_KEY && isLanguage(newValue) && newValue !== shown.language) showLanguage(newValue).catch(() => undefined);
});
