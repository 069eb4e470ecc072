// What the system shows of a book that plays, on the lock screen and in notifications, and what the keys of headphones do. Each function is
// the body of an effect, so that a moment of playing does not announce the title again.
import { chapterTitle } from '../text/chapters';
import type { BookPlayer } from './bookplayer.svelte';
import { player } from './player.svelte';

const media = 'mediaSession' in navigator ? navigator.mediaSession : null;

export function describeBook(book: BookPlayer): void {
  if (!media) return;
  const { title, author } = book.material;
  const cover = book.source.coverUrl(book.material);
  media.metadata = new MediaMetadata({
    title: book.chapter ? chapterTitle(book.chapter.chapter) : title,
    artist: author ?? '',
    album: title,
    artwork: cover ? [{ src: cover }] : [{ src: '/icon.svg', type: 'image/svg+xml', sizes: 'any' }],
  });
}

export function reportPlace(book: BookPlayer): void {
  if (!media) return;
  media.playbackState = book.isWanted ? 'playing' : 'paused';
  const { startMs, lengthMs } = book.span;
  const position = Math.min(Math.max(0, book.timeMs - startMs), lengthMs) / 1000;
  if (lengthMs > 0) media.setPositionState?.({ duration: lengthMs / 1000, position, playbackRate: player.speed });
}

export function handleKeys(book: BookPlayer): (() => void) | undefined {
  const actions: [MediaSessionAction, MediaSessionActionHandler][] = [
    ['play', () => book.play()],
    ['pause', () => book.pause()],
    ['stop', () => book.pause()],
    ['seekbackward', ({ seekOffset }) => book.skip(-(seekOffset ?? 15))],
    ['seekforward', ({ seekOffset }) => book.skip(seekOffset ?? 30)],
    ['previoustrack', () => book.goChapter(-1)],
    ['nexttrack', () => book.goChapter(1)],
    ['seekto', ({ seekTime }) => book.seek(book.span.startMs + (seekTime ?? 0) * 1000)],
  ];
  const set = (action: MediaSessionAction, handler: MediaSessionActionHandler | null): void => {
    try {
      media?.setActionHandler(action, handler);
    } catch {
      // A browser that does not know this key.
    }
  };
  for (const [action, handler] of actions) set(action, handler);
  return () => {
    for (const [action] of actions) set(action, null);
    if (media) [media.metadata, media.playbackState] = [null, 'none'];
  };
}
