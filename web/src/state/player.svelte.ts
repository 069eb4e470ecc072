// Playback speed and volume: the same for every audio element, on every page and after a reload.
const STORAGE_KEY = 'lectern.player';
export const SPEEDS = [0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3];

type Settings = { speed: number; volume: number; muted: boolean };
const numberInRange = (value: unknown, min: number, max: number, fallback: number): number =>
  typeof value === 'number' && value >= min && value <= max ? value : fallback;

function load(): Settings {
  let saved: Partial<Settings> = {};
  try {
    saved = (JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Partial<Settings> | null) ?? {};
  } catch {
    // Unreadable settings count as absent.
  }
  return { speed: numberInRange(saved.speed, 0.25, 4, 1), volume: numberInRange(saved.volume, 0, 1, 1), muted: saved.muted === true };
}

class Player {
  #settings = $state<Settings>(load());

  get speed(): number {
    return this.#settings.speed;
  }

  set speed(speed: number) {
    this.#save({ speed: numberInRange(speed, 0.25, 4, 1) });
  }

  get volume(): number {
    return this.#settings.volume;
  }

  get muted(): boolean {
    return this.#settings.muted;
  }

  set muted(muted: boolean) {
    this.#save({ muted });
  }

  set volume(volume: number) {
    this.#save({ volume: numberInRange(volume, 0, 1, 1), muted: false });
  }

  #stopCurrent: (() => void) | null = null;

  /** Makes the caller the only one that plays: stops whatever played before. `stop` is called when something else starts. */
  claim(stop: () => void): void {
    if (this.#stopCurrent !== stop) this.#stopCurrent?.();
    this.#stopCurrent = stop;
    channel?.postMessage('plays');
  }

  /** Another tab plays now. */
  giveWay(): void {
    this.#stopCurrent?.();
  }

  /** Gives a new audio element the saved settings. */
  apply(audio: HTMLAudioElement): void {
    const { speed, volume, muted } = this.#settings;
    // An element returns to its default speed whenever it loads another source.
    [audio.defaultPlaybackRate, audio.playbackRate, audio.volume, audio.muted] = [speed, speed, volume, muted];
  }

  /** Saves what the user changed with the browser's own controls. */
  saveFrom(audio: HTMLAudioElement): void {
    this.#save({ speed: audio.playbackRate, volume: audio.volume, muted: audio.muted });
  }

  #save(change: Partial<Settings>): void {
    this.#settings = { ...this.#settings, ...change };
    try {
      localStorage.setItem(STORAGE_KEY, JSON.stringify(this.#settings));
    } catch {
      // Without storage the settings last as long as the tab.
    }
  }
}

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('lectern.player') : null;
export const player = new Player();
channel?.addEventListener('message', () => player.giveWay());
