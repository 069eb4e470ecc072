//! Adjusts sounds to their neighbors, within a word and across the words of a clause: b, d and ɡ
//! are soft except after a pause or a nasal, and n takes the place of articulation of the following
//! sound.

use super::{Loudness, PRIMARY, SECONDARY, Sound, Word};

/// The phonemes of each word of a clause.
pub(super) fn join(words: &[Word]) -> Vec<String> {
    let mut before: Option<Sound> = None;
    let mut said = Vec::with_capacity(words.len());
    for (index, word) in words.iter().enumerate() {
        if let Some(given) = &word.given {
            before = given.chars().next_back().map(known);
            said.push(given.clone());
            continue;
        }
        let next_word = words.get(index + 1).and_then(first);
        let mut phonemes = String::with_capacity(word.sounds.len() * 2);
        for (at, &sound) in word.sounds.iter().enumerate() {
            let inside = word.sounds.get(at + 1).copied();
            match word.loudness[at] {
                Loudness::Primary => phonemes.push(PRIMARY),
                Loudness::Secondary => phonemes.push(SECONDARY),
                Loudness::None => {}
            }
            match sound {
                Sound::Vowel { symbol, loud, .. } => {
                    phonemes.push_str(if word.loudness[at] == Loudness::Primary { loud } else { symbol });
                }
                Sound::Other(symbol) => phonemes.push(symbol),
                Sound::B => {
                    phonemes.push(if is_hard(before, inside, inside.or(next_word)) { 'b' } else { 'β' });
                }
                // At the end of a word it is kept.
                Sound::D => {
                    phonemes.push(if inside.is_none() || is_hard(before, inside, inside) {
                        'd'
                    } else {
                        'ð'
                    });
                }
                Sound::G => {
                    phonemes.push(if inside.is_none() || is_hard(before, inside, inside) {
                        'ɡ'
                    } else {
                        'ɣ'
                    });
                }
                Sound::N => phonemes.push(nasal(inside.or(next_word))),
                Sound::Y => phonemes.push(if is_nasal(before) { 'ʤ' } else { 'ʝ' }),
            }
            before = Some(sound);
        }
        said.push(phonemes);
    }
    said
}

/// A symbol as the sound that affects its neighbors.
fn known(symbol: char) -> Sound {
    match symbol {
        'n' | 'm' | 'ŋ' | 'ɲ' => Sound::N,
        other => Sound::Other(other),
    }
}

/// The first sound of a word.
fn first(word: &Word) -> Option<Sound> {
    match &word.given {
        Some(given) => {
            given.chars().find(|c| !matches!(*c, PRIMARY | SECONDARY)).map(|symbol| match symbol {
                'b' => Sound::B,
                'ɡ' => Sound::G,
                other => Sound::Other(other),
            })
        }
        None => word.sounds.first().copied(),
    }
}

fn is_nasal(sound: Option<Sound>) -> bool {
    matches!(sound, Some(Sound::N | Sound::Other('m' | 'ŋ' | 'ɲ')))
}

/// Whether b, d or ɡ is a stop: after a pause or a nasal, and before another stop or a nasal.
/// `inside` is the next sound within the word, `next` the next sound including that of the next
/// word.
fn is_hard(before: Option<Sound>, inside: Option<Sound>, next: Option<Sound>) -> bool {
    if before.is_none() || is_nasal(before) {
        return true;
    }
    let stop = matches!(
        next,
        Some(Sound::N | Sound::B | Sound::D | Sound::G | Sound::Other('m' | 'n' | 't' | 'k' | 'p' | 'ʧ'))
    );
    // At the end of the word, before another consonant.
    let ends = inside.is_none() && !matches!(next, Some(Sound::Vowel { .. } | Sound::Other('w' | 'j')));
    stop || ends
}

fn nasal(next: Option<Sound>) -> char {
    match next {
        Some(Sound::B | Sound::Other('p')) => 'm',
        Some(Sound::G | Sound::Other('x')) => 'ŋ',
        _ => 'n',
    }
}
