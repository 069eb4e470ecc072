// Loads all English texts before a test: what a page does with its own.
import { loadTexts } from '../../src/i18n/language.svelte';
import { loadErrorTexts } from '../../src/text/errors';

// unit.test.js says which there are.
await loadTexts(...(globalThis as unknown as { namespaces: string[] }).namespaces);
await loadErrorTexts();
