// What pages show: languages, numbers, words and errors.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { ApiError } from '../../src/api/error';
import { errorMessage, loadErrorTexts, waitingTime } from '../../src/text/errors';
import { browserName, bytes, characters, countCharacters, credits, duration, estimatedDuration, money, parts, percent, secondsLong } from '../../src/text/format';
import { bilingualName, includesLanguage, languageName, languageOptions, primarySubtag } from '../../src/text/language';
import { snippets } from '../../src/text/snippets';
import { isTierIncluded } from '../../src/text/tiers';
import { splitWords, wordAt } from '../../src/text/words';

// Negative control: with the raw subtags compared, each code is a language of its own, even `eng` and `en`.
test('all codes of a language are the same language, as they are to the service', async () => {
  const service = await readFile('../crates/types/src/language.rs', 'utf8');
  const groups = [...service.matchAll(/\(&\[([^\]]+)\], "(\w+)"\)/g)].map(([, others = '', preferred = '']) => ({ others: others.match(/\w+/g) ?? [], preferred }));
  assert.ok(groups.length >= 50, 'language.rs has another form');
  for (const { others, preferred } of groups) for (const code of [preferred, ...others]) assert.equal(primarySubtag(code), preferred, code);
  assert.ok(includesLanguage(['en-US'], 'eng') && includesLanguage(['en-US'], 'ENG-gb') && includesLanguage(['fr'], 'fre'));
  assert.ok(!includesLanguage(['en-US'], 'enm') && !includesLanguage(['en-US'], 'fr_FR') && !includesLanguage(['en-US'], ''));
  // The language of a book that is marked `eng` is offered once.
  assert.equal(languageOptions('eng').filter((option) => option.name === 'English').length, 1);
  assert.equal(languageOptions('fr_FR').filter((option) => option.name === 'Français (French)').length, 1);
});

// Negative control: with the English names of before, Spanish is `Spanish`.
test('languages are called by their own names', () => {
  const names = ['es', 'en-GB', 'en-US', 'fr-FR', 'pt-BR', 'ja', 'ar', 'not a tag'].map(languageName);
  assert.deepEqual(names, ['Español', 'English (UK)', 'English (US)', 'Français (France)', 'Português (Brasil)', '日本語', 'العربية', 'not a tag']);
  assert.deepEqual(['en-GB', 'es', 'pt-BR', 'not a tag'].map(bilingualName), ['English (UK)', 'Español (Spanish)', 'Português (Brasil) (Portuguese, Brazil)', 'not a tag']);
});

test('numbers are formatted with their units', () => {
  assert.deepEqual([credits(1), credits(-1), credits(1204)], ['1 credit', '-1 credit', '1,204 credits']);
  assert.deepEqual([characters(1), characters(1204), parts(2), percent(0.454), secondsLong(5249)], ['1 character', '1,204 characters', '2 parts', '45%', '5.2 seconds']);
  assert.deepEqual([money(1250, 'usd'), money(1250, 'jpy')], ['$12.50', '¥1,250']);
  assert.deepEqual([bytes(1023), bytes(2048), bytes(5_500_000)], ['1023 B', '2 KiB', '5.2 MiB']);
  assert.deepEqual([duration(61_000), duration(3_661_000)], ['1:01', '1:01:01']);
  assert.deepEqual([estimatedDuration(100), estimatedDuration(1204), estimatedDuration(340_539)], ['Less than a minute', 'About 1 min', 'About 5 h 34 min']);
  // A Japanese or Chinese character is a syllable or more.
  assert.deepEqual([estimatedDuration(469, 'ja'), estimatedDuration(1204, 'zh-CN'), estimatedDuration(1204, 'fr')], ['About 1 min', 'About 4 min', 'About 1 min']);
});

test('characters are counted as the service charges them', () => {
  assert.deepEqual(['Naïve otters swim 👩‍🚀.', '', 'é'].map(countCharacters), [22, 0, 1]);
});

test('browsers have short names', () => {
  const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36';
  assert.deepEqual([chrome, `${chrome} Edg/141.0`, 'curl/8.5', null].map(browserName), ['Chrome on Linux', 'Edge on Linux', 'curl/8.5', 'Unknown browser']);
});

test('errors are explained, and failures of the page itself are not shown as errors of the service', async () => {
  await loadErrorTexts();
  const invalid = new ApiError('validation_failed', 'Invalid.', 422, { fields: { name: 'is too long', url: 'is not https' } });
  assert.equal(errorMessage(invalid), 'name: is too long. url: is not https');
  assert.equal(errorMessage(new ApiError('insufficient_balance', 'raw', 402)), 'You do not have enough credits.');
  assert.equal(errorMessage(new ApiError('unknown_code', 'As the service says.', 400)), 'As the service says.');
  assert.equal(errorMessage(new TypeError('x is undefined')), 'Something went wrong on this page. Reload it.');
  assert.deepEqual([1, 90, 121].map(waitingTime), ['1 second', '90 seconds', '3 minutes']);
});

test('a tier includes the ones below it', () => {
  assert.ok(isTierIncluded('free', 'premium') && isTierIncluded('standard', 'standard') && !isTierIncluded('premium', 'standard'));
});

const word = (start_char: number, end_char: number, start_ms: number) => ({ start_char, end_char, start_ms, end_ms: start_ms + 100, text: '' });

// Negative control: with offsets taken for UTF-16 units the word after the emoji is cut in two.
test('the text is cut at the offsets of words, which count characters', () => {
  const words = [word(0, 2, 0), word(5, 8, 500)];
  assert.deepEqual(splitWords('Hi 👋 you!', words).map(({ text, word: index }) => [text, index]), [['Hi', 0], [' 👋 ', -1], ['you', 1], ['!', -1]] as [string, number][]);
  assert.deepEqual([-1, 0, 499, 500, 9000].map((milliseconds) => wordAt(words, milliseconds)), [-1, 0, 0, 1, 1]);
});

test('code snippets quote the text for their language', () => {
  const text = 'It\'s "here"\nand \\ there';
  const [curl, python, typescript] = snippets({ ereaderId: 'er_1', text, format: 'mp3', speed: 1.2, language: null, speakers: { 'Mr. "X"': 'er_2' } }, 'https://lectern.example');
  assert.ok(curl?.code.includes(String.raw`It'\''s \"here\"\nand \\ there`));
  assert.ok(python?.code.includes(String.raw`    text="It's \"here\"\nand \\ there",`), python?.code);
  assert.ok(python?.code.includes('    speed=1.2,\n'), python?.code);
  assert.ok(typescript?.code.includes(String.raw`  text: "It's \"here\"\nand \\ there",`), typescript?.code);
  assert.ok(typescript?.code.includes(String.raw`    "Mr. \"X\"": "er_2"`), typescript?.code);
});
