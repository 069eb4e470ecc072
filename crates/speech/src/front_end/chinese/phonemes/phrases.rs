//! Readings of words that the pack's table lacks or reads otherwise: words with several readings of
//! a character, and words with a neutral syllable. A line that begins with `+` and a part of speech is
//! a word that the pack's list of words lacks, too.

use std::sync::LazyLock;

use crate::front_end::chinese::table::Table;

/// Words and the readings of their characters.
const PHRASES: &str = include_str!("phrases.txt");

static TABLE: LazyLock<Table<&str>> = LazyLock::new(|| {
    Table::new(PHRASES.lines().filter_map(entry).map(|(word, reading, _)| (word, reading)).collect())
});

/// A word, its reading, and its part of speech where the pack has no such word.
fn entry(line: &str) -> Option<(&str, &str, Option<u8>)> {
    let (first, rest) = line.split_once(' ').filter(|(first, _)| !first.starts_with('#'))?;
    match first.strip_prefix('+') {
        Some(tag) => rest.split_once(' ').map(|(word, reading)| (word, reading, tag.bytes().next())),
        None => Some((first, rest, None)),
    }
}

/// Words that the pack's list lacks, each with its part of speech.
pub(in crate::front_end::chinese) fn words() -> impl Iterator<Item = (&'static str, u8)> {
    PHRASES.lines().filter_map(entry).filter_map(|(word, _, tag)| tag.map(|tag| (word, tag)))
}

/// The bytes of the longest of these words that a text begins with, and its reading.
pub(super) fn longest(text: &str) -> Option<(usize, &'static str)> {
    let mut longest = None;
    TABLE.each_prefix(text, |bytes, reading| longest = Some((bytes, *reading)));
    longest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front_end::chinese::syllables;

    #[test]
    fn every_word_has_a_syllable_for_each_character() {
        for line in PHRASES.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (word, reading, _) = entry(line).expect("a word and its reading");
            assert_eq!(word.chars().count(), reading.split(' ').count(), "{line}");
            for syllable in reading.split(' ') {
                assert!(syllables::write(syllable, &mut String::new()), "{line}");
            }
        }
        assert_eq!(longest("妈妈说"), Some((6, "mā ma")));
        assert_eq!(longest("x"), None);
    }
}
