// SSML: elements that the buttons of a text insert, and what a text in SSML costs at most.
import { countCharacters } from './format';
import type { Word } from './lexicons';
import { findMarkup } from './markup';

export const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export const breakElement = (ms: number): string => `<break time="${ms}ms"/>`;

/** The element that has a word said in another way. */
export function wordElement({ word, kind, said }: Word): string {
  if (kind === 'alias') return `<sub alias="${escapeXml(said)}">${escapeXml(word)}</sub>`;
  return `<phoneme alphabet="${kind === 'ipa' ? 'ipa' : 'x-sampa'}" ph="${escapeXml(said)}">${escapeXml(word)}</phoneme>`;
}

/** A plain text as SSML. `slugOf` gives the voice of a speaker; undefined for those that the text's own voice says. */
export function toSsml(text: string, slugOf: (speaker: string) => string | undefined): string {
  let [ssml, from, isOpen] = ['<speak>', 0, false];
  for (const markup of findMarkup(text)) {
    ssml += escapeXml(text.slice(from, markup.start));
    from = markup.end;
    if (markup.kind === 'pause') ssml += breakElement(markup.ms);
    else if (markup.kind === 'pronunciation') ssml += wordElement({ word: markup.word, kind: 'ipa', said: markup.ipa });
    else {
      if (isOpen) ssml = `${ssml.trimEnd()}</voice>\n`;
      const slug = slugOf(markup.name);
      isOpen = slug !== undefined;
      if (slug !== undefined) ssml += `<voice name="${escapeXml(slug)}">`;
      // The line itself is gone.
      if (/^\r?\n/.test(text.slice(from))) from = text.indexOf('\n', from) + 1;
    }
  }
  return `${ssml}${escapeXml(text.slice(from))}${isOpen ? '</voice>' : ''}</speak>`;
}

/** The characters that each voice says at most, by slug; '' is the text's own voice. Null if it is not well-formed. */
export function charactersByVoice(ssml: string): Map<string, number> | null {
  const document = new DOMParser().parseFromString(ssml, 'application/xml');
  if (document.querySelector('parsererror')) return null;
  const counts = new Map<string, number>([['', 0]]);
  const visit = (node: Node, voice: string): void => {
    const element = node instanceof Element ? node : null;
    const own = element?.localName === 'voice' ? (element.getAttribute('name') ?? voice) : voice;
    const said = element?.localName === 'sub' ? element.getAttribute('alias') : node.nodeType === Node.TEXT_NODE || node.nodeType === Node.CDATA_SECTION_NODE ? node.nodeValue : null;
    if (said !== null) counts.set(own, (counts.get(own) ?? 0) + countCharacters(said));
    else for (const child of node.childNodes) visit(child, own);
  };
  visit(document, '');
  return counts;
}

/** The parts of a text in SSML that are no text. */
export const hiddenElements = (ssml: string): [start: number, end: number][] =>
  [...ssml.matchAll(/<!--[^]*?-->|<[^>]*>/g)].map(({ index, 0: element }): [number, number] => [index, index + element.length]);
