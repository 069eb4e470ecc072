// Languages by their names, and whether a voice speaks one.
const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' });

/** The subtag that names the language, by the code that the service prefers: `en` for `en-GB` and for `eng`. */
export function primary(tag: string): string {
  try {
    return new Intl.Locale(tag).language;
  } catch {
    return tag.toLowerCase().split(/[-_]/)[0] ?? '';
  }
}

/** The English name of a language: `French`, `American English`. */
export function languageName(tag: string): string {
  try {
    return names.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** Whether one of the languages is this one, wherever it is spoken. */
export const speaks = (languages: string[], tag: string): boolean => languages.some((one) => primary(one) === primary(tag));

/** Languages that books are often in: the choice when a book's language is wrong. */
const COMMON = 'ar bg bn ca cs cy da de el en es et eu fa fi fr ga gl he hi hr hu id is it ja ko la lt lv mk ms nb nl pl pt ro ru sk sl sq sr sv sw ta te th tl tr uk ur vi zh'.split(' ');

/** The tag that stands for this language in the choice: a code that files name it by otherwise is the same language. */
export const choiceOf = (tag: string): string => (tag.includes('-') ? tag : primary(tag));

/** Those, and `own` where it is another, by name. */
export function languageChoices(own: string | null | undefined): { tag: string; name: string }[] {
  const tags = own && !COMMON.includes(choiceOf(own)) ? [choiceOf(own), ...COMMON] : COMMON;
  return tags.map((tag) => ({ tag, name: languageName(tag) })).sort((a, b) => a.name.localeCompare(b.name));
}
