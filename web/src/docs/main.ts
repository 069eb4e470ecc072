// The API's reference. RapiDoc draws it; here is what of the document it is given, and in which colors.
import 'rapidoc';

type Media = { example?: unknown; examples?: unknown };
type Response = { content?: Record<string, Media>; headers?: unknown };
type Operation = { requestBody?: { content?: Record<string, Media> }; responses?: Record<string, Response> };
type Paths = Record<string, Record<string, Operation>>;
type Document = { paths: Paths; components: { schemas: unknown; securitySchemes: unknown }; tags?: { name: string }[] };
type Viewer = HTMLElement & { loadSpec(document: Document): Promise<void> };

/** The colors of the other pages (docs.css), as RapiDoc wants them. */
const colors = {
  light: { 'bg-color': '#faf8f3', 'text-color': '#1d2421', 'primary-color': '#0d544c', 'nav-bg-color': '#f1ede4', 'nav-text-color': '#1d2421', 'nav-hover-bg-color': '#dfeeea', 'nav-hover-text-color': '#0d544c', 'nav-accent-color': '#0d544c' },
  dark: { 'bg-color': '#141817', 'text-color': '#ece8dd', 'primary-color': '#8ad5c6', 'nav-bg-color': '#101413', 'nav-text-color': '#ece8dd', 'nav-hover-bg-color': '#20352f', 'nav-hover-text-color': '#8ad5c6', 'nav-accent-color': '#8ad5c6' },
};

/** A copy of `value` in which what it refers to stands in its place. Schemas stay references: the viewer resolves those. */
function inlined(value: unknown, document: Document): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => inlined(item, document));
  const { $ref } = value as { $ref?: string };
  if ($ref && !$ref.startsWith('#/components/schemas/')) {
    const target = $ref.split('/').slice(1).reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document);
    return inlined(target, document);
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inlined(member, document)]));
}

/** The document without what no program calls (the pages' own routes), and without an example of each failure: all are one envelope. */
function forReaders(document: Document): Document {
  const called = Object.entries(document.paths).filter(([path]) => !path.startsWith('/v1/bff/'));
  // What is shared is changed below for one operation at a time.
  const paths = inlined(Object.fromEntries(called), document) as Paths;
  for (const operations of Object.values(paths)) {
    for (const operation of Object.values(operations)) {
      // The viewer takes an example with a field that is null for a list of examples, and draws nothing then.
      const content = [operation.requestBody, ...Object.values(operation.responses ?? {})].flatMap((one) => Object.values(one?.content ?? {}));
      for (const media of content) {
        if (media.example === undefined) continue;
        media.examples = { Example: { value: media.example } };
        delete media.example;
      }
      for (const [status, response] of Object.entries(operation.responses ?? {})) {
        if (status < '400') continue;
        delete response.headers;
        // Drawing the same envelope for each of a dozen statuses is most of the work: it is drawn for one.
        if (status !== '422') delete response.content;
        for (const content of Object.values(response.content ?? {})) delete content.examples;
      }
    }
  }
  const { schemas, securitySchemes } = document.components;
  return { ...document, paths, components: { schemas, securitySchemes }, tags: document.tags?.filter((tag) => tag.name !== 'Web application') };
}

// Its settings are read when it becomes part of the page.
const viewer = document.createElement('rapi-doc') as Viewer;
const progress = document.querySelector<HTMLElement>('#progress');
const dark = matchMedia('(prefers-color-scheme: dark)');

function paint(): void {
  const theme = dark.matches ? 'dark' : 'light';
  viewer.setAttribute('theme', theme);
  for (const [name, color] of Object.entries(colors[theme])) viewer.setAttribute(name, color);
}

// The viewer sets its colors on every element; these come after its own.
const sheet = new CSSStyleSheet();
sheet.replaceSync(`*, *::before, *::after {
  --green: var(--our-green); --blue: var(--our-blue); --orange: var(--our-orange); --yellow: var(--our-orange);
  --red: var(--our-red); --purple: var(--our-purple); --light-fg: var(--our-light-fg);
}`);

/** Gives the fields of the viewer names that a screen reader says, and lets what scrolls be reached by keyboard; it leaves many without. */
function nameFields(root: ShadowRoot): void {
  for (const scrolls of root.querySelectorAll<HTMLElement>('pre:not([tabindex])')) scrolls.tabIndex = 0;
  root.querySelector('nav.nav-bar')?.setAttribute('aria-label', 'Operations');
  for (const field of root.querySelectorAll<HTMLElement>('input, textarea, select')) {
    if (field.hasAttribute('aria-label') || field.id && root.querySelector(`label[for="${CSS.escape(field.id)}"]`)) continue;
    const name = field.dataset.pname ?? (field.matches('textarea') ? 'Body of the request' : field.getAttribute('placeholder'));
    field.setAttribute('aria-label', name || field.getAttribute('type') || 'Field');
  }
}
const watched = new WeakSet<ShadowRoot>();
function watch(root: ShadowRoot): void {
  const look = (): void => {
    nameFields(root);
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot) watch(element.shadowRoot);
  };
  if (watched.has(root)) return;
  watched.add(root);
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  new MutationObserver(look).observe(root, { childList: true, subtree: true });
  look();
}

// A narrow screen has no room for the list next to an operation: there, each opens in the list.
const wide = matchMedia('(min-width: 48.01rem)');
const lay = (): void => viewer.setAttribute('render-style', wide.matches ? 'focused' : 'view');

async function draw(): Promise<void> {
  if (!progress) return;
  const fixed = {
    'show-header': 'false', 'load-fonts': 'false', 'allow-server-selection': 'false',
    'regular-font': "ui-sans-serif, system-ui, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif",
    'mono-font': "ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace",
    'font-size': 'large', 'schema-style': 'table', 'show-method-in-nav-bar': 'false', 'persist-auth': 'true',
    'update-route': 'true', 'route-prefix': '#', 'allow-spec-url-load': 'false', 'allow-spec-file-load': 'false',
  };
  for (const [name, value] of Object.entries(fixed)) viewer.setAttribute(name, value);
  lay();
  wide.addEventListener('change', lay);
  paint();
  dark.addEventListener('change', paint);
  progress.after(viewer);
  try {
    const answer = await fetch('/openapi.json');
    if (!answer.ok) throw new Error(String(answer.status));
    await viewer.loadSpec(forReaders((await answer.json()) as Document));
    viewer.classList.add('drawn');
    if (viewer.shadowRoot) watch(viewer.shadowRoot);
    progress.textContent = '';
  } catch {
    progress.textContent = 'The reference cannot be loaded. Check your connection, then reload the page.';
  }
}
draw();
