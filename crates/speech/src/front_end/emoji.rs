//! Pictures of emoji, flags and keycaps: where a picture ends, and the characters that identify it.
//! The languages name them.

/// Joins two emoji into one picture: a woman and a laptop become a programmer.
const JOINER: char = '\u{200D}';

/// Draws a key around the digit before it.
const KEYCAP: char = '\u{20E3}';

/// The most parts of a joined picture; the longest in use has four.
const MOST_PARTS: usize = 8;

/// The byte length of the picture at the start of a text, if the picture joins several characters
/// that have another meaning alone.
pub(super) fn joined(text: &str) -> Option<usize> {
    let picture = picture(text)?;
    picture.contains([JOINER, KEYCAP]).then_some(picture.len())
}

/// Writes a joined picture in the form that is read: without skin tones, genders and variation
/// selectors.
pub(super) fn plain(picture: &str, mut write: impl FnMut(char)) {
    for (at, part) in parts(picture).enumerate() {
        if at > 0 && part != KEYCAP {
            write(JOINER);
        }
        write(part);
    }
}

/// One emoji or flag, with the number of its repetitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::front_end) struct Run {
    /// The byte length of all of them.
    pub(in crate::front_end) bytes: usize,
    /// The number of repetitions.
    pub(in crate::front_end) count: usize,
}

/// The run of one emoji at the start of a text, if a part of the emoji has a name. Skin tones,
/// genders, variation selectors and single spaces between repetitions do not end the run.
pub(super) fn run(text: &str, is_named: impl Fn(char) -> bool) -> Option<Run> {
    let first = unit(text, &is_named)?;
    let mut run = Run { bytes: first.len(), count: 1 };
    loop {
        let rest = &text[run.bytes..];
        let spaces = usize::from(rest.starts_with(' '));
        let Some(next) = unit(&rest[spaces..], &is_named).filter(|next| parts(next).eq(parts(first))) else {
            return Some(run);
        };
        run.bytes += spaces + next.len();
        run.count += 1;
    }
}

/// The emoji, flag or keycap at the start of a text, if it has a name.
pub(super) fn unit(text: &str, is_named: impl Fn(char) -> bool) -> Option<&str> {
    picture(text).filter(|picture| {
        let flag_or_key = picture.starts_with(|c: char| regional(c).is_some() || c.is_ascii());
        flag_or_key || parts(picture).any(&is_named)
    })
}

/// The picture at the start of a text, with or without a name, including joined parts and
/// modifiers.
pub(super) fn picture(text: &str) -> Option<&str> {
    let mut chars = text.chars();
    let first = chars.next()?;
    if first.is_ascii() {
        return keycap(text);
    }
    if regional(first).is_some() {
        let bytes = 2 * first.len_utf8();
        return chars.next().and_then(regional).map(|_| &text[..adorned(text, bytes)]);
    }
    if !is_pictograph(first) {
        return None;
    }
    let mut bytes = adorned(text, first.len_utf8());
    for _ in 1..MOST_PARTS {
        let next = text[bytes..].strip_prefix(JOINER).and_then(|rest| rest.chars().next());
        let Some(next) = next.filter(|next| is_pictograph(*next)) else { break };
        bytes = adorned(text, bytes + JOINER.len_utf8() + next.len_utf8());
    }
    Some(&text[..bytes])
}

/// The keycap at the start of a text: a digit, `#` or `*` in a key.
pub(super) fn keycap(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(|c: char| c.is_ascii_digit() || matches!(c, '#' | '*'))?;
    let rest = rest.strip_prefix('\u{FE0F}').unwrap_or(rest).strip_prefix(KEYCAP)?;
    Some(&text[..text.len() - rest.len()])
}

/// The characters that distinguish a picture from others.
pub(super) fn parts(picture: &str) -> impl Iterator<Item = char> + '_ {
    let mut chars = picture.chars();
    let first = chars.next();
    first.into_iter().chain(chars.filter(|&c| c != JOINER && !adorns(c) && !matches!(c, '♀' | '♂')))
}

/// The length in bytes of an emoji of `bytes` with its modifiers.
fn adorned(text: &str, bytes: usize) -> usize {
    let rest = &text[bytes..];
    bytes + rest.find(|c| !adorns(c)).unwrap_or(rest.len())
}

/// Skin tones, variation selectors, and the tag letters in the flags of parts of a country.
fn adorns(c: char) -> bool {
    is_tone(c) || matches!(c, '\u{FE0E}' | '\u{FE0F}' | '\u{E0020}'..='\u{E007F}')
}

pub(super) fn is_pictograph(c: char) -> bool {
    matches!(c, '\u{203C}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2190}'..='\u{2BFF}' | '\u{3030}' | '\u{303D}'
        | '\u{3297}' | '\u{3299}' | '\u{1F000}'..='\u{1FAFF}')
        && !is_tone(c)
        && regional(c).is_none()
}

fn is_tone(c: char) -> bool {
    ('\u{1F3FB}'..='\u{1F3FF}').contains(&c)
}

pub(super) fn regional(c: char) -> Option<char> {
    (c as u32)
        .checked_sub(0x1F1E6)
        .filter(|index| *index < 26)
        .and_then(|index| char::from_u32('A' as u32 + index))
}
