import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { loadTexts } from './i18n/language.svelte';

const target = document.getElementById('app');
// The texts of the language are on their way already: language.js has asked for them.
loadTexts().then(
  () => target && mount(App, { target }),
  () => (document.body.textContent = 'The page could not be loaded. Reload it.'),
);
