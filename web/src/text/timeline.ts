// One line of time through the parts of a book. A part that has no audio yet counts with the length that its text suggests.
import type { Schemas } from '../api/types';

type Part = Pick<Schemas['Chunk'], 'index' | 'characters' | 'duration_ms'>;
type ChapterParts = Pick<Schemas['Chapter'], 'index' | 'chunk_indexes'>;
export type Spot = { index: number; positionMs: number };
export type Span = { startMs: number; lengthMs: number };

/** Used until a part of the book has audio. */
const MS_PER_CHARACTER = 60;

export class Timeline {
  readonly totalMs: number;
  /** The start and the length of each part, by its index in the book. */
  readonly #spans = new Map<number, Span>();
  readonly #indexes: number[] = [];

  constructor(parts: Part[]) {
    const known = parts.filter(({ duration_ms }) => duration_ms);
    const sum = (of: (part: Part) => number): number => known.reduce((total, part) => total + of(part), 0);
    const rate = sum(({ characters }) => characters) ? sum(({ duration_ms }) => duration_ms ?? 0) / sum(({ characters }) => characters) : MS_PER_CHARACTER;
    let startMs = 0;
    for (const { index, characters, duration_ms } of parts) {
      const lengthMs = duration_ms || Math.round(characters * rate);
      this.#spans.set(index, { startMs, lengthMs });
      this.#indexes.push(index);
      startMs += lengthMs;
    }
    this.totalMs = startMs;
  }

  has(index: number): boolean {
    return this.#spans.has(index);
  }

  /** The time of a spot since the start of the book. */
  timeOf({ index, positionMs }: Spot): number {
    const span = this.#spans.get(index);
    return span ? span.startMs + Math.min(positionMs, span.lengthMs) : 0;
  }

  /** The spot at a time since the start of the book. */
  spotAt(timeMs: number): Spot {
    const time = Math.min(Math.max(0, timeMs), this.totalMs);
    for (const index of this.#indexes) {
      const { startMs, lengthMs } = this.#spans.get(index)!;
      if (time < startMs + lengthMs) return { index, positionMs: time - startMs };
    }
    const last = this.#indexes.at(-1) ?? 0;
    return { index: last, positionMs: this.#spans.get(last)?.lengthMs ?? 0 };
  }

  /** The span of all parts of a chapter that are in the book; null if none is. */
  spanOf({ chunk_indexes }: ChapterParts): Span | null {
    const spans = chunk_indexes.flatMap((index) => this.#spans.get(index) ?? []);
    const [first, last] = [spans[0], spans.at(-1)];
    return first && last ? { startMs: first.startMs, lengthMs: last.startMs + last.lengthMs - first.startMs } : null;
  }

  /** The part after this one, or before it. */
  neighbor(index: number, step: 1 | -1): number | null {
    const at = this.#indexes.indexOf(index);
    return at < 0 ? null : (this.#indexes[at + step] ?? null);
  }
}
