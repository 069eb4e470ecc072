// Polls while the page is visible: often while work is in progress and seldom otherwise, and at once when the page becomes visible
// or the connection returns.
const ACTIVE_MS = 2000;
const IDLE_MS = 20_000;

/** Starts polling, and returns a function that stops it: the form that `$effect` expects. Errors of `refresh` are ignored. */
export function poll(refresh: () => Promise<unknown>, isActive: () => boolean): () => void {
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  const run = async (): Promise<void> => {
    clearTimeout(timer);
    if (running || stopped) return;
    if (!document.hidden) {
      running = true;
      await refresh().catch(() => undefined);
      running = false;
    }
    schedule();
  };
  const schedule = (): void => {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(run, isActive() ? ACTIVE_MS : IDLE_MS);
  };
  const runIfVisible = (): void => {
    if (!document.hidden) run();
  };
  document.addEventListener('visibilitychange', runIfVisible);
  addEventListener('online', runIfVisible);
  schedule();
  return () => {
    stopped = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', runIfVisible);
    removeEventListener('online', runIfVisible);
  };
}
