// The files of a whole book, and what each is for.
import type { Schemas } from '../api/types';
import * as m from '../i18n/messages/bookfiles';

export type BookFileKind = {
  name: () => string;
  purpose: () => string;
  format: Schemas['BookFormat'];
  loudness?: Schemas['BookLoudness'];
  /** Whether the words or the sentences can be marked in it. */
  hasHighlight?: boolean;
};

export const bookFiles: BookFileKind[] = [
  { name: m.m4b, format: 'm4b', purpose: m.m4bFor },
  { name: () => 'MP3', format: 'mp3', purpose: m.mp3For },
  { name: m.zip, format: 'zip', purpose: m.zipFor },
  { name: m.acx, format: 'zip', loudness: 'acx', purpose: m.acxFor },
  { name: m.epub, format: 'epub', hasHighlight: true, purpose: m.epubFor },
  { name: m.daisy, format: 'daisy', purpose: m.daisyFor },
];

export const captionFiles = [
  { name: m.srt, format: 'srt', purpose: m.srtFor },
  { name: m.vtt, format: 'vtt', purpose: m.vttFor },
];
