//! Reads the parts of a ZIP container (DOCX, EPUB, ODT) by name, into memory and within limits. No file
//! is ever written under an entry's name, so a name such as `../../x` is harmless.

use std::io::{Cursor, Read};

use zip::{ZipArchive, read::ZipReadOptions, result::ZipError};

use crate::{Limits, Reason, Unreadable};

pub(crate) struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    /// Bytes that may still be unpacked, over all parts.
    remaining_bytes: u64,
    part_bytes: u64,
}

impl<'a> Archive<'a> {
    pub(crate) fn open(bytes: &'a [u8], limits: &Limits) -> Result<Self, Unreadable> {
        // Checked before the directory is read, because each of its entries costs a few hundred
        // bytes.
        if declared_entries(bytes) > limits.entries as u64 {
            return Err(Unreadable::expands_too_far());
        }
        let zip = ZipArchive::new(Cursor::new(bytes))
            .map_err(|_| if is_truncated(bytes) { truncated() } else { damaged() })?;
        if zip.len() > limits.entries {
            return Err(Unreadable::expands_too_far());
        }
        Ok(Self { zip, remaining_bytes: limits.unpacked_bytes, part_bytes: limits.part_bytes })
    }

    /// The names of the entries that are valid text.
    pub(crate) fn names(&self) -> impl Iterator<Item = String> + '_ {
        self.zip.file_names().filter_map(Result::ok).map(std::borrow::Cow::into_owned)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.zip.index_for_name(name).is_some()
    }

    /// Reads a part that will be read again: its bytes count only then.
    ///
    /// # Errors
    /// As [`Archive::read`].
    pub(crate) fn peek(&mut self, name: &str) -> Result<Option<Vec<u8>>, Unreadable> {
        let bytes = self.read(name)?;
        self.remaining_bytes += bytes.as_ref().map_or(0, |bytes| bytes.len() as u64);
        Ok(bytes)
    }

    /// The bytes of a part; `None` when there is no entry of that name.
    ///
    /// # Errors
    /// `encrypted` when the entry needs a password, `too_large` when this part or all parts
    /// together unpack to more than the limits allow, `damaged` when the entry cannot be unpacked.
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
        let limit = self.remaining_bytes.min(self.part_bytes);
        let mut bytes = Vec::new();
        // The size in an entry's header is only a claim, so count the bytes that come out.
        entry.take(limit + 1).read_to_end(&mut bytes).map_err(|_| damaged())?;
        if bytes.len() as u64 > limit {
            return Err(Unreadable::expands_too_far());
        }
        self.remaining_bytes -= bytes.len() as u64;
        Ok(Some(bytes))
    }
}

/// Whether the file starts as a ZIP container but its directory, which comes last, is missing.
fn is_truncated(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") && end_record(bytes).is_none()
}

/// The end-of-central-directory record, if the file has one.
fn end_record(bytes: &[u8]) -> Option<&[u8]> {
    const END: &[u8] = b"PK\x05\x06";
    let tail = &bytes[bytes.len().saturating_sub(END.len() + 18 + usize::from(u16::MAX))..];
    tail.windows(END.len()).rposition(|window| window == END).map(|at| &tail[at..])
}

/// The number of entries that the end record declares.
fn declared_entries(bytes: &[u8]) -> u64 {
    match end_record(bytes).and_then(|end_record| end_record.get(10..12)) {
        // ZIP64 stores the count elsewhere; only archives of gigabytes need it.
        Some(&[0xFF, 0xFF]) => u64::MAX,
        Some(&[low, high]) => u64::from(u16::from_le_bytes([low, high])),
        _ => 0,
    }
}

fn truncated() -> Unreadable {
    Unreadable::new(
        Reason::Damaged,
        "The file is damaged: its end is missing, perhaps because a transfer was interrupted. Send the whole file again.",
    )
}

fn damaged() -> Unreadable {
    Unreadable::new(Reason::Damaged, "The file is damaged: its ZIP container cannot be unpacked.")
}
