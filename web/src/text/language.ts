// Names of languages, and whether two language tags mean the same language.
const displayNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' });

/** The primary subtag, in the code that the service prefers: `en` for both `en-GB` and `eng`. */
export function primarySubtag(tag: string): string {
  try {
    return new Intl.Locale(tag).language;
  } catch {
    return tag.toLowerCase().split(/[-_]/)[0] ?? '';
  }
}

/** The English name of a language: `French`, `American English`. */
export function languageName(tag: string): string {
  try {
    return displayNames.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** Whether `tag` is one of the languages, in any regional variant. */
export const includesLanguage = (languages: string[], tag: string): boolean =>
  languages.some((language) => primarySubtag(language) === primarySubtag(tag));

/** The languages that a user can choose from when the detected language of a book is wrong. */
const COMMON = 'ar bg bn ca cs cy da de el en es et eu fa fi fr ga gl he hi hr hu id is it ja ko la lt lv mk ms nb nl pl pt ro ru sk sl sq sr sv sw ta te th tl tr uk ur vi zh'.split(' ');

/** The option that stands for a language. Codes of the same language share one option; regional variants keep their own. */
export const languageOption = (tag: string): string => (tag.includes('-') ? tag : primarySubtag(tag));

/** The common languages, and the book's own if it is another, sorted by name. */
export function languageOptions(own: string | null | undefined): { tag: string; name: string }[] {
  const tags = own && !COMMON.includes(languageOption(own)) ? [languageOption(own), ...COMMON] : COMMON;
  return tags.map((tag) => ({ tag, name: languageName(tag) })).sort((a, b) => a.name.localeCompare(b.name));
}
