//! Pictures of pages, whose text is recognized by programs: ZIP archives of them, and TIFF files of several.

use std::cmp::Ordering;

use crate::{Limits, Reason, Unreadable, archive::Archive};

/// What an archive of pictures may unpack to. Pictures are hardly smaller in it than outside.
const UNPACKED_BYTES: u64 = 2 << 30;

/// The pictures of a ZIP archive, in the order of their names.
pub struct PictureArchive<'a> {
    archive: Archive<'a>,
    names: Vec<String>,
}

impl std::fmt::Debug for PictureArchive<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PictureArchive").field("pictures", &self.names.len()).finish_non_exhaustive()
    }
}

impl<'a> PictureArchive<'a> {
    /// Reads the directory of an archive.
    ///
    /// # Errors
    /// [`Unreadable`] when it is damaged or has no pictures.
    pub fn open(bytes: &'a [u8], limits: &Limits) -> Result<Self, Unreadable> {
        let limits = Limits { unpacked_bytes: UNPACKED_BYTES, ..limits.clone() };
        let archive = Archive::open(bytes, &limits)?;
        let mut names: Vec<String> = archive.names().filter(|name| is_picture(name)).collect();
        names.sort_by(|one, other| in_natural_order(one, other));
        if names.is_empty() {
            return Err(Unreadable::new(Reason::NoText, "There are no pictures in the ZIP archive."));
        }
        Ok(Self { archive, names })
    }

    /// How many there are, at least one.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// The bytes of a picture, counted from 0.
    ///
    /// # Errors
    /// [`Unreadable`] when it cannot be unpacked or is too large.
    pub fn read(&mut self, index: usize) -> Result<Vec<u8>, Unreadable> {
        let gone =
            || Unreadable::new(Reason::Damaged, "The file is damaged: a picture in it cannot be found.");
        let name = self.names.get(index).ok_or_else(gone)?;
        self.archive.read(name)?.ok_or_else(gone)
    }
}

/// Whether an entry is a picture of a page by its name.
fn is_picture(name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    !is_ignored(name)
        && ending.is_some_and(|ending| ["png", "jpg", "jpeg", "tif", "tiff"].contains(&ending.as_str()))
}

/// Whether an entry is what systems and programs for comics leave in an archive, or a folder.
fn is_ignored(name: &str) -> bool {
    let last = name.rsplit('/').next().unwrap_or_default();
    name.starts_with("__MACOSX/")
        || last.is_empty()
        || last.starts_with('.')
        || ["thumbs.db", "desktop.ini", "comicinfo.xml"].contains(&last.to_ascii_lowercase().as_str())
}

/// Whether these are the names of an archive of pictures: there is one, and nothing else.
pub(crate) fn are_pictures<'a>(names: impl Iterator<Item = &'a [u8]>) -> bool {
    let mut any = false;
    for name in names {
        let name = String::from_utf8_lossy(name);
        if !is_ignored(&name) && !is_picture(&name) {
            return false;
        }
        any |= is_picture(&name);
    }
    any
}

/// The order in which people number pages: 2 comes before 10.
fn in_natural_order(one: &str, other: &str) -> Ordering {
    let key = |name: &str| name.to_lowercase();
    let (a, b) = (key(one), key(other));
    let (mut a, mut b) = (a.as_str(), b.as_str());
    loop {
        let (digits_a, digits_b) = (digits(a), digits(b));
        if digits_a > 0 && digits_b > 0 {
            let (number_a, number_b) =
                (a[..digits_a].trim_start_matches('0'), b[..digits_b].trim_start_matches('0'));
            let order = number_a.len().cmp(&number_b.len()).then_with(|| number_a.cmp(number_b));
            if order.is_ne() {
                return order;
            }
            (a, b) = (&a[digits_a..], &b[digits_b..]);
            continue;
        }
        let (mut rest_a, mut rest_b) = (a.chars(), b.chars());
        match (rest_a.next(), rest_b.next()) {
            (None, None) => return one.cmp(other),
            (first, second) if first == second => (a, b) = (rest_a.as_str(), rest_b.as_str()),
            (first, second) => return first.cmp(&second),
        }
    }
}

/// The digits that a text begins with.
fn digits(text: &str) -> usize {
    text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len()
}

/// The pages of a TIFF file, at most one more than `most`; at least 1, so that the program that reads it says what is
/// wrong with it.
pub fn tiff_pages(bytes: &[u8], most: u32) -> u32 {
    let little = bytes.starts_with(b"II");
    let number = |at: usize, length: usize| -> Option<u32> {
        let bytes = bytes.get(at..at.checked_add(length)?)?.iter();
        let digit = |sum: u32, byte: &u8| (sum << 8) | u32::from(*byte);
        Some(if little { bytes.rev().fold(0, digit) } else { bytes.fold(0, digit) })
    };
    let (mut pages, mut at) = (0, number(4, 4));
    // A list that leads back to itself ends with the count.
    while let Some(place) = at.filter(|&place| place != 0 && pages <= most) {
        let place = place as usize;
        let Some(fields) = number(place, 2) else { break };
        pages += 1;
        at = number(place.saturating_add(2 + 12 * fields as usize), 4);
    }
    pages.max(1)
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write as _};

    use super::*;

    fn archive(names: &[&str]) -> Vec<u8> {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for name in names {
            zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(name.as_bytes()).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    #[test]
    fn pages_come_in_the_order_of_their_numbers() {
        let names = [
            "b/page 2.PNG",
            "b/page 10.jpg",
            "b/page 1.tiff",
            "a/9.jpeg",
            "__MACOSX/b/._page 1.tiff",
            "b/",
            "b/Thumbs.db",
        ];
        let bytes = archive(&names);
        let mut pictures = PictureArchive::open(&bytes, &Limits::default()).unwrap();
        let read: Vec<String> =
            (0..pictures.count()).map(|at| String::from_utf8(pictures.read(at).unwrap()).unwrap()).collect();
        assert_eq!(read, ["a/9.jpeg", "b/page 1.tiff", "b/page 2.PNG", "b/page 10.jpg"]);
        assert!(pictures.read(4).is_err());
        let other = archive(&["readme.txt"]);
        let refused = PictureArchive::open(&other, &Limits::default());
        assert_eq!(refused.unwrap_err().reason, Reason::NoText);
    }

    #[test]
    fn names_are_in_one_order_only() {
        for (one, other) in [("2", "10"), ("a2b", "a2c"), ("a", "a1"), ("007", "8"), ("IMG_9", "img_10")] {
            assert_eq!(in_natural_order(one, other), Ordering::Less, "{one} {other}");
            assert_eq!(in_natural_order(other, one), Ordering::Greater, "{other} {one}");
        }
        assert_eq!(in_natural_order("01", "1"), Ordering::Less, "names that read alike");
    }

    #[test]
    fn an_archive_with_anything_else_is_none_of_pictures() {
        let are = |names: &[&str]| are_pictures(names.iter().map(|name| name.as_bytes()));
        assert!(are(&["1.png", "2.jpg", "ComicInfo.xml", ".DS_Store", "x/"]));
        assert!(!are(&["1.png", "text.docx"]) && !are(&["ComicInfo.xml"]) && !are(&[]));
    }

    #[test]
    fn the_pages_of_a_tiff_are_counted_also_of_one_without_an_end() {
        let mut tiff = b"II*\0\x08\0\0\0".to_vec();
        // Two directories without fields.
        tiff.extend([0, 0, 14, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(tiff_pages(&tiff, 9), 2);
        let mut circle = b"MM\0*\0\0\0\x08".to_vec();
        circle.extend([0, 0, 0, 0, 0, 8]);
        assert_eq!(tiff_pages(&circle, 9), 10);
        for broken in [&b""[..], b"II*\0", b"II*\0\xFF\xFF\xFF\xFF"] {
            assert_eq!(tiff_pages(broken, 9), 1);
        }
    }
}
