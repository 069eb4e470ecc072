// The address bar is the state: which page is shown, and what is behind its question mark.
class Place {
  path = $state(location.pathname);
  search = $state(location.search);

  get query(): URLSearchParams {
    return new URLSearchParams(this.search);
  }
}

export const place = new Place();

const sync = (): void => {
  place.path = location.pathname;
  place.search = location.search;
};
addEventListener('popstate', sync);

/** Goes to a page of ours. */
export function go(to: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'replace') history.replaceState(null, '', to);
  else history.pushState(null, '', to);
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
