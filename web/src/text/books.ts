// What the status of a book means for its page, and what its parts are called: the API calls them materials and chunks.
import type { Schemas } from '../api/types';
import { partNumber } from '../i18n/messages/common';

export const isInProgress = (material: Schemas['Material']): boolean => material.status === 'processing' || material.status === 'converting';

/** Whether the text of a material is there. */
export const hasText = ({ status }: Schemas['Material']): boolean => !['processing', 'failed', 'deleted'].includes(status);

export const isConvertible = (chunk: Schemas['Chunk']): boolean => chunk.status === 'pending' || chunk.status === 'failed';

/** The title of a chunk's chapter, or its number. */
export const chapterName = (chunk: Schemas['Chunk'] | undefined, index: number): string => chunk?.title ?? partNumber({ number: index + 1 });

/** Plain texts and PDF files have no notes that could be told apart. */
export const mayHaveNotes = ({ source }: Schemas['Material']): boolean => !['text/plain', 'application/pdf'].includes(source.media_type);

/** `Ada Lind · The Coast, 2 · 1901`: what is known of a book. */
export function detailsLine({ author, series, series_index, year }: Schemas['Material']): string {
  const place = series_index === null || series_index === undefined ? '' : `, ${series_index}`;
  return [author, series && `${series}${place}`, year].filter(Boolean).join(' · ');
}
