// Server-sent events of a material.
import { environmentUrl } from './client';

const KINDS = ['chunk.completed', 'chunk.failed', 'material.ready', 'material.failed', 'material.completed', 'material.deleted'];

type Handlers = { onevent: () => void; onopen: () => void; onerror: () => void };

/** Listens to a material's events. Returns a function that stops listening. */
export function watchMaterial(id: string, { onevent, onopen, onerror }: Handlers): () => void {
  const stream = new EventSource(environmentUrl(`/v1/bff/materials/${encodeURIComponent(id)}/events`));
  for (const kind of KINDS) stream.addEventListener(kind, onevent);
  stream.onopen = onopen;
  stream.onerror = onerror;
  return () => stream.close();
}
