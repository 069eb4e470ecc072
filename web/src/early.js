// Asks for all that the page of this address needs as soon as its head is there: its files, its texts, who is signed in, and its data. Without
// this they would be asked for one after the other, as the module of the frame, the page and the answers of the service are read.
// vite/pages.ts fills in `PAGE_FILES`; api/early.ts hands the answers out.
(() => {
  const { files, styles, routes, texts, languages } = PAGE_FILES;
  const kept = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      // Without storage nothing is known, and the page is loaded as that of a guest.
    }
  };
  const isSignedIn = kept('lectern.account');
  const path = location.pathname.replace(/(.)\/+$/, '$1');
  const match = (pattern) => new RegExp(`^${pattern.replace(/{(\w+)}/g, '(?<$1>[^/]+)')}$`).exec(path);
  const found = routes.filter(([pattern]) => match(pattern));
  // `/` is another page for guests.
  const route = (!isSignedIn && found.find(([, isGuest]) => isGuest)) || found[0];
  const language = document.documentElement.lang;
  const [pattern, , ...wanted] = route ?? ['', 0, [[], [], [], []]];

  const add = (rel, name, as, fetchPriority) => {
    const link = document.createElement('link');
    Object.assign(link, { rel, href: `/assets/${name}`, as, crossOrigin: '', fetchPriority });
    document.head.append(link);
  };
  const answers = new Map();
  const ask = (url, priority) => {
    const answer = fetch(url, { priority });
    answers.set(url, answer);
    // An answer that nobody reads, such as that about the parts of a book that is gone, would keep a connection. Who takes it hears of a failure.
    answer.then((response) => response.clone().arrayBuffer()).catch(() => undefined);
  };
  globalThis.lecternAnswers = answers;

  ask('/v1/bff/me');
  const environment = kept('lectern.environment') === 'test' ? 'test' : 'live';
  const day = (offset) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  wanted.forEach(([scripts, sheets, names, data], turn) => {
    const priority = turn < 2 ? 'auto' : 'low';
    for (const name of [...scripts.map((at) => files[at]), ...(turn ? names : [0, ...names]).map((at) => `${language}-${texts[at]}-${languages[language]}`)]) add('modulepreload', `${name}.js`, 'script', priority);
    for (const at of sheets) add('preload', `${styles[at]}.css`, 'style', priority);
    // With a query the page may ask for something else.
    for (const url of location.search ? [] : data) {
      const filled = url
        .replace(/{([a-z]+)}/, (_, name) => match(pattern).groups[name])
        .replace(/{(-?\d+)}/g, (_, offset) => day(offset))
        .replace(/[?&]$/, `$&environment=${environment}`);
      // Guests are answered nothing else.
      if (isSignedIn || url.startsWith('auth/')) ask(`/v1/bff/${filled}`, priority);
    }
  });
})();
