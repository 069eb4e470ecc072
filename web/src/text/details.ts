// What files say of a book, as a form has it: all fields are text.
import type { Schemas } from '../api/types';
import * as m from '../i18n/messages/details';

export const DETAIL_FIELDS = ['title', 'author', 'narrator', 'publisher', 'year', 'language', 'description', 'series', 'series_index', 'isbn', 'copyright'] as const;
export type DetailField = (typeof DETAIL_FIELDS)[number];
export type Details = Record<DetailField, string>;

export const detailsOf = (material: Schemas['Material']): Details =>
  Object.fromEntries(DETAIL_FIELDS.map((field) => [field, String(material[field] ?? '')])) as Details;

/** A number as people write it; null if it is none. `2,5` is 2.5. */
export function parseNumber(text: string): number | null {
  const written = text.trim().replace(',', '.');
  return /^\d+(\.\d+)?$/.test(written) ? Number(written) : null;
}

/** What is wrong with the details, by field, as far as the service could not say it: it only sees numbers. */
export function detailProblems(details: Details): Partial<Record<DetailField, string>> {
  const problems: Partial<Record<DetailField, string>> = {};
  if (!details.title.trim()) problems.title = m.needsTitle();
  if (details.year.trim() && !Number.isInteger(parseNumber(details.year) ?? 0.5)) problems.year = m.mustBeYear();
  if (details.series_index.trim() && parseNumber(details.series_index) === null) problems.series_index = m.mustBeNumber();
  return problems;
}

/** The fields that differ from those of the book, as a request has them. An empty field is null. */
export function changedDetails(material: Schemas['Material'], details: Details): Schemas['UpdateMaterialRequest'] {
  const old = detailsOf(material);
  const changed = DETAIL_FIELDS.filter((field) => details[field].trim() !== old[field].trim());
  const value = (field: DetailField): string | number | null => {
    const text = details[field].trim();
    if (!text) return null;
    return field === 'year' || field === 'series_index' ? parseNumber(text) : text;
  };
  return Object.fromEntries(changed.map((field) => [field, value(field)]));
}
