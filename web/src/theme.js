// Sets the theme before the first paint, for which a module runs too late.
(() => {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const load = () => {
    try {
      return localStorage.getItem('lectern.theme');
    } catch {
      return null;
    }
  };
  const apply = (choice) => {
    document.documentElement.dataset.theme = choice === 'light' || choice === 'dark' ? choice : system.matches ? 'dark' : 'light';
  };
  let last = load();
  apply(last);
  system.addEventListener('change', () => apply(last));
  addEventListener('lectern.theme', (event) => apply((last = event.detail)));
  addEventListener('storage', () => apply((last = load())));
})();
