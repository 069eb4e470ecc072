//! Decides which characters of a document belong in its text. The rules are the same for every
//! format, so a book reads alike in each.

/// The largest number of combining marks kept on one letter. Without a limit, one "letter" could
/// outgrow a chunk.
pub(crate) const MAX_MARKS: usize = 16;

/// Whether a character is always dropped: it has no sound and splits words. Joiners (U+200C,
/// U+200D) stay, because Persian words and emoji need them.
pub(crate) fn is_dropped(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        c if c.is_control() => true,
        // Soft hyphen; zero-width space; word joiner and invisible operators; byte order mark.
        '\u{AD}' | '\u{200B}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}'
        // Direction controls, and deprecated format characters.
        | '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{206F}'
        // Annotation and object placeholders, replacement characters, noncharacters.
        | '\u{FFF9}'..='\u{FFFF}' | '\u{FDD0}'..='\u{FDEF}' => true,
        _ => false,
    }
}

/// Whether a character combines with the character before it. This does not cover all of Unicode's
/// marks, but enough to notice a pile of them.
pub(crate) fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36F}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5BD}' | '\u{610}'..='\u{61A}'
        | '\u{64B}'..='\u{65F}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}' | '\u{200C}' | '\u{200D}'
        | '\u{20D0}'..='\u{20FF}' | '\u{FE00}'..='\u{FE0F}' | '\u{FE20}'..='\u{FE2F}'
        | '\u{E0020}'..='\u{E007F}' | '\u{E0100}'..='\u{E01EF}')
}

/// Whether a character is of Chinese or Japanese, or a mark of theirs: between two of them, a line
/// break in the source is no space.
pub(crate) fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{2E80}'..='\u{312F}' | '\u{3190}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{FE30}'..='\u{FE4F}'
        | '\u{FF00}'..='\u{FF9F}' | '\u{20000}'..='\u{3FFFF}')
}

/// Whether a text can be spoken: it has a letter or a digit of any script.
pub(crate) fn is_speakable(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// A title or name on one line: white space collapsed, unspoken characters dropped, cut to `max_characters`
/// characters. `None` when nothing is left.
pub(crate) fn one_line(text: &str, max_characters: usize) -> Option<String> {
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
        // Leave room for the space, this character and a possible ellipsis.
        if characters + 3 > max_characters {
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
