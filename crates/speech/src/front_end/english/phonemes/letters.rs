//! Words that are read letter by letter: FBI, U.S.A., KRZYZ.

use super::{
    alphabet::{PRIMARY, SECONDARY},
    dictionary::Dictionary,
    stress::Stress,
};

/// The names of a word's letters, with the main stress on the last. `None` when a letter has no
/// name or there are no letters.
pub(super) fn spelled(word: &str, dictionary: &Dictionary) -> Option<String> {
    let mut names = String::new();
    for letter in word.chars().filter(|letter| letter.is_alphabetic()) {
        let upper = letter.to_ascii_uppercase();
        names.push_str(dictionary.gold(upper.encode_utf8(&mut [0; 4]))?.plain());
    }
    let weak = Stress::Secondary.apply(&names);
    let last = weak.rfind(SECONDARY)?;
    let mut spelled = weak;
    spelled.replace_range(last..last + SECONDARY.len_utf8(), PRIMARY.encode_utf8(&mut [0; 4]));
    Some(spelled)
}

/// Whether the word is an initialism with dots: `U.S.`, `e.g.`, `Ph.D.`; its parts have at most two
/// letters.
pub(super) fn is_dotted(word: &str) -> bool {
    word.trim_matches('.').contains('.')
        && word.chars().all(|c| c == '.' || c.is_alphabetic())
        && word.split('.').all(|part| part.chars().count() < 3)
}
