// The address bar decides which page is shown. Each history entry also stores its scroll position and other values that a page
// asks for, so that Back returns to the same place in a list.
class Address {
  path = $state(location.pathname);
  search = $state(location.search);

  get query(): URLSearchParams {
    return new URLSearchParams(this.search);
  }
}

export const address = new Address();

function syncAddress(): void {
  address.path = location.pathname;
  address.search = location.search;
}

const listeners = new Set<() => void>();
/** Calls `listener` before another page is shown. Returns a function that removes it. */
export function onNavigation(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

type EntryState = Record<string, number | string>;
const entryState = (): EntryState => (history.state as EntryState | null) ?? {};

/** Stores a value with the current history entry. */
export function saveInHistory(name: string, value: number | string): void {
  if (entryState()[name] !== value) history.replaceState({ ...entryState(), [name]: value }, '');
}
/** The value that is stored with the current history entry. */
export const readFromHistory = (name: string): number | string | undefined => entryState()[name];

// The browser would scroll before the list has been loaded.
history.scrollRestoration = 'manual';
const SCROLL = 'scroll';
const RESTORE_TIMEOUT_MS = 5000;
let stopRestoring: (() => void) | null = null;
let saveTimer: ReturnType<typeof setTimeout> | undefined;

/** Scrolls to the stored position as soon as the page is long enough, unless the user scrolls first. */
function restoreScroll(): void {
  stopRestoring?.();
  clearTimeout(saveTimer);
  const target = Number(readFromHistory(SCROLL) ?? 0);
  const userEvents = ['wheel', 'touchstart', 'keydown', 'pointerdown'];
  const stop = (): void => {
    observer.disconnect();
    clearTimeout(timeout);
    for (const event of userEvents) removeEventListener(event, stop);
    stopRestoring = null;
  };
  const scrollIfPossible = (): void => {
    if (document.documentElement.scrollHeight - innerHeight < target) return;
    scrollTo(0, target);
    if (target) stop();
  };
  const observer = new ResizeObserver(scrollIfPossible);
  const timeout = setTimeout(stop, RESTORE_TIMEOUT_MS);
  stopRestoring = stop;
  for (const event of userEvents) addEventListener(event, stop, { passive: true });
  observer.observe(document.documentElement);
  if (!target) stop();
}
addEventListener('scroll', () => {
  clearTimeout(saveTimer);
  saveTimer = setTimeout(() => stopRestoring ?? saveInHistory(SCROLL, Math.round(scrollY)), 120);
});
let mayGoBack = (): boolean => true;
/** Asks `guard` before Back or Forward shows another page. Returns a function that ends this. */
export function guardBack(guard: () => boolean): () => void {
  mayGoBack = guard;
  return () => (mayGoBack = () => true);
}
addEventListener('popstate', () => {
  const isOtherPage = location.pathname !== address.path || location.search !== address.search;
  // The browser has gone back already, and does not say how far: the page gets an entry of its own again.
  if (isOtherPage && !mayGoBack()) return history.pushState(null, '', address.path + address.search);
  if (isOtherPage) for (const listener of listeners) listener();
  syncAddress();
  if (isOtherPage) restoreScroll();
});
restoreScroll();

/** Shows another page of the application. */
export function navigate(to: string, how: 'push' | 'replace' = 'push'): void {
  clearTimeout(saveTimer);
  stopRestoring?.();
  for (const listener of listeners) listener();
  if (how === 'push') {
    saveInHistory(SCROLL, Math.round(scrollY));
    history.pushState(null, '', to);
  } else history.replaceState(null, '', to);
  syncAddress();
  scrollTo(0, 0);
}

/** Changes the query of the current page, which stays where it is. */
export function setQuery(query: URLSearchParams, how: 'push' | 'replace'): void {
  const search = String(query) && `?${query}`;
  if (search === location.search) return;
  const state = { ...entryState(), [SCROLL]: Math.round(scrollY) };
  if (how === 'push') {
    saveInHistory(SCROLL, state[SCROLL]);
    history.pushState(state, '', location.pathname + search);
  } else history.replaceState(state, '', location.pathname + search);
  syncAddress();
}

/** Removes a secret from the address bar and from the history. */
export function removeQuery(): void {
  history.replaceState(null, '', location.pathname);
}

/** Click handler of the document: shows pages of the application without reloading. */
export function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element | null)?.closest('a');
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  // For an anchor within this page the browser also moves the focus.
  if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
  if (/^\/(v1|media|docs|openapi\.json)(\/|$)/.test(link.pathname)) return;
  event.preventDefault();
  navigate(link.pathname + link.search);
}

/** Where a page is now that had another address: bookmarks and links in old emails still lead there. */
export function newPath(path: string): string | null {
  const [, first, rest = ''] = /^\/(materials|e-readers|try)(\/.*)?$/.exec(path) ?? [];
  return first ? `/${{ materials: 'books', 'e-readers': 'voices', try: 'speak' }[first]}${rest}` : null;
}

/** Where to go after signing in. The address is untrusted: only pages of this application are accepted. */
export function safeNext(next: string | null): string {
  if (!next || !/^\/(?![/\\])/.test(next)) return '/';
  let url: URL;
  try {
    url = new URL(next, location.origin);
  } catch {
    return '/';
  }
  const isOurs = url.origin === location.origin && /^\/[\w/-]*$/.test(url.pathname) && !url.pathname.startsWith('//');
  return isOurs && !/^\/(v1|media|docs|sign-in)(\/|$)/.test(url.pathname) ? url.pathname + url.search : '/';
}
