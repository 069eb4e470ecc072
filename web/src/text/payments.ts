import type { Schemas } from '../api/types';

type Provider = Schemas['PaymentProvider'];

/** Where the browser goes to pay; null where the operator approves instead. A provider that is missing here does not compile. */
const checkouts: Record<Provider, string | null> = {
  manual: null,
  stripe: 'Stripe',
};

/** The name of the page on which a customer pays with this provider, if there is one. */
export const checkoutOf = (provider: Provider): string | null => checkouts[provider];

const digits = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency: currency.toUpperCase() }).resolvedOptions().maximumFractionDigits ?? 2;
/** A sum in the currency's smallest unit, such as cents, in the unit that people count in. */
export const inMajorUnits = (minor: number, currency: string): number => minor / 10 ** digits(currency);
export const inMinorUnits = (major: number, currency: string): number => Math.round(major * 10 ** digits(currency));

/** Digits, with the same sign between all thousands or none. English of India groups by two, too. */
const WHOLE = /^(?:\d+|\d{1,3}(?:([ .,'’])(?:\d{2,3}\1)*\d{3}))$/;
/** Full-width characters and the many spaces as their plain ones. */
const plain = (text: string): string => text.normalize('NFKC').trim();

/** A whole number as people type it; null if it is none. */
export function wholeNumber(text: string): number | null {
  const typed = plain(text);
  return WHOLE.test(typed) ? Number(typed.replace(/\D/g, '')) : null;
}
/** A sum as people type it, with or without its currency; null if it is none. A sign before the last one or two digits is the decimal one. */
export function typedSum(text: string): number | null {
  const typed = plain(plain(text).replace(/\p{Sc}|円|^[a-z]{3}\b|\b[a-z]{3}$/giu, ''));
  const [, whole = '', sign = '', decimals = '0'] = /^(.*?)(?:([.,])(\d{1,2}))?$/.exec(typed) ?? [];
  const found = sign && whole.includes(sign) ? null : wholeNumber(whole || (sign && '0'));
  return found === null ? null : Number(`${found}.${decimals}`);
}
