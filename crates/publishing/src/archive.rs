//! Writes the entries of a ZIP one after the other. Times come from the caller, and each entry's
//! size is unknown until it is written, as it is streamed.

use std::io::{self, BufWriter, Read, Seek, Write};

use jiff::{Timestamp, tz::TimeZone};
use zip::{CompressionMethod, DateTime, ZipWriter, write::SimpleFileOptions};

use crate::{Contents, PublishError};

/// From this size on, an entry gets the longer fields of ZIP64.
const LARGE: u64 = u32::MAX as u64 - (1 << 20);

pub(crate) struct Archive<W: Write + Seek> {
    pub(crate) zip: ZipWriter<W>,
    options: SimpleFileOptions,
}

impl<W: Write + Seek> Archive<W> {
    pub(crate) fn new(out: W, modified: Timestamp) -> Self {
        let options =
            SimpleFileOptions::default().last_modified_time(date_time(modified)).unix_permissions(0o644);
        Self { zip: ZipWriter::new(out), options }
    }

    /// Adds a small file as it is.
    pub(crate) fn stored(&mut self, name: &str, bytes: &[u8]) -> Result<(), PublishError> {
        self.zip.start_file(name, self.options.compression_method(CompressionMethod::Stored))?;
        self.zip.write_all(bytes)?;
        Ok(())
    }

    /// Adds a file of text, which `write` writes.
    pub(crate) fn text(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), PublishError> {
        self.zip.start_file(name, self.options.compression_method(CompressionMethod::Deflated))?;
        let mut out = BufWriter::with_capacity(1 << 16, &mut self.zip);
        write(&mut out)?;
        out.flush()?;
        Ok(())
    }

    /// Adds the audio of a chapter of `bytes` bytes; gives the number of bytes that it really has.
    pub(crate) fn audio(
        &mut self,
        name: &str,
        contents: &mut dyn Contents,
        chapter: usize,
        bytes: u64,
    ) -> Result<u64, PublishError> {
        let failed = |source| PublishError::Contents { chapter, source };
        let options = self.options.compression_method(CompressionMethod::Stored);
        self.zip.start_file(name, options.large_file(bytes >= LARGE))?;
        let mut audio = contents.audio(chapter).map_err(failed)?;
        let (mut buffer, mut copied) = (vec![0; 1 << 16], 0);
        loop {
            match audio.read(&mut buffer) {
                Ok(0) => return Ok(copied),
                Ok(length) => {
                    self.zip.write_all(&buffer[..length])?;
                    copied += length as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(failed(error)),
            }
        }
    }

    pub(crate) fn finish(self) -> Result<W, PublishError> {
        Ok(self.zip.finish()?)
    }
}

/// A ZIP knows the years from 1980 to 2107 only.
fn date_time(time: Timestamp) -> DateTime {
    let time = time.to_zoned(TimeZone::UTC);
    let small = |number: i8| u8::try_from(number).unwrap_or(0);
    DateTime::from_date_and_time(
        u16::try_from(time.year()).unwrap_or(0),
        small(time.month()),
        small(time.day()),
        small(time.hour()),
        small(time.minute()),
        small(time.second()),
    )
    .unwrap_or_default()
}
