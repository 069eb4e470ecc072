// Asks for all that the page of this address needs as soon as its head is there: its files, its texts, who is signed in, and its data. Without
// this they would be asked for one after the other, as the module of the frame, the page and the answers of the service are read.
// vite/pages.ts fills in `PAGE_FILES`; api/early.ts hands the answers out.
(() => {
  const { files, styles, routes, languages } = PAGE_FILES;
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
  const texts = languages[document.documentElement.lang];
  const [pattern, , own, css, names, data, eager, eagerCss, eagerNames] = route ?? ['', 0, [], [], [], [], [], [], []];

  const add = (rel, name, as, fetchPriority) => {
    const link = document.createElement('link');
    Object.assign(link, { rel, href: `/assets/${name}`, as, crossOrigin: '', fetchPriority });
    document.head.append(link);
  };
  const answers = new Map();
  const ask = (url) => {
    const answer = fetch(url);
    answers.set(url, answer);
    // An answer that nobody reads, such as that about the parts of a book that is gone, would keep a connection. Who takes it hears of a failure.
    answer.then((response) => response.clone().arrayBuffer()).catch(() => undefined);
  };
  globalThis.lecternAnswers = answers;
  const addAll = (textNames, scripts, sheets, priority = 'auto') => {
    for (const name of [...textNames.map((at) => texts[at]), ...scripts.map((at) => files[at])]) add('modulepreload', `${name}.js`, 'script', priority);
    for (const at of sheets) add('preload', `${styles[at]}.css`, 'style', priority);
  };

  ask('/v1/bff/me');
  addAll([0, ...names], own, css);
  const environment = kept('lectern.environment') === 'test' ? 'test' : 'live';
  // With a query the page may ask for something else.
  for (const url of location.search ? [] : data) {
    const filled = url.replace(/{(\w+)}/, (_, name) => match(pattern).groups[name]).replace(/[?&]$/, `$&environment=${environment}`);
    // Guests are answered nothing else.
    if (isSignedIn || url.startsWith('auth/')) ask(`/v1/bff/${filled}`);
  }
  addAll(eagerNames, eager, eagerCss, 'low');
})();
