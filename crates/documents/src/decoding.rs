//! Decodes text. Byte order marks come first, then UTF-16 and UTF-32 by the pattern of their zeros,
//! then UTF-8, then UTF-16 of Chinese and Japanese, then the declared encoding, then a guess.

use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};

/// Decodes text without markup.
pub(crate) fn plain(bytes: &[u8]) -> String {
    decode(bytes, None)
}

/// Decodes HTML or XML, which may declare its own encoding.
pub(crate) fn markup(bytes: &[u8]) -> String {
    decode(bytes, declared(bytes))
}

fn decode(bytes: &[u8], declared: Option<&'static Encoding>) -> String {
    if let Some(text) = utf_32(bytes) {
        return text;
    }
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[mark..]).0.into_owned();
    }
    if let Some(encoding) = utf_16_by_zeros(bytes) {
        return encoding.decode_without_bom_handling(bytes).0.into_owned();
    }
    if let Some(text) = iso_2022_jp(bytes) {
        return text;
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.to_owned();
    }
    if let Some(encoding) = utf_16_by_marks(bytes) {
        return encoding.decode_without_bom_handling(bytes).0.into_owned();
    }
    let encoding = declared.unwrap_or_else(|| guess(bytes));
    encoding.decode_without_bom_handling(bytes).0.into_owned()
}

/// The most likely encoding. Text that is UTF-8 except for a few bytes counts as UTF-8.
fn guess(bytes: &[u8]) -> &'static Encoding {
    let mut broken = 0_usize;
    let mut whole = 0_usize;
    for chunk in bytes.utf8_chunks() {
        whole += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    if whole > 20 * broken {
        return UTF_8;
    }
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    detector.guess(None, chardetng::Utf8Detection::Deny)
}

/// ISO-2022-JP, which is all ASCII, with escapes before the Japanese characters.
fn iso_2022_jp(bytes: &[u8]) -> Option<String> {
    let has = |escape: &[u8]| bytes.windows(escape.len()).any(|window| window == escape);
    if !bytes.is_ascii() || !(has(b"\x1B$B") || has(b"\x1B$@")) {
        return None;
    }
    let (text, lost) = ISO_2022_JP.decode_without_bom_handling(bytes);
    (!lost).then(|| text.into_owned())
}

/// UTF-16 without a byte order mark: Western text has a zero in every other byte.
fn utf_16_by_zeros(bytes: &[u8]) -> Option<&'static Encoding> {
    let sample = &bytes[..bytes.len().min(4096) & !1];
    let zeros = |offset: usize| sample.iter().skip(offset).step_by(2).filter(|&&byte| byte == 0).count();
    let (even, odd, units) = (zeros(0), zeros(1), sample.len() / 2);
    if units == 0 {
        return None;
    }
    if odd * 10 > units * 4 && even * 20 < units {
        Some(UTF_16LE)
    } else if even * 10 > units * 4 && odd * 20 < units {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// UTF-16 of Chinese or Japanese without a byte order mark: nearly all characters are theirs, and some
/// of them are commas and full stops, which no text in another encoding gives by chance.
fn utf_16_by_marks(bytes: &[u8]) -> Option<&'static Encoding> {
    let sample = &bytes[..bytes.len().min(4096) & !1];
    let is_utf_16 = |unit: fn([u8; 2]) -> u16| {
        let (mut expected, mut marks, mut all) = (0_usize, 0_usize, 0_usize);
        for pair in sample.chunks_exact(2) {
            all += 1;
            match unit([pair[0], pair[1]]) {
                0x3001 | 0x3002 | 0xFF0C => marks += 1,
                0x09
                | 0x0A
                | 0x0D
                | 0x20..=0x7E
                | 0x2010..=0x2026
                | 0x3000..=0x30FF
                | 0x4E00..=0x9FFF
                | 0xFF00..=0xFF60 => expected += 1,
                _ => {}
            }
        }
        marks * 200 >= all && marks > 0 && (expected + marks) * 100 >= all * 97
    };
    if is_utf_16(u16::from_le_bytes) {
        Some(UTF_16LE)
    } else if is_utf_16(u16::from_be_bytes) {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// UTF-32 with a byte order mark or recognized by its zeros. `encoding_rs` does not support it,
/// because the web does not.
fn utf_32(bytes: &[u8]) -> Option<String> {
    let units = bytes.chunks_exact(4);
    if bytes.is_empty() || !units.remainder().is_empty() {
        return None;
    }
    let little = |unit: &[u8]| u32::from_le_bytes([unit[0], unit[1], unit[2], unit[3]]);
    let big = |unit: &[u8]| u32::from_be_bytes([unit[0], unit[1], unit[2], unit[3]]);
    let reads = |value: &dyn Fn(&[u8]) -> u32| {
        bytes.chunks_exact(4).take(1024).all(|unit| value(unit) != 0 && char::from_u32(value(unit)).is_some())
    };
    let read: &dyn Fn(&[u8]) -> u32 = if reads(&little) {
        &little
    } else if reads(&big) {
        &big
    } else {
        return None;
    };
    let text = units.map(|unit| char::from_u32(read(unit)).unwrap_or(char::REPLACEMENT_CHARACTER));
    Some(text.skip_while(|&c| c == '\u{FEFF}').collect())
}

/// The encoding named in an XML declaration or a `meta` element.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes[..bytes.len().min(4096)].to_ascii_lowercase();
    let after =
        |name: &[u8]| head.windows(name.len()).position(|window| window == name).map(|at| at + name.len());
    let at = if head.starts_with(b"<?xml") {
        after(b"encoding").or_else(|| after(b"charset"))
    } else {
        after(b"charset")
    }?;
    let label: Vec<u8> = head[at..]
        .iter()
        .copied()
        .skip_while(|byte| byte.is_ascii_whitespace() || matches!(byte, b'=' | b'"' | b'\''))
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':' | b'.'))
        .take(40)
        .collect();
    let encoding = Encoding::for_label(&label)?;
    // A declaration that is readable as ASCII bytes cannot be in UTF-16.
    if encoding == UTF_16LE || encoding == UTF_16BE { Some(UTF_8) } else { Some(encoding) }
}
