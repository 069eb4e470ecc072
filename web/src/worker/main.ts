// The service worker. It keeps the application itself, so that its pages open offline, and answers for downloaded books when the service cannot
// be reached. What the pages download, they put into the caches themselves (state/downloads.svelte.ts).
import { setCacheNameDetails } from 'workbox-core';
import type { RouteMatchCallback } from 'workbox-core/types.js';
import { matchPrecache, precache } from 'workbox-precaching';
import { createPartialResponse } from 'workbox-range-requests';
import { registerRoute } from 'workbox-routing';
import { isPersonal } from '../offline/names';
import { answerKeptAudio, answerLibrary, answerMaterial, answerMaterials, answerMe, answerVoices, forgetMaterial } from './kept';
import { keepPage, keptPage, PAGE_CACHE } from './page';

declare const self: ServiceWorkerGlobalScope;
/** The files of this version, from vite/worker.ts. */
declare const SHELL: { version: string; files: { url: string; revision: string | null }[] };

const PREFIX = 'lectern-shell-';
const current = `${PREFIX}${SHELL.version}`;
setCacheNameDetails({ prefix: '', precache: current, suffix: '' });
precache(SHELL.files);

// A newer version takes over at once. Open pages go on, because the files of the version before are kept too: they import some of them later.
self.addEventListener('install', (event) => {
  event.waitUntil(fetch('/').then(keepPage).catch(() => undefined));
  void self.skipWaiting();
});
self.addEventListener('activate', (event) => {
  const takeOver = async (): Promise<void> => {
    const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== current);
    await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(takeOver());
});

// The names of these files change with their content, so a kept one is the right one, whichever version it is of.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
  async ({ request }) => (await caches.match(request, { ignoreVary: true })) ?? fetch(request),
);

// The operator's colours and logo have names that change with their content, too.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/brand/'),
  async ({ request }) => {
    const kept = await caches.match(request, { cacheName: PAGE_CACHE, ignoreVary: true });
    return kept ?? fetch(request);
  },
);

// Pages come from the service, so that a new version is seen at once.
const NO_PAGE = /^\/(v1|media|docs|assets|brand|offline|openapi\.json|healthz|readyz)(\/|$)/;
registerRoute(
  ({ request, url, sameOrigin }) => sameOrigin && request.mode === 'navigate' && !NO_PAGE.test(url.pathname),
  async ({ request, event }) => {
    const response = await fetch(request).catch(() => null);
    const isAway = !response || [502, 503, 504].includes(response.status);
    if (response) event.waitUntil(keepPage(response.clone()).catch(() => undefined));
    return (isAway ? ((await keptPage()) ?? (await matchPrecache('/'))) : null) ?? response ?? Response.error();
  },
);
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && /^\/(icon|manifest)/.test(url.pathname),
  async ({ request }) => fetch(request).catch(async () => (await matchPrecache(request)) ?? Response.error()),
);

/** Whatever the query. A route that is given as a string has none. */
const isAt = (path: string): RouteMatchCallback => ({ url, sameOrigin }) => sameOrigin && url.pathname === path;
registerRoute(isAt('/v1/bff/me'), ({ request, event }) => answerMe(request, event as FetchEvent));
registerRoute(isAt('/v1/bff/ereaders'), ({ request }) => answerVoices(request));
registerRoute(isAt('/v1/bff/materials'), ({ request }) => answerMaterials(request));
registerRoute(isAt('/v1/bff/library'), ({ request }) => answerLibrary(request));
registerRoute(({ url, sameOrigin }) => sameOrigin && /^\/v1\/bff\/materials\/[^/]+(\/(?!events|place|bookmarks).*)?$/.test(url.pathname), ({ request }) => answerMaterial(request));
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/offline/'),
  async ({ request, url }) => {
    const kept = await answerKeptAudio(url.pathname);
    return request.headers.has('range') && kept.ok ? createPartialResponse(request, kept) : kept;
  },
);
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && /^\/v1\/bff\/materials\/[^/]+$/.test(url.pathname),
  async ({ request, url }) => {
    const response = await fetch(request);
    if (response.ok) await forgetMaterial(url);
    return response;
  },
  'DELETE',
);
// Whatever the service says of it: who signs out here leaves nothing behind.
registerRoute(
  isAt('/v1/bff/auth/logout'),
  async ({ request }) => {
    const names = await caches.keys();
    await Promise.all(names.filter(isPersonal).map((name) => caches.delete(name)));
    return fetch(request);
  },
  'POST',
);
