import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { loadTexts } from './i18n/language.svelte';

const target = document.getElementById('app');
// The texts of the language are on their way already: early.js has asked for them.
loadTexts().then(
  () => target && mount(App, { target }),
  () => (document.body.textContent = 'The page could not be loaded. Reload it.'),
);
// After the page, which needs the connection first. Where it is refused, pages need a connection, as they did before.
if (import.meta.env.PROD) addEventListener('load', () => navigator.serviceWorker?.register('/sw.js', { updateViaCache: 'none' }).catch(() => undefined));
