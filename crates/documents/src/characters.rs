//! Which characters of a document belong into its text. The same for every kind, so that a book reads alike whatever
//! it came as.

/// So many combining marks on one letter are kept; more would let one "letter" outgrow a chunk.
pub(crate) const MARKS_KEPT: usize = 16;

/// Whether a character is dropped wherever it stands: it has no sound, and splits words that are one.
/// Joiners (U+200C, U+200D) stay, because Persian words and emoji are made with them.
pub(crate) fn is_dropped(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        c if c.is_control() => true,
        // Soft hyphen; zero-width space; word joiner and invisible operators; byte order mark.
        '\u{AD}' | '\u{200B}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}'
        // Marks that steer the direction of writing, and ones that are deprecated.
        | '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{206F}'
        // Places held for pictures, annotations; what decoding could not make out; noncharacters.
        | '\u{FFF9}'..='\u{FFFF}' | '\u{FDD0}'..='\u{FDEF}' => true,
        _ => false,
    }
}

/// Whether a character is written onto the one before it. Not all of Unicode's: enough that heaps of marks are seen.
pub(crate) fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36F}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5BD}' | '\u{610}'..='\u{61A}'
        | '\u{64B}'..='\u{65F}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}' | '\u{200C}' | '\u{200D}'
        | '\u{20D0}'..='\u{20FF}' | '\u{FE00}'..='\u{FE0F}' | '\u{FE20}'..='\u{FE2F}'
        | '\u{E0020}'..='\u{E007F}' | '\u{E0100}'..='\u{E01EF}')
}

/// Whether there is anything to say in a text: a letter or a digit of any script.
pub(crate) fn is_speakable(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// A text on one line, its white space collapsed and what is never read dropped, cut to at most `most` characters.
/// `None` when nothing is left: for titles, names and the like.
pub(crate) fn one_line(text: &str, most: usize) -> Option<String> {
    let mut line = String::new();
    let mut characters = 0;
    let mut space = false;
    for c in text.chars() {
        if c.is_whitespace() {
            space = !line.is_empty();
            continue;
        }
        if is_dropped(c) {
            continue;
        }
        // Room for the space, the character and the ellipsis that may have to follow.
        if characters + 3 > most {
            line.push('…');
            break;
        }
        if std::mem::take(&mut space) {
            line.push(' ');
            characters += 1;
        }
        line.push(c);
        characters += 1;
    }
    (!line.is_empty()).then_some(line)
}
