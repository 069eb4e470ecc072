//! What the front end looks up, from files of the voice pack: words with how often they are used
//! and their part of speech, the readings of words and of single characters, and the simplified
//! forms of traditional characters. Loaded when the first Chinese text is read.

use std::{borrow::Cow, collections::HashMap, fs};

use super::table::Table;
use crate::pack::{Pack, PackError};

/// Words, each with how often it was counted and its part of speech.
const WORDS: &str = "chinese-words.txt";
/// Readings of words, as JSON.
const PHRASES: &str = "chinese-phrases.json";
/// Readings of characters by code point, the most frequent first, as JSON.
const CHARACTERS: &str = "chinese-characters.json";
/// Traditional and simplified characters, and words whose characters are simplified in another way.
const TRADITIONAL: &str = "chinese-traditional.js";
const TRADITIONAL_PHRASES: &str = "chinese-traditional-phrases.js";

/// The files of a pack, as they are.
#[derive(Debug, Default)]
pub struct Files {
    /// Lines of word, count and part of speech.
    pub words: Vec<u8>,
    /// JSON: word → list of lists of readings.
    pub phrases: Vec<u8>,
    /// JSON: code point → readings, joined with commas.
    pub characters: Vec<u8>,
    /// A JavaScript module with one string: pairs, joined with `|`.
    pub traditional: Vec<u8>,
    /// The same for words.
    pub traditional_phrases: Vec<u8>,
}

impl Files {
    /// Reads the files of a pack.
    ///
    /// # Errors
    /// [`PackError`], naming the file that is not there or not the pinned one.
    pub fn read(pack: &Pack) -> Result<Self, PackError> {
        let read = |name: &str| {
            let path = pack.checked(name)?;
            fs::read(&path).map_err(|source| PackError::Io { path, source })
        };
        Ok(Self {
            words: read(WORDS)?,
            phrases: read(PHRASES)?,
            characters: read(CHARACTERS)?,
            traditional: read(TRADITIONAL)?,
            traditional_phrases: read(TRADITIONAL_PHRASES)?,
        })
    }
}

/// A word of the language.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Entry {
    /// The logarithm of its share in all words.
    pub(super) log_share: f32,
    /// Its part of speech by its first letter, `n` noun, `v` verb, `a` adjective, `d` adverb, `m`
    /// number, `q` measure word, `r` pronoun, `p` preposition, `u` particle; `R` for a name.
    pub(super) tag: u8,
}

/// Where a reading stands in the string of all readings.
#[derive(Debug, Clone, Copy)]
struct Place {
    start: u32,
    bytes: u16,
}

/// The readings of many words in one string.
#[derive(Debug)]
struct Readings {
    places: Table<Place>,
    text: String,
}

impl Readings {
    fn new<'a>(entries: impl Iterator<Item = (Cow<'a, str>, String)>) -> Self {
        let mut text = String::new();
        let places = entries.map(|(word, reading)| {
            let start = u32::try_from(text.len()).unwrap_or(u32::MAX);
            text.push_str(&reading);
            (word, Place { start, bytes: u16::try_from(reading.len()).unwrap_or(0) })
        });
        let places = Table::new(places.collect());
        text.shrink_to_fit();
        Self { places, text }
    }

    fn at(&self, place: Place) -> &str {
        let start = place.start as usize;
        self.text.get(start..start + usize::from(place.bytes)).unwrap_or_default()
    }
}

/// Everything that is looked up.
#[derive(Debug)]
pub(super) struct Dictionary {
    words: Table<Entry>,
    /// The share of a character that is no word.
    pub(super) least_log_share: f32,
    phrases: Readings,
    characters: Readings,
    simplified: HashMap<char, char>,
    simplified_phrases: Table<Box<str>>,
}

impl Dictionary {
    /// Makes the tables from files of a pack.
    ///
    /// # Errors
    /// [`PackError::Unusable`], naming the file.
    pub(super) fn new(
        files: &Files,
        own: impl Iterator<Item = (&'static str, u8)>,
    ) -> Result<Self, PackError> {
        let (words, least_log_share) = words(&files.words, own)?;
        let phrases: HashMap<&str, Vec<Vec<&str>>> =
            serde_json::from_slice(&files.phrases).map_err(|error| Pack::unusable(PHRASES, &error))?;
        let phrases = phrases.into_iter().map(|(word, readings)| {
            let firsts = readings.iter().map(|syllable| syllable.first().copied().unwrap_or_default());
            (Cow::Borrowed(word), firsts.collect::<Vec<_>>().join(" "))
        });
        let phrases = Readings::new(phrases);
        let characters: HashMap<&str, &str> =
            serde_json::from_slice(&files.characters).map_err(|error| Pack::unusable(CHARACTERS, &error))?;
        let characters = characters.into_iter().filter_map(|(code, readings)| {
            let character = char::from_u32(code.parse().ok()?)?;
            Some((Cow::Owned(character.to_string()), readings.split(',').next()?.to_owned()))
        });
        let characters = Readings::new(characters);
        let single = |text: &str| text.chars().next();
        let simplified = pairs(&files.traditional, TRADITIONAL)?
            .into_iter()
            .filter_map(|(from, to)| Some((single(from)?, single(to)?)));
        let same_length = |(from, to): &(&str, &str)| from.chars().count() == to.chars().count();
        let simplified_phrases = pairs(&files.traditional_phrases, TRADITIONAL_PHRASES)?
            .into_iter()
            .filter(same_length)
            .map(|(from, to)| (from, Box::from(to)));
        Ok(Self {
            words,
            least_log_share,
            phrases,
            characters,
            simplified: simplified.collect(),
            simplified_phrases: Table::new(simplified_phrases.collect()),
        })
    }

    /// Calls `found` with the byte length and the entry of each word that a text begins with.
    pub(super) fn each_word(&self, text: &str, found: impl FnMut(usize, &Entry)) {
        self.words.each_prefix(text, found);
    }

    /// The bytes of the longest word with a reading that a text begins with, and the reading.
    pub(super) fn longest_phrase(&self, text: &str) -> Option<(usize, &str)> {
        let mut longest = None;
        self.phrases.places.each_prefix(text, |bytes, &place| longest = Some((bytes, place)));
        longest.map(|(bytes, place)| (bytes, self.phrases.at(place)))
    }

    /// The usual reading of a character.
    pub(super) fn character(&self, character: char) -> Option<&str> {
        let place = self.characters.places.get(character.encode_utf8(&mut [0; 4]))?;
        Some(self.characters.at(*place))
    }

    /// The text in simplified characters, character by character.
    pub(super) fn simplify(&self, text: &str) -> String {
        let mut simple = String::with_capacity(text.len());
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            let mut longest = None;
            self.simplified_phrases.each_prefix(&text[at..], |bytes, to| longest = Some((bytes, to)));
            if let Some((bytes, to)) = longest {
                simple.push_str(to);
                at += bytes;
            } else {
                simple.push(self.simplified.get(&c).copied().unwrap_or(c));
                at += c.len_utf8();
            }
        }
        simple
    }
}

/// The words of the file and our own, and the logarithm of the share of a word that was counted once.
fn words(
    file: &[u8],
    own: impl Iterator<Item = (&'static str, u8)>,
) -> Result<(Table<Entry>, f32), PackError> {
    /// How often a word of our own counts: enough to be preferred to its characters.
    const OWN: u32 = 300;
    let text = text(file, WORDS)?;
    let mut counted: Vec<(&str, (u32, u8))> = Vec::new();
    let mut total = 0_u64;
    for (index, line) in text.lines().enumerate() {
        let wrong = || Pack::unusable(WORDS, &format!("line {} is not a word with its count", index + 1));
        let mut parts = line.split(' ');
        let (Some(word), Some(count)) = (parts.next().filter(|word| !word.is_empty()), parts.next()) else {
            return Err(wrong());
        };
        let count: u32 = count.parse().map_err(|_| wrong())?;
        let tag = match parts.next().unwrap_or_default() {
            name if name.starts_with("nr") => b'R',
            tag => tag.bytes().next().unwrap_or(b'x'),
        };
        total += u64::from(count);
        counted.push((word, (count, tag)));
    }
    counted.extend(own.map(|(word, tag)| (word, (OWN, tag))));
    if total == 0 {
        return Err(Pack::unusable(WORDS, &"it has no words"));
    }
    #[expect(clippy::cast_precision_loss, reason = "counts are below 2^53")]
    let log_total = (total as f64).ln();
    #[expect(clippy::cast_possible_truncation, reason = "a logarithm needs no more digits")]
    let log_share = |count: u32| (f64::from(count.max(1)).ln() - log_total) as f32;
    let entries =
        counted.into_iter().map(|(word, (count, tag))| (word, Entry { log_share: log_share(count), tag }));
    Ok((Table::new(entries.collect()), log_share(1)))
}

/// The pairs of a JavaScript module that exports one string: `export default "a b|c d";`.
fn pairs<'a>(file: &'a [u8], name: &str) -> Result<Vec<(&'a str, &'a str)>, PackError> {
    let text = text(file, name)?;
    let wrong = || Pack::unusable(name, &"it is not a list of pairs");
    let list = text.split('"').nth(1).ok_or_else(wrong)?;
    list.split('|').map(|pair| pair.split_once(' ').ok_or_else(wrong)).collect()
}

fn text<'a>(file: &'a [u8], name: &str) -> Result<&'a str, PackError> {
    std::str::from_utf8(file).map_err(|error| Pack::unusable(name, &error))
}
