//! From the words of a sentence to their phonemes, clause by clause: every mark is a pause, and
//! sounds do not join across a pause.

pub(in crate::front_end) use super::grammar::Word;
use super::{
    grammar::Grammar,
    phrases,
    text::{Sentence, Token},
};
use crate::phonemes::{Lexicon, PhonemeWord, alphabet::is_pause, ipa};

/// Longer words are cut, so that each fits into one run of a network.
const LONGEST_SPOKEN_BYTES: usize = 200;

impl<'a> Word<'a> {
    fn of(token: &'a Token, lexicon: &Lexicon) -> Self {
        let given = token.ipa.as_deref().map(ipa::said);
        let given = given.or_else(|| lexicon.get(&token.text).map(str::to_owned));
        // Textbook IPA was parsed as an English pronunciation, which has no rolled r.
        Self { text: &token.text, given: given.map(|given| given.replace('ɹ', "r")) }
    }
}

/// The phonemes of a sentence in order, including punctuation; this never fails.
pub(super) fn pronounce(sentence: &Sentence, grammar: &dyn Grammar, lexicon: &Lexicon) -> Vec<PhonemeWord> {
    let tokens = sentence.tokens.as_slice();
    let mut words = Vec::with_capacity(tokens.len());
    let mut start = 0;
    for (index, token) in tokens.iter().enumerate() {
        if token.ipa.is_some() || token.text.contains(char::is_alphanumeric) {
            continue;
        }
        clause(&tokens[start..index], grammar, lexicon, &mut words);
        start = index + 1;
        words.push(PhonemeWord {
            phonemes: mark(&token.text).to_owned(),
            source: token.source.clone(),
            space_after: token.space_after,
            punctuation: true,
            starts_phrase: false,
        });
    }
    clause(&tokens[start..], grammar, lexicon, &mut words);
    words
}

/// The voices' symbol for a punctuation mark, or for a run of one.
fn mark(text: &str) -> &str {
    if text.starts_with("...") {
        return "…";
    }
    let first = text.chars().next().filter(|&c| is_pause(c) || matches!(c, '(' | ')'));
    first.map_or("", |c| &text[..c.len_utf8()])
}

/// Writes the words of a clause.
fn clause(tokens: &[Token], grammar: &dyn Grammar, lexicon: &Lexicon, words: &mut Vec<PhonemeWord>) {
    if tokens.is_empty() {
        return;
    }
    let clause: Vec<Word<'_>> = tokens.iter().map(|token| Word::of(token, lexicon)).collect();
    for (index, (token, phonemes)) in tokens.iter().zip(grammar.clause(&clause)).enumerate() {
        let before = index.checked_sub(1).map_or("", |before| tokens[before].text.as_str());
        write(&phonemes, token, phrases::starts(grammar.words(), before, &token.text), words);
    }
}

/// Writes a word, in pieces if it is too long.
fn write(phonemes: &str, token: &Token, starts_phrase: bool, words: &mut Vec<PhonemeWord>) {
    let mut rest = phonemes;
    let mut starts_phrase = starts_phrase;
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
            space_after: more.is_empty() && token.space_after,
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
