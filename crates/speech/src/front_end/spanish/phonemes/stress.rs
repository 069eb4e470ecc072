//! Which vowels of a word are stressed.

use super::{Loudness, Sound};
use crate::front_end::romance::word_set::WordSet;

/// Clitics: words without stress of their own.
static UNSTRESSED: WordSet = WordSet::new(
    "a al con de del e el en la las le les lo los me mi mis nos o os por que quien se si sin su sus \
     te tras tu tus u y",
);

/// Words with a weak stress.
static WEAK: WordSet = WordSet::new(
    "ante aunque bajo como cuando desde donde entre hacia hasta mientras nuestra nuestras nuestro \
     nuestros para pero porque quienes sobre vuestra vuestras vuestro vuestros",
);

/// Words in -mente that are not adverbs.
const NO_ADVERBS: &[&str] = &[
    "atormente",
    "cemente",
    "clemente",
    "complemente",
    "demente",
    "fermente",
    "implemente",
    "inclemente",
    "incremente",
    "lamente",
    "mente",
    "vehemente",
    "tormente",
    "sedimente",
    "condimente",
];

/// The stress of each sound of a word. The last word of a clause is always stressed.
pub(super) fn of(word: &str, letters: &[char], sounds: &[Sound], last: bool) -> Vec<Loudness> {
    let mut loudness = vec![Loudness::None; sounds.len()];
    let vowels: Vec<usize> =
        (0..sounds.len()).filter(|&at| matches!(sounds[at], Sound::Vowel { .. })).collect();
    if vowels.is_empty() || (!last && UNSTRESSED.contains(word)) {
        return loudness;
    }
    let adverb = is_adverb(word, letters, vowels.len());
    let weak = !last && WEAK.contains(word);
    let loudest = if weak { Loudness::Secondary } else { Loudness::Primary };
    let mut mark = |index: usize, loud: Loudness| loudness[vowels[index]] = loud;
    let count = vowels.len();
    let main = if adverb {
        let stem = &letters[..letters.len() - 5];
        let main = position(stem, sounds, &vowels[..count - 2]);
        mark(count - 2, Loudness::Primary);
        main
    } else {
        position(letters, sounds, &vowels)
    };
    mark(main, loudest);
    if weak {
        return loudness;
    }
    // Every second syllable from the first has secondary stress, except the neighbors of the
    // primary stress.
    for index in (0..main.saturating_sub(1)).step_by(2) {
        mark(index, Loudness::Secondary);
    }
    let end = if adverb { count - 3 } else { count - 1 };
    for index in (main + 2..end).step_by(2) {
        mark(index, Loudness::Secondary);
    }
    loudness
}

/// Whether a word with this number of vowels is an adverb in -mente, which has two stressed vowels.
pub(super) fn is_adverb(word: &str, letters: &[char], vowels: usize) -> bool {
    const STEMS_END: [char; 9] = ['a', 'e', 'l', 'n', 'r', 's', 'z', 'ú', 'í'];
    vowels > 3
        && letters.ends_with(&['m', 'e', 'n', 't', 'e'])
        && !NO_ADVERBS.contains(&word)
        && letters.len().checked_sub(6).is_some_and(|at| STEMS_END.contains(&letters[at]))
}

/// Which of the vowels has the primary stress: the one with an accent; otherwise the last but one
/// if the word ends in a vowel, n or s; otherwise the last.
fn position(letters: &[char], sounds: &[Sound], vowels: &[usize]) -> usize {
    let accented = vowels.iter().rposition(|&at| matches!(sounds[at], Sound::Vowel { accented: true, .. }));
    if let Some(accented) = accented {
        return accented;
    }
    let ends_open =
        letters.last().is_some_and(|c| matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'ü' | 'n' | 's'));
    // As in `Harry`, but not `estoy`.
    let y = letters.ends_with(&['y'])
        && letters.len() > 1
        && !matches!(letters[letters.len() - 2], 'a' | 'e' | 'i' | 'o' | 'u');
    let back = if ends_open || y { 2 } else { 1 };
    let whole: Vec<usize> = (0..vowels.len())
        .filter(|&index| !matches!(sounds[vowels[index]], Sound::Vowel { half: true, .. }))
        .collect();
    whole.get(whole.len().saturating_sub(back)).copied().unwrap_or(0)
}
