//! A text as the Japanese rules read it: what [`Clean`] makes of it, with Japanese marks left as they
//! were, kana in one form, and compatibility characters spelled out. Every byte keeps its origin.

use std::ops::Range;

use unicode_normalization::{UnicodeNormalization as _, char::compose};

use super::kana;
use crate::{front_end::clean::Clean, markup::Kind};

/// No vowel is lengthened by more signs.
const LONGEST_VOWEL: usize = 30;

/// A text and where each byte of it comes from.
#[derive(Debug, Default)]
pub(super) struct Written {
    pub(super) text: String,
    /// For each byte, the bytes of the original.
    origin: Vec<Range<usize>>,
    /// Words whose pronunciation stands in the text, and that pronunciation; ascending.
    pub(super) given: Vec<(Range<usize>, String)>,
}

impl Written {
    /// What is to be read of `text[range]`.
    pub(super) fn new(text: &str, range: Range<usize>) -> Self {
        let clean = Clean::new(text, range);
        let mut written = Self::default();
        let mut at = 0;
        while let Some(c) = clean.text[at..].chars().next() {
            if let Some(markup) = clean.markup_at(at) {
                if let Kind::Pronunciation { word, ipa } = &markup.kind {
                    let start = written.text.len();
                    written.copy(text, &clean, word.clone());
                    let given = clean.text[ipa.clone()].to_owned();
                    written.given.push((start..written.text.len(), given));
                }
                at = markup.range.end.max(at + c.len_utf8());
                continue;
            }
            written.copy(text, &clean, at..at + c.len_utf8());
            at += c.len_utf8();
        }
        written
    }

    /// The bytes of the original from which a part was made.
    pub(super) fn origin(&self, range: &Range<usize>) -> Range<usize> {
        match (self.origin.get(range.start), self.origin.get(range.end.saturating_sub(1))) {
            (Some(first), Some(last)) if range.start < range.end => first.start..last.end.max(first.end),
            (Some(first), _) => first.start..first.start,
            _ => self.origin.last().map_or(0..0, |last| last.end..last.end),
        }
    }

    fn copy(&mut self, text: &str, clean: &Clean, part: Range<usize>) {
        for (offset, c) in clean.text[part.clone()].char_indices() {
            let at = part.start + offset;
            let origin = clean.origin(&(at..at + c.len_utf8()));
            let written = text.get(origin.clone()).and_then(|origin| origin.chars().next()).unwrap_or(c);
            let next = clean.text[at + c.len_utf8()..].chars().next();
            self.take(c, written, next, text, origin);
        }
    }

    /// Takes a character, which was `written` in the original.
    fn take(&mut self, c: char, written: char, next: Option<char>, text: &str, origin: Range<usize>) {
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let between_digits = digit(self.text.chars().next_back()) && digit(next);
        match written {
            // Numerals of one character, which are numbers and no letters.
            'Ⅰ'..='Ⅻ' if c == 'I' || c == 'V' || c == 'X' => self.roman(written, origin),
            '，' | '．' if between_digits => self.push(c, origin),
            '、' | '､' | '﹑' | '，' => self.push('、', origin),
            '。' | '｡' | '．' => self.push('。', origin),
            '「' | '｢' | '『' | '〝' | '“' | '〈' | '【' | '〔' => self.push('「', origin),
            '」' | '｣' | '』' | '〟' | '”' | '〉' | '】' | '〕' => self.push('」', origin),
            '～' | '〜' | '∼' => self.push('〜', origin),
            '─' | '━' | '―' => self.push('—', origin),
            '･' => self.push('・', origin),
            'ｰ' => self.push('ー', origin),
            '\u{3099}' | '\u{309B}' | 'ﾞ' => self.voice('\u{3099}', origin),
            '\u{309A}' | '\u{309C}' | 'ﾟ' => self.voice('\u{309A}', origin),
            'ぁ' | 'ぃ' | 'ぅ' | 'ぇ' | 'ぉ' | 'ァ' | 'ィ' | 'ゥ' | 'ェ' | 'ォ'
                if self.is_lengthened(written) =>
            {
                self.push('ー', origin);
            }
            '₀'..='₉' => {
                let digit = char::from_digit(written as u32 - '₀' as u32, 10).unwrap_or(c);
                self.push(digit, origin);
            }
            'ゝ' | 'ヽ' => self.repeat(false, origin),
            'ゞ' | 'ヾ' => self.repeat(true, origin),
            _ if c == ' ' => self.space(text, next, origin),
            _ if is_compatible(c) => {
                c.nfkc().for_each(|c| self.push(if c == '⁄' { '/' } else { c }, origin.clone()));
            }
            'ㇰ'..='ㇿ' => {
                kana::katakana(&c.to_string()).chars().for_each(|c| self.push(c, origin.clone()));
            }
            _ => self.push(c, origin),
        }
    }

    /// A space, unless it is the end of a line within Japanese text, which needs none.
    fn space(&mut self, text: &str, next: Option<char>, origin: Range<usize>) {
        let rest = text.get(origin.start..).unwrap_or_default();
        let white = rest.len() - rest.trim_start().len();
        let breaks = rest[..white].contains('\n');
        let inside = self.text.chars().next_back().is_some_and(is_wide) && next.is_some_and(is_wide);
        if !(breaks && inside) {
            self.push(' ', origin);
        }
    }

    /// Writes a Roman numeral in digits, once for all the letters that it was spelled out to.
    fn roman(&mut self, numeral: char, origin: Range<usize>) {
        if self.origin.last() != Some(&origin) {
            let value = numeral as u32 - 'Ⅰ' as u32 + 1;
            value.to_string().chars().for_each(|digit| self.push(digit, origin.clone()));
        }
    }

    /// Whether a small vowel is the end of the same vowel: わぁぁ.
    fn is_lengthened(&self, small: char) -> bool {
        let vowel_of = |c: char| kana::vowel(c.encode_utf8(&mut [0; 4]));
        let before = self.text.chars().rev().take(LONGEST_VOWEL).find(|&c| c != 'ー');
        before.is_some_and(|before| vowel_of(before).is_some() && vowel_of(before) == vowel_of(small))
    }

    /// Writes the kana before once more, voiced or not.
    fn repeat(&mut self, voiced: bool, origin: Range<usize>) {
        let Some(last) = self.text.chars().next_back() else { return };
        let plain = std::iter::once(last).nfd().next().unwrap_or(last);
        let repeated = if voiced { compose(plain, '\u{3099}').unwrap_or(plain) } else { plain };
        if kana::is_hiragana(last) || kana::is_katakana(last) {
            self.push(repeated, origin);
        }
    }

    /// Joins a sign of voicing to the kana before it; to others it adds nothing.
    fn voice(&mut self, sign: char, origin: Range<usize>) {
        let Some(base) = self.text.chars().next_back() else { return };
        let start = self.origin.last().map_or(origin.start, |last| last.start);
        let joined = start..origin.end;
        let voiced = compose(base, sign).unwrap_or(base);
        self.text.pop();
        self.origin.truncate(self.text.len());
        self.push(voiced, joined);
    }

    fn push(&mut self, c: char, origin: Range<usize>) {
        self.text.push(c);
        self.origin.extend(std::iter::repeat_n(origin, c.len_utf8()));
    }
}

/// Whether a character is one that is written without spaces: kana, kanji, or a mark of theirs.
pub(super) fn is_wide(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}' | '！' | '？') || is_kanji(c)
}

/// Whether a character is kanji.
pub(super) const fn is_kanji(c: char) -> bool {
    matches!(c, '々' | '〆' | '〇' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Characters that stand for others: narrow kana, squared and circled words, old forms of kanji.
const fn is_compatible(c: char) -> bool {
    matches!(c, '\u{FF66}'..='\u{FF9D}' | '\u{3200}'..='\u{33FF}' | '\u{2460}'..='\u{249B}' | '\u{F900}'..='\u{FAFF}')
        || matches!(c, '¼'..='¾' | '⅐'..='⅞')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        Written::new(text, 0..text.len()).text
    }

    #[test]
    fn one_way_of_writing_is_left_for_each_thing() {
        for (text, wanted) in [
            ("ｶﾞｷﾞｸﾞ、ﾊﾟﾝ｡", "ガギグ、パン。"),
            ("か\u{3099}は\u{309A}", "がぱ"),
            ("１２３，４５６．７％", "123,456.7%"),
            ("これは，ペン．", "これは、ペン。"),
            ("「今日」『明日』", "「今日」「明日」"),
            ("長い\n文", "長い文"),
            ("Hello\nWorld", "Hello World"),
            ("㈱山田㍻", "(株)山田平成"),
            ("⑫と①", "12と1"),
            ("½", "1/2"),
            ("わぁぁ、ファのねぇ", "わーー、ファのねー"),
            ("第Ⅲ章とⅫ", "第3章と12"),
            ("こゝろ、いすゞ", "こころ、いすず"),
            ("10～20", "10〜20"),
        ] {
            assert_eq!(written(text), wanted, "{text}");
        }
    }

    #[test]
    fn every_part_knows_its_origin() {
        let text = "ﾊﾟﾝ";
        let written = Written::new(text, 0..text.len());
        assert_eq!(written.text, "パン");
        assert_eq!(&text[written.origin(&(0..3))], "ﾊﾟ");
        assert_eq!(&text[written.origin(&(3..6))], "ﾝ");
        let text = "私は[田中](/tanaka/)と[橋本](/haɕimoto/)。";
        let written = Written::new(text, 0..text.len());
        assert_eq!(written.given.len(), 1, "letters between slashes alone are no pronunciation");
    }
}
