// A material's status in words.
import type { Schemas } from '../api/client';

export const words: Record<Schemas['MaterialStatus'], [string, string]> = {
  processing: ['Processing', 'warn'],
  ready: ['Ready to convert', ''],
  converting: ['Converting', 'warn'],
  completed: ['Completed', 'good'],
  partially_failed: ['Partly failed', 'bad'],
  failed: ['Failed', 'bad'],
  deleted: ['Deleted', ''],
};

export const chunkWords: Record<Schemas['ChunkStatus'], [string, string]> = {
  pending: ['Not converted', ''],
  queued: ['Waiting', 'warn'],
  converting: ['Converting', 'warn'],
  completed: ['Completed', 'good'],
  failed: ['Failed', 'bad'],
};

/** What a part is called: by its chapter, or by its place. */
export const chapterName = (chunk: Schemas['Chunk'] | undefined, index: number): string => chunk?.title ?? `Part ${index + 1}`;

/** What can be done about a material that could not be read. */
export const advice = (code: string): string =>
  code === 'material_unreadable'
    ? 'Nothing was charged. Another format of the same book often works, such as an EPUB instead of a PDF. Split very long texts into files of up to 16 million characters each.'
    : 'Nothing was charged. Upload the file again. If that fails too, try another format of the same book.';
