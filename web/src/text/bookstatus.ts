// The status of books in words, each with the color of its badge.
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
