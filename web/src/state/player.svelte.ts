// How fast and how loud somebody listens: the same in every part, on every page and after a reload.
const NAME = 'lectern.player';
export const SPEEDS = [0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3];

type Saved = { speed: number; volume: number; muted: boolean };
const within = (value: unknown, least: number, most: number, usual: number): number =>
  typeof value === 'number' && value >= least && value <= most ? value : usual;

function read(): Saved {
  let saved: Partial<Saved> = {};
  try {
    saved = (JSON.parse(localStorage.getItem(NAME) ?? '{}') as Partial<Saved> | null) ?? {};
  } catch {
    // What cannot be read is as if it were not there.
  }
  return { speed: within(saved.speed, 0.25, 4, 1), volume: within(saved.volume, 0, 1, 1), muted: saved.muted === true };
}

class Player {
  #saved = $state<Saved>(read());

  get speed(): number {
    return this.#saved.speed;
  }

  set speed(speed: number) {
    this.#save({ speed: within(speed, 0.25, 4, 1) });
  }

  /** Sets a new audio element as the last one was. */
  apply(audio: HTMLAudioElement): void {
    const { speed, volume, muted } = this.#saved;
    // The element goes back to its default speed with each thing that it plays.
    [audio.defaultPlaybackRate, audio.playbackRate, audio.volume, audio.muted] = [speed, speed, volume, muted];
  }

  /** Notes what somebody changed with the browser's own controls. */
  note(audio: HTMLAudioElement): void {
    this.#save({ speed: audio.playbackRate, volume: audio.volume, muted: audio.muted });
  }

  #save(change: Partial<Saved>): void {
    this.#saved = { ...this.#saved, ...change };
    try {
      localStorage.setItem(NAME, JSON.stringify(this.#saved));
    } catch {
      // A browser that keeps nothing keeps it for as long as the tab is open.
    }
  }
}

export const player = new Player();
