//! Which characters are Hindi, and which stretches of a text are another language's: words in other
//! scripts with their numbers, web and e-mail addresses.

/// The most characters that a look at the next or the last word takes.
pub(super) const LONGEST_LOOK: usize = 32;

/// The most characters of one stretch of another language.
const LONGEST_FOREIGN: usize = 350;

/// Whether a character is a letter or a sign of the Devanagari script, without its stops and digits.
pub(super) const fn is_hindi(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{963}' | '\u{971}'..='\u{97F}')
}

/// Whether a character is a sign that is no letter: a word goes on after it.
pub(super) const fn is_sign(c: char) -> bool {
    matches!(c, '\u{93C}' | '\u{94D}' | '\u{951}'..='\u{954}')
}

/// A letter as people write it: those with a dot below are two characters.
pub(super) fn decomposed(c: char) -> impl Iterator<Item = char> {
    const LETTERS: [char; 8] = ['क', 'ख', 'ग', 'ज', 'ड', 'ढ', 'फ', 'य'];
    let plain = (c as u32).checked_sub(0x958).and_then(|index| LETTERS.get(index as usize)).copied();
    [plain.unwrap_or(c)].into_iter().chain(plain.map(|_| '\u{93C}'))
}

/// The word that a text ends with.
pub(super) fn word_ending(text: &str) -> &str {
    let mut start = text.len();
    for (at, c) in text.char_indices().rev().take(LONGEST_LOOK) {
        if !is_hindi(c) && !c.is_alphanumeric() {
            break;
        }
        start = at;
    }
    &text[start..]
}

/// The first characters of a text, as many as a look takes.
pub(super) fn head(text: &str) -> &str {
    text.char_indices().nth(LONGEST_LOOK).map_or(text, |(end, _)| &text[..end])
}

fn is_foreign(c: char) -> bool {
    c.is_alphabetic() && !is_hindi(c)
}

/// The end of the words in another script that start at a byte, if some do. Several words are one
/// stretch.
pub(super) fn foreign(text: &str, at: usize) -> Option<usize> {
    let mut end = chunk(text, at)?;
    let start = at;
    while end - start < LONGEST_FOREIGN
        && text[end..].strip_prefix(' ').is_some_and(|rest| rest.starts_with(is_foreign))
    {
        match chunk(text, end + 1) {
            Some(next) => end = next,
            None => break,
        }
    }
    Some(end)
}

/// The end of one word in another script, or of an address.
fn chunk(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    if !rest.starts_with(|c: char| is_foreign(c) || c.is_ascii_digit()) {
        return None;
    }
    let mut end = 0;
    let mut letters = false;
    let mut address = false;
    let mut chars = rest.char_indices().take(LONGEST_FOREIGN).peekable();
    while let Some((offset, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let joins = match c {
            '.' | '\'' | '&' | '-' | '_' => {
                next.is_some_and(|next| is_foreign(next) || next.is_ascii_digit())
            }
            ':' => rest[offset..].starts_with("://"),
            '@' => next.is_some_and(is_foreign),
            '/' | '?' | '=' | '#' | '~' | '+' => address,
            _ => false,
        };
        if !joins && !is_foreign(c) && !c.is_ascii_digit() {
            break;
        }
        letters |= is_foreign(c);
        address |= matches!(c, ':' | '@' | '.');
        end = offset + c.len_utf8();
    }
    letters.then(|| at + rest[..end].trim_end_matches(['/', '?', '=', '#', '~', '+', ':']).len())
}
