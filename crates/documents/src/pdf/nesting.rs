//! How deeply a file nests lists in lists. The library reads them by recursion: a file made for it would end the whole
//! process. Looked for before anything is read, in what is not compressed; a page's compressed contents are looked at
//! when their turn comes, and what is left is for the process in which hostile files are read.

use super::bytes::find;

/// No document that anybody wrote nests this deeply.
const LEVELS: usize = 400;

/// Whether the bytes of a file nest too deeply anywhere outside of streams.
pub(super) fn is_deep(file: &[u8]) -> bool {
    let mut rest = file;
    while let Some(at) = find(rest, b"obj") {
        // `obj` and `endobj` alike: what lies between two of them is judged for itself.
        let part = &rest[..at];
        let stream = find(part, b"stream");
        if nests(&part[..stream.unwrap_or(part.len())]) {
            return true;
        }
        rest = match stream {
            // What is inside of a stream only looks like the rest of the file.
            Some(stream) => {
                find(&rest[stream..], b"endstream").map_or(&[][..], |end| &rest[stream + end + 9..])
            }
            None => &rest[at + 3..],
        };
    }
    nests(rest)
}

/// Whether lists and dictionaries stand in each other too deeply.
pub(super) fn nests(bytes: &[u8]) -> bool {
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
        if level > LEVELS {
            return true;
        }
        // A pair is a pair once.
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
