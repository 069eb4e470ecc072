//! Which of the unwritten a's of a word are heard, and the symbols of the word that results.

use super::{
    sounds::{Kind, Sound},
    stress::Stress,
};
use crate::phonemes::alphabet::{PRIMARY, SECONDARY};

/// Writes the sounds of words that hyphens join, which are one word to these rules, each with the
/// stress of its vowels.
pub(super) fn write(words: &[(Vec<Sound>, Vec<Stress>)]) -> Vec<String> {
    let sounds: Vec<Sound> = words.iter().flat_map(|(sounds, _)| sounds.iter().copied()).collect();
    let mut stresses = words.iter().flat_map(|(_, stresses)| stresses.iter().copied());
    let next_is_a = next_is_a(&sounds);
    let mut silent = vec![false; sounds.len()];
    let mut is_first = true;
    let mut all = Vec::with_capacity(words.len());
    let mut start = 0;
    for (own, _) in words {
        let mut said = String::with_capacity(own.len() * 3);
        for at in start..start + own.len() {
            let sound = sounds[at];
            if !sound.is_vowel() {
                said.push_str(consonant(&sounds, &silent, at));
                continue;
            }
            let stress = stresses.next().unwrap_or(Stress::None);
            let symbols = match sound.kind {
                Kind::Schwa if at == 0 || stress == Stress::Primary => "ʌ",
                Kind::Schwa if is_silent(&sounds, &silent, at, next_is_a[at], is_first) => {
                    silent[at] = true;
                    continue;
                }
                Kind::LongI if stress == Stress::None => "i",
                _ => sound.symbols,
            };
            is_first = false;
            match stress {
                Stress::Primary => said.push(PRIMARY),
                Stress::Secondary => said.push(SECONDARY),
                Stress::None => {}
            }
            said.push_str(symbols);
        }
        start += own.len();
        all.push(said);
    }
    all
}

/// For each place, whether the next vowel after it is an a; `None` when there is none.
fn next_is_a(sounds: &[Sound]) -> Vec<Option<bool>> {
    let mut all = vec![None; sounds.len()];
    let mut next = None;
    for (at, sound) in sounds.iter().enumerate().rev() {
        all[at] = next;
        if sound.is_vowel() {
            next = Some(sound.is_a());
        }
    }
    all
}

/// Whether the a at a place, which has no primary stress, is not heard: at the end of a word, and
/// between a consonant after a vowel and a consonant before another vowel than a.
fn is_silent(sounds: &[Sound], silent: &[bool], at: usize, next_is_a: Option<bool>, is_first: bool) -> bool {
    if at + 1 == sounds.len() && !is_first {
        return true;
    }
    let consonant = before(sounds, at);
    if consonant.is_some_and(|consonant| sounds[consonant].kind == Kind::H) {
        return false;
    }
    let after_vowel = consonant
        .and_then(|consonant| before(sounds, consonant))
        .is_some_and(|vowel| sounds[vowel].is_vowel() && !silent[vowel]);
    let closes_word = next_is_a.is_none() && sounds.get(at + 1).is_some_and(|next| !next.is_vowel());
    after_vowel && next_is_a != Some(true) && !closes_word
}

/// The place of the sound before a place; length is no sound of its own.
fn before(sounds: &[Sound], at: usize) -> Option<usize> {
    (0..at).rev().find(|&before| sounds[before].kind != Kind::Length)
}

/// The symbols of a consonant; an r rolls before a consonant, unless it stands between a vowel and
/// a stop.
fn consonant(sounds: &[Sound], silent: &[bool], at: usize) -> &'static str {
    let sound = sounds[at];
    if sound.kind != Kind::R || sounds.get(at + 1).is_none_or(|next| next.is_vowel()) {
        return sound.symbols;
    }
    let after_vowel = at.checked_sub(1).is_some_and(|before| sounds[before].is_vowel() && !silent[before]);
    if after_vowel && sounds[at + 1].kind == Kind::Stop { sound.symbols } else { "r" }
}
