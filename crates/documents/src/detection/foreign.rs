//! Recognizes unsupported files by their first bytes and gives them the names that people use.

use crate::{Reason, Unreadable};

/// The formats that can be read, for messages.
const SUPPORTED: &str =
    "EPUB, Kindle (MOBI, AZW3), FictionBook, PDF, DOCX, ODT, RTF, HTML, Markdown and plain text";

/// The refusal of an unsupported file; `what` is the format's name with its article.
pub(super) fn unsupported(what: &str) -> Unreadable {
    Unreadable::new(Reason::UnknownKind, format!("The file is {what}; supported formats are {SUPPORTED}."))
}

/// The name of an unsupported format, with its article.
pub(super) fn name(head: &[u8]) -> Option<&'static str> {
    let known = SIGNATURES.iter().find(|(start, _)| head.starts_with(start)).map(|(_, name)| *name);
    known.or_else(|| by_offset(head)).or_else(|| audio_frame(head))
}

const SIGNATURES: &[(&[u8], &str)] = &[
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xFF\xD8\xFF", "a JPEG picture"),
    (b"GIF87a", "a GIF picture"),
    (b"GIF89a", "a GIF picture"),
    (b"II*\0", "a TIFF picture"),
    (b"MM\0*", "a TIFF picture"),
    (b"8BPS", "a Photoshop picture"),
    (b"AT&TFORM", "a DjVu scan"),
    (b"ID3", "an MP3 recording"),
    (b"OggS", "an Ogg recording"),
    (b"fLaC", "a FLAC recording"),
    (b"MThd", "a MIDI file"),
    (b"\x1A\x45\xDF\xA3", "a Matroska video"),
    (b"\x1F\x8B", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xFD7zXZ\0", "an XZ archive"),
    (b"\x28\xB5\x2F\xFD", "a Zstandard archive"),
    (b"7z\xBC\xAF\x27\x1C", "a 7-Zip archive"),
    (b"Rar!\x1A\x07", "a RAR archive"),
    (b"\x7FELF", "a program"),
    (b"MZ\x90\0", "a program"),
    (b"\xCF\xFA\xED\xFE", "a program"),
    (b"\xCE\xFA\xED\xFE", "a program"),
    (b"\xCA\xFE\xBA\xBE", "a program"),
    (b"\0asm", "a program"),
    (b"SQLite format 3\0", "a database"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
    (b"OTTO", "a font"),
    (b"%!PS", "a PostScript document; save it as PDF"),
    (b"ITOLITLS", "a Microsoft Reader book; convert it to EPUB"),
    (b"ITSF", "a compiled help file"),
    (b"TPZ", "a Kindle book of an old kind (Topaz); convert it to EPUB"),
    (b"CONT\x02\0", "a Kindle book of a new kind (KFX); convert it to EPUB"),
    (b"\xEADRMION\xEE", "a Kindle book of a new kind (KFX) that is locked (DRM)"),
];

/// Formats recognized by bytes after the start.
fn by_offset(head: &[u8]) -> Option<&'static str> {
    let at = |place: usize, what: &[u8]| head.get(place..).is_some_and(|rest| rest.starts_with(what));
    if head.starts_with(b"RIFF") {
        return Some(match head.get(8..12) {
            Some(b"WAVE") => "a WAV recording",
            Some(b"WEBP") => "a WebP picture",
            _ => "a video",
        });
    }
    if at(4, b"ftyp") {
        return Some(match head.get(8..11) {
            Some(b"M4A" | b"M4B") => "an MPEG-4 recording",
            Some(b"hei" | b"mif" | b"avi") => "a HEIC or AVIF picture",
            _ => "an MPEG-4 video",
        });
    }
    if head.starts_with(b"FORM") && at(8, b"AIF") {
        return Some("an AIFF recording");
    }
    if at(60, b"TEXtREAd") {
        return Some("a text for Palm organizers (PalmDOC); convert it to EPUB");
    }
    if at(257, b"ustar") {
        return Some("a TAR archive");
    }
    // A bitmap's header has its length and then four zero bytes.
    (head.starts_with(b"BM") && at(6, &[0, 0, 0, 0])).then_some("a BMP picture")
}

/// An MP3 or AAC recording without a tag: a frame header.
fn audio_frame(head: &[u8]) -> Option<&'static str> {
    let header = |at: usize| match head.get(at..at + 4)? {
        // Sync bits, layer III or none (AAC), a valid bit rate and a valid sample rate.
        &[0xFF, second, third, _] if second & 0xE0 == 0xE0 => {
            let layer_3 = second & 0x06 == 0x02 && second & 0x18 != 0x08;
            let rates = !matches!(third >> 4, 0 | 15) && third >> 2 & 3 != 3;
            Some((layer_3 && rates) || second & 0xF6 == 0xF0)
        }
        _ => None,
    };
    // UTF-16 text starts with FF FE, which is not a valid frame.
    (header(0)? && head.iter().take(512).any(|&byte| byte == 0)).then_some("an MP3 or AAC recording")
}
