// Which conversions are asked about before they are begun.

/** A conversion of so few credits is begun at once. */
const SMALL = 1000;
/** One of more is always asked about. */
const LARGE = 100_000;
/** Of the available credits, the share that is asked about. */
const SHARE = 1 / 5;
/** Whether to ask before a conversion is begun that costs up to this many credits. */
export const asksBeforeSpending = (price: number, available: number | null): boolean =>
  price > LARGE || (price > SMALL && available !== null && price > available * SHARE);
