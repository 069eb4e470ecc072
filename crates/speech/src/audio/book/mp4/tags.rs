//! Metadata for people: title, author, cover and further facts in Apple's form, and the chapters
//! once more, in Nero's form.

use super::{super::BookOptions, atoms::Atoms};
use crate::audio::SOFTWARE;

/// Kinds of values in the list of tags.
const BINARY: u32 = 0;
const UTF_8: u32 = 1;
const JPEG: u32 = 13;
const PNG: u32 = 14;
const INTEGER: u32 = 21;

/// "Audiobook", among the kinds of media.
const AUDIOBOOK: u8 = 2;

/// Nero's list counts its chapters, and the bytes of a title, in one byte. The text track has all
/// chapters with their full titles.
const MOST: usize = 255;

/// Nero's units of time in a millisecond.
const UNITS_A_MS: u64 = 10_000;

/// The box with all metadata of the book.
pub(super) fn write(atoms: &mut Atoms, options: &BookOptions) {
    atoms.atom(*b"udta", |atoms| {
        atoms.full(*b"meta", 0, 0, |atoms| {
            atoms.full(*b"hdlr", 0, 0, |atoms| {
                atoms.u32(0).bytes(b"mdirappl").zeros(9);
            });
            atoms.atom(*b"ilst", |atoms| list(atoms, options));
        });
        chapters(atoms, options);
    });
}

fn list(atoms: &mut Atoms, options: &BookOptions) {
    let title = options.title.as_deref();
    let author = options.author.as_deref();
    let texts: [([u8; 4], Option<&str>); 6] = [
        (*b"\xA9nam", title),
        (*b"\xA9alb", options.album_title()),
        (*b"\xA9ART", author),
        (*b"aART", author),
        (*b"\xA9gen", Some("Audiobook")),
        (*b"\xA9too", Some(SOFTWARE)),
    ];
    for (kind, text) in texts {
        if let Some(text) = text {
            value(atoms, kind, UTF_8, text.as_bytes());
        }
    }
    value(atoms, *b"stik", INTEGER, &[AUDIOBOOK]);
    facts(atoms, options);
    if let Some(cover) = &options.cover {
        let kind = match cover.bytes.as_slice() {
            [0xFF, 0xD8, 0xFF, ..] => Some(JPEG),
            [0x89, b'P', b'N', b'G', ..] => Some(PNG),
            _ => None,
        };
        if let Some(kind) = kind {
            value(atoms, *b"covr", kind, &cover.bytes);
        }
    }
}

/// What is known about the book beyond title and author.
fn facts(atoms: &mut Atoms, options: &BookOptions) {
    let tags = &options.tags;
    let year = tags.year_text();
    let (narrator, description) = (tags.narrator.as_deref(), tags.description.as_deref());
    // Narrator and publisher have names of their own, which few players know. Players of audiobooks
    // take the composer for the narrator. `desc` has the full text, although Apple's shop cuts it:
    // Audiobookshelf displays no other.
    let texts: [([u8; 4], Option<&str>); 8] = [
        (*b"\xA9nrt", narrator),
        (*b"\xA9wrt", narrator),
        (*b"\xA9pub", tags.publisher.as_deref()),
        (*b"\xA9day", year.as_deref()),
        (*b"desc", description),
        (*b"ldes", description),
        (*b"\xA9cmt", description),
        (*b"cprt", tags.copyright.as_deref()),
    ];
    for (kind, text) in texts {
        if let Some(text) = text {
            value(atoms, kind, UTF_8, text.as_bytes());
        }
    }
    let named = [
        ("PUBLISHER", tags.publisher.as_deref()),
        ("SERIES", tags.series.as_deref()),
        ("SERIES-PART", tags.series_index.as_deref()),
        ("ISBN", tags.isbn.as_deref()),
        ("LANGUAGE", options.language_code()),
    ];
    for (name, text) in named {
        if let Some(text) = text {
            named_value(atoms, name, text);
        }
    }
    // The series once more, in the form of Apple's players, which display it only with `shwm`.
    if let Some(series) = &tags.series {
        value(atoms, *b"\xA9mvn", UTF_8, series.as_bytes());
        value(atoms, *b"shwm", INTEGER, &[1]);
    }
    if let Some(number) = tags.series_number() {
        value(atoms, *b"\xA9mvi", INTEGER, &number.to_be_bytes());
    }
    if let Some(track) = options.track.and_then(track) {
        value(atoms, *b"trkn", BINARY, &track);
    }
}

/// The number of a track and how many there are, as `trkn` states them; `None` when they need more
/// than 16 bits.
fn track((number, of): (u32, u32)) -> Option<[u8; 8]> {
    let [a, b] = u16::try_from(number).ok()?.to_be_bytes();
    let [c, d] = u16::try_from(of).ok()?.to_be_bytes();
    Some([0, 0, a, b, c, d, 0, 0])
}

fn value(atoms: &mut Atoms, name: [u8; 4], kind: u32, bytes: &[u8]) {
    atoms.atom(name, |atoms| data(atoms, kind, bytes));
}

/// A text under a name that is not among Apple's own.
fn named_value(atoms: &mut Atoms, name: &str, text: &str) {
    atoms.atom(*b"----", |atoms| {
        atoms.full(*b"mean", 0, 0, |atoms| {
            atoms.bytes(b"com.apple.iTunes");
        });
        atoms.full(*b"name", 0, 0, |atoms| {
            atoms.bytes(name.as_bytes());
        });
        data(atoms, UTF_8, text.as_bytes());
    });
}

fn data(atoms: &mut Atoms, kind: u32, bytes: &[u8]) {
    atoms.atom(*b"data", |atoms| {
        atoms.u32(kind).u32(0).bytes(bytes);
    });
}

fn chapters(atoms: &mut Atoms, options: &BookOptions) {
    if options.chapters.is_empty() {
        return;
    }
    let chapters = &options.chapters[..options.chapters.len().min(MOST)];
    atoms.full(*b"chpl", 1, 0, |atoms| {
        atoms.u32(0).u8(chapters.len() as u8);
        for chapter in chapters {
            let title = chapter.title.as_deref().unwrap_or_default();
            let title = &title[..title.floor_char_boundary(MOST)];
            atoms.u64(chapter.start_ms * UNITS_A_MS).u8(title.len() as u8).bytes(title.as_bytes());
        }
    });
}
