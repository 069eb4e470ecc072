//! The MPEG-4 file of a book (ISO 14496-12 and -14, and the extensions of Apple's players).
//!
//! One audio track, one text track with a sample for each chapter, and the data of both. The index
//! (`moov`) comes first, so that a player can start at once over a network. Its size follows from
//! the book's length, and space for it is reserved. If the book turns out longer, the space becomes
//! a `free` box and the index goes after the data. Memory holds two bytes for each access unit and
//! eight for each second; nothing else grows.
//!
//! `atoms` writes boxes, `tracks` describes the tracks, and `tags` writes the metadata for people.
//! Nothing here encodes audio.

mod atoms;
mod tags;
mod tracks;

use std::io::{self, Seek, SeekFrom, Write};

use self::{atoms::Atoms, tracks::Index};
use super::BookOptions;

/// The number of access units in a chunk, which the index addresses as one.
const UNITS_A_CHUNK: usize = 24;

/// Offsets have 32 bits while the file is certainly smaller than this: not all players support 64
/// bits.
const NARROW_BELOW_BYTES: u64 = 3 << 30;

/// The header of the data box, with a 64-bit length.
const DATA_HEADER_BYTES: u64 = 16;

/// The properties of the audio track.
pub(super) struct AudioTrack {
    /// The sample rate.
    pub(super) sample_rate_hz: u32,
    /// The number of samples in an access unit.
    pub(super) frame_samples: u32,
    /// The number of samples that a decoder outputs before the book's first sample.
    pub(super) delay: u64,
    /// The decoder's configuration.
    pub(super) config: Vec<u8>,
    /// The bit rate.
    pub(super) bits_a_second: u32,
}

/// An MPEG-4 file that is being written.
pub(super) struct Mp4<W> {
    out: W,
    options: BookOptions,
    audio: AudioTrack,
    /// The position of the index, and the space reserved for it.
    index_at: u64,
    index_room: u64,
    data_at: u64,
    /// The position of the chapters' titles, and the length of each.
    titles_at: u64,
    titles: Vec<u32>,
    /// The length of each access unit, and the position of each chunk of them.
    units: Vec<u16>,
    chunks: Vec<u64>,
    wide: bool,
    end: u64,
}

impl<W: Write + Seek> Mp4<W> {
    /// Starts the file of a book with about `samples` samples in `units` access units.
    pub(super) fn new(
        options: BookOptions,
        audio: AudioTrack,
        expected_samples: u64,
        expected_units: u64,
        mut out: W,
    ) -> io::Result<Self> {
        let mut front = Atoms::default();
        front.atom(*b"ftyp", |atoms| {
            atoms.bytes(b"M4B ").u32(0x200);
            atoms.bytes(b"M4B ").bytes(b"M4A ").bytes(b"mp42").bytes(b"isom");
        });
        let front = front.into_bytes();
        let titles: Vec<Vec<u8>> = options
            .chapters
            .iter()
            .map(|chapter| tracks::title_sample(chapter.title.as_deref().unwrap_or_default()))
            .collect();
        let most_bytes =
            expected_samples / u64::from(audio.sample_rate_hz.max(1)) * u64::from(audio.bits_a_second / 8);
        let mut file = Self {
            index_at: front.len() as u64,
            index_room: 0,
            data_at: 0,
            titles_at: 0,
            titles: titles.iter().map(|title| title.len() as u32).collect(),
            // The expected values, used only to compute the size of the index.
            units: vec![0; usize::try_from(expected_units).unwrap_or(0)],
            chunks: Vec::new(),
            wide: most_bytes >= NARROW_BELOW_BYTES,
            end: 0,
            options,
            audio,
            out,
        };
        file.chunks = vec![0; file.units.len().div_ceil(UNITS_A_CHUNK)];
        file.index_room = file.index(expected_samples).len() as u64;
        file.units.clear();
        file.chunks.clear();

        out = file.out;
        out.write_all(&front)?;
        let room = usize::try_from(file.index_room).unwrap_or(0);
        out.write_all(&atoms::free(room))?;
        file.data_at = file.index_at + file.index_room;
        out.write_all(&data_header(0))?;
        file.titles_at = file.data_at + DATA_HEADER_BYTES;
        file.end = file.titles_at;
        for title in &titles {
            out.write_all(title)?;
            file.end += title.len() as u64;
        }
        Ok(Self { out, ..file })
    }

    /// Adds an access unit.
    pub(super) fn unit(&mut self, unit: &[u8]) -> Result<(), super::BookError> {
        if self.units.len().is_multiple_of(UNITS_A_CHUNK) {
            self.chunks.push(self.end);
        }
        let length = u16::try_from(unit.len())
            .map_err(|_| io::Error::other("an access unit is longer than any may be"))?;
        self.units.push(length);
        self.out.write_all(unit)?;
        self.end += u64::from(length);
        Ok(())
    }

    /// Ends the file of a book with `samples` samples; returns its length.
    pub(super) fn finish(mut self, samples: u64) -> io::Result<u64> {
        self.wide |= self.end > u64::from(u32::MAX);
        let index = self.index(samples);
        let length = index.len() as u64;
        let spare = self.index_room.checked_sub(length);
        let mut bytes = self.end;
        // The rest of the reserved space must be empty, or large enough for a box.
        if let Some(spare) = spare.filter(|&spare| spare == 0 || spare >= atoms::HEADER_BYTES) {
            self.out.seek(SeekFrom::Start(self.index_at))?;
            self.out.write_all(&index)?;
            self.out.write_all(&atoms::free(usize::try_from(spare).unwrap_or(0)))?;
        } else {
            self.out.write_all(&index)?;
            bytes += length;
        }
        self.out.seek(SeekFrom::Start(self.data_at))?;
        self.out.write_all(&data_header(self.end - self.data_at))?;
        self.out.seek(SeekFrom::Start(bytes))?;
        self.out.flush()?;
        Ok(bytes)
    }

    fn index(&self, samples: u64) -> Vec<u8> {
        let index = Index {
            options: &self.options,
            audio: &self.audio,
            samples,
            units: &self.units,
            chunks: &self.chunks,
            titles_at: self.titles_at,
            titles: &self.titles,
            wide: self.wide,
        };
        let mut atoms = Atoms::default();
        index.write(&mut atoms);
        atoms.into_bytes()
    }
}

fn data_header(length: u64) -> Vec<u8> {
    let mut header = Atoms::default();
    header.u32(1).bytes(b"mdat").u64(length.max(DATA_HEADER_BYTES));
    header.into_bytes()
}
