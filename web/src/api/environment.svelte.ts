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
  if (event.key === STORAGE_KEY) environment.current = load();
});
