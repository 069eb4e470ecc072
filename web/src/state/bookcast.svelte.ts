// The speakers of a book, and the voices that the user gives them. What was not saved yet is kept while the user visits other pages.
// Closing the tab asks for confirmation.
import { fetchCast, fetchQuotes, replaceCast, type Speaker } from '../api/cast';
import { environment } from '../api/environment.svelte';
import { ApiError } from '../api/error';
import { session } from '../api/session.svelte';
import type { Voice } from '../api/types';
import { gone as noLongerAvailable } from '../i18n/messages/cast';
import { fieldProblem } from '../i18n/messages/common';
import { Task } from './task.svelte';

export const SPEAKERS_PER_PAGE = 25;
/** The most that the service gives. */
const QUOTES_AT_ONCE = 500;

export class BookCast {
  readonly id: string;
  /** Those with a voice of their own come first. The order is kept while the user chooses. */
  speakers = $state.raw<Speaker[]>([]);
  /** The IDs of the voices that are chosen, by name. */
  choices = $state.raw<Map<string, string>>(new Map());
  search = $state('');
  page = $state(0);
  /** The characters of each speaker in each part; null as long as they are not known. */
  said = $state.raw<Map<string, number>[] | null>(null);
  readonly saving = new Task();
  /** What the service says about a speaker. */
  #refused = $state.raw<Map<string, string>>(new Map());
  /** The count that is under way. */
  #counting: symbol | null = null;

  /** Whether lines `[speaker NAME]` name the speakers. Dialogue is never attributed with full certainty. */
  readonly isNamedInText = $derived(this.speakers.some(({ quotes }) => quotes > 0) && this.speakers.every(({ quotes, confidence }) => confidence === 1 || quotes === 0));
  readonly isChanged = $derived(this.speakers.some(({ name, ereader_id }) => (this.choices.get(name) ?? null) !== ereader_id));
  readonly found = $derived.by(() => {
    const search = this.search.trim().toLowerCase();
    return this.speakers.filter(({ name }) => name.toLowerCase().includes(search));
  });
  readonly pages = $derived(Math.max(1, Math.ceil(this.found.length / SPEAKERS_PER_PAGE)));
  readonly current = $derived(Math.min(this.page, this.pages - 1));
  readonly shown = $derived(this.found.slice(this.current * SPEAKERS_PER_PAGE, (this.current + 1) * SPEAKERS_PER_PAGE));

  constructor(id: string) {
    this.id = id;
  }

  #take(speakers: Speaker[]): void {
    this.speakers = [...speakers].sort((a, b) => Number(b.ereader_id !== null) - Number(a.ereader_id !== null));
    this.choices = new Map(speakers.flatMap(({ name, ereader_id }) => (ereader_id ? [[name, ereader_id]] : [])));
    this.#refused = new Map();
  }

  /** Loads the cast as it is saved. */
  async load(): Promise<void> {
    this.#take(await fetchCast(this.id));
    this.saving.error = null;
  }

  /** Loads what each speaker says, after it was changed. The voices that were chosen and not saved stay. */
  async recount(): Promise<void> {
    this.forgetCount();
    const speakers = await fetchCast(this.id);
    const choices = this.choices;
    this.#take(speakers);
    this.choices = new Map([...choices].filter(([name]) => speakers.some((speaker) => speaker.name === name)));
  }

  choose(name: string, voiceId: string): void {
    const choices = new Map(this.choices);
    if (voiceId) choices.set(name, voiceId);
    else choices.delete(name);
    this.choices = choices;
    if (this.#refused.has(name)) this.#refused = new Map([...this.#refused].filter(([other]) => other !== name));
  }

  /** What is wrong with the choices, by name. `voices` are those that the account may use. */
  problems(voices: Voice[]): Map<string, string> {
    const gone = [...this.choices].filter(([, id]) => !voices.some((voice) => voice.id === id)).map(([name]): [string, string] => [name, noLongerAvailable()]);
    return new Map([...gone, ...this.#refused]);
  }

  /** The voices of those speakers that have one of their own. */
  voices(voices: Voice[]): Map<string, Voice> {
    return new Map([...this.choices].flatMap(([name, id]) => voices.filter((voice) => voice.id === id).map((voice): [string, Voice] => [name, voice])));
  }

  async save(): Promise<boolean> {
    const sent = [...this.choices];
    const isSaved = await this.saving.run(async () => this.#take(await replaceCast(this.id, sent)));
    const { error } = this.saving;
    if (!isSaved && error instanceof ApiError) {
      const fields = Object.entries((error.details.fields ?? {}) as Record<string, string>);
      this.#refused = new Map(
        fields.flatMap(([field, problem]) => {
          const name = sent[Number(/^speakers\[(\d+)\]/.exec(field)?.[1] ?? Number.NaN)]?.[0];
          return name === undefined ? [] : [[name, fieldProblem({ problem })]];
        }),
      );
    }
    return isSaved;
  }

  /** Forgets what was counted, because quotes or texts have changed. */
  forgetCount(): void {
    this.said = null;
    this.#counting = null;
  }

  /** Counts what each speaker says. Without it a price has limits. */
  async count(parts: number): Promise<void> {
    if (this.said || this.#counting || !this.choices.size) return;
    const turn = Symbol();
    this.#counting = turn;
    try {
      const said = Array.from({ length: parts }, () => new Map<string, number>());
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof fetchQuotes>> = await fetchQuotes(this.id, {}, QUOTES_AT_ONCE, cursor);
        for (const { chunk_index, speaker, characters } of page.quotes) {
          const part = said[chunk_index];
          if (speaker) part?.set(speaker, (part.get(speaker) ?? 0) + characters);
        }
        cursor = page.next;
      } while (cursor);
      if (this.#counting === turn) this.said = said;
    } finally {
      if (this.#counting === turn) this.#counting = null;
    }
  }
}

/** Changed casts by account, environment and book. */
const drafts = new Map<string, BookCast>();
const draftKey = (id: string): string => `${session.me?.account.id} ${environment.current} ${id}`;

/** The cast of a book, with what was changed but not saved. */
export async function openBookCast(id: string): Promise<BookCast> {
  const draft = drafts.get(draftKey(id));
  if (draft?.isChanged) return draft;
  const cast = new BookCast(id);
  await cast.load();
  drafts.set(draftKey(id), cast);
  return cast;
}

addEventListener('beforeunload', (event) => {
  if ([...drafts.values()].some((draft) => draft.isChanged)) event.preventDefault();
});
