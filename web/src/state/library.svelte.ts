// The list of the library for a search, a tag, a choice and an order. The service searches, however many books there are. Offline the list is
// what was downloaded, and this page searches in it.
import { fetchMaterial } from '../api/books';
import { fetchLibrary, type LibraryBook, type LibraryQuery } from '../api/library';
import type { Place } from '../api/places';
import { isInProgress } from '../text/books';
import { filterBooks, findBooks, type Show, type Sort, sortBooks } from '../text/library';
import { PagedList } from './list.svelte';

export type Choice = { search: string; tag: string; show: Show; sort: Sort };

export class Library {
  /** Whether the list is what this browser has kept, because the service cannot be reached. */
  isKept = $state(false);
  /** How many books were found, also those that are not loaded. */
  total = $state(0);
  tags = $state.raw<{ tag: string; materials: number }[]>([]);
  choice = $state.raw<Choice>({ search: '', tag: '', show: 'all', sort: 'newest' });
  readonly list = new PagedList<LibraryBook>({
    name: 'books',
    key: ({ material }) => material.id,
    fetchPage: async (page) => {
      const { choice } = this;
      const found = await fetchLibrary({ ...page, ...this.#query });
      // An answer that comes late belongs to another search.
      if (choice === this.choice) [this.total, this.tags, this.isKept] = [found.total, found.tags, Boolean(found.is_kept)];
      return found;
    },
    isUnfinished: ({ material }) => isInProgress(material),
    fetchRow: async (book) => ({ ...book, material: await fetchMaterial(book.material.id) }),
  });

  get #query(): LibraryQuery {
    const { search, tag, show, sort } = this.choice;
    const q = search.trim();
    return { ...(q ? { q } : {}), ...(tag ? { tag } : {}), ...(show !== 'all' && show !== 'downloaded' ? { show } : {}), ...(sort !== 'newest' ? { sort } : {}) };
  }

  readonly isFiltered = $derived(Boolean(this.choice.search.trim() || this.choice.tag || this.choice.show !== 'all'));

  /** The loaded books that are shown. What is downloaded, this browser alone knows. */
  shown(places: Map<string, Place>, downloaded: Set<string>): LibraryBook[] {
    const { search, show, sort } = this.choice;
    const rows = this.list.rows ?? [];
    if (!this.isKept) return show === 'downloaded' ? rows.filter(({ material }) => downloaded.has(material.id)) : rows;
    const books = sortBooks(filterBooks(findBooks(rows.map(({ material }) => material), search), places, show, downloaded), places, sort);
    return books.map((material) => ({ material, tags: [], place: null }));
  }
}
