//! Metadata for people: title, author and cover in Apple's form, and the chapters once more, in
//! Nero's form.

use super::{super::BookOptions, atoms::Atoms};
use crate::audio::SOFTWARE;

/// Kinds of values in the list of tags.
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
        (*b"\xA9alb", title),
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

fn value(atoms: &mut Atoms, name: [u8; 4], kind: u32, bytes: &[u8]) {
    atoms.atom(name, |atoms| {
        atoms.atom(*b"data", |atoms| {
            atoms.u32(kind).u32(0).bytes(bytes);
        });
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
