// The address bar is the state: which page is shown, and what follows its question mark. Each entry of the history also keeps
// where its page was scrolled to and what else the page asks to be kept, so that Back leads to the same place of a list.
class Place {
  path = $state(location.pathname);
  search = $state(location.search);

  get query(): URLSearchParams {
    return new URLSearchParams(this.search);
  }
}

export const place = new Place();

/** What is called when the page is about to change. */
const listeners = new Set<() => void>();
export function onNavigation(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const sync = (): void => {
  place.path = location.pathname;
  place.search = location.search;
};

type Kept = Record<string, number | string>;
const kept = (): Kept => (history.state as Kept | null) ?? {};

/** Keeps a value with the current entry of the history. */
export function keep(name: string, value: number | string): void {
  if (kept()[name] !== value) history.replaceState({ ...kept(), [name]: value }, '');
}
/** What was kept under this name when the entry was shown last. */
export const recall = (name: string): number | string | undefined => kept()[name];

// The browser would scroll before the list is there again.
history.scrollRestoration = 'manual';
const SCROLL = 'scroll';
const PATIENCE_MS = 5000;
let stopRestoring: (() => void) | null = null;
let saving: ReturnType<typeof setTimeout> | undefined;

function restoreScroll(): void {
  stopRestoring?.();
  clearTimeout(saving);
  const wanted = Number(recall(SCROLL) ?? 0);
  const events = ['wheel', 'touchstart', 'keydown', 'pointerdown'];
  const stop = (): void => {
    watcher.disconnect();
    clearTimeout(late);
    for (const event of events) removeEventListener(event, stop);
    stopRestoring = null;
  };
  const reach = (): void => {
    if (document.documentElement.scrollHeight - innerHeight < wanted) return;
    scrollTo(0, wanted);
    if (wanted) stop();
  };
  const watcher = new ResizeObserver(reach);
  const late = setTimeout(stop, PATIENCE_MS);
  stopRestoring = stop;
  // Whoever moves the page meanwhile has it where they want it.
  for (const event of events) addEventListener(event, stop, { passive: true });
  watcher.observe(document.documentElement);
  if (!wanted) stop();
}
addEventListener('scroll', () => {
  clearTimeout(saving);
  saving = setTimeout(() => stopRestoring ?? keep(SCROLL, Math.round(scrollY)), 120);
});
addEventListener('popstate', () => {
  const moved = location.pathname !== place.path || location.search !== place.search;
  if (moved) for (const listener of listeners) listener();
  sync();
  if (moved) restoreScroll();
});
restoreScroll();

/** Goes to a page of ours. */
export function go(to: string, how: 'push' | 'replace' = 'push'): void {
  clearTimeout(saving);
  stopRestoring?.();
  for (const listener of listeners) listener();
  if (how === 'push') {
    keep(SCROLL, Math.round(scrollY));
    history.pushState(null, '', to);
  } else history.replaceState(null, '', to);
  sync();
  scrollTo(0, 0);
}

/** Takes a secret out of the address bar and out of the history. */
export function forgetQuery(): void {
  history.replaceState(null, '', location.pathname);
}

/** Lets plain clicks on links to our own pages change the page without loading it anew. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element | null)?.closest('a');
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  // A place within this page: the browser goes there, and moves the focus too.
  if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
  if (/^\/(v1|media|docs|openapi\.json)(\/|$)/.test(link.pathname)) return;
  event.preventDefault();
  go(link.pathname + link.search);
}

/** Where to go after signing in: a page of ours, whatever the address says. */
export function safeNext(wanted: string | null): string {
  if (!wanted || !/^\/(?![/\\])/.test(wanted)) return '/';
  let url: URL;
  try {
    url = new URL(wanted, location.origin);
  } catch {
    return '/';
  }
  const isOurs = url.origin === location.origin && /^\/[\w/-]*$/.test(url.pathname) && !url.pathname.startsWith('//');
  return isOurs && !/^\/(v1|media|docs|sign-in)(\/|$)/.test(url.pathname) ? url.pathname + url.search : '/';
}
