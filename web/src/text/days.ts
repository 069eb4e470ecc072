// Days of the calendar in UTC, and ranges of them.

export const DAY_MS = 86_400_000;

/** Days such as `2026-03-01` (UTC), the last one included. */
export type DayRange = { from: string; to: string };
/** The longest that the service adds up. */
export const MAX_DAYS = 366;

export const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10);
export const dayAfter = (day: string): string => isoDay(Date.parse(`${day}T00:00:00Z`) + DAY_MS);

/** The last `count` days up to `today`. */
export const lastDays = (count: number, today: number): DayRange => ({ from: isoDay(today - (count - 1) * DAY_MS), to: isoDay(today) });

export const daysOf = ({ from, to }: DayRange): string[] => {
  const days: string[] = [];
  for (let time = Date.parse(from); time <= Date.parse(to) && days.length <= MAX_DAYS; time += DAY_MS) days.push(isoDay(time));
  return days;
};

/** A text that a spreadsheet must not take for a formula. */
export const harmless = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
