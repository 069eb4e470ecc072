//! The response headers of an object, derived from its key.

use lectern_types::{AudioFormat, BookFormat};

/// How long a private cache may keep an object, in seconds.
pub const MAX_AGE_SECONDS: u64 = 3600;

/// The media type of an object, by its key's extension.
pub fn media_type(key: &str) -> &'static str {
    let ending = file_name(key).rsplit_once('.').map(|(_, ending)| ending);
    let parse = |ending| {
        let book = || BookFormat::parse(ending).map(BookFormat::media_type);
        AudioFormat::parse(ending).map(AudioFormat::media_type).or_else(book)
    };
    ending.and_then(parse).unwrap_or("application/octet-stream")
}

/// The last part of a key, which has only letters, digits, `_`, `-` and `.`.
pub fn file_name(key: &str) -> &str {
    key.rsplit('/').next().unwrap_or(key)
}

/// The `Content-Disposition` of an object: displayed inline, saved under its own name.
pub fn disposition(key: &str) -> String {
    format!("inline; filename=\"{}\"", file_name(key))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_extension_gives_the_media_type() {
        assert_eq!(super::media_type("syntheses/a.mp3"), "audio/mpeg");
        assert_eq!(super::media_type("materials/m/book-1.m4b"), "audio/mp4");
        assert_eq!(super::media_type("materials/m.mp3/source"), "application/octet-stream");
        assert_eq!(super::disposition("syntheses/a.mp3"), "inline; filename=\"a.mp3\"");
    }
}
