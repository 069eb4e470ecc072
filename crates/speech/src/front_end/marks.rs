//! Marks of all scripts: marks that end sentences, quote or number list items, and invisible
//! characters.

/// Marks that can end a sentence.
pub(super) fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？' | '｡' | '．' | '।' | '॥' | '۔' | '؟')
}

/// The byte length of the run of stops at the start of a text.
pub(super) fn run(text: &str) -> usize {
    text.find(|c: char| !is_stop(c)).unwrap_or(text.len())
}

/// Whether a character is invisible.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
}

/// Whether a character may be spoken.
pub(super) fn may_be_said(c: char) -> bool {
    c.is_alphanumeric()
        || (!c.is_ascii() && !c.is_whitespace() && !is_stop(c) && !is_invisible(c) && !is_mark(c))
        || matches!(c, '+' | '=' | '%' | '&' | '@' | '$' | '<' | '>')
}

fn is_mark(c: char) -> bool {
    matches!(
        c,
        '“' | '”'
            | '‘'
            | '’'
            | '«'
            | '»'
            | '—'
            | '–'
            | '•'
            | '、'
            | '，'
            | '：'
            | '；'
            | '「'
            | '」'
    )
}

/// `# Heading`.
pub(super) fn is_hashed_heading(line: &str) -> bool {
    let rest = line.trim_start();
    let hashes = rest.bytes().take_while(|&byte| byte == b'#').count();
    (1..=6).contains(&hashes) && rest[hashes..].starts_with([' ', '\t'])
}

/// `- item`, `* item`, `3. item`, `b) item`.
pub(super) fn starts_item(line: &str) -> bool {
    let rest = line.trim_start();
    let bullet =
        ["- ", "* ", "+ ", "• ", "– ", "◦ ", "‣ ", "▪ ", "● "].iter().any(|sign| rest.starts_with(sign));
    bullet || item_number(rest) > 0
}

/// The byte length of the number (or letter) at the start of a list item, including its period or
/// bracket.
pub(super) fn item_number(line: &str) -> usize {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let letter = usize::from(digits == 0 && line.starts_with(|c: char| c.is_ascii_alphabetic()));
    let length = digits.max(letter);
    let bracketed = line[length..].starts_with(") ");
    let stopped = digits > 0 && line[length..].starts_with(". ");
    if (1..=3).contains(&length) && (bracketed || stopped) { length + 1 } else { 0 }
}

/// Whether a cut before `c` would split a grapheme.
pub(super) fn belongs_to_previous(previous: char, c: char) -> bool {
    let joins = |c: char| matches!(c, '\u{200D}' | '\u{34F}' | '\u{1F1E6}'..='\u{1F1FF}');
    joins(previous)
        || joins(c)
        || matches!(c as u32,
            0x300..=0x36F | 0x483..=0x489 | 0x591..=0x5C7 | 0x610..=0x61A | 0x64B..=0x65F | 0x670 | 0x6D6..=0x6ED
            | 0x900..=0x903 | 0x93A..=0x94F | 0x951..=0x957 | 0x981..=0x983 | 0x9BC..=0x9D7 | 0xA01..=0xA03
            | 0xA3C..=0xA51 | 0xABC..=0xACD | 0xB3C..=0xB57 | 0xBBE..=0xBD7 | 0xC3E..=0xC56 | 0xCBC..=0xCD6
            | 0xD3B..=0xD57 | 0xE31 | 0xE34..=0xE3A | 0xE47..=0xE4E | 0x1160..=0x11FF | 0x135D..=0x135F
            | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF | 0x20D0..=0x20FF | 0x302A..=0x302F | 0x3099 | 0x309A
            | 0xFE00..=0xFE0F | 0xFE20..=0xFE2F | 0x1F3FB..=0x1F3FF | 0xE0020..=0xE007F | 0xE0100..=0xE01EF)
}

/// The signs of footnotes that are written without brackets.
pub(super) fn is_footnote_sign(c: char) -> bool {
    matches!(c, '†' | '‡' | '¹' | '²' | '³' | '\u{2070}'..='\u{2079}')
}

/// The byte length of closing quotes, brackets and footnote marks after a stop.
pub(super) fn closers(text: &str) -> usize {
    let mut length = 0;
    loop {
        let rest = &text[length..];
        let footnote = rest.strip_prefix('[').and_then(|inner| {
            let digits = inner.bytes().take_while(u8::is_ascii_digit).count();
            ((1..=3).contains(&digits) && inner[digits..].starts_with(']')).then_some(digits + 2)
        });
        // French sets its quotes off with a space; what follows a closing one is no letter.
        let spaced = [" »", "\u{A0}»", "\u{202F}»"].into_iter().find(|quote| {
            rest.strip_prefix(quote).is_some_and(|after| !after.starts_with(char::is_alphanumeric))
        });
        if let Some(quote) = spaced {
            length += quote.len();
            continue;
        }
        let close = rest.chars().next().filter(|c| {
            matches!(
                c,
                '"' | '”'
                    | '’'
                    | '\''
                    | ')'
                    | ']'
                    | '}'
                    | '»'
                    | '*'
                    | '_'
                    | '」'
                    | '』'
                    | '）'
                    | '】'
                    | '》'
                    | '〉'
            ) || is_footnote_sign(*c)
        });
        length += match (footnote, close) {
            (Some(bytes), _) => bytes,
            (None, Some(c)) => c.len_utf8(),
            (None, None) => return length,
        };
    }
}
