// The status of books in words, each with the color of its badge.
import type { Schemas } from '../api/types';
import * as m from '../i18n/messages/common';

export const materialLabels: Record<Schemas['MaterialStatus'], [text: () => string, color: string]> = {
  processing: [m.bookProcessing, 'warn'],
  ready: [m.bookReady, ''],
  converting: [m.bookConverting, 'warn'],
  completed: [m.bookCompleted, 'good'],
  partially_failed: [m.bookPartlyFailed, 'bad'],
  failed: [m.bookFailed, 'bad'],
  deleted: [m.bookDeleted, ''],
};
