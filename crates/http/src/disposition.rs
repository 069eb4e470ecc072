//! `Content-Disposition`: the file name under which a browser saves a response (RFC 6266, RFC
//! 8187).

/// The most characters of a file name, including its extension.
const LONGEST: usize = 120;

/// Shown inline; the name is already ASCII.
pub(super) fn inline(file_name: &str) -> String {
    format!("inline; filename=\"{file_name}\"")
}

/// Shown inline, saved under a title in any script.
pub(super) fn inline_titled(title: &str, ending: &str) -> String {
    titled("inline", title, ending)
}

/// Saved as an attachment, under a title in any script.
pub(super) fn attachment(title: &str, ending: &str) -> String {
    titled("attachment", title, ending)
}

fn titled(kind: &str, title: &str, ending: &str) -> String {
    let name = safe(title, LONGEST - ending.len() - 1);
    let plain: String = name.chars().map(|c| if c.is_ascii() { c } else { '_' }).collect();
    if plain == name {
        return format!("{kind}; filename=\"{plain}.{ending}\"");
    }
    format!("{kind}; filename=\"{plain}.{ending}\"; filename*=UTF-8''{}.{ending}", encoded(&name))
}

/// A title as a file name that every system accepts: without path separators, leading dots, control
/// characters or characters that change the writing direction.
fn safe(title: &str, longest: usize) -> String {
    let mut name = String::new();
    for (at, character) in title.chars().filter(|c| !is_invisible(*c)).take(longest).enumerate() {
        let is_unsafe = matches!(character, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' | '%' | ';');
        name.push(if is_unsafe || (at == 0 && character == '.') {
            '_'
        } else if character.is_whitespace() {
            ' '
        } else {
            character
        });
    }
    // Windows drops a trailing dot or space.
    let name = name.trim().trim_end_matches(['.', ' ']);
    if name.is_empty() { "untitled".to_owned() } else { name.to_owned() }
}

/// Control characters and invisible ones: joiners, direction marks and overrides.
fn is_invisible(character: char) -> bool {
    (character.is_control() && !character.is_whitespace())
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// A value of RFC 8187: UTF-8, percent-encoded except for the characters allowed as they are.
fn encoded(name: &str) -> String {
    use std::fmt::Write as _;
    name.bytes().fold(String::new(), |mut text, byte| {
        if byte.is_ascii_alphanumeric() || b"!#$&+-.^_`|~".contains(&byte) {
            text.push(byte as char);
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
        text
    })
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn a_plain_title_is_the_name_and_another_is_given_twice() {
        assert_eq!(attachment("The Harbour", "m4b"), "attachment; filename=\"The Harbour.m4b\"");
        assert_eq!(
            attachment("Übermut & Ärger", "mp3"),
            "attachment; filename=\"_bermut & _rger.mp3\"; \
             filename*=UTF-8''%C3%9Cbermut%20&%20%C3%84rger.mp3"
        );
    }

    #[test]
    fn whatever_the_title_the_name_is_safe_and_the_header_valid() {
        for (title, name) in [
            ("../../etc/passwd", "_./.._etc_passwd".replace('/', "_").as_str()),
            (".bashrc", "_bashrc"),
            ("a\r\nSet-Cookie: x=1", "a  Set-Cookie_ x=1"),
            ("x\u{202e}3pm.exe", "x3pm.exe"),
            ("\"; filename=\"evil.exe", "__ filename=_evil.exe"),
            ("end. . .", "end"),
            ("", "untitled"),
            ("\u{0}\u{200b} ", "untitled"),
            ("a%41", "a_41"),
        ] {
            let header = attachment(title, "mp3");
            assert!(HeaderValue::from_str(&header).is_ok(), "{header}");
            assert_eq!(header, format!("attachment; filename=\"{name}.mp3\""));
        }
        let long = attachment(&"é".repeat(10_000), "mp3");
        assert!(long.len() < 1_000 && HeaderValue::from_str(&long).is_ok());
    }
}
