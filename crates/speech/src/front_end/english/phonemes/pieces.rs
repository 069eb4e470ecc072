//! Cutting tokens into pieces and grouping the pieces that are written without a space between
//! them.
//!
//! A group (`mother-in-law`, `don't`, `McDonald`) is one word to a reader; `phonemizer` finds out
//! later whether the lexicon knows it as a whole or by its parts. Punctuation is already settled
//! here.

use std::borrow::Cow;

use crate::front_end::english::text::Token;

use super::alphabet::is_pause;

/// A part of a token that may be looked up separately.
#[derive(Debug, Clone)]
pub(super) struct Piece<'a> {
    /// The index of its token.
    pub(super) token: usize,
    /// Its text, with ASCII apostrophes.
    pub(super) text: Cow<'a, str>,
    /// The token's Penn tag, or the tag that a heteronym rule replaced it with.
    pub(super) tag: &'static str,
    /// Its pronunciation, once known; empty when the piece is silent.
    pub(super) phonemes: Option<String>,
}

/// Pieces with no space between them, or one punctuation mark.
#[derive(Debug)]
pub(super) struct Group<'a> {
    pub(super) pieces: Vec<Piece<'a>>,
    pub(super) space_after: bool,
    pub(super) punctuation: bool,
}

impl Group<'_> {
    /// The text of all pieces together.
    pub(super) fn text(&self) -> String {
        self.pieces.iter().map(|piece| piece.text.as_ref()).collect()
    }
}

/// Groups the tokens of a sentence.
pub(super) fn group(tokens: &[Token]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::with_capacity(tokens.len());
    for (index, token) in tokens.iter().enumerate() {
        let glued = index > 0 && !tokens[index - 1].space_after;
        if let Some(said) = punctuation(token, glued) {
            let piece = Piece {
                token: index,
                text: Cow::Borrowed(&token.text),
                tag: token.tag,
                phonemes: Some(said),
            };
            groups.push(Group { pieces: vec![piece], space_after: token.space_after, punctuation: true });
            continue;
        }
        if groups.last().is_none_or(|group| group.space_after || group.punctuation) {
            groups.push(Group { pieces: Vec::new(), space_after: false, punctuation: false });
        }
        let Some(group) = groups.last_mut() else { continue };
        group.pieces.extend(pieces(index, token));
        group.space_after = token.space_after;
    }
    groups
}

/// Whether a text has only joints between pieces, which are silent.
pub(super) fn is_joint(text: &str) -> bool {
    text.chars().all(|c| matches!(c, '\'' | ',' | '-' | '.' | '_' | '/'))
}

/// The symbol of a punctuation token, or `None` for a word. Quotation marks are silent, because the
/// voices were trained without them.
fn punctuation(token: &Token, glued: bool) -> Option<String> {
    if token.ipa.is_some() || token.text.chars().any(char::is_alphanumeric) {
        return None;
    }
    let text = token.text.as_str();
    let dash = matches!(text, "–" | "—" | "―" | "--" | "---")
        || (text == "-" && (token.tag == ":" || (!glued && token.space_after)));
    if dash {
        return Some("—".to_owned());
    }
    let quote = text.chars().all(|c| matches!(c, '"' | '“' | '”' | '„' | '«' | '»' | '‘' | '’' | '\'' | '`'));
    match token.tag {
        // A possessive apostrophe belongs to its word.
        "POS" => None,
        _ if quote => Some(String::new()),
        _ if matches!(text, "(" | ")") => Some(text.to_owned()),
        "-LRB-" => Some("(".to_owned()),
        "-RRB-" => Some(")".to_owned()),
        "." | "," | ":" | "``" | "''" | "\"\"" | "NFP" => {
            Some(text.chars().filter(|&c| is_pause(c)).collect())
        }
        _ if text.chars().all(is_pause) => Some(text.to_owned()),
        _ => None,
    }
}

fn pieces(index: usize, token: &Token) -> Vec<Piece<'_>> {
    let piece = |text, phonemes| Piece { token: index, text, tag: token.tag, phonemes };
    if let Some(ipa) = &token.ipa {
        return vec![piece(Cow::Borrowed(token.text.as_str()), Some(super::ipa::said(ipa)))];
    }
    if token.text.contains(is_apostrophe) {
        let straight = token.text.replace(is_apostrophe, "'");
        return cut(&straight).into_iter().map(|text| piece(Cow::Owned(text.to_owned()), None)).collect();
    }
    cut(&token.text).into_iter().map(|text| piece(Cow::Borrowed(text), None)).collect()
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '‘' | '’' | 'ʼ' | '`' | '´' | '′')
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Apostrophe,
    Hyphen,
    Digit,
    Lower,
    Upper,
    Other,
}

fn kind(c: char) -> Kind {
    match c {
        '\'' => Kind::Apostrophe,
        '-' | '_' => Kind::Hyphen,
        _ if c.is_numeric() => Kind::Digit,
        _ if c.is_uppercase() => Kind::Upper,
        // Letters without case, and combining marks, stay with their word.
        _ if c.is_alphabetic() || matches!(c, '\u{300}'..='\u{36f}') => Kind::Lower,
        _ => Kind::Other,
    }
}

/// Cuts a token where a reader sees a boundary: between letters, digits and signs, in `wordWord`
/// and in `ABCWord`. An apostrophe between letters does not divide a word.
fn cut(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut previous: Option<Kind> = None;
    for (at, c) in text.char_indices() {
        let now = kind(c);
        let after = &text[at + c.len_utf8()..];
        let mut following = after.chars().map(kind);
        let (next, second) = (following.next(), following.next());
        if previous.is_some_and(|previous| is_seam(previous, now, next, second)) {
            pieces.push(&text[start..at]);
            start = at;
        }
        // Commas and points between digits are part of the number.
        previous = Some(match (previous, now, next) {
            (Some(Kind::Digit), Kind::Other, Some(Kind::Digit)) if matches!(c, ',' | '.') => Kind::Digit,
            _ => now,
        });
    }
    if start < text.len() {
        pieces.push(&text[start..]);
    }
    pieces
}

fn is_seam(previous: Kind, now: Kind, next: Option<Kind>, second: Option<Kind>) -> bool {
    let letter = |kind| matches!(kind, Kind::Lower | Kind::Upper);
    match (previous, now) {
        (Kind::Lower, Kind::Upper) | (Kind::Other, _) => true,
        // `ABCNews`, but not `PhDs` or `SQLx`.
        (Kind::Upper, Kind::Upper) => next == Some(Kind::Lower) && second == Some(Kind::Lower),
        (Kind::Digit, Kind::Other) => next != Some(Kind::Digit),
        (Kind::Apostrophe, now) if letter(now) => false,
        (previous, Kind::Apostrophe) if letter(previous) => !next.is_some_and(letter),
        (previous, now) if letter(previous) && letter(now) => false,
        _ => previous != now,
    }
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn tokens_are_cut_at_the_seams_a_reader_sees() {
        for (token, pieces) in [
            ("word", &["word"][..]),
            ("o'clock", &["o'clock"]),
            ("'twas", &["'twas"]),
            ("dogs'", &["dogs", "'"]),
            ("mother-in-law", &["mother", "-", "in", "-", "law"]),
            ("McDonald", &["Mc", "Donald"]),
            ("iPhone", &["i", "Phone"]),
            ("ABCNews", &["ABC", "News"]),
            ("SQLx", &["SQLx"]),
            ("COVID-19", &["COVID", "-", "19"]),
            ("1,234.5kg", &["1,234.5", "kg"]),
            ("3.", &["3", "."]),
            ("and/or", &["and", "/", "or"]),
            ("U.S.", &["U", ".", "S", "."]),
            ("naïveté", &["naïveté"]),
            ("n't", &["n't"]),
            ("--", &["--"]),
            ("", &[]),
        ] {
            assert_eq!(cut(token), pieces, "{token}");
        }
    }
}
