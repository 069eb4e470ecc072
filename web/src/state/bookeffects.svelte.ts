// What keeps a player's elements, settings and the system's controls together, wherever a player is shown. Called while a component begins.
import type { BookPlayer } from './bookplayer.svelte';
import { describeBook, handleKeys, reportPlace } from './mediasession';
import { player } from './player.svelte';

export function connectBook(book: () => BookPlayer, host: () => HTMLElement | undefined): void {
  $effect(() => host()?.replaceChildren(...book().elements));
  $effect(() => {
    void [player.speed, player.volume, player.muted];
    for (const audio of book().elements) player.apply(audio);
  });
  $effect(() => handleKeys(book()));
  $effect(() => describeBook(book()));
  $effect(() => reportPlace(book()));
}
