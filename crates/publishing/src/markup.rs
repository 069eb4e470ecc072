//! Escapes text for XML and formats what all documents share: languages and times.

use std::fmt::{self, Display, Formatter, Write as _};

/// Text for an element or an attribute in quotation marks. Characters that XML does not allow are
/// left out.
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some(at) = rest.find(|c| matches!(c, '&' | '<' | '>' | '"') || !is_allowed(c)) {
            f.write_str(&rest[..at])?;
            let c = rest[at..].chars().next().unwrap_or_default();
            f.write_str(match c {
                '&' => "&amp;",
                '<' => "&lt;",
                '>' => "&gt;",
                '"' => "&quot;",
                _ => "",
            })?;
            rest = &rest[at + c.len_utf8()..];
        }
        f.write_str(rest)
    }
}

/// Text of a paragraph, with its line feeds as line breaks of XHTML.
pub(crate) struct Lines<'a>(pub(crate) &'a str);

impl Display for Lines<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (at, line) in self.0.split('\n').enumerate() {
            if at > 0 {
                f.write_str("<br/>\n")?;
            }
            Escaped(line).fmt(f)?;
        }
        Ok(())
    }
}

/// Whether XML 1.0 allows the character, and it is not one that validators warn of.
fn is_allowed(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' => true,
        '\0'..='\u{1F}' | '\u{7F}'..='\u{9F}' | '\u{FDD0}'..='\u{FDEF}' => false,
        c => u32::from(c) & 0xFFFE != 0xFFFE,
    }
}

/// Text on one line: white space becomes single spaces, what XML does not allow is left out.
/// `None` when nothing remains.
pub(crate) fn one_line(text: Option<&str>) -> Option<String> {
    /// A long description has less.
    const MOST: usize = 4_000;
    let mut line = String::new();
    for word in text?.split_whitespace() {
        let start = line.len();
        if start > 0 {
            line.push(' ');
        }
        let length = line.len();
        line.extend(word.chars().filter(|c| is_allowed(*c)));
        if line.len() == length {
            line.truncate(start);
        }
        if line.len() > MOST {
            line.truncate(line.floor_char_boundary(MOST));
            break;
        }
    }
    (!line.is_empty()).then_some(line)
}

/// The language tag if it is well-formed by RFC 5646, else `und`.
pub(crate) fn language(tag: Option<&str>) -> String {
    let tag = tag.unwrap_or_default().trim().replace('_', "-");
    if is_well_formed(&tag) { tag } else { "und".to_owned() }
}

/// Whether a language is written from right to left, by its tag.
pub(crate) fn is_right_to_left(tag: &str) -> bool {
    let mut parts = tag.split('-');
    let language = parts.next().unwrap_or_default().to_ascii_lowercase();
    match parts.next().map(str::to_ascii_lowercase).as_deref() {
        Some("latn" | "cyrl") => false,
        Some("arab" | "hebr" | "thaa" | "syrc" | "nkoo") => true,
        _ => matches!(
            &*language,
            "ar" | "arz"
                | "ary"
                | "arb"
                | "ckb"
                | "dv"
                | "fa"
                | "he"
                | "iw"
                | "ks"
                | "ps"
                | "sd"
                | "syr"
                | "ug"
                | "ur"
                | "yi"
                | "nqo"
        ),
    }
}

fn is_well_formed(tag: &str) -> bool {
    let mut parts = tag.split('-').peekable();
    let is = |part: &str, lengths: std::ops::RangeInclusive<usize>, of: fn(&u8) -> bool| {
        lengths.contains(&part.len()) && part.bytes().all(|byte| of(&byte))
    };
    let (alphabetic, alphanumeric) = (u8::is_ascii_alphabetic, u8::is_ascii_alphanumeric);
    if !parts.next().is_some_and(|language| is(language, 2..=3, alphabetic)) {
        return false;
    }
    let _ = parts.next_if(|part| is(part, 3..=3, alphabetic));
    let _ = parts.next_if(|part| is(part, 4..=4, alphabetic));
    let _ = parts.next_if(|part| is(part, 2..=2, alphabetic) || is(part, 3..=3, u8::is_ascii_digit));
    let mut variants = Vec::new();
    while let Some(part) = parts.next_if(|part| {
        is(part, 5..=8, alphanumeric)
            || (is(part, 4..=4, alphanumeric) && part.as_bytes()[0].is_ascii_digit())
    }) {
        variants.push(part.to_ascii_lowercase());
    }
    variants.sort();
    // Extensions and private use are not for books.
    parts.next().is_none() && variants.windows(2).all(|pair| pair[0] != pair[1])
}

/// A time as `12.345s`.
pub(crate) struct Seconds(pub(crate) u64);

impl Display for Seconds {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:03}s", self.0 / 1000, self.0 % 1000)
    }
}

/// A time as `1:02:03`, rounded, with hours of at least `width` digits.
pub(crate) fn clock(ms: u64, width: usize) -> String {
    let seconds = (ms + 500) / 1000;
    let mut clock = String::new();
    let _ = write!(clock, "{:0width$}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    clock
}
