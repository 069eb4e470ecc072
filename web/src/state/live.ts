// Looks again by itself while the page is in sight: often while something moves, else now and then, and at once when the page
// comes back into sight or the connection does.
const OFTEN_MS = 2000;
const SELDOM_MS = 20_000;

/** Begins to look; what it answers ends it. For `$effect`, which then ends it with the page. */
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
