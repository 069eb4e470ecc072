//! Checks how deeply a file nests lists. The library reads them by recursion, so a hostile file
//! could overflow the stack. Uncompressed objects are checked before anything is read, and a page's
//! compressed contents just before the page. The confined process in which hostile files are read
//! contains the remaining cases.

use super::bytes::find;

/// The deepest accepted nesting. No real document nests this deeply.
const MAX_LEVELS: usize = 400;

/// Whether a file nests too deeply anywhere outside of streams.
pub(super) fn is_deep(file: &[u8]) -> bool {
    let mut rest = file;
    while let Some(at) = find(rest, b"obj") {
        // Matches `obj` and `endobj`: each part between two of them is checked on its own.
        let part = &rest[..at];
        let stream = find(part, b"stream");
        if nests_too_deeply(&part[..stream.unwrap_or(part.len())]) {
            return true;
        }
        rest = match stream {
            // The content of a stream only looks like objects.
            Some(stream) => {
                find(&rest[stream..], b"endstream").map_or(&[][..], |end| &rest[stream + end + 9..])
            }
            None => &rest[at + 3..],
        };
    }
    nests_too_deeply(rest)
}

/// Whether lists and dictionaries nest too deeply.
pub(super) fn nests_too_deeply(bytes: &[u8]) -> bool {
    let (mut level, mut before) = (0_usize, 0);
    for &byte in bytes {
        match byte {
            b'[' => level += 1,
            b']' => level = level.saturating_sub(1),
            b'<' if before == b'<' => level += 1,
            b'>' if before == b'>' => level = level.saturating_sub(1),
            _ => {
                before = byte;
                continue;
            }
        }
        if level > MAX_LEVELS {
            return true;
        }
        // Do not use a character for two pairs.
        before = 0;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::is_deep;

    #[test]
    fn only_what_is_nested_outside_of_streams_counts() {
        let object = |inside: &str| format!("1 0 obj\n{inside}\nendobj\n").into_bytes();
        assert!(is_deep(&object(&"[".repeat(1_000))));
        assert!(is_deep(&object(&"<< /A ".repeat(1_000))));
        assert!(is_deep("[".repeat(1_000).as_bytes()));
        assert!(!is_deep(&object(&"[ ] << /A 1 >> <ab>".repeat(1_000))));
        assert!(!is_deep(&object(&format!("<< >>\nstream\n{}\nendstream", "[".repeat(1_000)))));
        assert!(is_deep(&object(&format!("<< >>\nstream\nx\nendstream {}", "[".repeat(1_000)))));
        assert!(!is_deep(&object("[").repeat(1_000)));
    }
}
