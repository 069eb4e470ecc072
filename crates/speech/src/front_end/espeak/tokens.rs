//! Words and marks of a text: as it is written, or as a language's own rules have spelled it out.

use std::ops::Range;

use crate::{
    front_end::{clean::Clean, spelling::SpelledWord},
    markup::Kind,
    phonemes::{Lexicon, PhonemeWord},
};

/// The longest clause that is said in one go, in bytes: the program cuts lines of 1,000.
const MOST_BYTES: usize = 600;

/// A word as it is written, or a punctuation mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) text: String,
    /// The bytes of the original text.
    pub(super) source: Range<usize>,
    pub(super) space_after: bool,
    pub(super) punctuation: bool,
    /// A pronunciation that was given: in IPA, or in the alphabet of the other voices.
    pub(super) ipa: Option<String>,
    /// The bytes of the clause up to the end of this word.
    clause: usize,
}

impl Token {
    /// Whether the next token is said in one go with this one.
    pub(super) fn joins(&self, next: &Self) -> bool {
        let is_plain = |token: &Self| !token.punctuation && token.ipa.is_none();
        is_plain(self) && is_plain(next) && next.clause > self.clause
    }

    /// The word with its phonemes.
    pub(super) fn word(&self, phonemes: String) -> PhonemeWord {
        PhonemeWord {
            phonemes,
            source: self.source.clone(),
            space_after: self.space_after,
            punctuation: self.punctuation,
            starts_phrase: false,
        }
    }
}

/// The words and marks of a text, in order.
pub(super) fn of(clean: &Clean, lexicon: &Lexicon) -> Vec<Token> {
    let text = clean.text.as_str();
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if let Some(markup) = clean.markup_at(at) {
            if let Kind::Pronunciation { word, ipa: given } = &markup.kind {
                let mut token = written(clean, word.clone(), lexicon);
                token.ipa = Some(text[given.clone()].to_owned());
                tokens.push(token);
            }
            at = markup.range.end.max(at + 1);
            continue;
        }
        let white = rest.len() - rest.trim_start().len();
        if white > 0 {
            if let Some(last) = tokens.last_mut() {
                last.space_after = true;
            }
            at += white;
            continue;
        }
        // A word ends with white space or where markup begins.
        let end = rest.find(char::is_whitespace).map_or(text.len(), |length| at + length);
        let end = (at + 1..end).find(|&cut| clean.markup_at(cut).is_some()).unwrap_or(end);
        cut(clean, at..end, lexicon, &mut tokens);
        at = end;
    }
    number_clauses(&mut tokens);
    tokens
}

/// The same of words that were spelled out. What stood together is one word: `don` and `'t`, `l'` and
/// `avion`.
pub(super) fn spelled(words: Vec<SpelledWord>, lexicon: &Lexicon) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    for word in words {
        let is_said = word.ipa.is_some() || word.text.contains(char::is_alphanumeric);
        let sticks = !is_said && matches!(word.text.as_str(), "'" | "’" | "-");
        if !is_said && !sticks {
            spelled_marks(&word, &mut tokens);
            continue;
        }
        let open = |last: &&mut Token| !last.space_after && !last.punctuation && last.ipa.is_none();
        match tokens.last_mut().filter(open) {
            Some(last) if word.ipa.is_none() => {
                last.text.push_str(&word.text);
                last.source = last.source.start.min(word.source.start)..last.source.end.max(word.source.end);
                last.space_after = word.space_after;
            }
            _ if is_said => tokens.push(Token {
                text: word.text,
                source: word.source,
                space_after: word.space_after,
                punctuation: false,
                ipa: word.ipa,
                clause: 0,
            }),
            _ => {}
        }
    }
    for token in tokens.iter_mut().filter(|token| !token.punctuation && token.ipa.is_none()) {
        token.ipa = given(lexicon, &token.text);
    }
    number_clauses(&mut tokens);
    tokens
}

/// The marks of what is neither a word nor part of one; what is no mark separates words.
fn spelled_marks(word: &SpelledWord, tokens: &mut Vec<Token>) {
    let mut last = None;
    for mark in word.text.chars().filter_map(plain) {
        if last != Some(mark) && !tokens.is_empty() {
            tokens.push(Token {
                text: mark.to_string(),
                source: word.source.clone(),
                space_after: false,
                punctuation: true,
                ipa: None,
                clause: 0,
            });
        }
        last = Some(mark);
    }
    if let Some(last) = tokens.last_mut() {
        last.space_after |= word.space_after || !last.punctuation;
    }
}

/// The pronunciation that a lexicon gives for a word.
fn given(lexicon: &Lexicon, word: &str) -> Option<String> {
    lexicon.words.get(word).or_else(|| lexicon.words.get(&word.to_lowercase())).cloned()
}

/// Cuts what stands between two spaces into its word and the marks around it.
fn cut(clean: &Clean, range: Range<usize>, lexicon: &Lexicon, tokens: &mut Vec<Token>) {
    let written_form = &clean.text[range.clone()];
    let said = |c: char| {
        c.is_alphanumeric() || matches!(c, '%' | '€' | '$' | '£' | '&' | '+' | '=' | '°' | '@' | '#')
    };
    // A minus before a number is said.
    let opens = |c: char| !said(c) && !matches!(c, '-' | '−' | '\'');
    let inner = written_form.trim_start_matches(opens);
    let start = range.start + (written_form.len() - inner.len());
    marks(clean, range.start..start, tokens);
    let word = inner.trim_end_matches(|c| !said(c));
    // Dashes without spaces separate words, as in "he came—and went".
    let mut from = start;
    for (offset, dash) in word.match_indices(['—', '–', '…', '/']) {
        push(clean, from..start + offset, lexicon, tokens);
        if dash != "/" {
            marks(clean, start + offset..start + offset + dash.len(), tokens);
        }
        from = start + offset + dash.len();
    }
    push(clean, from..start + word.len(), lexicon, tokens);
    marks(clean, start + word.len()..range.end, tokens);
}

fn push(clean: &Clean, range: Range<usize>, lexicon: &Lexicon, tokens: &mut Vec<Token>) {
    if clean.text[range.clone()].chars().any(char::is_alphanumeric) || range.len() == 1 {
        tokens.push(written(clean, range, lexicon));
    }
}

fn written(clean: &Clean, range: Range<usize>, lexicon: &Lexicon) -> Token {
    // The program does not know the sign of a minus.
    let text = clean.text[range.clone()].replace('−', "-");
    Token {
        source: clean.origin(&range),
        ipa: given(lexicon, &text),
        text,
        space_after: false,
        punctuation: false,
        clause: 0,
    }
}

/// The marks that voices know, of what stands before or after a word. Each becomes the plain mark
/// of its kind.
fn marks(clean: &Clean, range: Range<usize>, tokens: &mut Vec<Token>) {
    let mut last = None;
    for (offset, c) in clean.text[range.clone()].char_indices() {
        let Some(mark) = plain(c).filter(|_| !tokens.is_empty()) else { continue };
        if last == Some(mark) {
            continue;
        }
        last = Some(mark);
        let at = range.start + offset;
        tokens.push(Token {
            text: mark.to_string(),
            source: clean.origin(&(at..at + c.len_utf8())),
            space_after: false,
            punctuation: true,
            ipa: None,
            clause: 0,
        });
    }
}

fn plain(c: char) -> Option<char> {
    Some(match c {
        ',' | '，' | '、' | '(' | ')' | '—' | '–' | '،' => ',',
        '.' | '…' | '。' | '।' | '۔' => '.',
        '!' | '！' => '!',
        '?' | '？' | '؟' => '?',
        ';' | '；' | '؛' => ';',
        ':' | '：' => ':',
        _ => return None,
    })
}

/// Counts the bytes of each clause and begins a new one where it grows too long.
fn number_clauses(tokens: &mut [Token]) {
    let mut bytes = 0;
    for token in tokens {
        let length = token.text.len() + 1;
        let ends = token.punctuation || token.ipa.is_some() || bytes + length > MOST_BYTES;
        bytes = if ends { length } else { bytes + length };
        token.clause = bytes;
    }
}

/// Symbols of the other voices' alphabet in the IPA that the program writes: one sign for two sounds
/// becomes two.
pub(super) fn spelled_out(symbols: &str) -> String {
    let mut written = String::with_capacity(symbols.len() + 8);
    for symbol in symbols.chars() {
        match symbol {
            'A' => written.push_str("eɪ"),
            'I' => written.push_str("aɪ"),
            'O' => written.push_str("oʊ"),
            'Q' => written.push_str("əʊ"),
            'W' => written.push_str("aʊ"),
            'Y' => written.push_str("ɔɪ"),
            'S' => written.push_str("ss"),
            'T' => written.push('ɾ'),
            'ʤ' => written.push_str("dʒ"),
            'ʧ' => written.push_str("tʃ"),
            'ʣ' => written.push_str("dz"),
            'ʥ' => written.push_str("dʑ"),
            'ʦ' => written.push_str("ts"),
            'ʨ' => written.push_str("tɕ"),
            'ᵊ' => written.push('ə'),
            'ꭧ' => written.push_str("tʂ"),
            // Signs of layout.
            '/' | '[' | ']' | '.' | '‿' | '\u{361}' | '\u{35c}' => {}
            other => written.push(other),
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token> {
        of(&Clean::new(text, 0..text.len()), &Lexicon::default())
    }

    fn texts(text: &str) -> Vec<String> {
        tokens(text).into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn words_and_marks_are_told_apart() {
        assert_eq!(texts("Guten Tag, Frau Müller!"), ["Guten", "Tag", ",", "Frau", "Müller", "!"]);
        assert_eq!(texts("„Nein“, sagte er – laut …"), ["Nein", ",", "sagte", "er", ",", "laut", "."]);
        assert_eq!(texts("um 14:30 Uhr, −3,5 °C"), ["um", "14:30", "Uhr", ",", "-3,5", "°C"]);
        assert_eq!(texts("und/oder"), ["und", "oder"]);
        assert!(texts("… ?!").is_empty());
    }

    #[test]
    fn every_word_keeps_its_bytes_and_given_pronunciations_stay_whole() {
        let text = "Das [Haus](/hˈaʊs/), ja";
        let tokens = tokens(text);
        let sources: Vec<&str> = tokens.iter().map(|token| &text[token.source.clone()]).collect();
        assert_eq!(sources, ["Das", "Haus", ",", "ja"]);
        assert!(tokens[1].ipa.is_some() && tokens[0].ipa.is_none());
        assert!(!tokens[0].joins(&tokens[1]));
    }

    #[test]
    fn words_that_were_spelled_out_keep_together_what_stood_together() {
        let word = |text: &str, at: usize, space_after: bool, ipa: Option<&str>| SpelledWord {
            text: text.to_owned(),
            source: at..at + 1,
            space_after,
            ipa: ipa.map(str::to_owned),
        };
        let words = vec![
            word("do", 0, false, None),
            word("n't", 1, true, None),
            word("twelve", 2, true, None),
            word("euros", 2, false, None),
            word("—", 3, true, None),
            word("well", 4, false, None),
            word("-", 5, false, None),
            word("known", 6, false, None),
            word("(", 7, false, None),
            word("x", 8, true, Some("ks")),
        ];
        let mut lexicon = Lexicon::default();
        lexicon.insert("euros", "jˈʊɹoʊz").unwrap();
        let tokens = spelled(words, &lexicon);
        let texts: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
        assert_eq!(texts, ["don't", "twelve", "euros", ",", "well-known", ",", "x"]);
        assert_eq!(tokens[0].source, 0..2);
        assert_eq!((tokens[1].source.clone(), tokens[2].source.clone()), (2..3, 2..3));
        assert!(tokens[2].ipa.is_some() && tokens[6].ipa.is_some() && tokens[1].ipa.is_none());
        assert!(tokens[0].joins(&tokens[1]) && !tokens[1].joins(&tokens[2]));
    }

    #[test]
    fn a_clause_is_never_longer_than_the_program_reads_at_once() {
        let text = "wort ".repeat(1_000);
        let tokens = tokens(&text);
        let clauses: Vec<usize> = tokens
            .chunk_by(Token::joins)
            .map(|clause| clause.iter().map(|token| token.text.len() + 1).sum())
            .collect();
        assert!(clauses.len() > 5 && clauses.iter().all(|&bytes| bytes <= MOST_BYTES), "{clauses:?}");
    }

    #[test]
    fn one_sign_for_two_sounds_is_spelled_out() {
        assert_eq!(spelled_out("dˈAtə"), "dˈeɪtə");
        assert_eq!(spelled_out("ʧˈɜɹʧ"), "tʃˈɜɹtʃ");
    }
}
