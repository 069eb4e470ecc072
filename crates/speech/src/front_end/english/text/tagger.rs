//! Part-of-speech tags from the averaged perceptron of the voice pack, in compact form.
//!
//! The file maps 80,000 feature names to weights by tag. Names are never displayed, so only their
//! sorted 64-bit hashes stay in memory, next to one packed run of `(tag, weight)` for each: under 3
//! MB instead of 60. The features computed here were derived from the names in the file; `tokenize`
//! decides how words are cut.

use std::{fmt, io::Read as _};

use flate2::read::GzDecoder;
use serde::{
    Deserialize,
    de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor},
};

use crate::pack::{Pack, PackError};

/// The tagger's file in the pack.
pub(super) const FILE: &str = "tagger.json.gz";

/// The tagger's tags, in order: those of the Penn Treebank with `OntoNotes`' additions. A file with
/// any other tag is refused.
const TAGS: [&str; 50] = [
    "$", "''", ",", "-LRB-", "-RRB-", ".", ":", "ADD", "AFX", "CC", "CD", "DT", "EX", "FW", "HYPH", "IN",
    "JJ", "JJR", "JJS", "LS", "MD", "NFP", "NN", "NNP", "NNPS", "NNS", "PDT", "POS", "PRP", "PRP$", "RB",
    "RBR", "RBS", "RP", "SYM", "TO", "UH", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "WDT", "WP", "WP$",
    "WRB", "XX", "_SP", "``",
];

/// The file's weights have one decimal. Stored as tenths, they are summed exactly.
const TENTHS: f64 = 10.0;

/// The placeholder words before the first word and after the last one.
const BEFORE: [&str; 2] = ["-START-", "-START2-"];
const AFTER: [&str; 2] = ["-END-", "-END2-"];

/// The tagger: sorted hashes and their meanings.
#[derive(Debug, Default)]
pub(super) struct Tagger {
    /// Hashes of feature names, ascending.
    features: Vec<u64>,
    /// The start of each feature's weights in `weights`, and the end of the last.
    starts: Vec<u32>,
    /// Tag and weight in tenths.
    weights: Vec<(u8, i16)>,
    /// Words that have only one tag, by hash, ascending.
    fixed: Vec<(u64, u8)>,
    /// Hashes of the lower-case words the tagger was trained on, ascending.
    known: Vec<u64>,
}

impl Tagger {
    /// Reads the tagger from the pack.
    pub(super) fn load(pack: &Pack) -> Result<Self, PackError> {
        let mut json = Vec::new();
        GzDecoder::new(pack.read(FILE)?.as_slice())
            .read_to_end(&mut json)
            .map_err(|error| Pack::unusable(FILE, &error))?;
        serde_json::from_slice(&json).map_err(|error| Pack::unusable(FILE, &error))
    }

    /// Whether the tagger was trained on the word, in lower case.
    pub(super) fn knows(&self, word: &str) -> bool {
        self.known.binary_search(&Hash::of(&[word]).0).is_ok()
    }

    /// The tags of a sentence's tokens, in order.
    pub(super) fn tag(&self, words: &[&str]) -> Vec<&'static str> {
        let normal: Vec<String> = words.iter().map(|word| self.normal(word)).collect();
        let mut tags: Vec<&'static str> = Vec::with_capacity(words.len());
        for (index, word) in words.iter().enumerate() {
            let fixed = self.fixed.binary_search_by_key(&Hash::of(&[word]).0, |entry| entry.0);
            let tag =
                fixed.map_or_else(|_| self.predict(index, words, &normal, &tags), |at| self.fixed[at].1);
            tags.push(TAGS[usize::from(tag)]);
        }
        tags
    }

    fn predict(&self, index: usize, words: &[&str], normal: &[String], tags: &[&'static str]) -> u8 {
        let earlier = |back: usize| match index.checked_sub(back) {
            Some(at) => (normal[at].as_str(), tags[at]),
            None => (BEFORE[back - 1 - index], BEFORE[back - 1 - index]),
        };
        let ahead = |by: usize| match normal.get(index + by) {
            Some(word) => word.as_str(),
            None => AFTER[index + by - normal.len()],
        };
        let (word, mine) = (words[index], normal[index].as_str());
        let ((last, last_tag), (second, second_tag)) = (earlier(1), earlier(2));
        let first = word.chars().next().map_or(0, char::len_utf8);
        let mut scores = [0i32; TAGS.len()];
        for feature in [
            Hash::of(&["b"]),
            Hash::of(&["w=", mine]),
            Hash::of(&["s3=", ending(word)]),
            Hash::of(&["p1=", &word[..first]]),
            Hash::of(&["sh=", &shape(word)]),
            Hash::of(&["t-1=", last_tag]),
            Hash::of(&["t-2=", second_tag]),
            Hash::of(&["t-12=", last_tag, ",", second_tag]),
            Hash::of(&["w-1=", last]),
            Hash::of(&["s3-1=", ending(last)]),
            Hash::of(&["w-2=", second]),
            Hash::of(&["w+1=", ahead(1)]),
            Hash::of(&["s3+1=", ending(ahead(1))]),
            Hash::of(&["w+2=", ahead(2)]),
            Hash::of(&[if index == 0 { "i0" } else { "i+" }]),
        ] {
            let Ok(at) = self.features.binary_search(&feature.0) else { continue };
            for &(tag, weight) in &self.weights[self.starts[at] as usize..self.starts[at + 1] as usize] {
                scores[usize::from(tag)] += i32::from(weight);
            }
        }
        // Of several tags with the same score, the last by name wins.
        let best = (0u8..).zip(scores).max_by_key(|&(tag, score)| (score, tag));
        best.map_or(0, |(tag, _)| tag)
    }

    /// A word in the form that feature names use: classes for numbers and compounds, lower case, or
    /// a rare word's shape.
    fn normal(&self, word: &str) -> String {
        let starts_with_digit = word.starts_with(|first: char| first.is_ascii_digit());
        if word.contains('-') && !word.starts_with('-') {
            return "!HYPHEN".to_owned();
        }
        if word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit()) {
            return "!YEAR".to_owned();
        }
        if starts_with_digit {
            return "!DIGITS".to_owned();
        }
        let lower = word.to_lowercase();
        if self.knows(&lower) { lower } else { format!("<{}>", shape(word)) }
    }
}

/// The last three characters.
fn ending(word: &str) -> &str {
    let cut = word.char_indices().rev().nth(2).map_or(0, |(at, _)| at);
    &word[cut..]
}

/// The shape of a word: `x`, `Xx`, `XX`, `xX` and `X1` (one capital) for plain words; else its
/// first four characters, letters as `x` and digits as `d`.
fn shape(word: &str) -> String {
    if !word.chars().all(char::is_alphabetic) {
        let class = |c: char| match c {
            c if c.is_alphabetic() => 'x',
            c if c.is_numeric() => 'd',
            c => c,
        };
        return word.chars().take(4).map(class).collect();
    }
    let mut chars = word.chars();
    let first_is_capital = chars.next().is_some_and(char::is_uppercase);
    let (mut capitals, mut others) = (0, 0);
    for c in chars {
        *(if c.is_uppercase() { &mut capitals } else { &mut others }) += 1;
    }
    match (first_is_capital, capitals, others) {
        (false, 0, _) => "x",
        (true, 0, 0) => "X1",
        (true, 0, _) => "Xx",
        (true, _, 0) => "XX",
        _ => "xX",
    }
    .to_owned()
}

/// FNV-1a over the parts of a feature name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Hash(u64);

impl Hash {
    fn of(parts: &[&str]) -> Self {
        let bytes = parts.iter().flat_map(|part| part.bytes());
        Self(bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        }))
    }
}

impl<'de> Deserialize<'de> for Tagger {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FileVisitor)
    }
}

/// Reads the file directly into hashes: its text is 4.6 MB, and maps of strings would take ten
/// times as much.
struct FileVisitor;

impl<'de> Visitor<'de> for FileVisitor {
    type Value = Tagger;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a tagger: tags, tagdict, vocab, weights")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tagger, A::Error> {
        let mut tagger = Tagger::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "tags" => {
                    if map.next_value::<Vec<String>>()?.iter().any(|tag| tag_index(tag).is_none()) {
                        return Err(A::Error::custom("it has a tag this program does not know"));
                    }
                }
                "tagdict" => map.next_value_seed(Fixed(&mut tagger))?,
                "vocab" => map.next_value_seed(Known(&mut tagger))?,
                "weights" => map.next_value_seed(Weights(&mut tagger))?,
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        if tagger.features.is_empty() || tagger.known.is_empty() {
            return Err(A::Error::custom("it has no weights or no words"));
        }
        Ok(tagger)
    }
}

fn tag_index(tag: &str) -> Option<u8> {
    TAGS.binary_search(&tag).ok().map(|index| index as u8)
}

/// A string's hash, without keeping the string.
struct Hashed(u64);

impl<'de> Deserialize<'de> for Hashed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Hashed;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a string")
            }
            fn visit_str<E>(self, text: &str) -> Result<Hashed, E> {
                Ok(Hashed(Hash::of(&[text]).0))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

/// A tag's index.
struct TagIndex(u8);

impl<'de> Deserialize<'de> for TagIndex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = TagIndex;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a tag")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<TagIndex, E> {
                tag_index(text).map(TagIndex).ok_or_else(|| E::custom(format_args!("unknown tag {text:?}")))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

struct Fixed<'a>(&'a mut Tagger);

impl<'de> DeserializeSeed<'de> for Fixed<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Fixed<'_> {
    type Value = ();
    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("words and their tags")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some((word, tag)) = map.next_entry::<Hashed, TagIndex>()? {
            self.0.fixed.push((word.0, tag.0));
        }
        self.0.fixed.sort_unstable();
        self.0.fixed.shrink_to_fit();
        Ok(())
    }
}

struct Known<'a>(&'a mut Tagger);

impl<'de> DeserializeSeed<'de> for Known<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Known<'_> {
    type Value = ();
    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a list of words")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(word) = seq.next_element::<Hashed>()? {
            self.0.known.push(word.0);
        }
        self.0.known.sort_unstable();
        self.0.known.shrink_to_fit();
        Ok(())
    }
}

struct Weights<'a>(&'a mut Tagger);

impl<'de> DeserializeSeed<'de> for Weights<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Weights<'_> {
    type Value = ();
    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("features and their weights")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut unsorted: Vec<(u8, i16)> = Vec::new();
        let mut features: Vec<(u64, u32, u32)> = Vec::new();
        while let Some(name) = map.next_key::<Hashed>()? {
            let start = unsorted.len();
            map.next_value_seed(Run(&mut unsorted))?;
            features.push((name.0, start as u32, unsorted.len() as u32));
        }
        features.sort_unstable();
        let tagger = self.0;
        tagger.weights.reserve_exact(unsorted.len());
        for &(name, start, end) in &features {
            tagger.features.push(name);
            tagger.starts.push(tagger.weights.len() as u32);
            tagger.weights.extend_from_slice(&unsorted[start as usize..end as usize]);
        }
        tagger.starts.push(tagger.weights.len() as u32);
        tagger.features.shrink_to_fit();
        tagger.starts.shrink_to_fit();
        Ok(())
    }
}

/// Deserializes one feature's weights and appends them.
struct Run<'a>(&'a mut Vec<(u8, i16)>);

impl<'de> DeserializeSeed<'de> for Run<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Run<'_> {
    type Value = ();
    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("weights by tag")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some((tag, weight)) = map.next_entry::<TagIndex, f64>()? {
            self.0.push((tag.0, (weight * TENTHS).round() as i16));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{TAGS, ending, shape, tag_index};

    #[test]
    fn every_tag_is_found_by_its_name() {
        assert!(TAGS.iter().enumerate().all(|(index, tag)| tag_index(tag) == Some(index as u8)));
        assert_eq!(tag_index("NO"), None);
    }

    #[test]
    fn shapes_and_endings_are_those_of_the_features_in_the_file() {
        let shapes = ["I", "the", "The", "NASA", "iPhone", "U.S.", "20th", "12,000", "n't"].map(shape);
        assert_eq!(shapes, ["X1", "x", "Xx", "XX", "xX", "x.x.", "ddxx", "dd,d", "x'x"]);
        assert_eq!(["", "a", "ab", "naïve", "-START-"].map(ending), ["", "a", "ab", "ïve", "RT-"]);
    }
}
