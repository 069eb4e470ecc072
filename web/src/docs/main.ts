// The API reference, rendered by RapiDoc. This prepares the OpenAPI document and sets the viewer's colors.
import 'rapidoc';
import { fetchOpenApiDocument } from '../api/document';

type Media = { example?: unknown; examples?: unknown };
type Response = { content?: Record<string, Media>; headers?: unknown };
type Operation = { requestBody?: { content?: Record<string, Media> }; responses?: Record<string, Response> };
type Paths = Record<string, Record<string, Operation>>;
type Document = { paths: Paths; webhooks?: unknown; components: { schemas: unknown; securitySchemes: unknown }; tags?: { name: string }[] };
type Viewer = HTMLElement & { loadSpec(document: Document): Promise<void> };

/** The colors of docs.css as attributes of the viewer. */
const COLORS = {
  light: { 'bg-color': '#faf8f3', 'text-color': '#1b2220', 'primary-color': '#0d544c', 'nav-bg-color': '#f2eee5', 'nav-text-color': '#1b2220', 'nav-hover-bg-color': '#dfeeea', 'nav-hover-text-color': '#0d544c', 'nav-accent-color': '#0d544c' },
  dark: { 'bg-color': '#131716', 'text-color': '#ece8dd', 'primary-color': '#8ad5c6', 'nav-bg-color': '#0e1211', 'nav-text-color': '#ece8dd', 'nav-hover-bg-color': '#20352f', 'nav-hover-text-color': '#8ad5c6', 'nav-accent-color': '#8ad5c6' },
};

/** A copy of `value` with its references replaced by their targets. References to schemas stay: the viewer resolves those. */
function inlineReferences(value: unknown, document: Document): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => inlineReferences(item, document));
  const { $ref } = value as { $ref?: string };
  if ($ref && !$ref.startsWith('#/components/schemas/')) {
    const target = $ref.split('/').slice(1).reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document);
    return inlineReferences(target, document);
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inlineReferences(member, document)]));
}

/** Removes the routes of the web application, and the examples of errors, which all have the same form. */
function prepare(document: Document): Document {
  const routes = Object.entries(document.paths).filter(([path]) => !path.startsWith('/v1/bff/'));
  // Responses are shared by reference, and are changed per operation below.
  const paths = inlineReferences(Object.fromEntries(routes), document) as Paths;
  for (const operations of Object.values(paths)) {
    for (const operation of Object.values(operations)) {
      // The viewer mistakes an `example` that contains null for a list of examples and shows nothing, so it becomes `examples`.
      const bodies = [operation.requestBody, ...Object.values(operation.responses ?? {})];
      for (const media of bodies.flatMap((body) => Object.values(body?.content ?? {}))) {
        if (media.example === undefined) continue;
        media.examples = { Example: { value: media.example } };
        delete media.example;
      }
      for (const [status, response] of Object.entries(operation.responses ?? {})) {
        if (status < '400') continue;
        delete response.headers;
        // Rendering the same envelope for a dozen statuses takes most of the time, so only one shows it.
        if (status !== '422') delete response.content;
        for (const content of Object.values(response.content ?? {})) delete content.examples;
      }
    }
  }
  const { schemas, securitySchemes } = document.components;
  // Webhooks are explained in the guide. The viewer would take their shared parts from components that are left out here.
  const { webhooks: _, ...rest } = document;
  return { ...rest, paths, components: { schemas, securitySchemes }, tags: document.tags?.filter((tag) => tag.name !== 'Web application') };
}

// The viewer reads its attributes when it is added to the page.
const viewer = document.createElement('rapi-doc') as Viewer;
const status = document.querySelector<HTMLElement>('#progress');
function applyTheme(): void {
  // theme.js has decided.
  const theme = document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light';
  viewer.setAttribute('theme', theme);
  for (const [name, color] of Object.entries(COLORS[theme])) viewer.setAttribute(name, color);
}

// The viewer sets its colors on every element, so this stylesheet overrides them on every element.
const overrides = new CSSStyleSheet();
overrides.replaceSync(`*, *::before, *::after {
  --green: var(--lectern-green); --blue: var(--lectern-blue); --orange: var(--lectern-orange); --yellow: var(--lectern-orange);
  --red: var(--lectern-red); --purple: var(--lectern-purple); --light-fg: var(--lectern-light-fg);
}`);

/** Adds what the viewer lacks: labels for screen readers, and keyboard access to boxes that scroll. */
function improveAccessibility(root: ShadowRoot): void {
  for (const box of root.querySelectorAll<HTMLElement>('pre:not([tabindex])')) box.tabIndex = 0;
  root.querySelector('nav.nav-bar')?.setAttribute('aria-label', 'Operations');
  for (const field of root.querySelectorAll<HTMLElement>('input, textarea, select')) {
    if (field.hasAttribute('aria-label') || field.id && root.querySelector(`label[for="${CSS.escape(field.id)}"]`)) continue;
    const name = field.dataset.pname ?? (field.matches('textarea') ? 'Request body' : field.getAttribute('placeholder'));
    field.setAttribute('aria-label', name || field.getAttribute('type') || 'Field');
  }
}

const watched = new WeakSet<ShadowRoot>();
/** Overrides colors and improves accessibility in a shadow root and all nested ones, whenever they change. */
function watch(root: ShadowRoot): void {
  const update = (): void => {
    improveAccessibility(root);
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot) watch(element.shadowRoot);
  };
  if (watched.has(root)) return;
  watched.add(root);
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, overrides];
  new MutationObserver(update).observe(root, { childList: true, subtree: true });
  update();
}

// A narrow screen has no room for the list of operations next to one, so there each operation opens within the list.
const wideScreen = matchMedia('(min-width: 48.01rem)');
const applyLayout = (): void => viewer.setAttribute('render-style', wideScreen.matches ? 'focused' : 'view');

async function render(): Promise<void> {
  if (!status) return;
  const attributes = {
    'show-header': 'false', 'load-fonts': 'false', 'allow-server-selection': 'false',
    'regular-font': "ui-sans-serif, system-ui, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif",
    'mono-font': "ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace",
    'font-size': 'large', 'schema-style': 'table', 'show-method-in-nav-bar': 'false', 'persist-auth': 'true',
    'update-route': 'true', 'route-prefix': '#', 'allow-spec-url-load': 'false', 'allow-spec-file-load': 'false',
  };
  for (const [name, value] of Object.entries(attributes)) viewer.setAttribute(name, value);
  applyLayout();
  wideScreen.addEventListener('change', applyLayout);
  applyTheme();
  new MutationObserver(applyTheme).observe(document.documentElement, { attributeFilter: ['data-theme'] });
  status.after(viewer);
  try {
    await viewer.loadSpec(prepare((await fetchOpenApiDocument()) as Document));
    viewer.classList.add('drawn');
    if (viewer.shadowRoot) watch(viewer.shadowRoot);
    status.textContent = '';
  } catch {
    status.textContent = 'The reference cannot be loaded. Check your connection, then reload the page.';
  }
}
render();
