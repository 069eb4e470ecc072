//! A ZIP container (DOCX, EPUB) from which parts are read by name, into memory, within bounds. Nothing is ever written
//! under an entry's name, so names that climb out of a folder lead nowhere.

use std::io::{Cursor, Read};

use zip::{ZipArchive, read::ZipReadOptions, result::ZipError};

use crate::{Limits, Reason, Unreadable};

/// An open container.
pub(crate) struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    /// Bytes that may still be unpacked.
    left: u64,
    part_bytes: u64,
}

impl<'a> Archive<'a> {
    /// Reads the container's directory.
    pub(crate) fn open(bytes: &'a [u8], limits: &Limits) -> Result<Self, Unreadable> {
        // Asked before the directory is read: each entry of it costs a few hundred bytes.
        if entries_declared(bytes) > limits.entries as u64 {
            return Err(too_large());
        }
        let zip = ZipArchive::new(Cursor::new(bytes))
            .map_err(|_| if breaks_off(bytes) { broken_off() } else { damaged() })?;
        if zip.len() > limits.entries {
            return Err(too_large());
        }
        Ok(Self { zip, left: limits.unpacked_bytes, part_bytes: limits.part_bytes })
    }

    /// The names of its entries, as far as they are text.
    pub(crate) fn names(&self) -> impl Iterator<Item = String> + '_ {
        self.zip.file_names().filter_map(Result::ok).map(std::borrow::Cow::into_owned)
    }

    /// Whether it has an entry of that name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.zip.index_for_name(name).is_some()
    }

    /// The bytes of a part; `None` when there is none of that name.
    ///
    /// # Errors
    /// `encrypted` when the entry needs a password, `too_large` when it or all parts together unpack to more than the
    /// limits allow, `damaged` when it cannot be unpacked.
    pub(crate) fn read(&mut self, name: &str) -> Result<Option<Vec<u8>>, Unreadable> {
        let Some(index) = self.zip.index_for_name(name) else { return Ok(None) };
        let entry = self.zip.by_index_raw(index).map_err(|_| damaged())?;
        if entry.encrypted() {
            return Err(Unreadable::new(Reason::Encrypted, "The document is protected with a password."));
        }
        drop(entry);
        let entry = match self.zip.by_index_with_options(index, ZipReadOptions::new()) {
            Ok(entry) => entry,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(_) => return Err(damaged()),
        };
        let most = self.left.min(self.part_bytes);
        let mut bytes = Vec::new();
        // What an entry says about its size is a claim; what is counted is what comes out.
        entry.take(most + 1).read_to_end(&mut bytes).map_err(|_| damaged())?;
        if bytes.len() as u64 > most {
            return Err(too_large());
        }
        self.left -= bytes.len() as u64;
        Ok(Some(bytes))
    }
}

/// Whether a container begins as one and its end is not there, where its directory would be.
fn breaks_off(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") && end(bytes).is_none()
}

/// The end of a container's directory, as far as it is there.
fn end(bytes: &[u8]) -> Option<&[u8]> {
    const END: &[u8] = b"PK\x05\x06";
    let tail = &bytes[bytes.len().saturating_sub(END.len() + 18 + usize::from(u16::MAX))..];
    tail.windows(END.len()).rposition(|window| window == END).map(|at| &tail[at..])
}

/// The number of entries that the end of the directory declares.
fn entries_declared(bytes: &[u8]) -> u64 {
    match end(bytes).and_then(|end| end.get(10..12)) {
        // That many and more are counted elsewhere, in a structure for archives of gigabytes.
        Some(&[0xFF, 0xFF]) => u64::MAX,
        Some(&[low, high]) => u64::from(u16::from_le_bytes([low, high])),
        _ => 0,
    }
}

fn broken_off() -> Unreadable {
    Unreadable::new(
        Reason::Damaged,
        "The file is damaged: it breaks off before its end, as after a transfer that was cut short. Send the whole file \
         again.",
    )
}

fn damaged() -> Unreadable {
    Unreadable::new(Reason::Damaged, "The file is damaged: its ZIP container cannot be unpacked.")
}

fn too_large() -> Unreadable {
    Unreadable::new(Reason::TooLarge, "The file unpacks to far more than a document of its kind holds.")
}
