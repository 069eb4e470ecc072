//! Markup in a text: `[pause 1.5s]`, `[word](/ipa/)`, and lines `[speaker NAME]`. This module alone decides what counts as
//! markup, for all code that reads, measures, bills or cuts a text. Malformed markup is ordinary
//! text.

use std::{borrow::Cow, ops::Range};

use crate::phonemes::is_pronunciation;

/// The longest pause; a longer one is read as text.
pub const LONGEST_PAUSE_MS: u32 = 10_000;

/// The limit on the total of the pauses in one request. It applies to each chunk of a book, not to
/// the book.
pub const LONGEST_PAUSES_MS: u64 = 300_000;

/// The most characters of a speaker's name.
pub const LONGEST_NAME: usize = 100;

/// The most bytes in a word, and in its pronunciation. This bounds how far the search goes after an
/// opening bracket.
const LONGEST_PART: usize = 300;

/// A piece of markup in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Markup {
    /// Its byte range in the text, including the brackets.
    pub range: Range<usize>,
    /// The kind of markup.
    pub kind: Kind,
}

/// The kinds of markup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// `[pause 1.5s]`: a silence.
    Pause {
        /// The length of the pause.
        ms: u32,
    },
    /// `[word](/ipa/)`: the pronunciation of a word.
    Pronunciation {
        /// The byte range of the word.
        word: Range<usize>,
        /// The byte range of the text between the slashes.
        ipa: Range<usize>,
    },
    /// `[speaker NAME]` as a line of its own: who speaks from there on.
    Speaker {
        /// The byte range of the name.
        name: Range<usize>,
    },
}

/// All markup of a text, in order.
pub fn find(text: &str) -> impl Iterator<Item = Markup> + '_ {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let at = from + text.get(from..)?.find('[')?;
            from = at + 1;
            if let Some(markup) = starting_at(text, at) {
                from = markup.range.end;
                return Some(markup);
            }
        }
    })
}

/// The markup that starts at a byte of a text.
pub fn starting_at(text: &str, at: usize) -> Option<Markup> {
    pause(text, at).or_else(|| pronunciation(text, at)).or_else(|| speaker(text, at))
}

/// The pauses of a text, in order: the position and the milliseconds of each.
pub fn pauses(text: &str) -> impl Iterator<Item = (Range<usize>, u32)> + '_ {
    find(text).filter_map(|markup| match markup.kind {
        Kind::Pause { ms } => Some((markup.range, ms)),
        Kind::Pronunciation { .. } | Kind::Speaker { .. } => None,
    })
}

/// The total of the pauses in a text, in milliseconds.
pub fn pauses_ms(text: &str) -> u64 {
    pauses(text).map(|(_, ms)| u64::from(ms)).sum()
}

/// A text without its markup: pauses are left out, and only the word of a pronunciation remains.
pub fn plain(text: &str) -> Cow<'_, str> {
    Hidden::of(text).strip(0..text.len())
}

/// The parts of a text that readers do not see: its pauses, the names of its speakers, and its
/// pronunciations except for the word.
#[derive(Debug)]
pub struct Hidden<'a> {
    text: &'a str,
    /// Ascending.
    ranges: Vec<Range<usize>>,
}

impl<'a> Hidden<'a> {
    /// The hidden parts of a text.
    pub fn of(text: &'a str) -> Self {
        let ranges = find(text).flat_map(|Markup { range, kind }| match kind {
            Kind::Pause { .. } | Kind::Speaker { .. } => [range, 0..0],
            Kind::Pronunciation { word, .. } => [range.start..word.start, word.end..range.end],
        });
        Self { text, ranges: ranges.filter(|range| !range.is_empty()).collect() }
    }

    /// A part of the text without its hidden parts.
    pub fn strip(&self, part: Range<usize>) -> Cow<'a, str> {
        let first = self.ranges.partition_point(|range| range.end <= part.start);
        let mut hidden = self.ranges[first..].iter().take_while(|range| range.start < part.end).peekable();
        if hidden.peek().is_none() {
            return Cow::Borrowed(&self.text[part]);
        }
        let mut plain = String::new();
        let mut from = part.start;
        for range in hidden {
            plain.push_str(&self.text[from..range.start.max(from)]);
            from = range.end.min(part.end);
        }
        plain.push_str(&self.text[from..part.end]);
        Cow::Owned(plain)
    }
}

/// The number of characters (Unicode scalar values) in a text without its markup: the billed
/// length.
pub fn characters(text: &str) -> usize {
    plain(text).chars().count()
}

/// The most bytes of markup: a word, its pronunciation and the brackets.
const LONGEST: usize = 2 * LONGEST_PART + 8;

/// The nearest position at or before `at` that is not inside markup. Examines only nearby text,
/// however long the text is.
pub fn outside(text: &str, at: usize) -> usize {
    let near = text.floor_char_boundary(at.saturating_sub(LONGEST));
    let end = text.ceil_char_boundary(at.saturating_add(LONGEST).min(text.len()));
    find(&text[near..end])
        .map(|markup| markup.range.start + near..markup.range.end + near)
        .take_while(|range| range.start < at)
        .find(|range| at < range.end)
        .map_or(at, |range| range.start)
}

/// The byte length of the white space and pauses at the start of a text.
pub(crate) fn leading_pauses(text: &str) -> usize {
    let mut at = 0;
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        match pause(text, at) {
            Some(markup) => at = markup.range.end,
            None => return at,
        }
    }
}

fn pause(text: &str, at: usize) -> Option<Markup> {
    let inner = text.get(at..)?.strip_prefix("[pause ")?;
    let number = inner.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
    let (number, rest) = inner.split_at(number);
    let (unit_ms, unit) = if rest.starts_with("ms]") {
        (1.0, "ms]")
    } else if rest.starts_with("s]") {
        (1000.0, "s]")
    } else {
        return None;
    };
    let well_formed = number.len() <= 12
        && number.starts_with(|c: char| c.is_ascii_digit())
        && number.ends_with(|c: char| c.is_ascii_digit());
    let ms = number.parse::<f64>().ok().filter(|_| well_formed)? * unit_ms;
    (ms <= f64::from(LONGEST_PAUSE_MS)).then(|| Markup {
        range: at..at + "[pause ".len() + number.len() + unit.len(),
        kind: Kind::Pause { ms: ms.round() as u32 },
    })
}

fn pronunciation(text: &str, at: usize) -> Option<Markup> {
    let inner = text.get(at..)?.strip_prefix('[')?;
    let word = until(inner, |c| matches!(c, '[' | ']' | '\n'))?;
    let target = inner[word.len()..].strip_prefix("](/")?;
    let ipa = until(target, |c| matches!(c, '/' | ')' | '\n'))?;
    if !target[ipa.len()..].starts_with("/)")
        || !word.contains(char::is_alphanumeric)
        || !is_pronunciation(ipa)
    {
        return None;
    }
    let word = at + 1..at + 1 + word.len();
    let ipa = word.end + "](/".len()..word.end + "](/".len() + ipa.len();
    Some(Markup { range: at..ipa.end + "/)".len(), kind: Kind::Pronunciation { word, ipa } })
}

/// A line that names who speaks.
fn speaker(text: &str, at: usize) -> Option<Markup> {
    let is_line_start = at == 0 || text.as_bytes().get(at - 1) == Some(&b'\n');
    let inner = text.get(at..)?.strip_prefix("[speaker ").filter(|_| is_line_start)?;
    let name = until(inner, |c| matches!(c, '[' | ']' | '\n'))?;
    let rest = inner[name.len()..].strip_prefix(']')?;
    let is_line_end = rest.is_empty() || rest.starts_with('\n') || rest.starts_with("\r\n");
    let is_name = name.trim() == name && !name.is_empty() && name.chars().count() <= LONGEST_NAME;
    (is_line_end && is_name).then(|| {
        let name = at + "[speaker ".len()..at + "[speaker ".len() + name.len();
        Markup { range: at..name.end + 1, kind: Kind::Speaker { name } }
    })
}

/// The text before the first character for which `ends` is true; `None` when that is too far away.
fn until(text: &str, ends: impl Fn(char) -> bool) -> Option<&str> {
    let near = &text[..text.floor_char_boundary(LONGEST_PART)];
    near.find(ends).map(|end| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pause_ms(text: &str) -> Vec<u32> {
        pauses(text).map(|(_, ms)| ms).collect()
    }

    #[test]
    fn pauses_of_up_to_ten_seconds_are_markup_and_all_else_is_text() {
        for (written, ms) in [
            ("[pause 1.5s]", 1500),
            ("[pause 300ms]", 300),
            ("[pause 10s]", 10_000),
            ("[pause 10000ms]", 10_000),
            ("[pause 0s]", 0),
            ("[pause 0.25s]", 250),
        ] {
            assert_eq!(pause_ms(written), [ms], "{written}");
        }
        for written in [
            "[pause 10.1s]",
            "[pause 10001ms]",
            "[pause 1.5]",
            "[pause s]",
            "[pause .5s]",
            "[pause 1.s]",
            "[pause 1.2.3s]",
            "[pause -1s]",
            "[pause 1 s]",
            "[pause  1s]",
            "[pause 1s",
            "[Pause 1s]",
            "[pause 1min]",
            "[pause 1e1s]",
            "[pause 00000000000001s]",
            "pause 1s]",
        ] {
            assert_eq!(pause_ms(written), [0_u32; 0], "{written}");
        }
    }

    // Negative control: without the requirement of a symbol that is not a–z, `/route/` was a
    // pronunciation.
    #[test]
    fn a_pronunciation_has_the_alphabets_symbols_and_one_that_is_not_a_to_z() {
        for ipa in ["/ˈdeɪtə/", "/nu jɔɹks/", "/ˈtot/", "/kˈOkəɹO/", "/diː/", "/t͡ʃ/", "/ə/"] {
            assert_eq!(find(&format!("[word]({ipa})")).count(), 1, "{ipa}");
        }
        for link in [
            "/route/",
            "/a.b/",
            "/index.html/",
            "/2024/",
            "/en/ˈdeɪtə/",
            "//",
            "/ˈdeɪtə",
            "https://ˈdeɪtə/",
            "/東京/",
            "/a b/",
            "/ü/",
        ] {
            assert_eq!(find(&format!("[word]({link})")).count(), 0, "{link}");
        }
        assert_eq!(find("[...](/ə/) [a[b]](/ə/) [a] (/ə/)").count(), 0);
        // Capitals are symbols of the alphabet that are not a–z (A is the vowel of "day"). So by
        // this rule, some words with a capital count as pronunciations. Links to such a path are
        // rare, and only lose their address.
        for ipa in ["/kˈAk/", "/Io/", "/About/"] {
            assert_eq!(find(&format!("[word]({ipa})")).count(), 1, "{ipa}");
        }
        // Not every letter is a symbol.
        assert_eq!(find("[word](/Route/) [word](/Blog/)").count(), 0);
    }

    #[test]
    fn characters_and_plain_text_leave_markup_out() {
        let text = "A [b](/ˈbi/) c.[pause 1s] D";
        assert_eq!(plain(text), "A b c. D");
        let between = text.find(" c.").unwrap();
        assert_eq!(Hidden::of(text).strip(4..between + 2), " c");
        assert_eq!(characters("A [b](/ˈbi/) c.[pause 1s] D"), 8);
        assert_eq!(characters("[pause 11s] é"), 13);
        assert_eq!(characters("[pause 1s][pause 2s]"), 0);
    }

    #[test]
    fn a_place_inside_markup_moves_to_its_start() {
        let text = "ab [c](/ˈsi/) [pause 1s] d";
        let pause = text.find("[pause").unwrap();
        for (at, wanted) in
            [(0, 0), (3, 3), (4, 3), (6, 3), (pause, pause), (pause + 4, pause), (pause + 10, pause + 10)]
        {
            assert_eq!(outside(text, at), wanted, "{at}");
        }
    }

    #[test]
    fn a_line_of_its_own_names_who_speaks() {
        let text = "Narrated.\n[speaker Ines]\nHello.\n[speaker Old Tom]\r\nAye.";
        let names: Vec<&str> = find(text)
            .filter_map(|markup| match markup.kind {
                Kind::Speaker { name } => Some(&text[name]),
                _ => None,
            })
            .collect();
        assert_eq!(names, ["Ines", "Old Tom"]);
        assert_eq!(plain("[speaker A]\nHi"), "\nHi");
        for other in [
            "x [speaker A]",
            "[speaker A] x",
            "[speaker ]",
            "[speaker]",
            "[Speaker A]",
            " [speaker A]",
            "[speaker  A]",
        ] {
            assert_eq!(find(other).count(), 0, "{other}");
        }
    }

    #[test]
    fn floods_of_brackets_take_no_longer_than_their_length() {
        for flood in ["[", "[a](", "[a](/ə", "[pause ", "[pause 1s"] {
            assert_eq!(find(&flood.repeat(400_000)).count(), 0, "{flood}");
        }
    }
}
