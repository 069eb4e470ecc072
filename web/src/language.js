// Sets the language and its direction before the first paint. `PAGE_FILES` says which languages there are; vite/pages.ts fills it in.
(() => {
  const root = document.documentElement;
  const apply = (language) => {
    root.lang = language;
    root.dir = /^(ar|fa|he|ur)$/.test(language) ? 'rtl' : 'ltr';
  };
  let chosen;
  try {
    chosen = localStorage.getItem('lectern.language');
  } catch {
    // Without storage the browser's languages decide.
  }
  const language = [chosen, ...navigator.languages.map((tag) => tag.split('-')[0])].find((tag) => Object.hasOwn(PAGE_FILES.languages, tag)) ?? 'en';
  apply(language);
  addEventListener('lectern.language', (event) => apply(event.detail));
})();
