// How long a conversion still takes, by what was seen of it.

/** How many characters were converted by a time. */
export type Progress = { atMs: number; characters: number };

/** The time that `left` characters take at the pace between two moments; null while nothing was converted between them. */
export function timeLeftMs(first: Progress, last: Progress, left: number): number | null {
  const converted = last.characters - first.characters;
  return converted > 0 && last.atMs > first.atMs ? (left / converted) * (last.atMs - first.atMs) : null;
}
