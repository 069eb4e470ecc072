// Where a player has a book from: the account's own, or one behind a share link.
import { fetchChapters, fetchMaterial, fetchParts } from '../api/books';
import { environmentUrl } from '../api/client';
import { fetchPlace, type Place, savePlace } from '../api/places';
import { fetchPartAudio } from '../api/requests';
import type { Schemas } from '../api/types';

type Material = Schemas['Material'];

/** What a book consists of, as far as it is played. A part stands in the list at its index. */
export type BookParts = {
  material: Pick<Material, 'id' | 'title' | 'author' | 'has_cover'>;
  chunks: Pick<Schemas['Chunk'], 'index' | 'status' | 'characters' | 'duration_ms'>[];
  chapters: Pick<Schemas['Chapter'], 'index' | 'title' | 'role' | 'included' | 'chunk_indexes'>[];
};

export type BookSource = {
  /** The address of the cover; null when there is none. */
  coverUrl: (material: BookParts['material']) => string | null;
  fetchBook: () => Promise<BookParts>;
  /** The address of a part's audio. */
  fetchAudio: (index: number) => Promise<string>;
  fetchPlace: () => Promise<Place | null>;
  /** Not a promise: it must also succeed while the page is being closed. Returns the time of the place. */
  savePlace: (place: Omit<Place, 'material_id' | 'updated_at'>) => string;
};

/** A book of the account. */
export const ownBook = (id: string): BookSource => ({
  coverUrl: ({ has_cover }) => (has_cover ? environmentUrl(`/v1/bff/materials/${encodeURIComponent(id)}/cover`) : null),
  fetchBook: async () => {
    const [material, chunks, chapters] = await Promise.all([fetchMaterial(id), fetchParts(id), fetchChapters(id)]);
    return { material, chunks, chapters };
  },
  fetchAudio: (index) => fetchPartAudio(id, index),
  fetchPlace: () => fetchPlace(id),
  savePlace: (place) => savePlace(id, place),
});
