// The messages: all languages have all of them, with the same values and tags; each is used; what a page needs is loaded with it.
//
// Negative controls: the test of `findProblems` itself; a message that nothing uses, a straight apostrophe in French, 'words' left out
// of the route of /pronunciation, a dialog with texts of its own and no `loadTexts`, and `Save` and `title="Speed"` in a component were each seen
// to fail.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { findProblems, readMessages, SOURCE, valuesOf } from '../scripts/messages.js';
import { closure, readDynamicImports, readRoutes, SRC, textsOf } from '../scripts/texts.js';

const messages = readMessages();
const texts = (language) => Object.entries(messages[language]).flatMap(([name, own]) => Object.entries(own).map(([key, text]) => ({ id: `${language}/${name}.json: ${key}`, text })));

test('every language has every message, with the same values and tags', () => {
  assert.deepEqual(findProblems(messages), []);
});

test('a missing, empty, additional or unreadable message is a problem, and so are other values and tags', () => {
  const change = (edit) => {
    const changed = structuredClone(messages);
    edit(changed.de);
    return findProblems(changed);
  };
  assert.deepEqual(change((de) => delete de.common.cancel), ['de/common.json: cancel: missing']);
  assert.deepEqual(change((de) => (de.common.cancel = ' ')), ['de/common.json: cancel: missing']);
  assert.deepEqual(change((de) => (de.common.abort = 'Abbrechen')), ['de/common.json: abort: not in en']);
  assert.deepEqual(change((de) => (de.common.about = 'Etwa {dauer}')), ['de/common.json: about: has the values dauer, not duration']);
  assert.deepEqual(change((de) => (de.account.signedInAs = 'Angemeldet als {email}')), ['de/account.json: signedInAs: has the tags none, not strong']);
  assert.match(change((de) => (de.common.about = 'Etwa {duration')).join(), /^de\/common.json: about: /);
  assert.match(change((de) => (de.common.creditCount = '{count, plural, few {#} other {#}}')).join(), /creditCount: .*few/);
  assert.deepEqual(change((de) => delete de.errors).length, Object.keys(messages.en.errors).length);
});

test('the pages offer the languages that have messages', async () => {
  const code = await readFile(join(SRC, 'i18n/language.svelte.ts'), 'utf8');
  const offered = /LANGUAGES = \[(.*)\] as const/.exec(code)[1].match(/\w+/g);
  assert.deepEqual(offered.sort(), Object.keys(messages).sort());
  for (const language of offered) assert.ok(code.includes(`import('./messages/${language}')`), language);
});

test('every message is used', async () => {
  const files = (await readdir(SRC, { recursive: true })).filter((path) => /\.(svelte|ts)$/.test(path) && !path.startsWith('i18n/messages'));
  const used = new Set();
  for (const file of files) {
    const code = await readFile(join(SRC, file), 'utf8');
    for (const [, alias, name] of code.matchAll(/import \* as (\w+) from '[./]*i18n\/messages\/(\w+)'/g)) {
      for (const [, key] of code.matchAll(new RegExp(`\\b${alias}\\.(\\w+)`, 'g'))) used.add(`${name}.${key}`);
    }
    for (const [, names, name] of code.matchAll(/import \{ ([^}]*) \} from '[./]*i18n\/messages\/(\w+)'/g)) {
      for (const part of names.split(',')) used.add(`${name}.${part.trim().split(' ')[0]}`);
    }
  }
  assert.ok(used.size > 100, 'no uses are found');
  const unused = Object.entries(messages[SOURCE]).flatMap(([name, own]) => Object.keys(own).map((key) => `${name}.${key}`)).filter((id) => !id.startsWith('errors.') && !used.has(id));
  assert.deepEqual(unused, []);
});

/** Names, which are the same in every language. */
const NAMES = ['Lectern', 'SSML', 'ISBN'];
/** The text of a component outside of its code: all that is not in braces. */
function withoutCode(template) {
  let [text, depth] = ['', 0];
  for (const character of template) {
    if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    else if (!depth) text += character;
  }
  return text;
}
test('no component has words of its own', async () => {
  const files = (await readdir(SRC, { recursive: true })).filter((path) => path.endsWith('.svelte'));
  const found = [];
  for (const file of files) {
    const template = (await readFile(join(SRC, file), 'utf8')).replace(/<script[^]*?<\/script>|<style[^]*?<\/style>|<!--[^]*?-->/g, '');
    for (const [, text] of template.matchAll(/\b(?:aria-label|title|placeholder|label|hint|alt|confirm|busy|cancel)="([^"{]*[A-Za-z]{3,}[^"]*)"/g)) found.push(`${file}: ${text}`);
    // A `=` tells an arrow function, whose > ends no tag.
    for (const [, text] of withoutCode(template).matchAll(/>([^<>=]*[A-Za-z]{3,}[^<>=]*)</g)) found.push(`${file}: ${text.trim()}`);
  }
  assert.deepEqual(found.filter((one) => !NAMES.includes(one.slice(one.indexOf(': ') + 2))), []);
});

/** What typesetters of a language do not write. */
const WRONG = {
  en: /\.\.\./,
  de: /\.\.\.|["']|“[^“]*”/,
  fr: /\.\.\.|["'“”]| [;!?»]|« |[^\u202f][;!?](?![^<]*>)/,
  es: /\.\.\.|["'“”]/,
  ja: /\.\.\.|["'“”]|[\u3040-\u30ff\u4e00-\u9fff] ?[,.!?;]( |$)/,
};
test('quotation marks, apostrophes and spaces are those of the language', () => {
  // Code, addresses and the syntax of plurals are no text.
  const plain = (text) => text.replace(/<code>.*?<\/code>|https?:\/\/\S*|\{\w+, plural,|[{}#]/g, '');
  const wrong = Object.keys(messages).flatMap((language) => texts(language).filter(({ text }) => WRONG[language].test(plain(text))).map(({ id, text }) => `${id}: ${text}`));
  assert.deepEqual(wrong, []);
  for (const { id, text } of texts('es')) {
    for (const mark of ['?', '!']) assert.equal(text.split(mark).length, text.split(mark === '?' ? '¿' : '¡').length, id);
  }
});

test('a plural has the forms of its language', () => {
  for (const language of Object.keys(messages)) {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.filter((form) => form !== 'many');
    for (const { id, text } of texts(language)) {
      for (const [, cases] of text.matchAll(/plural,((?: \w+ \{[^{}]*\})+)/g)) {
        const found = Array.from(cases.matchAll(/(\w+) \{/g), ([, form]) => form).filter((form) => form !== 'many');
        assert.deepEqual(found.sort(), [...forms].sort(), id);
      }
    }
  }
  assert.equal(valuesOf(messages.de.common.creditCount).get('count'), 'number');
});

test('a page comes with the texts of all its modules', () => {
  const routes = readRoutes();
  assert.ok(routes.length > 20, 'no routes are found');
  const frame = textsOf('App.svelte').used;
  assert.deepEqual([...frame], ['common'], 'the frame has common texts only');
  for (const { path, texts: own } of routes) {
    const { used, loaded } = textsOf(path);
    assert.deepEqual([...used].filter((name) => name !== 'common' && !own.includes(name) && !loaded.has(name)), [], path);
    assert.deepEqual(own.filter((name) => !used.has(name)), [], `${path} loads texts that it does not use`);
  }
});

test('what is imported when it is needed comes with its texts, or where they are already', async () => {
  const files = await Promise.all(
    (await readdir(SRC, { recursive: true }))
      .filter((path) => /\.(svelte|ts)$/.test(path) && !path.startsWith('i18n/messages'))
      .map(async (path) => ({ path, text: await readFile(join(SRC, path), 'utf8') })),
  );
  const imports = readDynamicImports(files);
  assert.ok(imports.length > 10, 'no imports are found');
  const routes = readRoutes();
  for (const [from, target, given] of imports) {
    if (target.startsWith('text/')) continue;
    const { used, loaded } = textsOf(target);
    // The pages on which the importer can be, as far as their own imports say.
    const pages = routes.filter(({ path }) => closure(path).has(from));
    const missing = [...used].filter((name) => name !== 'common' && !loaded.has(name) && !given.includes(name) && !(pages.length && pages.every(({ texts: own }) => own.includes(name))));
    assert.deepEqual(missing, [], `${target}, imported by ${from}`);
    assert.deepEqual(given.filter((name) => !used.has(name)), [], `${target}, imported by ${from} with texts that it does not use`);
  }
});
