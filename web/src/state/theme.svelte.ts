// Light, dark, or what the system prefers. theme.js applies the choice, before the first paint and whenever it changes.
export type Theme = 'system' | 'light' | 'dark';

const STORAGE_KEY = 'lectern.theme';

function load(): Theme {
  try {
    const saved = localStorage.getItem(STORAGE_KEY);
    return saved === 'light' || saved === 'dark' ? saved : 'system';
  } catch {
    return 'system';
  }
}

class ThemeChoice {
  #current = $state<Theme>(load());

  get current(): Theme {
    return this.#current;
  }

  set current(theme: Theme) {
    this.#current = theme;
    try {
      localStorage.setItem(STORAGE_KEY, theme);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
    dispatchEvent(new CustomEvent('lectern.theme', { detail: theme }));
  }

  reload(): void {
    this.#current = load();
  }
}

export const theme = new ThemeChoice();
addEventListener('storage', (event) => {
  if (event.key === STORAGE_KEY) theme.reload();
});
