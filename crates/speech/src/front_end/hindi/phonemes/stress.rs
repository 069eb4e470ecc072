//! Which vowels of a word are stressed: the last of the heaviest syllables before the last one, and
//! then every second syllable around it, as espeak-ng does it in Hindi.

use super::sounds::{Kind, Sound};

/// How strongly a vowel is stressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stress {
    None,
    Secondary,
    Primary,
}

/// The stress of each vowel, in order. Words that lean on others have no primary one.
pub(super) fn stresses(sounds: &[Sound], leans: bool) -> Vec<Stress> {
    let weights = weights(sounds);
    let Some((&last, others)) = weights.split_last() else { return Vec::new() };
    let mut heaviest = None;
    for (index, &weight) in others.iter().enumerate() {
        if heaviest.is_none_or(|(most, _)| weight >= most) {
            heaviest = Some((weight, index));
        }
    }
    let peak = match heaviest {
        _ if last == 2 && heaviest.is_none_or(|(most, _)| most < 2) => others.len(),
        Some((most, index)) if most > 0 => index,
        _ => 0,
    };
    let mut stresses = vec![Stress::None; weights.len()];
    stresses[peak] = Stress::Primary;
    for index in 0..stresses.len() {
        let free = |at: Option<usize>| {
            at.and_then(|at| stresses.get(at)).is_none_or(|stress| *stress == Stress::None)
        };
        if free(index.checked_sub(1)) && free(Some(index)) && free(Some(index + 1)) {
            stresses[index] = Stress::Secondary;
        }
    }
    if leans {
        stresses[peak] = if weights.len() == 1 { Stress::None } else { Stress::Secondary };
    }
    stresses
}

/// The weight of each syllable: one for a long vowel, one for two consonants after it, or for a
/// consonant at the end of the word.
fn weights(sounds: &[Sound]) -> Vec<u8> {
    let mut weights = Vec::new();
    for (at, sound) in sounds.iter().enumerate().filter(|(_, sound)| sound.is_vowel()) {
        let mut next = at + 1;
        let lengthened = sounds.get(next).is_some_and(|next| next.kind == Kind::Length);
        if lengthened {
            next += 1;
        }
        let closed = sounds.get(next).is_some_and(|next| !next.is_vowel())
            && !sounds.get(next + 1).is_some_and(|after| after.is_vowel());
        weights.push(u8::from(lengthened || sound.is_long()) + u8::from(closed));
    }
    weights
}
