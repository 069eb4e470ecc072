// Which environment the pages show. All tabs of a browser show the same one.
export type Environment = 'live' | 'test';

const NAME = 'lectern.environment';
const read = (): Environment => {
  try {
    return localStorage.getItem(NAME) === 'test' ? 'test' : 'live';
  } catch {
    return 'live';
  }
};

class Shown {
  now = $state<Environment>(read());

  show(wanted: Environment): void {
    this.now = wanted;
    try {
      localStorage.setItem(NAME, wanted);
    } catch {
      // A browser that keeps nothing shows it for as long as the tab is open.
    }
  }
}

export const environment = new Shown();
addEventListener('storage', (event) => {
  if (event.key === NAME) environment.now = read();
});
