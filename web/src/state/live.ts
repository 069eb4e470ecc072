// Polls while the page is visible: often while work is in progress, else seldom, and at once when the page becomes visible again
// or the connection is back.
const OFTEN_MS = 2000;
const SELDOM_MS = 20_000;

/** Starts polling; the function it returns ends it. For `$effect`, which calls that when the page goes. */
export function live(look: () => Promise<unknown>, moves: () => boolean): () => void {
  let ended = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let looking = false;
  const turn = async (): Promise<void> => {
    clearTimeout(timer);
    if (looking || ended) return;
    if (!document.hidden) {
      looking = true;
      await look().catch(() => undefined);
      looking = false;
    }
    wait();
  };
  const wait = (): void => {
    clearTimeout(timer);
    if (!ended) timer = setTimeout(turn, moves() ? OFTEN_MS : SELDOM_MS);
  };
  const seen = (): void => {
    if (!document.hidden) turn();
  };
  document.addEventListener('visibilitychange', seen);
  addEventListener('online', seen);
  wait();
  return () => {
    ended = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', seen);
    removeEventListener('online', seen);
  };
}
