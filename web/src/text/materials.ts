// A material's status in words.
import type { Schemas } from '../api/client';

export const words: Record<Schemas['MaterialStatus'], [string, string]> = {
  processing: ['Being read', 'warn'],
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
