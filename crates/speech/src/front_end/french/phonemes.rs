//! Converts spoken words to phonemes by rule: `letters` finds the sounds of a word, `irregular` has
//! words that are not read as they are written, and `liaison` the consonants that are heard only
//! before a vowel.
//!
//! The symbols are those that espeak-ng writes for French, in misaki's mapping to Kokoro's alphabet,
//! because the voice was trained on that output. The rules are our own, found by comparison with its
//! output for single words. A nasal vowel is a vowel and U+0303.

mod irregular;
mod letters;
mod liaison;

use crate::front_end::romance::phonemes::Word;

/// How loud a part of a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stress {
    /// A function word: stressed only before a pause.
    None,
    /// A function word of two syllables.
    Secondary,
    Primary,
}

/// A part of a word between hyphens, with what is elided before it.
#[derive(Debug)]
struct Part<'a> {
    /// Which word of the clause it is a part of.
    word: usize,
    /// In lower case, without an elided word before it: `homme` of `l'homme`.
    text: String,
    /// The sounds of an elided word: `l`.
    elided: String,
    /// Its sounds without stress.
    said: String,
    stress: Stress,
    /// Phonemes that were given, which no rule changes.
    given: Option<&'a str>,
}

impl Part<'_> {
    /// Whether a consonant may be joined to it: it begins with a vowel.
    fn takes_liaison(&self) -> bool {
        self.elided.is_empty() && self.given.is_none() && liaison::begins_with_vowel(&self.text, &self.said)
    }
}

/// The phonemes of each word of a clause.
pub(in crate::front_end) fn clause(words: &[Word<'_>]) -> Vec<String> {
    let mut parts: Vec<Part<'_>> = Vec::with_capacity(words.len());
    for (index, word) in words.iter().enumerate() {
        split(word, index, &mut parts);
    }
    for at in 0..parts.len() {
        let (said, stress) = pronounce(&parts, at);
        parts[at].said = said;
        parts[at].stress = stress;
    }
    let mut written = vec![String::new(); words.len()];
    for (at, part) in parts.iter().enumerate() {
        let Some(word) = written.get_mut(part.word) else { continue };
        if let Some(given) = part.given {
            word.push_str(given);
            continue;
        }
        let next = parts.get(at + 1);
        let said = match next {
            Some(next) => liaison::before(&parts[..at], part, next),
            None => part.said.clone(),
        };
        let stress = if next.is_none() { Stress::Primary } else { part.stress };
        word.push_str(&part.elided);
        stressed(&said, stress, word);
    }
    written
}

/// Cuts a word at its hyphens and after elided words.
fn split<'a>(word: &'a Word<'a>, index: usize, parts: &mut Vec<Part<'a>>) {
    let part = |text: String, elided: String, given: Option<&'a str>| Part {
        word: index,
        text,
        elided,
        said: String::new(),
        stress: Stress::Primary,
        given,
    };
    if let Some(given) = &word.given {
        parts.push(part(String::new(), String::new(), Some(given)));
        return;
    }
    let lower = word.text.to_lowercase();
    if irregular::is_whole(&lower) {
        parts.push(part(lower, String::new(), None));
        return;
    }
    for piece in lower.split('-') {
        let mut elided = String::new();
        let mut rest = piece;
        while let Some((head, tail)) = rest.split_once('\'') {
            if irregular::is_whole(rest) {
                break;
            }
            elided.push_str(&liaison::elided(head));
            rest = tail;
        }
        parts.push(part(rest.to_owned(), elided, None));
    }
}

/// The sounds of a part, and its stress.
fn pronounce(parts: &[Part<'_>], at: usize) -> (String, Stress) {
    let part = &parts[at];
    if part.given.is_some() {
        return (String::new(), Stress::Primary);
    }
    let text = part.text.as_str();
    let stress = irregular::stress(text);
    if let Some(said) = irregular::by_neighbors(parts, at) {
        return (said.to_owned(), stress);
    }
    if let Some(said) = irregular::said(text) {
        return (said.to_owned(), stress);
    }
    let verb = text.ends_with("ent") && irregular::is_verb(parts, at);
    let said = letters::sounds(text, verb);
    // "Nous portions" against "les portions".
    let verb_of_we =
        said.strip_suffix("sjɔ̃").filter(|_| text.ends_with("tions") && irregular::follows_we(parts, at));
    (verb_of_we.map(|stem| format!("{stem}tjɔ̃")).unwrap_or(said), stress)
}

/// Writes sounds with the stress before their last vowel that is not a schwa.
fn stressed(said: &str, stress: Stress, word: &mut String) {
    let mark = match stress {
        Stress::None => "",
        Stress::Secondary => "ˌ",
        Stress::Primary => "ˈ",
    };
    let vowel = |c: char| "aeiouyɛøœɔɑ".contains(c);
    let place = said.rfind(vowel).or_else(|| said.rfind('ə'));
    let (head, tail) = said.split_at(place.unwrap_or(0));
    word.push_str(head);
    if place.is_some() {
        word.push_str(mark);
    }
    word.push_str(tail);
}
