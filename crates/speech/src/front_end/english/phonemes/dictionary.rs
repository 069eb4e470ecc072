//! The lexicons of one accent in memory: the gold lexicon (checked by people) and the silver
//! lexicon (derived), about 180,000 words in one byte arena.
//!
//! A map of strings would take 100 MB. Here an entry is a few bytes in one allocation, found
//! through a hash table of 32-bit offsets with open addressing. Silver entries that a gold one
//! hides are not stored. The rules are in other modules.

use std::{fmt, io::Read as _};

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, Visitor};

use crate::pack::{Pack, PackError};

use super::Accent;

/// The lexicon of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layer {
    Gold,
    Silver,
}

/// The parts of speech that distinguish the readings of an entry, each at the index of the byte
/// that encodes it.
const SENSES: [&str; 10] = ["DEFAULT", "NOUN", "VERB", "ADJ", "ADV", "VBD", "VBN", "VBP", "DT", "None"];

/// Marks a reading that the lexicon explicitly lacks: the word is then spelled out.
const NO_READING: u8 = u8::MAX;

// An entry consists of flags, the length of the word, the length of the readings (two bytes), the
// word and the readings.
const HEADER_BYTES: usize = 4;
const SILVER: u8 = 1;
const BY_SENSE: u8 = 2;

/// The gold and silver lexicons of one accent.
pub(super) struct Dictionary {
    arena: Vec<u8>,
    /// Offsets into the arena plus one; 0 is a free slot. Its length is a power of two.
    slots: Vec<u32>,
    entries: usize,
}

/// The lexicon's entry for a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Readings<'a> {
    /// One pronunciation.
    One(&'a str),
    /// A pronunciation by part of speech, as stored.
    BySense(&'a [u8]),
}

/// The reading for one sense of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading<'a> {
    /// The entry has no reading for this sense: the default applies.
    Untold,
    /// The entry has no reading at all: the word is spelled out.
    Denied,
    /// This reading.
    Said(&'a str),
}

impl<'a> Readings<'a> {
    /// The reading for a sense.
    pub(super) fn of(self, sense: &str) -> Reading<'a> {
        match self {
            Self::One(_) => Reading::Untold,
            Self::BySense(mut stored) => {
                while let [code, length, rest @ ..] = stored {
                    let used = if *length == NO_READING { 0 } else { usize::from(*length) };
                    let Some((phonemes, others)) = rest.split_at_checked(used) else { break };
                    if SENSES.get(usize::from(*code)) == Some(&sense) {
                        let denied = *length == NO_READING;
                        return if denied { Reading::Denied } else { Reading::Said(text(phonemes)) };
                    }
                    stored = others;
                }
                Reading::Untold
            }
        }
    }

    /// The only reading, or the default one.
    pub(super) fn plain(self) -> &'a str {
        match self {
            Self::One(phonemes) => phonemes,
            Self::BySense(_) => match self.of("DEFAULT") {
                Reading::Said(phonemes) => phonemes,
                Reading::Untold | Reading::Denied => "",
            },
        }
    }
}

impl Dictionary {
    /// Reads the lexicons of an accent.
    ///
    /// # Errors
    /// [`PackError`], when a file is missing or is not a lexicon.
    pub(super) fn load(pack: &Pack, accent: Accent) -> Result<Self, PackError> {
        let (gold, silver) = match accent {
            Accent::American => ("lexicon_us_gold.json.gz", "lexicon_us_silver.json.gz"),
            Accent::British => ("lexicon_gb_gold.json.gz", "lexicon_gb_silver.json.gz"),
        };
        let mut dictionary = Self { arena: Vec::new(), slots: Vec::new(), entries: 0 };
        for (name, layer) in [(gold, Layer::Gold), (silver, Layer::Silver)] {
            let mut json = Vec::new();
            flate2::read::GzDecoder::new(pack.read(name)?.as_slice())
                .read_to_end(&mut json)
                .map_err(|error| Pack::unusable(name, &error))?;
            dictionary.add(&json, layer).map_err(|error| Pack::unusable(name, &error))?;
        }
        dictionary.arena.shrink_to_fit();
        Ok(dictionary)
    }

    /// The gold readings of a word, in this spelling or with its first letter in the other case.
    pub(super) fn gold(&self, word: &str) -> Option<Readings<'_>> {
        self.find_either_case(word, Layer::Gold)
    }

    /// The silver readings of a word that is not in the gold lexicon.
    pub(super) fn silver(&self, word: &str) -> Option<Readings<'_>> {
        self.find_either_case(word, Layer::Silver)
    }

    /// Whether any lexicon has the word.
    pub(super) fn has(&self, word: &str) -> bool {
        self.gold(word).is_some() || self.silver(word).is_some()
    }

    /// The number of entries.
    pub(super) fn len(&self) -> usize {
        self.entries
    }

    fn find_either_case(&self, word: &str, layer: Layer) -> Option<Readings<'_>> {
        self.find(word, layer).or_else(|| self.find(&other_case(word)?, layer))
    }

    fn find(&self, word: &str, layer: Layer) -> Option<Readings<'_>> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut slot = hash(word.as_bytes()) as usize & mask;
        loop {
            let offset = (*self.slots.get(slot)?).checked_sub(1)? as usize;
            let entry = Entry::at(&self.arena, offset)?;
            if entry.word == word.as_bytes() && entry.layer() == layer {
                return Some(entry.readings());
            }
            slot = (slot + 1) & mask;
        }
    }

    fn add(&mut self, json: &[u8], layer: Layer) -> Result<(), serde_json::Error> {
        // Phonemes and words take about two thirds of the JSON; excess memory is released at the
        // end.
        self.arena.reserve(json.len() * 3 / 4);
        let mut deserializer = serde_json::Deserializer::from_slice(json);
        deserializer.deserialize_map(LayerVisitor { dictionary: self, layer })?;
        deserializer.end()?;
        self.index();
        Ok(())
    }

    /// Builds the table over all entries. At most three quarters of it are used, so that a search
    /// ends.
    fn index(&mut self) {
        let size = (self.entries * 4 / 3 + 1).next_power_of_two();
        self.slots = vec![0; size];
        let mut offset = 0;
        while let Some(entry) = Entry::at(&self.arena, offset) {
            let mut slot = hash(entry.word) as usize & (size - 1);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            // The arena is a few megabytes; `store` keeps its size within 32 bits.
            self.slots[slot] = offset as u32 + 1;
            offset += entry.bytes();
        }
    }

    fn store<E: de::Error>(&mut self, word: &str, readings: &[u8], flags: u8) -> Result<(), E> {
        let too_long = |_| E::custom(format_args!("the entry of {word:?} is too long"));
        let word_bytes = u8::try_from(word.len()).map_err(too_long)?;
        let readings_bytes = u16::try_from(readings.len()).map_err(too_long)?;
        u32::try_from(self.arena.len()).map_err(too_long)?;
        self.arena.extend_from_slice(&[flags, word_bytes]);
        self.arena.extend_from_slice(&readings_bytes.to_le_bytes());
        self.arena.extend_from_slice(word.as_bytes());
        self.arena.extend_from_slice(readings);
        self.entries += 1;
        Ok(())
    }
}

impl fmt::Debug for Dictionary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Dictionary").field("entries", &self.entries).finish_non_exhaustive()
    }
}

struct Entry<'a> {
    flags: u8,
    word: &'a [u8],
    readings: &'a [u8],
}

impl<'a> Entry<'a> {
    fn at(arena: &'a [u8], offset: usize) -> Option<Self> {
        let (&[flags, word_bytes, low, high], rest) =
            arena.get(offset..)?.split_first_chunk::<HEADER_BYTES>()?;
        let (word, rest) = rest.split_at_checked(usize::from(word_bytes))?;
        let readings = rest.get(..usize::from(u16::from_le_bytes([low, high])))?;
        Some(Self { flags, word, readings })
    }

    fn bytes(&self) -> usize {
        HEADER_BYTES + self.word.len() + self.readings.len()
    }

    fn layer(&self) -> Layer {
        if self.flags & SILVER == 0 { Layer::Gold } else { Layer::Silver }
    }

    fn readings(&self) -> Readings<'a> {
        if self.flags & BY_SENSE == 0 {
            Readings::One(text(self.readings))
        } else {
            Readings::BySense(self.readings)
        }
    }
}

/// The arena only holds bytes that came as `str`; bytes that are not UTF-8 cannot occur and give an
/// empty text.
fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or_default()
}

/// FNV-1a.
fn hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// `word` for `Word` and `Word` for `word`: a lexicon that has one has the other. Single letters
/// and other mixtures of cases have no such form.
fn other_case(word: &str) -> Option<String> {
    let mut letters = word.chars();
    let first = letters.next()?;
    let rest = letters.as_str();
    if rest.is_empty() || rest.chars().any(char::is_uppercase) {
        return None;
    }
    let mut twin = String::with_capacity(word.len() + 2);
    if first.is_uppercase() {
        twin.extend(first.to_lowercase());
    } else {
        twin.extend(first.to_uppercase());
    }
    twin.push_str(rest);
    (twin != word).then_some(twin)
}

struct LayerVisitor<'a> {
    dictionary: &'a mut Dictionary,
    layer: Layer,
}

impl<'de> Visitor<'de> for LayerVisitor<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object from words to readings")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut word = String::new();
        let mut readings = Vec::new();
        let layer_flag = if self.layer == Layer::Silver { SILVER } else { 0 };
        while map.next_key_seed(Text(&mut word))?.is_some() {
            readings.clear();
            let by_sense = map.next_value_seed(ReadingsSeed(&mut readings))?;
            if self.layer == Layer::Silver && self.dictionary.gold(&word).is_some() {
                continue;
            }
            let flags = layer_flag | if by_sense { BY_SENSE } else { 0 };
            self.dictionary.store(&word, &readings, flags)?;
        }
        Ok(())
    }
}

/// Deserializes a string into a buffer that is reused for all entries.
struct Text<'a>(&'a mut String);

impl<'de> DeserializeSeed<'de> for Text<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Text<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a string")
    }

    fn visit_str<E>(self, value: &str) -> Result<(), E> {
        self.0.clear();
        self.0.push_str(value);
        Ok(())
    }
}

/// Deserializes the readings of a word into a buffer, and returns whether they depend on the sense.
struct ReadingsSeed<'a>(&'a mut Vec<u8>);

impl<'de> DeserializeSeed<'de> for ReadingsSeed<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ReadingsSeed<'_> {
    type Value = bool;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("phonemes, or an object from parts of speech to phonemes")
    }

    fn visit_str<E>(self, phonemes: &str) -> Result<bool, E> {
        self.0.extend_from_slice(phonemes.as_bytes());
        Ok(false)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<bool, A::Error> {
        let mut sense = String::new();
        while map.next_key_seed(Text(&mut sense))?.is_some() {
            let unknown = || de::Error::custom(format_args!("unknown part of speech {sense:?}"));
            let code = SENSES.iter().position(|name| *name == sense).ok_or_else(unknown)?;
            let phonemes: Option<std::borrow::Cow<'de, str>> = map.next_value()?;
            let too_long = |_| de::Error::custom("a reading is too long");
            let length = match &phonemes {
                None => NO_READING,
                Some(phonemes) => u8::try_from(phonemes.len()).map_err(too_long)?.min(NO_READING - 1),
            };
            self.0.extend_from_slice(&[code as u8, length]);
            let stored = phonemes.as_deref().unwrap_or_default().as_bytes();
            self.0.extend_from_slice(stored.get(..usize::from(length)).unwrap_or_default());
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::{Dictionary, Layer, Reading, Readings};

    fn dictionary() -> Dictionary {
        let mut dictionary = Dictionary { arena: Vec::new(), slots: Vec::new(), entries: 0 };
        let gold = r#"{"cat":"kˈæt","Paris":"pˈɛɹɪs","use":{"DEFAULT":"jˈuz","NOUN":"jˈus"},"US":{"DEFAULT":"ˌʌs","NOUN":null},"x":"ˈɛks"}"#;
        dictionary.add(gold.as_bytes(), Layer::Gold).unwrap();
        dictionary.add(r#"{"cat":"never","dog":"dˈɔɡ","paris":"never"}"#.as_bytes(), Layer::Silver).unwrap();
        dictionary
    }

    #[test]
    fn a_word_is_found_with_its_first_letter_in_either_case_and_in_no_other_mixture() {
        let dictionary = dictionary();
        for word in ["cat", "Cat", "paris", "Paris"] {
            assert!(matches!(dictionary.gold(word), Some(Readings::One(_))), "{word}");
        }
        for word in ["CAT", "cAt", "X", "", "ca", "cats"] {
            assert_eq!(dictionary.gold(word), None, "{word}");
        }
    }

    #[test]
    fn silver_words_that_gold_has_are_not_stored() {
        let dictionary = dictionary();
        assert_eq!(dictionary.silver("cat"), None);
        assert_eq!(dictionary.silver("Paris"), None);
        assert_eq!(dictionary.silver("Dog"), Some(Readings::One("dˈɔɡ")));
        assert_eq!(dictionary.len(), 6);
    }

    #[test]
    fn readings_by_sense_tell_a_missing_sense_from_a_reading_that_is_denied() {
        let dictionary = dictionary();
        let readings = dictionary.gold("use").unwrap();
        assert_eq!(readings.of("NOUN"), Reading::Said("jˈus"));
        assert_eq!(readings.of("VERB"), Reading::Untold);
        assert_eq!(readings.plain(), "jˈuz");
        assert_eq!(dictionary.gold("US").unwrap().of("NOUN"), Reading::Denied);
    }

    #[test]
    fn what_is_not_a_lexicon_is_refused() {
        for json in ["[]", r#"{"a":1}"#, r#"{"a":{"PRONOUN":"x"}}"#, r#"{"a":"x""#, "{} {}"] {
            let mut dictionary = Dictionary { arena: Vec::new(), slots: Vec::new(), entries: 0 };
            assert!(dictionary.add(json.as_bytes(), Layer::Gold).is_err(), "{json}");
        }
    }
}
