// Maps paths to pages. scripts/texts.js and vite/pages.ts read this file as text.
import type { Component } from 'svelte';
import { withTexts } from './i18n/language.svelte';
import * as m from './i18n/messages/common';

/** Pages differ in their props: each gets the named groups of its route's path. */
export type Page = Component<any>;
type Load = () => Promise<{ default: Page }>;
/** `guest`: what is shown instead while nobody is signed in. */
export type Route = { path: RegExp; title: () => string; load: Load; guest?: Load; isPublic?: boolean };

const page = withTexts<{ default: Page }>;
export const ROUTES: Route[] = [
  { path: /^\/$/, title: m.home, load: () => page(import('./pages/Home.svelte'), 'home', 'books', 'uploads'), guest: () => page(import('./pages/Landing.svelte'), 'landing') },
  { path: /^\/sign-in$/, title: m.signIn, isPublic: true, load: () => page(import('./pages/SignIn.svelte'), 'account') },
  { path: /^\/register$/, title: m.register, isPublic: true, load: () => page(import('./pages/Register.svelte'), 'account') },
  { path: /^\/confirm$/, title: m.confirmEmail, isPublic: true, load: () => page(import('./pages/Confirm.svelte'), 'account') },
  { path: /^\/forgot$/, title: m.resetPassword, isPublic: true, load: () => page(import('./pages/Forgot.svelte'), 'account') },
  { path: /^\/reset$/, title: m.newPassword, isPublic: true, load: () => page(import('./pages/Reset.svelte'), 'account') },
  { path: /^\/agree$/, title: m.terms, load: () => page(import('./pages/Agree.svelte'), 'agree') },
  { path: /^\/books$/, title: m.books, load: () => page(import('./pages/Books.svelte'), 'library', 'books', 'uploads') },
  { path: /^\/books\/(?<id>[^/]+)$/, title: m.book, load: () => page(import('./pages/Book.svelte'), 'book') },
  { path: /^\/listen\/(?<token>[^/]+)$/, title: m.sharedBook, isPublic: true, load: () => page(import('./pages/Listen.svelte'), 'listen') },
  { path: /^\/speak$/, title: m.speak, load: () => page(import('./pages/Speak.svelte'), 'speak', 'voices') },
  { path: /^\/voices$/, title: m.voices, load: () => page(import('./pages/Voices.svelte'), 'voicelist', 'voices', 'voicefilter') },
  { path: /^\/pronunciation$/, title: m.pronunciation, load: () => page(import('./pages/Pronunciation.svelte'), 'pronunciation', 'words') },
  { path: /^\/pronunciation\/(?<id>[^/]+)$/, title: m.wordList, load: () => page(import('./pages/WordList.svelte'), 'pronunciation', 'words') },
  { path: /^\/history$/, title: m.history, load: () => page(import('./pages/History.svelte'), 'history') },
  { path: /^\/credits$/, title: m.credits, load: () => page(import('./pages/Credits.svelte'), 'credits', 'usage') },
  { path: /^\/settings$/, title: m.settings, load: () => page(import('./pages/Settings.svelte'), 'settings', 'account') },
  { path: /^\/developers$/, title: m.developers, load: () => page(import('./pages/Developers.svelte'), 'developers', 'snippets') },
  { path: /^\/keys$/, title: m.keys, load: () => page(import('./pages/Keys.svelte'), 'keys') },
  { path: /^\/webhooks$/, title: m.webhooks, load: () => page(import('./pages/Webhooks.svelte'), 'webhooks') },
  { path: /^\/webhooks\/(?<id>[^/]+)$/, title: m.webhook, load: () => page(import('./pages/Webhook.svelte'), 'webhooks') },
  { path: /^\/gallery$/, title: m.gallery, isPublic: true, load: () => page(import('./pages/Gallery.svelte'), 'gallery') },
];
export const NOT_FOUND: Route = { path: /./, title: m.pageNotFound, load: () => page(import('./pages/NotFound.svelte'), 'notfound') };
