// The parts of a browser that modules use when they are loaded. Import this before them.
export {};

const history = { state: null as unknown, scrollRestoration: 'auto', replaceState: (state: unknown) => (history.state = state) };
const ignore = (): void => undefined;
class Observer {
  observe = ignore;
  disconnect = ignore;
}
const location = { pathname: '/keys', search: '', origin: 'https://lectern.example' };
Object.assign(globalThis, { history, location, addEventListener: ignore, removeEventListener: ignore, ResizeObserver: Observer, scrollTo: ignore });
Object.assign(globalThis, { document: { documentElement: { scrollHeight: 0 } } });
// An open channel would keep Node from ending.
Reflect.deleteProperty(globalThis, 'BroadcastChannel');
