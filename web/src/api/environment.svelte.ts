// The environment that requests are made in. All tabs of a browser share the choice.
import type { Schemas } from './types';

export type Environment = Schemas['Environment'];

const STORAGE_KEY = 'lectern.environment';

function load(): Environment {
  try {
    return localStorage.getItem(STORAGE_KEY) === 'test' ? 'test' : 'live';
  } catch {
    return 'live';
  }
}

class EnvironmentChoice {
  current = $state<Environment>(load());
  #holds = 0;
  #hasMissed = false;

  /**
   * Keeps the environment of this tab while something is shown that would be lost with the page, such as a secret that is shown once.
   * What another tab chooses meanwhile is taken over afterwards. Returns a function that ends this.
   */
  hold(): () => void {
    this.#holds += 1;
    return () => {
      this.#holds -= 1;
      if (this.#hasMissed) this.follow();
    };
  }

  /** Takes over what another tab has chosen. */
  follow(): void {
    this.#hasMissed = this.#holds > 0;
    if (!this.#hasMissed) this.current = load();
  }

  select(environment: Environment): void {
    this.current = environment;
    try {
      localStorage.setItem(STORAGE_KEY, environment);
    } catch {
      // Without storage the choice lasts as long as the tab.
    }
  }
}

export const environment = new EnvironmentChoice();
addEventListener('storage', (event) => {
  if (event.key === STORAGE_KEY) environment.follow();
});
