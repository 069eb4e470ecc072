// What the operator calls the service, its logo, and where people get help. The service writes them into the head of the page.
const meta = globalThis.document?.querySelector<HTMLMetaElement>('meta[name=application-name]');

export const service = meta?.content ?? 'Lectern';
export const { logo = '/icon.svg', support } = meta?.dataset ?? {};
/** What the names of saved files begin with. */
export const fileName = service.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'lectern';
/** The title of a page. */
export const titled = (page: string): string => `${page} · ${service}`;
