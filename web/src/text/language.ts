// Names of languages, and whether two language tags mean the same language.
import { currentLanguage, perLocale } from '../i18n/language.svelte';

const names = perLocale((locale) => new Intl.DisplayNames([locale], { type: 'language', languageDisplay: 'standard', style: 'short' }));
const ownNames = new Map<string, string>();

/** The primary subtag, in the code that the service prefers: `en` for both `en-GB` and `eng`. */
export function primarySubtag(tag: string): string {
  try {
    return new Intl.Locale(tag).language;
  } catch {
    return tag.toLowerCase().split(/[-_]/)[0] ?? '';
  }
}

function findOwnName(tag: string): string {
  try {
    const name = new Intl.DisplayNames([tag, 'en'], { type: 'language', languageDisplay: 'standard', style: 'short' }).of(tag) ?? tag;
    const [first = '', ...rest] = name;
    // Many languages write their own names in lower case within a sentence.
    return first.toLocaleUpperCase(tag) + rest.join('');
  } catch {
    return tag;
  }
}

/** What a language calls itself: `Español`, `English (UK)`. */
export function languageName(tag: string): string {
  let name = ownNames.get(tag);
  if (name === undefined) ownNames.set(tag, (name = findOwnName(tag)));
  return name;
}

/** A language's own name, and for readers who do not know it, its name in the language of the interface: `Español (Spanish)`. */
export function bilingualName(tag: string): string {
  const own = languageName(tag);
  if (own === tag || primarySubtag(tag) === currentLanguage()) return own;
  const name = nameInSentence(tag);
  return name === own ? own : `${own} (${name.replace(/ \((.+)\)$/, ', $1')})`;
}

/** A language within a sentence: its name in the language of the interface alone. */
export const nameInSentence = (tag: string): string => names().of(tag) ?? tag;

/** Whether `tag` is one of the languages, in any regional variant. */
export const includesLanguage = (languages: string[], tag: string): boolean =>
  languages.some((language) => primarySubtag(language) === primarySubtag(tag));

/** The languages that a user can choose from when the detected language of a book is wrong. */
const COMMON = 'ar bg bn ca cs cy da de el en es et eu fa fi fr ga gl he hi hr hu id is it ja ko la lt lv mk ms nb nl pl pt ro ru sk sl sq sr sv sw ta te th tl tr uk ur vi zh'.split(' ');

/** The option that stands for a language. Codes of the same language share one option; regional variants keep their own. */
export const languageOption = (tag: string): string => (tag.includes('-') ? tag : primarySubtag(tag));

/** The common languages, and the book's own if it is another, sorted by their own names. */
export function languageOptions(own: string | null | undefined): { tag: string; name: string }[] {
  const tags = own && !COMMON.includes(languageOption(own)) ? [languageOption(own), ...COMMON] : COMMON;
  return tags.map((tag) => ({ tag, name: bilingualName(tag) })).sort((a, b) => a.name.localeCompare(b.name));
}
