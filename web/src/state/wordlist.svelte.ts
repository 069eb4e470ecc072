// A list of words that is being edited: its rows, what is wrong with each, and which of them are shown. What was not saved yet is kept
// while the user visits other pages. Closing the tab asks for confirmation.
import { environment } from '../api/environment.svelte';
import { ApiError } from '../api/error';
import { createLexicon, fetchLexicon, type Lexicon, replaceLexicon } from '../api/lexicons';
import { session } from '../api/session.svelte';
import * as m from '../i18n/messages/words';
import { type Kind, readEntry, type Word, withWord, wordKey, wordProblem, writeEntry } from '../text/lexicons';
import { Task } from './task.svelte';

export const ROWS_PER_PAGE = 50;
let lastKey = 0;

export class WordRow implements Word {
  readonly key = ++lastKey;
  word = $state('');
  kind = $state<Kind>('alias');
  said = $state('');
  problem = $state<string | null>(null);

  constructor({ word, kind, said }: Word) {
    [this.word, this.kind, this.said] = [word, kind, said];
  }
}

export class WordList {
  readonly id: string;
  name = $state('');
  language = $state('');
  isDefault = $state(false);
  rows = $state.raw<WordRow[]>([]);
  isChanged = $state(false);
  search = $state('');
  /** The rows that could not be saved, while only they are shown: a row stays while it is corrected. */
  wrong = $state.raw<Set<WordRow> | null>(null);
  page = $state(0);
  readonly saving = new Task();

  readonly found = $derived.by(() => {
    const search = this.search.trim().toLowerCase();
    return this.rows.filter((row) => (!search || row.word.toLowerCase().includes(search) || row.said.toLowerCase().includes(search)) && (!this.wrong || this.wrong.has(row)));
  });
  readonly pages = $derived(Math.max(1, Math.ceil(this.found.length / ROWS_PER_PAGE)));
  readonly current = $derived(Math.min(this.page, this.pages - 1));
  readonly shown = $derived(this.found.slice(this.current * ROWS_PER_PAGE, (this.current + 1) * ROWS_PER_PAGE));
  readonly problems = $derived(this.rows.filter((row) => row.problem).length);

  constructor(lexicon: Lexicon) {
    this.id = lexicon.id;
    this.#take(lexicon);
    this.rows = (lexicon.entries ?? []).map((entry) => new WordRow(readEntry(entry)));
  }

  #take({ name, language, default: isDefault }: Lexicon): void {
    [this.name, this.language, this.isDefault] = [name, language, isDefault];
  }

  readonly change = (): void => {
    this.isChanged = true;
  };

  /** Adds a row at the top, where it is seen. */
  add(): WordRow {
    const row = new WordRow({ word: '', kind: 'alias', said: '' });
    this.rows = [row, ...this.rows];
    [this.search, this.page, this.wrong] = ['', 0, null];
    this.change();
    return row;
  }

  remove(row: WordRow): void {
    this.rows = this.rows.filter((other) => other !== row);
    if (!this.problems) this.wrong = null;
    this.change();
  }

  /** Adds words; a word that is there already is said as the new one. */
  merge(words: Word[]): void {
    const byKey = new Map(this.rows.map((row) => [wordKey(row.word), row]));
    const added: WordRow[] = [];
    for (const word of words) {
      const row = byKey.get(wordKey(word.word));
      if (row) [row.kind, row.said, row.problem] = [word.kind, word.said, null];
      else added.push(new WordRow(word));
    }
    this.rows = [...added, ...this.rows];
    this.change();
  }

  #showProblems(): void {
    [this.wrong, this.search, this.page] = [new Set(this.rows.filter((row) => row.problem)), '', 0];
  }

  /** Marks rows that cannot be saved. Returns whether there are none. */
  #check(): boolean {
    const seen = new Set<string>();
    for (const row of this.rows) {
      const key = wordKey(row.word);
      row.problem = wordProblem(row) ?? (seen.has(key) ? m.twice() : null);
      seen.add(key);
    }
    return this.problems === 0;
  }

  async save(): Promise<boolean> {
    if (!this.#check()) {
      this.#showProblems();
      return false;
    }
    const rows = this.rows;
    const isSaved = await this.saving.run(async () => {
      this.#take(await replaceLexicon(this.id, { name: this.name, language: this.language, default: this.isDefault, entries: rows.map(writeEntry) }));
      [this.isChanged, this.wrong] = [false, null];
    });
    const { error } = this.saving;
    if (!isSaved && error instanceof ApiError) {
      for (const [field, problem] of Object.entries((error.details.fields ?? {}) as Record<string, string>)) {
        const row = rows[Number(/^entries\[(\d+)\]/.exec(field)?.[1] ?? Number.NaN)];
        if (row) row.problem = problem;
      }
      if (this.problems) this.#showProblems();
    }
    return isSaved;
  }
}

/** Changed lists by account, environment and list. */
const drafts = new Map<string, WordList>();
const draftKey = (id: string): string => `${session.me?.account.id} ${environment.current} ${id}`;

/** A list with its words, and with what was changed but not saved. */
export async function openWordList(id: string): Promise<WordList> {
  const draft = drafts.get(draftKey(id));
  if (draft?.isChanged) return draft;
  const list = new WordList(await fetchLexicon(id));
  drafts.set(draftKey(id), list);
  return list;
}

export const forgetWordList = (id: string): boolean => drafts.delete(draftKey(id));

addEventListener('beforeunload', (event) => {
  if ([...drafts.values()].some((draft) => draft.isChanged)) event.preventDefault();
});

/** Where a single word is stored: in a list, or in a new one of this name. */
export type Target = { id: string } | { name: string; language: string };

/** Stores a word. Returns its list. */
export async function saveWord(target: Target, word: Word, idempotencyKey: string): Promise<Lexicon> {
  if (!('id' in target)) return createLexicon(idempotencyKey, { ...target, default: false, entries: [writeEntry(word)] });
  const draft = drafts.get(draftKey(target.id));
  if (draft?.isChanged) draft.merge([word]);
  const { name, language, default: isDefault, entries = [] } = await fetchLexicon(target.id);
  return replaceLexicon(target.id, { name, language, default: isDefault, entries: withWord(entries.map(readEntry), word).map(writeEntry) });
}
