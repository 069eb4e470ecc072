//! The text to read, in a normalized spelling: no control characters, no invisible marks, one kind
//! of space, quote and digit, composed letters, joined emoji without modifiers, and no Markdown
//! signs at the start of a line. Every byte keeps its origin, and markup in the original stays
//! known: cleaning does not turn text into markup. Other modules decide how a sign is read.

use std::ops::Range;

use super::emoji;
use crate::markup::{self, Kind, Markup};

/// A cleaned part of a text.
#[derive(Debug, Default)]
pub(super) struct Clean {
    /// The text, with single spaces and no space at either end.
    pub text: String,
    /// For each byte of `text`, the bytes of the original character.
    origin: Vec<Range<usize>>,
    /// The markup of the original, by its byte positions in `text`; ascending.
    markup: Vec<Markup>,
}

impl Clean {
    /// Cleans `text[range]`; the text before it decides whether it starts a line.
    pub(super) fn new(text: &str, range: Range<usize>) -> Self {
        let mut clean = Self::default();
        let before = text[..range.start].trim_end_matches([' ', '\t']);
        let mut line_start = before.is_empty() || before.ends_with('\n');
        let mut at = range.start;
        while at < range.end {
            if line_start {
                let marker = marker(&text[at..range.end]);
                line_start = false;
                if marker > 0 {
                    at += marker;
                    continue;
                }
            }
            let Some(c) = text[at..range.end].chars().next() else { break };
            if c == '['
                && let Some(found) = markup::starting_at(&text[..range.end], at)
            {
                at = found.range.end;
                clean.take_markup(text, &found);
                continue;
            }
            if let Some(bytes) = emoji::joined(&text[at..range.end]) {
                let origin = at..at + bytes;
                at = origin.end;
                emoji::plain(&text[origin.clone()], |c| clean.push(c, origin.clone()));
                continue;
            }
            let origin = at..at + c.len_utf8();
            at = origin.end;
            line_start = c == '\n';
            clean.take(c, origin);
        }
        if clean.text.ends_with(' ') {
            clean.text.pop();
            clean.origin.pop();
        }
        clean
    }

    /// The bytes of the original text from which a range of the cleaned text was made.
    pub(super) fn origin(&self, range: &Range<usize>) -> Range<usize> {
        match (self.origin.get(range.start), self.origin.get(range.end.saturating_sub(1))) {
            (Some(first), Some(last)) if range.start < range.end => first.start..last.end.max(first.end),
            (Some(first), _) => first.start..first.start,
            _ => self.origin.last().map_or(0..0, |last| last.end..last.end),
        }
    }

    /// Whether the space at a byte of the cleaned text stands for one that is not the ordinary one:
    /// that does not break, or is thin.
    pub(super) fn is_wide_space(&self, at: usize) -> bool {
        let wide = self.origin.get(at).is_some_and(|origin| origin.len() > 1);
        wide && self.text.as_bytes().get(at) == Some(&b' ')
    }

    /// The markup that starts at a byte of the cleaned text.
    pub(super) fn markup_at(&self, at: usize) -> Option<&Markup> {
        let index = self.markup.binary_search_by_key(&at, |markup| markup.range.start).ok()?;
        self.markup.get(index)
    }

    /// Copies markup. Its parts are cleaned like everything else, except for a pronunciation.
    fn take_markup(&mut self, text: &str, found: &Markup) {
        let start = self.text.len();
        let kind = match &found.kind {
            Kind::Pause { ms } => {
                self.take_all(text, found.range.clone());
                Kind::Pause { ms: *ms }
            }
            Kind::Speaker { name } => {
                self.take_all(text, found.range.start..name.start);
                let cleaned_name = self.take_all(text, name.clone());
                self.take_all(text, name.end..found.range.end);
                Kind::Speaker { name: cleaned_name }
            }
            Kind::Pronunciation { word, ipa } => {
                self.take_all(text, found.range.start..word.start);
                let cleaned_word = self.take_all(text, word.clone());
                self.take_all(text, word.end..ipa.start);
                let from = self.text.len();
                for (offset, c) in text[ipa.clone()].char_indices() {
                    self.push(c, ipa.start + offset..ipa.start + offset + c.len_utf8());
                }
                let cleaned_ipa = from..self.text.len();
                self.take_all(text, ipa.end..found.range.end);
                Kind::Pronunciation { word: cleaned_word, ipa: cleaned_ipa }
            }
        };
        self.markup.push(Markup { range: start..self.text.len(), kind });
    }

    /// Copies a part of the text; returns its range in the cleaned text.
    fn take_all(&mut self, text: &str, part: Range<usize>) -> Range<usize> {
        let start = self.text.len();
        for (offset, c) in text[part.clone()].char_indices() {
            self.take(c, part.start + offset..part.start + offset + c.len_utf8());
        }
        start.min(self.text.len())..self.text.len()
    }

    fn take(&mut self, c: char, origin: Range<usize>) {
        if ('\u{300}'..='\u{36F}').contains(&c) || c == NUKTA {
            self.combine(c, &origin);
            return;
        }
        // The raised `n` of "2ⁿᵈ" is a letter, and not an exponent.
        if c == 'ᵈ' && self.text.ends_with('ⁿ') {
            let start = self.origin.last().map_or(origin.start, |last| last.start);
            self.text.pop();
            self.origin.truncate(self.text.len());
            self.push('n', start..origin.start);
        }
        match fold(c) {
            Fold::Keep => self.push(c, origin),
            Fold::As(other) => self.push(other, origin),
            Fold::Spelled(text) => text.chars().for_each(|part| self.push(part, origin.clone())),
            Fold::Drop => {}
            Fold::Space => {
                if !self.text.is_empty() && !self.text.ends_with(' ') {
                    self.push(' ', origin);
                }
            }
        }
    }

    fn push(&mut self, c: char, origin: Range<usize>) {
        self.text.push(c);
        self.origin.extend(std::iter::repeat_n(origin, c.len_utf8()));
    }

    /// Joins an accent to the letter before it. An accent that the letter cannot take is left out.
    fn combine(&mut self, accent: char, origin: &Range<usize>) {
        let Some(base) = self.text.chars().next_back() else { return };
        let Some(start) = self.origin.last().map(|last| last.start) else { return };
        if let Some(letter) = compose(base, accent) {
            self.text.pop();
            self.origin.truncate(self.text.len());
            self.push(letter, start..origin.end);
        } else if base.is_alphanumeric() {
            let from = self.text.len() - base.len_utf8();
            for byte in &mut self.origin[from..] {
                byte.end = origin.end;
            }
        }
    }
}

/// The bytes of the Markdown sign at the start of a line: heading, quotation, list item, fence.
fn marker(line: &str) -> usize {
    let rest = line.trim_start_matches([' ', '\t']);
    let indent = line.len() - rest.len();
    let hashes = rest.bytes().take_while(|&byte| byte == b'#').count();
    let fence = rest.bytes().take_while(|&byte| byte == b'`').count();
    let starts_item = ["- ", "* ", "+ ", "• ", "– ", "> ", "◦ ", "‣ ", "▪ ", "● "]
        .iter()
        .find(|sign| rest.starts_with(**sign));
    match starts_item {
        Some(sign) => indent + sign.len(),
        None if (1..=6).contains(&hashes) && rest[hashes..].starts_with(' ') => indent + hashes,
        None if fence >= 3 => indent + fence,
        None => 0,
    }
}

enum Fold {
    Keep,
    As(char),
    Spelled(&'static str),
    Space,
    Drop,
}

fn fold(c: char) -> Fold {
    match c {
        ' '..='~' => match c {
            ' ' => Fold::Space,
            '`' => Fold::Drop,
            _ => Fold::Keep,
        },
        c if c.is_whitespace() || (c.is_control()) => Fold::Space,
        // Soft hyphen, zero-width and direction marks, byte order mark, variation selectors, tags.
        '\u{AD}'
        | '\u{34F}'
        | '\u{61C}'
        | '\u{180E}'
        | '\u{200B}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{FE00}'..='\u{FE0F}'
        | '\u{FEFF}'
        | '\u{E0000}'..='\u{E0FFF}' => Fold::Drop,
        '\u{FFFC}' | '\u{FFFD}' | '\u{E000}'..='\u{F8FF}' => Fold::Space,
        '‘' | '’' | '‛' | '′' | 'ʼ' | 'ʹ' | '´' | '＇' => Fold::As('\''),
        '“' | '”' | '„' | '‟' | '«' | '»' | '″' | '＂' | '〝' | '〞' | '「' | '」' | '『' | '』' => {
            Fold::As('"')
        }
        '\u{2010}' | '\u{2011}' | '\u{FE63}' | '\u{FF0D}' => Fold::As('-'),
        '\u{2012}' => Fold::As('–'),
        '―' | '⸺' | '⸻' => Fold::As('—'),
        '\u{2212}' => Fold::As('−'),
        '⁄' | '∕' => Fold::As('/'),
        '·' | '⋅' | '∙' => Fold::As('·'),
        '﹒' | '。' | '．' | '｡' | '।' | '॥' | '॰' | '۔' => Fold::As('.'),
        '、' | '，' | '､' | '،' | '﹐' => Fold::As(','),
        '؟' => Fold::As('?'),
        '؛' => Fold::As(';'),
        '\u{FF01}'..='\u{FF5E}' => Fold::As(shifted(c, 0xFF01, '!')),
        '￥' => Fold::As('¥'),
        '￡' => Fold::As('£'),
        '∼' | '˜' => Fold::As('~'),
        'º' | '˚' => Fold::As('°'),
        'µ' => Fold::As('μ'),
        'Ω' => Fold::As('Ω'),
        'Å' => Fold::As('Å'),
        '㎞' => Fold::Spelled("km"),
        '㎏' => Fold::Spelled("kg"),
        '㎝' => Fold::Spelled("cm"),
        '㎜' => Fold::Spelled("mm"),
        '㎡' => Fold::Spelled("m²"),
        '℃' => Fold::Spelled("°C"),
        '℉' => Fold::Spelled("°F"),
        '№' => Fold::Spelled("No. "),
        // Raised letters of ordinals and short titles: `1ᵉʳ`, `Mᵐᵉ`.
        'ᵃ' => Fold::As('a'),
        'ᵈ' => Fold::As('d'),
        'ᵉ' => Fold::As('e'),
        'ᵍ' => Fold::As('g'),
        'ʰ' => Fold::As('h'),
        'ˡ' => Fold::As('l'),
        'ᵐ' => Fold::As('m'),
        'ʳ' => Fold::As('r'),
        'ˢ' => Fold::As('s'),
        'ᵗ' => Fold::As('t'),
        'ﬀ' => Fold::Spelled("ff"),
        'ﬁ' => Fold::Spelled("fi"),
        'ﬂ' => Fold::Spelled("fl"),
        'ﬃ' => Fold::Spelled("ffi"),
        'ﬄ' => Fold::Spelled("ffl"),
        'ﬅ' | 'ﬆ' => Fold::Spelled("st"),
        'Ĳ' => Fold::Spelled("IJ"),
        'ĳ' => Fold::Spelled("ij"),
        '\u{2160}'..='\u{216B}' => Fold::Spelled(ROMAN[c as usize - 0x2160]),
        '\u{2170}'..='\u{217B}' => Fold::Spelled(ROMAN[c as usize - 0x2170]),
        '\u{24B6}'..='\u{24CF}' => Fold::As(shifted(c, 0x24B6, 'A')),
        '\u{24D0}'..='\u{24E9}' => Fold::As(shifted(c, 0x24D0, 'a')),
        '\u{2460}'..='\u{2468}' => Fold::As(shifted(c, 0x2460, '1')),
        '\u{1D400}'..='\u{1D6A3}' => Fold::As(mathematical(c)),
        '\u{1D7CE}'..='\u{1D7FF}' => Fold::As(shifted_by((c as u32 - 0x1D7CE) % 10, '0')),
        '\u{1E00}'..='\u{1EFF}' => unaccented(c).map_or(Fold::Keep, Fold::As),
        c => digit(c).map_or(Fold::Keep, Fold::As),
    }
}

const ROMAN: [&str; 12] = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"];

fn shifted(c: char, first: u32, to: char) -> char {
    shifted_by(c as u32 - first, to)
}

fn shifted_by(by: u32, to: char) -> char {
    char::from_u32(to as u32 + by).unwrap_or(to)
}

/// Bold, italic, script and other mathematical letters, which people use as ornament, in their
/// plain form.
fn mathematical(c: char) -> char {
    let index = (c as u32 - 0x1D400) % 52;
    if index < 26 { shifted_by(index, 'A') } else { shifted_by(index - 26, 'a') }
}

/// Decimal digits of other scripts.
fn digit(c: char) -> Option<char> {
    const ZEROS: [u32; 15] = [
        0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xE50, 0xED0,
        0xF20,
    ];
    let value = ZEROS.iter().find_map(|zero| (c as u32).checked_sub(*zero).filter(|value| *value < 10))?;
    char::from_digit(value, 10)
}

/// Letters of the block Latin Extended Additional without their accents: neither the lexicons nor
/// the models know them.
fn unaccented(c: char) -> Option<char> {
    // Letters come in pairs, capital first; this is the number of pairs of each letter, in the
    // block's order.
    const PAIRS: [(char, u32); 37] = [
        ('A', 1),
        ('B', 3),
        ('C', 1),
        ('D', 5),
        ('E', 5),
        ('F', 1),
        ('G', 1),
        ('H', 5),
        ('I', 2),
        ('K', 3),
        ('L', 4),
        ('M', 3),
        ('N', 4),
        ('O', 4),
        ('P', 2),
        ('R', 4),
        ('S', 5),
        ('T', 4),
        ('U', 5),
        ('V', 2),
        ('W', 5),
        ('X', 2),
        ('Y', 1),
        ('Z', 3),
        ('\0', 5),
        ('A', 12),
        ('E', 8),
        ('I', 2),
        ('O', 12),
        ('U', 7),
        ('Y', 4),
        ('\0', 3),
        ('\0', 0),
        ('\0', 0),
        ('\0', 0),
        ('\0', 0),
        ('\0', 0),
    ];
    const SINGLE: [(char, char); 6] =
        [('ẖ', 'h'), ('ẗ', 't'), ('ẘ', 'w'), ('ẙ', 'y'), ('ẚ', 'a'), ('ẞ', 'ß')];
    if let Some((_, plain)) = SINGLE.iter().find(|(accented, _)| *accented == c) {
        return Some(*plain);
    }
    let offset = (c as u32).checked_sub(0x1E00)?;
    let mut pair = offset / 2;
    for (letter, pairs) in PAIRS {
        if pair < pairs {
            let case = if offset % 2 == 0 { letter } else { letter.to_ascii_lowercase() };
            return (letter != '\0').then_some(case);
        }
        pair -= pairs;
    }
    None
}

/// The dot below letters of Devanagari.
const NUKTA: char = '\u{93C}';

/// The letter composed of a base letter and an accent.
fn compose(base: char, accent: char) -> Option<char> {
    let pairs = match accent {
        '\u{300}' => "AÀEÈIÌOÒUÙaàeèiìoòuùNǸnǹ",
        '\u{301}' => "AÁEÉIÍOÓUÚYÝaáeéiíoóuúyýCĆcćLĹlĺNŃnńRŔrŕSŚsśZŹzź",
        '\u{302}' => "AÂEÊIÎOÔUÛaâeêiîoôuûCĈcĉGĜgĝHĤhĥJĴjĵSŜsŝWŴwŵYŶyŷ",
        '\u{303}' => "AÃNÑOÕaãnñoõIĨiĩUŨuũ",
        '\u{304}' => "AĀaāEĒeēIĪiīOŌoōUŪuū",
        '\u{306}' => "AĂaăEĔeĕGĞgğIĬiĭOŎoŏUŬuŭИЙий",
        '\u{307}' => "CĊcċEĖeėGĠgġIİZŻzż",
        '\u{308}' => "AÄEËIÏOÖUÜaäeëiïoöuüyÿYŸЕЁеёІЇії",
        '\u{30A}' => "AÅaåUŮuů",
        '\u{30B}' => "OŐoőUŰuű",
        '\u{30C}' => "CČcčDĎdďEĚeěNŇnňRŘrřSŠsšTŤtťZŽzžAǍaǎIǏiǐOǑoǒUǓuǔGǦgǧ",
        '\u{327}' => "CÇcçGĢKĶkķLĻlļNŅnņRŖrŗSŞsşTŢtţ",
        '\u{328}' => "AĄaąEĘeęIĮiįUŲuų",
        '\u{326}' => "SȘsșTȚtț",
        NUKTA => "क\u{958}ख\u{959}ग\u{95A}ज\u{95B}ड\u{95C}ढ\u{95D}फ\u{95E}य\u{95F}न\u{929}र\u{931}ळ\u{934}",
        _ => return None,
    };
    let mut letters = pairs.chars();
    while let (Some(plain), Some(accented)) = (letters.next(), letters.next()) {
        if plain == base {
            return Some(accented);
        }
    }
    None
}
