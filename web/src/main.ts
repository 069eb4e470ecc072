import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';

const target = document.getElementById('app');
if (target) mount(App, { target });
// After the page, which needs the connection first. Where it is refused, pages need a connection, as they did before.
if (import.meta.env.PROD) addEventListener('load', () => navigator.serviceWorker?.register('/sw.js', { updateViaCache: 'none' }).catch(() => undefined));
