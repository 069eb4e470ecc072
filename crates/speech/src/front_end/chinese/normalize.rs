//! From cleaned text to what is said: numbers, dates, amounts, addresses and signs in Chinese
//! characters. Each place of the text is offered to the rules in turn; what no rule reads is copied.
//! Every piece keeps the part of the cleaned text that it reads.

mod amounts;
mod codes;
mod currencies;
mod dates;
mod links;
mod numbers;
mod quantities;
mod ranges;
mod scan;
mod symbols;
mod units;
mod verses;

use std::ops::Range;

pub(super) use scan::is_han;
pub(super) use symbols::is_picture;
pub(super) use units::takes_liang;

use crate::{
    front_end::{clean::Clean, emoji, scan as shared},
    markup::Kind as MarkupKind,
    phonemes::{Lexicon, ipa},
};

/// What a piece is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// Chinese characters, as they are written or in place of a sign.
    Han,
    /// A number in Chinese characters.
    Number,
    /// Words in Latin letters.
    Latin,
    /// A punctuation mark, as Chinese writes it.
    Mark,
    /// A word whose phonemes were given.
    Given(String),
    /// Something that is not said.
    Silent,
}

/// A part of what is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) kind: Kind,
    pub(super) text: String,
    /// The bytes of the cleaned text that it reads.
    pub(super) source: Range<usize>,
    /// Whether it is written as in the cleaned text, byte for byte.
    pub(super) exact: bool,
}

/// Reads a cleaned text, which was made of a part of `original`.
pub(super) fn read(clean: &Clean, original: &str, lexicon: &Lexicon) -> Vec<Piece> {
    let text = clean.text.as_str();
    let mut reader = Reader {
        clean,
        original,
        lexicon,
        t: text,
        at: 0,
        out: Vec::new(),
        equation: text.contains(['=', '≈', '×', '÷', '+']),
        traditional: text.contains(|c| TRADITIONAL.contains(c)),
    };
    symbols::item(&mut reader);
    while reader.at < text.len() {
        let from = reader.at;
        reader.read_one();
        // Every rule moves on; this keeps a mistake in one from hanging the program.
        if reader.at <= from {
            reader.at = from + reader.char().map_or(1, char::len_utf8);
        }
    }
    if reader.traditional {
        reader.write_traditional();
    }
    reader.out
}

/// Frequent characters that are written so in traditional texts alone.
const TRADITIONAL: &str = "個們這來時說對為國會學經過還發後開關現點問間實長見樣無動進種麼嗎兩從當將與氣電車門東馬買賣號錢銀樂應業產\
                           體價費調頭樓萬億幾歲華總統計選舉單據區傳變讓覺聽記認識請謝讀寫書話語詞課題員園圓場報愛親歡臺灣廣濟機條熱雙";

/// The state of one reading.
struct Reader<'a> {
    clean: &'a Clean,
    original: &'a str,
    lexicon: &'a Lexicon,
    /// The cleaned text.
    t: &'a str,
    /// What comes next.
    at: usize,
    out: Vec<Piece>,
    /// There are signs of a calculation in the text.
    equation: bool,
    /// The text is in traditional characters.
    traditional: bool,
}

impl<'a> Reader<'a> {
    fn read_one(&mut self) {
        let done = self.markup()
            || self.given()
            || self.emoji()
            || links::read(self)
            || codes::plate(self)
            || amounts::money(self)
            || numbers::read(self)
            || codes::latin(self)
            || symbols::read(self);
        if !done {
            self.copy_one();
        }
    }

    /// The text still to read.
    fn rest(&self) -> &'a str {
        shared::tail(self.t, self.at)
    }

    /// The text that was read.
    fn head(&self) -> &'a str {
        self.t.get(..self.at).unwrap_or_default()
    }

    /// Whether the reader stands in a calculation, where `-` is a minus: the signs of one stand beside
    /// it, with no words between.
    fn in_sum(&self) -> bool {
        let belongs = |c: char| {
            c.is_ascii() && !matches!(c, ',' | ';' | ':' | '!' | '?' | '"') || "×÷≈²³√π±".contains(c)
        };
        let start = self.head().trim_end_matches(belongs).len();
        let end = shared::run(self.t, self.at, belongs);
        self.equation && shared::slice(self.t, start..end).contains(['=', '≈', '×', '÷', '+'])
    }

    fn char(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn before(&self) -> Option<char> {
        self.head().chars().next_back()
    }

    /// The original character from which the one at `at` was made.
    fn original_at(&self, at: usize) -> Option<char> {
        let origin = self.clean.origin(&(at..at + 1));
        self.original.get(origin.start..)?.chars().next()
    }

    /// Says words in place of everything up to `end`.
    fn say(&mut self, words: &str, end: usize) {
        self.write(Kind::Han, words, end);
    }

    /// Says a number in place of everything up to `end`.
    fn number(&mut self, words: &str, end: usize) {
        self.write(Kind::Number, words, end);
    }

    /// Says words in Latin letters in place of everything up to `end`.
    fn latin(&mut self, words: &str, end: usize) {
        let exact = shared::slice(self.t, self.at..end) == words;
        self.out.push(Piece { kind: Kind::Latin, text: words.to_owned(), source: self.at..end, exact });
        self.at = end;
    }

    /// Writes a mark in place of everything up to `end`; a run of marks is one.
    fn mark(&mut self, mark: &str, end: usize) {
        self.write(Kind::Mark, mark, end);
    }

    /// Writes a comma in place of everything up to `end`, unless a mark stands there or nothing
    /// does.
    fn comma(&mut self, end: usize) {
        let last = self.out.iter().rev().find(|piece| piece.kind != Kind::Silent);
        if last.is_some_and(|last| last.kind != Kind::Mark) {
            self.mark("，", end);
        } else {
            self.skip(end);
        }
    }

    /// Says nothing for everything up to `end`.
    fn skip(&mut self, end: usize) {
        self.write(Kind::Silent, "", end);
    }

    fn write(&mut self, kind: Kind, text: &str, end: usize) {
        self.out.push(Piece { kind, text: text.to_owned(), source: self.at..end, exact: false });
        self.at = end;
    }

    /// Copies the next character.
    fn copy_one(&mut self) {
        let Some(c) = self.char() else { return };
        let end = self.at + c.len_utf8();
        if !scan::is_han(c) {
            self.skip(end);
            return;
        }
        match self.out.last_mut() {
            Some(last) if last.kind == Kind::Han && last.exact && last.source.end == self.at => {
                last.text.push(c);
                last.source.end = end;
            }
            _ => self.out.push(Piece {
                kind: Kind::Han,
                text: c.to_string(),
                source: self.at..end,
                exact: true,
            }),
        }
        self.at = end;
    }

    /// A requested pause, which the engine makes, or a word with its pronunciation.
    fn markup(&mut self) -> bool {
        let Some(found) = self.clean.markup_at(self.at) else { return false };
        let end = found.range.end;
        match &found.kind {
            MarkupKind::Pause { .. } | MarkupKind::Speaker { .. } => self.skip(end),
            MarkupKind::Pronunciation { word, ipa } => {
                let word = shared::slice(self.t, word.clone());
                let said = ipa::said(shared::slice(self.t, ipa.clone()));
                self.write_given(&said, word, end);
            }
        }
        true
    }

    /// A word that the lexicon of the call has. Words in Latin letters are the English front end's.
    fn given(&mut self) -> bool {
        /// The most characters of such a word.
        const MOST: usize = 16;
        if self.lexicon.words.is_empty() || !self.char().is_some_and(char::is_alphanumeric) {
            return false;
        }
        let starts_inside = self.before().is_some_and(scan::is_latin);
        let ends = self.rest().char_indices().take(MOST).map(|(at, c)| (self.at + at + c.len_utf8(), c));
        let fits = |&(end, c): &(usize, char)| {
            !scan::is_latin(c) || !(starts_inside || shared::char_at(self.t, end).is_some_and(scan::is_latin))
        };
        let found = ends.filter(fits).filter_map(|(end, _)| {
            let word = shared::slice(self.t, self.at..end);
            Some((end, word, self.lexicon.get(word)?.to_owned()))
        });
        let Some((end, word, said)) = found.last() else { return false };
        self.write_given(&said, word, end);
        true
    }

    /// Writes a word with its phonemes. What was read as an English diphthong in a Chinese word is
    /// written as Chinese has it.
    fn write_given(&mut self, said: &str, word: &str, end: usize) {
        const DIPHTHONGS: [(char, &str); 4] = [('W', "au"), ('I', "ai"), ('A', "ei"), ('O', "ou")];
        let mut said = said.to_owned();
        if word.contains(is_han) {
            for (english, chinese) in DIPHTHONGS {
                said = said.replace(english, chinese);
            }
        }
        self.write(Kind::Given(said), word, end);
    }

    /// Pictures are not named.
    fn emoji(&mut self) -> bool {
        if self.char().is_none_or(char::is_alphabetic) {
            return false;
        }
        let Some(run) = emoji::run(self.rest(), symbols::is_picture) else { return false };
        if self.char().is_some_and(|c| c.is_ascii_digit()) {
            return false;
        }
        self.skip(self.at + run.bytes);
        true
    }

    /// What was written for numbers and signs, in the characters of the text around it.
    fn write_traditional(&mut self) {
        const PAIRS: [(char, char); 26] = [
            ('点', '點'),
            ('万', '萬'),
            ('亿', '億'),
            ('两', '兩'),
            ('负', '負'),
            ('号', '號'),
            ('时', '時'),
            ('钟', '鐘'),
            ('块', '塊'),
            ('欧', '歐'),
            ('镑', '鎊'),
            ('币', '幣'),
            ('摄', '攝'),
            ('华', '華'),
            ('升', '升'),
            ('顷', '頃'),
            ('顿', '頓'),
            ('尔', '爾'),
            ('赫', '赫'),
            ('兹', '茲'),
            ('减', '減'),
            ('约', '約'),
            ('于', '於'),
            ('乘', '乘'),
            ('杠', '槓'),
            ('岁', '歲'),
        ];
        for piece in self.out.iter_mut().filter(|piece| !piece.exact && piece.kind != Kind::Latin) {
            let written = |c| PAIRS.iter().find(|(simple, _)| *simple == c).map_or(c, |(_, full)| *full);
            piece.text = piece.text.chars().map(written).collect();
        }
    }
}
