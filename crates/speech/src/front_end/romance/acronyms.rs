//! Acronyms: which of them are read as words and which are spelled out, and the names of the
//! letters.

use super::grammar::Signs;
pub(in crate::front_end) use super::grammar::Syllables;

/// The name of a single letter.
pub(super) fn letter_of(signs: &Signs, written: &str) -> Option<&'static str> {
    let mut chars = written.chars().flat_map(char::to_lowercase);
    let (Some(c), None) = (chars.next(), chars.next()) else { return None };
    signs.letters.iter().find(|(letter, _)| *letter == c).map(|(_, name)| *name)
}

/// The names of the letters of a word; letters without a name are skipped.
pub(in crate::front_end) fn spelled(signs: &Signs, word: &str) -> String {
    let names: Vec<&str> =
        word.chars().filter_map(|c| letter_of(signs, plain(c).encode_utf8(&mut [0; 4]))).collect();
    names.join(" ")
}

/// A vowel without its accent.
fn plain(c: char) -> char {
    match c {
        'Á' | 'á' | 'À' | 'à' | 'Â' | 'â' | 'Ã' | 'ã' => 'a',
        'É' | 'é' | 'È' | 'è' | 'Ê' | 'ê' | 'Ë' | 'ë' => 'e',
        'Í' | 'í' | 'Ì' | 'ì' | 'Î' | 'î' | 'Ï' | 'ï' => 'i',
        'Ó' | 'ó' | 'Ò' | 'ò' | 'Ô' | 'ô' | 'Õ' | 'õ' => 'o',
        'Ú' | 'ú' | 'Ü' | 'ü' | 'Ù' | 'ù' | 'Û' | 'û' => 'u',
        _ => c,
    }
}

/// The words for an acronym, if it is neither spelled out nor read as a word.
pub(super) fn meant(signs: &Signs, word: &str) -> Option<&'static str> {
    signs.meant.iter().find(|(written, _)| *written == word).map(|(_, said)| *said)
}

/// Whether an acronym is always spelled out.
pub(super) fn is_spelled(signs: &Signs, word: &str) -> bool {
    signs.spelled.contains(&word)
}

/// Whether a word in capitals is read as a word: it is in the list, or it has the syllables of the
/// language.
pub(in crate::front_end) fn is_word(signs: &Signs, word: &str) -> bool {
    if signs.read.contains(&word) {
        return true;
    }
    !is_spelled(signs, word) && word.chars().count() > 3 && is_readable(&signs.syllables, word)
}

/// Whether a word can be divided into syllables: its consonant clusters are ones that the language
/// has, and a vowel is always near.
pub(super) fn is_readable(syllables: &Syllables, word: &str) -> bool {
    let lower = word.to_lowercase();
    let is_vowel = |c: char| syllables.vowels.contains(c);
    let letters: Vec<char> = lower.chars().collect();
    if !letters.iter().any(|&c| is_vowel(c)) {
        return false;
    }
    let mut run = String::new();
    let mut first = true;
    for &c in &letters {
        if is_vowel(c) {
            let fits = if first { is_onset(syllables, &run) } else { is_middle(syllables, &run) };
            if !fits {
                return false;
            }
            run.clear();
            first = false;
        } else {
            run.push(c);
        }
    }
    run.is_empty()
        || (run.chars().count() == 1 && !syllables.not_final.contains(&run))
        || syllables.endings.contains(&run.as_str())
}

/// Whether a word can begin with this run of consonants.
fn is_onset(syllables: &Syllables, run: &str) -> bool {
    match run.chars().count() {
        0 | 1 => true,
        2 => {
            let mut chars = run.chars();
            let (first, second) = (chars.next().unwrap_or(' '), chars.next().unwrap_or(' '));
            (syllables.before_r.contains(first) && second == 'r')
                || (syllables.before_l.contains(first) && second == 'l')
                || syllables.onsets.contains(&run)
        }
        _ => false,
    }
}

/// Whether consonants can occur between two vowels.
fn is_middle(syllables: &Syllables, run: &str) -> bool {
    let count = run.chars().count();
    if count <= 1 || is_onset(syllables, run) || doubled(run) {
        return true;
    }
    let mut chars = run.chars();
    let coda = chars.next().unwrap_or(' ');
    syllables.codas.contains(coda) && count <= 4 && {
        let rest = chars.as_str();
        is_onset(syllables, rest) || rest.strip_prefix('s').is_some_and(|rest| is_onset(syllables, rest))
    }
}

/// Whether a run is one consonant written twice.
fn doubled(run: &str) -> bool {
    let mut chars = run.chars();
    chars.next() == chars.next() && chars.next().is_none()
}

/// Sounds written without vowels that are not names of letters.
pub(super) fn is_noise(word: &str) -> bool {
    let mut letters = word.to_lowercase();
    let mut last = None;
    letters.retain(|c| last.replace(c) != Some(c));
    ["m", "hm", "sh", "pst", "br", "z", "grr", "gr", "chs", "ps", "t", "f", "s", "r", "h"]
        .contains(&letters.as_str())
        && word.len() > 2
        || ["hm", "mm", "sh", "ps"].contains(&word)
}
