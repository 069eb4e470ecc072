//! Converts spoken words to phonemes by rule: `stress` finds the stressed vowel of a word, `letters`
//! its sounds, `open` whether its e or o is open, and `words` has what is not read as it is written.
//! What a word ends with depends on the next one.
//!
//! The symbols are those that espeak-ng writes for the Portuguese of Brazil, in misaki's mapping to
//! Kokoro's alphabet, because the voices were trained on that output: the last e of a word is y, the
//! last o ʊ and the last a æ; `A` is ei, `I` ai, `W` au. The rules are our own, found by comparison
//! with its output for single words. A nasal vowel is a vowel and U+0303.

mod letters;
mod open;
mod pairs;
mod stress;
mod words;

use crate::front_end::romance::phonemes::Word;

/// How loud the stressed vowel of a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Loudness {
    None,
    Secondary,
    Primary,
}

/// The phonemes of each word of a clause.
pub(super) fn clause(words: &[Word<'_>]) -> Vec<String> {
    let last = words.len().saturating_sub(1);
    let mut said: Vec<String> =
        words.iter().enumerate().map(|(index, word)| pronounce(word, index == last)).collect();
    for (index, word) in
        words.iter().enumerate().filter(|(_, word)| word.given.is_none() && pairs::may_be(word.text))
    {
        let near = |at: Option<usize>| at.and_then(|at| words.get(at)).map_or("", |word| word.text);
        let [second, first, next, after] =
            [index.checked_sub(2), index.checked_sub(1), index.checked_add(1), index.checked_add(2)]
                .map(|at| near(at).to_lowercase());
        if let Some(open) = pairs::is_open([&second, &first], &word.text.to_lowercase(), [&next, &after])
            && let Some(said) = said.get_mut(index)
        {
            let (from, to) =
                if open { (["ˈe", "ˈo"], ["ˈɛ", "ˈɔ"]) } else { (["ˈɛ", "ˈɔ"], ["ˈe", "ˈo"]) };
            *said = said.replace(from[0], to[0]).replace(from[1], to[1]);
        }
    }
    for index in 1..said.len() {
        let (before, after) = said.split_at_mut(index);
        let given = words.get(index - 1).is_some_and(|word| word.given.is_some());
        if let (Some(word), Some(next), false) = (before.last_mut(), after.first(), given) {
            join(word, next);
        }
    }
    said
}

/// `last` means that a pause follows, before which function words are stressed, too.
fn pronounce(word: &Word<'_>, last: bool) -> String {
    if let Some(given) = &word.given {
        return given.clone();
    }
    let lower = word.text.to_lowercase();
    let whole = lower.contains('-').then(|| words::said(&lower)).flatten();
    if let Some(said) = whole {
        return said.to_owned();
    }
    let parts: Vec<&str> = lower.split(['-', '\'']).filter(|part| !part.is_empty()).collect();
    let mut whole = String::with_capacity(lower.len() * 2);
    for (index, &text) in parts.iter().enumerate() {
        // "Disse-me": the pronoun leans on the verb.
        let clitic = index > 0 && words::is_clitic(text);
        let loudness = match words::loudness(text) {
            _ if clitic => Loudness::None,
            _ if last && index + 1 == parts.len() => Loudness::Primary,
            loudness => loudness,
        };
        // "D'água".
        let elided = index + 1 < parts.len() && text == "d";
        let said = if elided { text.to_owned() } else { part(text, loudness) };
        if index > 0 {
            join(&mut whole, &said);
        }
        whole.push_str(&said);
    }
    whole
}

/// The sounds of a word without hyphens.
fn part(text: &str, loudness: Loudness) -> String {
    if let Some(said) = words::said(text) {
        return match loudness {
            Loudness::None => said.replace('ˈ', ""),
            Loudness::Secondary => said.replace('ˈ', "ˌ"),
            Loudness::Primary => said.to_owned(),
        };
    }
    let plain: Vec<char> = text.chars().filter_map(letters::plain).collect();
    letters::sounds(text, &plain, loudness)
}

/// Fits the end of a word to the next one: the last vowel becomes a glide before a vowel, and s is
/// voiced before a vowel or a voiced consonant.
fn join(word: &mut String, next: &str) {
    let Some(first) = next.chars().find(|c| !matches!(c, 'ˈ' | 'ˌ')) else { return };
    let vowel = "aeiouæɐɔɛʊyAIWOɪũõ".contains(first);
    let voiced = "bdɡvzʒʤmnlɲɾrx".contains(first);
    let (stressed, length) = (word.contains(['ˈ', 'ˌ']), word.chars().count());
    if word.ends_with('s') && length > 1 && (vowel || voiced) {
        word.pop();
        word.push('z');
    } else if vowel && stressed && length > 2 {
        for (last, glide) in [('y', 'j'), ('ʊ', 'w')] {
            let before = word.chars().rev().nth(1).unwrap_or(' ');
            if word.ends_with(last) && !"aeiouæɐɔɛ\u{303}AIW".contains(before) {
                word.pop();
                word.push(glide);
                break;
            }
        }
    }
}

/// Whether a letter is a vowel.
fn is_vowel(c: char) -> bool {
    "aeiouáàâãéêíóôõúü".contains(c)
}
