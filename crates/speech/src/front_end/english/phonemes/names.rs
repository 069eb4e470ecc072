//! Names, brands, acronyms and borrowed words that the lexicons lack or have wrong. They stand in a
//! file of the crate, one a line in the order of their bytes, and are searched by halves: nothing
//! is built at the start.
//!
//! The file has one pronunciation for both accents, with ɒ for the vowel of "lot"; the British one
//! is derived. A name of two words has the parts of both, with a space between.

use super::{Accent, accents, alphabet::is_vowel, endings};

const NAMES: &str = include_str!("names.tsv");

/// Shorter words are no plurals of names.
const SHORTEST_PLURAL: usize = 5;

/// The pronunciation of a name, in this spelling, with a small first letter, without capitals or
/// without accents.
pub(super) fn find(word: &str, accent: Accent) -> Option<String> {
    let said = entry(word)
        .or_else(|| entry(&small(word)?))
        .or_else(|| entry(&title(word)?))
        .or_else(|| entry(&accents::plain(word)?))?;
    (!said.contains(' ')).then(|| in_accent(said, accent))
}

/// The pronunciation of a name's possessive.
pub(super) fn possessive(word: &str, accent: Accent) -> Option<String> {
    let owner = word.strip_suffix("'s").or_else(|| word.strip_suffix('\''))?;
    endings::plural(&find(owner, accent)?, accent)
}

/// The pronunciation of a name's plural.
pub(super) fn plural(word: &str, accent: Accent) -> Option<String> {
    let stem = word.strip_suffix('s').filter(|_| word.len() >= SHORTEST_PLURAL && !word.ends_with("ss"))?;
    endings::plural(&find(stem, accent)?, accent)
}

/// The part of a word in a name of two words: `Des` in "Des Moines".
pub(super) fn part(first: &str, second: &str, is_second: bool, accent: Accent) -> Option<String> {
    let both = format!("{first} {second}");
    // "Coup d'État", in a title or at the start of a sentence.
    let is_title = || both.contains(char::is_uppercase).then(|| both.to_lowercase());
    let both = entry(&both).or_else(|| entry(&is_title()?))?;
    let said = both.split(' ').nth(usize::from(is_second))?;
    Some(in_accent(said, accent))
}

/// The pronunciation of a word as it stands in the file.
fn entry(word: &str) -> Option<&'static str> {
    let (mut low, mut high) = (0, NAMES.len());
    while low < high {
        let middle = low.midpoint(high);
        let start = NAMES.as_bytes()[..middle].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let line = NAMES.get(start..)?.split('\n').next()?;
        let (name, said) = line.split_once('\t')?;
        match name.cmp(word) {
            std::cmp::Ordering::Equal => return Some(said),
            std::cmp::Ordering::Less => low = start + line.len() + 1,
            std::cmp::Ordering::Greater => high = start,
        }
    }
    None
}

/// A borrowed word at the start of a sentence.
fn small(word: &str) -> Option<String> {
    let mut letters = word.chars();
    let first = letters.next().filter(|first| first.is_uppercase())?;
    let rest = letters.as_str();
    (!rest.is_empty() && !rest.contains(char::is_uppercase)).then(|| first.to_lowercase().to_string() + rest)
}

/// A name in capitals. Short ones are initialisms.
fn title(word: &str) -> Option<String> {
    let mut letters = word.chars();
    let first = letters.next()?;
    let rest = letters.as_str();
    let shouted = word.chars().count() > 4 && !word.contains(char::is_lowercase);
    shouted.then(|| first.to_string() + &rest.to_lowercase())
}

fn in_accent(said: &str, accent: Accent) -> String {
    match accent {
        Accent::American => said.replace('ɒ', "ɑ"),
        Accent::British => british(said),
    }
}

/// The British form: long vowels are marked, and an r is heard before a vowel only.
fn british(said: &str) -> String {
    let symbols: Vec<char> = said.chars().collect();
    let vowel_follows = |at: usize| {
        let next = symbols[at..].iter().find(|symbol| !matches!(symbol, 'ˈ' | 'ˌ'));
        next.is_some_and(|&next| is_vowel(next))
    };
    let mut british = String::with_capacity(said.len() + 4);
    for (at, &symbol) in symbols.iter().enumerate() {
        let r_follows = symbols.get(at + 1) == Some(&'ɹ') && !vowel_follows(at + 2);
        let stressed = at > 0 && matches!(symbols[at - 1], 'ˈ' | 'ˌ');
        match symbol {
            'ɹ' if !vowel_follows(at + 1) => {}
            'ɪ' | 'i' if r_follows => british.push_str("ɪə"),
            'ʊ' | 'u' if r_follows => british.push_str("ʊə"),
            'ɛ' if r_follows => british.push_str("ɛː"),
            'i' if stressed => british.push_str("iː"),
            'ɑ' | 'ɔ' | 'u' | 'ɜ' => british.extend([symbol, 'ː']),
            _ => british.push(symbol),
        }
    }
    british
}

#[cfg(test)]
mod tests {
    use super::{british, entry, find, plural, possessive};
    use crate::front_end::english::Accent;

    #[test]
    fn every_line_is_found_and_a_word_between_two_lines_is_not() {
        for line in super::NAMES.lines() {
            let (name, said) = line.split_once('\t').unwrap();
            assert_eq!(entry(name), Some(said), "{name}");
        }
        for word in ["", "A", "Goeth", "Goethes", "zzz", "\u{10FFFF}"] {
            assert_eq!(entry(word), None, "{word:?}");
        }
    }

    #[test]
    fn case_accents_plurals_and_possessives_lead_to_the_name() {
        let american = |word| {
            let accent = Accent::American;
            find(word, accent).or_else(|| possessive(word, accent)).or_else(|| plural(word, accent))
        };
        for (word, said) in [
            ("GOETHE", "ɡˈɜɹTə"),
            ("Spätzle", "ʃpˈɛtslə"),
            ("Goethe's", "ɡˈɜɹTəz"),
            ("Nguyens", "wˈɪnz"),
            ("Dvořák", "dvˈɔɹʒæk"),
        ] {
            assert_eq!(american(word).as_deref(), Some(said), "{word}");
        }
    }

    #[test]
    fn the_british_form_has_long_vowels_and_no_r_before_consonants() {
        assert_eq!(british("ɡˈɜɹTə"), "ɡˈɜːTə");
        assert_eq!(british("mˈɑɹkɛs"), "mˈɑːkɛs");
        assert_eq!(british("stɹəvˈɪnski"), "stɹəvˈɪnski");
        assert_eq!(british("hˈɑɹi"), "hˈɑːɹi");
        assert_eq!(british("vˈɛɹsi"), "vˈɛːsi");
    }
}
