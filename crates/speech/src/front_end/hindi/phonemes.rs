//! From the words of a sentence to their phonemes: `letters` has the sounds of letters, `stress`
//! the stressed syllables, `schwa` the a's that are not heard, and `words` the exceptions.

mod letters;
mod schwa;
mod sounds;
mod stress;
mod words;

use super::{figures, phrases, text::Token, words::LATIN};
use sounds::Sound;
use stress::Stress;

use crate::{
    front_end::{FrontEnd as _, FrontEndError, Pause, Span, english::English},
    language::Language,
    phonemes::{Lexicon, PhonemeWord, alphabet::is_pause, ipa},
};

/// Longer words are cut, so that each fits into one run of a network.
const LONGEST_SPOKEN_BYTES: usize = 200;

/// The most words that hyphens join.
const MOST_JOINED: usize = 8;

/// The phonemes of a sentence in order, including punctuation. Words in other scripts are read by
/// the English front end, or spelled where there is none.
pub(super) fn pronounce(
    tokens: &[Token],
    text: &str,
    english: Option<&English>,
    lexicon: &Lexicon,
) -> Result<Vec<PhonemeWord>, FrontEndError> {
    let mut words = Vec::with_capacity(tokens.len());
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        let next = tokens.get(index + 1);
        index += 1;
        if !token.is_word() {
            words.push(PhonemeWord {
                phonemes: mark(&token.text).to_owned(),
                source: token.source.clone(),
                space_after: token.space_after,
                punctuation: true,
                starts_phrase: false,
            });
        } else if let Some(given) = given(token, text, lexicon) {
            write(&given, token, token.space_after, &mut words);
        } else if token.is_foreign() {
            foreign(token, text, english, lexicon, &mut words)?;
        } else if let Some(mut said) = figure(token, text) {
            // "चार सौ" is one word where it is written in digits, and an r rolls before the s.
            let glued = next.is_some_and(|next| next.text == figures::HUNDRED && next.source == token.source);
            if glued && said.ends_with('ɾ') {
                said.pop();
                said.push('r');
            }
            write(&said, token, token.space_after && !glued, &mut words);
        } else {
            let by_letters = |token: &Token| {
                token.is_word()
                    && !token.is_foreign()
                    && given(token, text, lexicon).is_none()
                    && figure(token, text).is_none()
            };
            let first = index - 1;
            while !tokens[index - 1].space_after
                && index - first < MOST_JOINED
                && tokens.get(index).is_some_and(by_letters)
            {
                index += 1;
            }
            let last = tokens.get(index).is_none_or(|next| !next.is_word());
            let joined = &tokens[first..index];
            for (token, said) in joined.iter().zip(of_letters(joined, last)) {
                write(&said, token, token.space_after, &mut words);
            }
        }
    }
    Ok(words)
}

/// The pronunciation that the text or the lexicon gives for a word.
fn given(token: &Token, text: &str, lexicon: &Lexicon) -> Option<String> {
    if let Some(given) = &token.ipa {
        return Some(ipa::said(given));
    }
    let written = text.get(token.source.clone()).unwrap_or_default();
    lexicon.get(&token.text).or_else(|| lexicon.get(written)).map(str::to_owned)
}

/// The phonemes of a word that stands for digits.
fn figure(token: &Token, text: &str) -> Option<String> {
    let is_digit = |c: char| c.is_ascii_digit() || ('\u{966}'..='\u{96F}').contains(&c);
    let written = text.get(token.source.clone())?;
    figures::phonemes(&token.text).filter(|_| written.contains(is_digit))
}

/// The phonemes of words that hyphens join, by their letters; `last` in their clause.
fn of_letters(joined: &[Token], last: bool) -> Vec<String> {
    let mut all: Vec<String> = Vec::with_capacity(joined.len());
    let mut open = Vec::new();
    for (index, token) in joined.iter().enumerate() {
        if let Some(said) = words::irregular(&token.text) {
            all.append(&mut schwa::write(&std::mem::take(&mut open)));
            all.push(said.to_owned());
            continue;
        }
        let is_last = last && index + 1 == joined.len();
        open.push(word(&token.text, words::leans(&token.text) && !(is_last && token.text == words::IN)));
    }
    all.append(&mut schwa::write(&open));
    all
}

/// The sounds of a word, and the stress of its vowels.
fn word(text: &str, leans: bool) -> (Vec<Sound>, Vec<Stress>) {
    let sounds = letters::sounds(text);
    let stresses = stress::stresses(&sounds, leans);
    (sounds, stresses)
}

/// Reads words in another script.
fn foreign(
    token: &Token,
    text: &str,
    english: Option<&English>,
    lexicon: &Lexicon,
    words: &mut Vec<PhonemeWord>,
) -> Result<(), FrontEndError> {
    let first = words.len();
    if let Some(english) = english {
        let span = Span { range: token.source.clone(), pause: Pause::Phrase };
        let said = english.read(text, &span, Language::EN_US, lexicon)?;
        words.extend(said.words.into_iter().filter(|word| !word.phonemes.contains(' ')));
    }
    if !words[first..].iter().any(|word| !word.phonemes.is_empty()) {
        words.truncate(first);
        for letter in token.text.chars() {
            write(&name(letter), token, true, words);
        }
    }
    if let Some(last) = words[first..].last_mut() {
        last.space_after = token.space_after;
    }
    Ok(())
}

/// The phonemes of the name of a Latin letter or a digit; empty for other characters.
fn name(letter: char) -> String {
    let letter = letter.to_ascii_uppercase();
    let latin = letter.is_ascii_uppercase().then(|| LATIN.get(letter as usize - 'A' as usize));
    let digit = letter.to_digit(10).map(|digit| figures::small(digit as usize));
    latin
        .flatten()
        .copied()
        .or(digit)
        .map(|name| schwa::write(&[word(name, false)]).concat())
        .unwrap_or_default()
}

/// The voices' symbol for a punctuation mark, or for a run of one.
fn mark(text: &str) -> &str {
    if text.starts_with("...") {
        return "…";
    }
    let first = text.chars().next().filter(|&c| is_pause(c) || matches!(c, '(' | ')'));
    first.map_or("", |c| &text[..c.len_utf8()])
}

/// Writes a word, in pieces if it is too long.
fn write(phonemes: &str, token: &Token, space_after: bool, words: &mut Vec<PhonemeWord>) {
    let mut rest = phonemes;
    let mut starts_phrase = phrases::starts(&token.text);
    loop {
        let cut = if rest.len() > LONGEST_SPOKEN_BYTES {
            rest.floor_char_boundary(LONGEST_SPOKEN_BYTES)
        } else {
            rest.len()
        };
        let (piece, more) = rest.split_at(cut);
        words.push(PhonemeWord {
            phonemes: piece.to_owned(),
            source: token.source.clone(),
            space_after: more.is_empty() && space_after,
            punctuation: false,
            starts_phrase,
        });
        if more.is_empty() {
            return;
        }
        rest = more;
        starts_phrase = false;
    }
}
