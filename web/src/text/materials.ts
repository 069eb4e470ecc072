// The status of materials and chunks in words. A label comes with the color of its badge.
import type { Schemas } from '../api/types';

export const materialLabels: Record<Schemas['MaterialStatus'], [text: string, color: string]> = {
  processing: ['Processing', 'warn'],
  ready: ['Ready to convert', ''],
  converting: ['Converting', 'warn'],
  completed: ['Completed', 'good'],
  partially_failed: ['Partly failed', 'bad'],
  failed: ['Failed', 'bad'],
  deleted: ['Deleted', ''],
};

export const chunkLabels: Record<Schemas['ChunkStatus'], [text: string, color: string]> = {
  pending: ['Not converted', ''],
  queued: ['Waiting', 'warn'],
  converting: ['Converting', 'warn'],
  completed: ['Completed', 'good'],
  failed: ['Failed', 'bad'],
};

export const isInProgress = (material: Schemas['Material']): boolean => material.status === 'processing' || material.status === 'converting';

export const isConvertible = (chunk: Schemas['Chunk']): boolean => chunk.status === 'pending' || chunk.status === 'failed';

/** The title of a chunk's chapter, or its number. */
export const chapterName = (chunk: Schemas['Chunk'] | undefined, index: number): string => chunk?.title ?? `Part ${index + 1}`;

/** What the user can do about a material that failed with this code. */
export const failureAdvice = (code: string): string =>
  code === 'material_unreadable'
    ? 'Nothing was charged. Another format of the same book often works, such as an EPUB instead of a PDF. Split very long texts into files of up to 16 million characters each.'
    : 'Nothing was charged. Upload the file again. If that fails too, try another format of the same book.';
