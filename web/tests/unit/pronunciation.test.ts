// Markup, its price, where it is inserted, and lists of words as CSV.
import './browser';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Lexicon } from '../../src/api/lexicons';
import type { Voice } from '../../src/api/types';
import { chosenIds, defaultLists, plainParts, usedSpeakers } from '../../src/state/cast';
import { heardCharacters } from '../../src/state/playback.svelte';
import { WordList } from '../../src/state/wordlist.svelte';
import { writeCsv } from '../../src/text/csv';
import { parseCsv } from '../../src/text/readcsv';
import { emphasisInsertion, type Insertion, pauseInsertion, removalOfSpeaker, selectedWord, voiceInsertion, wordInsertion } from '../../src/text/insertion';
import { csvName, type Entry, withWord, wordKey, writeWords } from '../../src/text/lexicons';
import { readCsv } from '../../src/text/wordcsv';
import { findMarkup, hiddenRanges, isPronunciation, paidCharacters, SYMBOLS } from '../../src/text/markup';
import { toSsml } from '../../src/text/ssml';
import { splitWords } from '../../src/text/words';

// Negative control: with a symbol missing the first comparison fails.
test('the pages know the same sounds and the same markup as the service', async () => {
  const alphabet = await readFile('../crates/speech/src/phonemes/alphabet.rs', 'utf8');
  const own = [.../concat!\(([^)]+)\)/.exec(alphabet)![1]!.matchAll(/"([^"]+)"/g)].map(([, part = '']) => part.replace(/\\u\{(\w+)\}/g, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))).join('');
  assert.equal(SYMBOLS, own);
  const markup = await readFile('../crates/speech/src/markup.rs', 'utf8');
  const listOf = (from: string): string[] => [...markup.slice(markup.indexOf(from)).slice(0, markup.slice(markup.indexOf(from)).indexOf('] {')).matchAll(/"(\/[^"]*|https[^"]*)"/g)].map(([, text = '']) => text);
  const [accepted, links] = [listOf('for ipa in ["'), listOf('for link in [')];
  assert.ok(accepted.length >= 7 && links.length >= 9, 'markup.rs has another form');
  for (const ipa of accepted) assert.equal(findMarkup(`[word](${ipa})`).length, 1, ipa);
  for (const link of links) assert.equal(findMarkup(`[word](${link})`).length, 0, link);
  for (const text of ['[Pause 1s]', '[pause 10.1s]', '[pause .5s]', '[pause 1.s]', '[pause 1 s]', 'x [speaker A]', '[speaker A] x', '[speaker ]', '[speaker  A]', '[...](/ə/)']) assert.equal(findMarkup(text).length, 0, text);
  for (const text of ['[pause 1.5s]', '[pause 300ms]', '[pause 10000ms]', '[speaker Old Tom]\r\nAye', 'x\n[speaker A]']) assert.equal(findMarkup(text).length, 1, text);
});

const voice = (id: string, price: number): Voice => ({ id, price_per_character: price, languages: ['en-US'] }) as Voice;
const [heart, robin] = [voice('heart', 1), voice('robin', 2)];

// The text of crates/speech/src/script/speakers.rs. Negative controls: it fails with the lines counted, and with the text's own price
// for all.
test('each voice of a text costs its own price, and markup costs nothing', () => {
  const text = 'It was late.\n[speaker Ines]\nHello.\n[speaker Tom]\nAye.\n[speaker Ines]\nBye.';
  const price = (speakers: Record<string, string>): number[] => plainParts(text, heart, [heart, robin], speakers).map((part) => part.price);
  assert.deepEqual(price({ Ines: 'robin' }), [13, 2 * (8 + 5), 6]);
  assert.deepEqual(price({ Tom: 'robin', Ines: 'gone' }), [13, 13, 12]);
  assert.deepEqual(usedSpeakers(text, { Ines: 'robin', Nobody: 'robin' }), { Ines: 'robin' });
  assert.equal(usedSpeakers('Hello.', { Ines: 'robin' }), undefined);
  assert.equal(paidCharacters(text), 13 + 13 + 6);
  assert.equal(paidCharacters('A [b](/ˈbi/) c.[pause 1s] D 👩'), 10);
  // White space between two lines is said by nobody.
  assert.equal(paidCharacters('[speaker A]\n \n[speaker B]\nHi'), 3);
});

const apply = (text: string, { from, to, text: inserted }: Insertion): string => text.slice(0, from) + inserted + text.slice(to);

test('markup is inserted at the caret, around the selection, or on a line of its own', () => {
  const text = 'Ask Siobhan now.';
  assert.deepEqual(selectedWord({ text, start: 6, end: 6 }), { from: 4, to: 11, word: 'Siobhan' });
  assert.deepEqual(selectedWord({ text, start: 3, end: 12 }), { from: 4, to: 11, word: 'Siobhan' });
  assert.equal(selectedWord({ text: 'a  b', start: 2, end: 2 }).word, '');
  assert.equal(apply(text, pauseInsertion({ text, start: 3, end: 3 }, 1500, false)), 'Ask[pause 1.5s] Siobhan now.');
  assert.equal(apply(text, pauseInsertion({ text, start: 3, end: 3 }, 1500, true)), 'Ask<break time="1500ms"/> Siobhan now.');
  assert.equal(apply(text, voiceInsertion({ text, start: 4, end: 4 }, 'Ines', false)), 'Ask \n[speaker Ines]\nSiobhan now.');
  assert.equal(apply('Hi', voiceInsertion({ text: 'Hi', start: 0, end: 0 }, 'Ines', false)), '[speaker Ines]\nHi');
  assert.equal(apply(text, voiceInsertion({ text, start: 4, end: 11 }, 'robin', true)), 'Ask <voice name="robin">Siobhan</voice> now.');
  const place = selectedWord({ text, start: 6, end: 6 });
  const word = { word: 'Siobhan', said: 'ʃɪˈvɔːn', kind: 'ipa' as const };
  assert.equal(apply(text, wordInsertion(place, word, false)!), 'Ask [Siobhan](/ʃɪˈvɔːn/) now.');
  // The service takes letters from a to z between slashes for an address.
  const inserted = apply(text, wordInsertion(place, { ...word, said: '/tot/' }, false)!);
  assert.ok(inserted.includes('[Siobhan](/ˈtot/)') && findMarkup(inserted).length === 1 && !isPronunciation('tot'));
  assert.equal(wordInsertion(place, { ...word, kind: 'alias' }, false), null);
  assert.equal(apply(text, wordInsertion(place, { ...word, kind: 'alias', said: 'a "b" & c' }, true)!), 'Ask <sub alias="a &quot;b&quot; &amp; c">Siobhan</sub> now.');
  const cast = 'A\n[speaker Tom]\nB\n[speaker Ines]\nC\n[speaker Tom]\r\nD';
  assert.equal(apply(cast, removalOfSpeaker(cast, 'Tom')), 'A\nB\n[speaker Ines]\nC\nD');
});

test('a plain text becomes SSML that says the same', () => {
  const text = 'A & B[pause 1.5s]\n[speaker Ines]\n[Ines](/iˈnɛs/) <waves>.\n[speaker Tom]\nAye.';
  assert.equal(
    toSsml(text, (name) => (name === 'Ines' ? 'robin' : undefined)),
    '<speak>A &amp; B<break time="1500ms"/>\n<voice name="robin"><phoneme alphabet="ipa" ph="iˈnɛs">Ines</phoneme> &lt;waves&gt;.</voice>\nAye.</speak>',
  );
});

test('the words of a text are shown without its markup', () => {
  const text = '👋[pause 1s] [Ines](/iˈnɛs/) waves';
  const at = (word: string): number => Array.from(text.slice(0, text.indexOf(word))).length;
  const words = ['Ines', 'waves'].map((word) => ({ text: word, start_char: at(word), end_char: at(word) + word.length, start_ms: 0, end_ms: 0 }));
  assert.deepEqual(splitWords(text, words, hiddenRanges(text)).map(({ text: shown }) => shown), ['👋 ', 'Ines', ' ', 'waves']);
});

test('CSV is read as spreadsheets write it', () => {
  const cells = (text: string): string[][] => parseCsv(text).map((row) => row.cells);
  assert.deepEqual(cells('\ufeffa,b\r\n"c ""d"", e",f\n\n"g\nh",i,'), [['a', 'b'], ['c "d", e', 'f'], ['g\nh', 'i', '']]);
  assert.deepEqual(cells('a;b\n"c;d";e'), [['a', 'b'], ['c;d', 'e']]);
  assert.deepEqual(cells('a\tb'), [['a', 'b']]);
  assert.deepEqual(cells(''), []);
  assert.deepEqual(parseCsv('"a\nb",c\n\nd,e').map(({ line }) => line), [1, 4]);
  assert.deepEqual(cells(writeCsv([['a "b"', 'c,d', ' e', 'f\ng']])), [['a "b"', 'c,d', ' e', 'f\ng']]);
});

// Negative control: without the check for a header the first word is “Word”.
test('words are read from CSV, with or without a header, and each wrong line is named', () => {
  const { words, problems } = readCsv('Word,Said,Kind\nSiobhan,/ʃɪˈvɔːn/\nNguyen,win\nInes,"i""nEs",X-SAMPA\n\nno,\n,x\nsiobhan,x\na,b,c\n');
  assert.deepEqual(words, [{ word: 'Siobhan', kind: 'ipa', said: 'ʃɪˈvɔːn' }, { word: 'Nguyen', kind: 'alias', said: 'win' }, { word: 'Ines', kind: 'x_sampa', said: 'i"nEs' }] as typeof words);
  assert.deepEqual(problems, [
    { line: 6, message: 'Type how it is said.' },
    { line: 7, message: 'Type the word.' },
    { line: 8, message: '“siobhan” is already on line 2.' },
    { line: 9, message: '“c” is no way to say a word. Write alias, ipa or x-sampa.' },
  ]);
  assert.deepEqual(readCsv(writeWords(words)), { words, problems: [] as typeof problems });
  assert.equal(csvName('Names of “Émile”'), 'names-of-émile.csv');
});

test('a word is one word in any case, unless it has capitals inside', () => {
  assert.deepEqual(['Ines', ' INES', 'iOS', 'St.  Mary'].map(wordKey), ['ines', 'INES', 'iOS', 'st. mary']);
  const words = withWord([{ word: 'Ines', kind: 'alias', said: 'a' }], { word: 'ines', kind: 'ipa', said: 'i' });
  assert.deepEqual(words.map(({ said }) => said), ['i']);
  assert.deepEqual([heardCharacters({ word: 'W3C', kind: 'alias', said: 'World Wide' }), heardCharacters({ word: 'Ines', kind: 'ipa', said: 'iˈnɛs' })], [10, 4]);
});

const lexicon = (id: string, rest: Partial<Lexicon>): Lexicon => ({ id, name: id, language: 'en', default: true, entries_count: 0, created_at: id, updated_at: id, ...rest });

test('a text is read with the lists that its request names, or with the default ones of its language', () => {
  const lists = [lexicon('c', {}), lexicon('b', { language: 'en-GB' }), lexicon('a', { language: 'en-us' }), lexicon('d', { default: false }), lexicon('e', { language: 'es' })];
  assert.deepEqual(defaultLists(lists, 'en-US').map(({ id }) => id), ['a', 'c']);
  assert.deepEqual([chosenIds({ mode: 'default', ids: ['a'] }), chosenIds({ mode: 'none', ids: ['a'] }), chosenIds({ mode: 'chosen', ids: ['a'] })], [undefined, [], ['a']] as (string[] | undefined)[]);
});

// Negative control: when all rows are shown, 10,000 are.
test('a list of ten thousand words is shown page by page, and searched', () => {
  const entries: Entry[] = Array.from({ length: 10_000 }, (_, index) => ({ word: `Word ${index}`, alias: 'x' }));
  const list = new WordList(lexicon('a', { entries }));
  assert.deepEqual([list.shown.length, list.pages], [50, 200]);
  list.search = 'WORD 999';
  assert.deepEqual([list.found.length, list.shown[0]?.word], [11, 'Word 999'] as unknown[]);
  list.search = '';
  list.page = 199;
  assert.equal(list.shown.at(-1)?.word, 'Word 9999');
  list.merge([{ word: 'word 5', kind: 'ipa', said: 'ə' }, { word: 'New', kind: 'alias', said: 'y' }]);
  assert.deepEqual([list.rows.length, list.rows[0]?.word, list.rows[6]?.said, list.isChanged], [10_001, 'New', 'ə', true] as unknown[]);
  assert.equal(list.add(), list.shown[0]);
});

test('emphasis goes around a word, and the caret into it where there is none', () => {
  const place = selectedWord({ text: '<speak>The lamp was lit.</speak>', start: 12, end: 12 });
  assert.deepEqual(emphasisInsertion(place, 'strong'), { from: 11, to: 15, text: '<emphasis level="strong">lamp</emphasis>' });
  assert.deepEqual(emphasisInsertion({ from: 7, to: 7, word: '' }, 'reduced'), { from: 7, to: 7, text: '<emphasis level="reduced"></emphasis>', back: 11 });
});
