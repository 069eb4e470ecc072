//! The response headers of an object, derived from its key.

use std::borrow::Cow;

use lectern_types::{AudioFormat, BookFormat};

/// How long a private cache may keep an object, in seconds.
pub const MAX_AGE_SECONDS: u64 = 3600;

/// The rate of audio whose key does not name one.
const TELEPHONE_HZ: u32 = 8_000;

/// The extension of audio in a key. Formats without a header have their sample rate before it, as
/// the media type needs it: `24000.pcm`.
pub fn extension(format: AudioFormat, sample_rate_hz: u32) -> String {
    if format.is_headerless() { format!("{sample_rate_hz}.{format}") } else { format.as_str().to_owned() }
}

/// The media type of an object, by its key's extension.
pub fn media_type(key: &str) -> Cow<'static, str> {
    let Some((name, ending)) = file_name(key).rsplit_once('.') else { return OTHER.into() };
    if let Some(format) = AudioFormat::parse(ending) {
        let rate_hz = name.rsplit_once('.').and_then(|(_, rate)| rate.parse().ok());
        return format.media_type(rate_hz.unwrap_or(TELEPHONE_HZ));
    }
    if let Some((_, media_type)) = PICTURES.iter().find(|(known, _)| *known == ending) {
        return (*media_type).into();
    }
    ending.parse().map_or(OTHER, BookFormat::media_type).into()
}

/// The extensions of pictures.
const PICTURES: &[(&str, &str)] = &[("jpg", "image/jpeg"), ("png", "image/png")];

/// The end of a picture's key: `.jpg`. Empty for a type that no browser is sure to show.
pub fn picture_ending(media_type: &str) -> String {
    let found = PICTURES.iter().find(|(_, known)| *known == media_type);
    found.map(|(ending, _)| format!(".{ending}")).unwrap_or_default()
}

/// Whether the object is a picture that browsers show.
pub fn is_picture(key: &str) -> bool {
    media_type(key).starts_with("image/")
}

/// The media type of what is no audio.
const OTHER: &str = "application/octet-stream";

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
        assert_eq!(super::media_type("syntheses/a.16000.pcm"), "audio/pcm;rate=16000");
        assert_eq!(super::media_type("syntheses/a.8000.ulaw"), "audio/PCMU");
        assert_eq!(super::media_type("materials/m/cover-1.jpg"), "image/jpeg");
        assert!(super::is_picture("materials/m/cover-1.png") && !super::is_picture("materials/m/cover-1"));
        assert_eq!(super::picture_ending("image/png"), ".png");
        assert_eq!(super::picture_ending("image/svg+xml"), "");
        assert_eq!(super::media_type("materials/m.mp3/source"), "application/octet-stream");
        assert_eq!(super::disposition("syntheses/a.mp3"), "inline; filename=\"a.mp3\"");
    }
}
