// The status of books and their parts in words: the API calls them materials and chunks. A label comes with the color of its badge.
import type { Schemas } from '../api/types';
import * as m from '../i18n/messages/books';

export const materialLabels: Record<Schemas['MaterialStatus'], [text: () => string, color: string]> = {
  processing: [m.processing, 'warn'],
  ready: [m.ready, ''],
  converting: [m.converting, 'warn'],
  completed: [m.completed, 'good'],
  partially_failed: [m.partlyFailed, 'bad'],
  failed: [m.failed, 'bad'],
  deleted: [m.deleted, ''],
};

export const chunkLabels: Record<Schemas['ChunkStatus'], [text: string, color: string]> = {
  pending: ['Not converted', ''],
  queued: ['Waiting', 'warn'],
  converting: ['Converting', 'warn'],
  completed: ['Completed', 'good'],
  failed: ['Failed', 'bad'],
};

export const isInProgress = (material: Schemas['Material']): boolean => material.status === 'processing' || material.status === 'converting';

/** Whether the text of a material is there. */
export const hasText = ({ status }: Schemas['Material']): boolean => !['processing', 'failed', 'deleted'].includes(status);

export const isConvertible = (chunk: Schemas['Chunk']): boolean => chunk.status === 'pending' || chunk.status === 'failed';

/** The title of a chunk's chapter, or its number. */
export const chapterName = (chunk: Schemas['Chunk'] | undefined, index: number): string => chunk?.title ?? `Part ${index + 1}`;

/** A way to read notes: as a choice, with what it means for the listener, and as it was chosen. */
export const notesLabels: Record<Schemas['NotesMode'], [name: string, meaning: string, chosen: string]> = {
  skip: ['Skip them', 'Nobody hears them, and they cost nothing.', 'Skipped'],
  inline: ['After the sentence', 'Each is read where the text refers to it.', 'Read after the sentence'],
  end: ['At the end of the book', 'They are read together, as a chapter of their own.', 'Read at the end of the book'],
};
/** Plain texts and PDF files have no notes that could be told apart. */
export const mayHaveNotes = ({ source }: Schemas['Material']): boolean => !['text/plain', 'application/pdf'].includes(source.media_type);

/** What the user can do about a material that failed with this code. */
export const failureAdvice = (code: string): string =>
  code === 'material_unreadable'
    ? 'Nothing was charged. Another format of the same book often works, such as an EPUB instead of a PDF. Split very long texts into files of up to 16 million characters each.'
    : 'Nothing was charged. Upload the file again. If that fails too, try another format of the same book.';

/** The name of the word list that is made for a book. */
export const nameOfWords = (title: string): string => Array.from(`Names of ${title}`).slice(0, 100).join('');
