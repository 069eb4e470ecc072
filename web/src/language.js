// Sets the language and its direction before the first paint, and fetches its texts at once. A script of its own, as theme.js is.
// `LANGUAGE_FILES` is an object that names the file of each language; vite.config.ts fills it in.
(() => {
  const files = LANGUAGE_FILES;
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
  const language = [chosen, ...navigator.languages.map((tag) => tag.split('-')[0])].find((tag) => Object.hasOwn(files, tag)) ?? 'en';
  apply(language);
  addEventListener('lectern.language', (event) => apply(event.detail));
  for (const href of files[language] ?? []) {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'modulepreload', href });
    document.head.append(link);
  }
})();
