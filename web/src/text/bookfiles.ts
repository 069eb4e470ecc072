// The files of a whole book, and what each is for.
import type { Schemas } from '../api/types';

export type BookFileKind = {
  name: string;
  purpose: string;
  format: Schemas['BookFormat'];
  loudness?: Schemas['BookLoudness'];
  /** Whether the words or the sentences can be marked in it. */
  hasHighlight?: boolean;
};

export const bookFiles: BookFileKind[] = [
  { name: 'M4B audiobook', format: 'm4b', purpose: 'One file with chapters and cover, for Apple Books and audiobook players.' },
  { name: 'MP3', format: 'mp3', purpose: 'One file with chapter marks, which every player opens.' },
  { name: 'ZIP of MP3 files', format: 'zip', purpose: 'One MP3 a chapter, with cover and playlist, for car radios and USB sticks.' },
  { name: 'ZIP for ACX', format: 'zip', loudness: 'acx', purpose: 'One MP3 a chapter, as loud as ACX asks for, to sell the book on Audible and in other shops.' },
  { name: 'Read-along EPUB', format: 'epub', hasHighlight: true, purpose: 'The e-book with its audio, which highlights what is being read. For Thorium, Apple Books and Kobo.' },
  { name: 'DAISY talking book', format: 'daisy', purpose: 'DAISY 2.02, for DAISY players and libraries for blind readers.' },
];

export const captionFiles: { name: string; format: string; purpose: string }[] = [
  { name: 'Captions (SRT)', format: 'srt', purpose: 'The text with its times, for video editors.' },
  { name: 'Captions (VTT)', format: 'vtt', purpose: 'The text with its times, for video on the web.' },
];
