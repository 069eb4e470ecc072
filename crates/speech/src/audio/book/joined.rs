//! Joins the encoded audio of a book's chunks into one file, without encoding again.
//!
//! Chunks are encoded apart and end where their speech ends (`crate::recorders`). Each begins with a fresh encoder, so
//! its first frame needs none of those before. Frames are longer than a tick, so a chunk cannot begin exactly where the
//! previous one ends: the silence between them is made of silent frames, as many as bring the next chunk nearest to its
//! place. Chapter marks and captions are therefore right within half a frame (12 ms in MP3 at 24 kHz, 21 ms in M4B), and
//! no error adds up. A chunk without a pause at its end is the exception: the next one begins up to four frames late,
//! because nothing may be lost, and the pause after that makes up for it. A file is as long as its chunks together, and
//! longer by what its last chunk begins late.
//!
//! `chunk` encodes one, `frames` finds the frames of its MP3, `units` those of its AAC file.

mod chunk;
mod frames;
mod units;

use std::io::{Seek, SeekFrom, Write};

use super::{BookDone, BookError, BookFormat, BookOptions, aac::AacEncoder, m4b, mp3, mp4::Mp4};
use crate::audio::{AudioError, AudioFormat, mp3::InfoFrame};

pub use chunk::ChunkEncoder;

/// A book that is being joined. The file is written from the current position of `W`, which must be its start, and is
/// complete only after [`BookJoiner::finish`].
pub struct BookJoiner<W> {
    sample_rate_hz: u32,
    /// Samples of the chunks so far.
    samples: u64,
    /// How many samples after its place the last chunk begins.
    late: u64,
    format: Codec<W>,
}

enum Codec<W> {
    Mp3(Box<Mp3<W>>),
    M4b(Box<M4b<W>>),
}

impl<W> std::fmt::Debug for BookJoiner<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BookJoiner").field("samples", &self.samples).finish_non_exhaustive()
    }
}

impl<W: Write + Seek> BookJoiner<W> {
    /// Starts a book at the default bit rate.
    ///
    /// # Errors
    /// As [`super::BookEncoder::new`].
    pub fn new(options: BookOptions, out: W) -> Result<Self, BookError> {
        let options = BookOptions { bitrate_kbps: None, ..options }.made_sound();
        let sample_rate_hz = options.sample_rate_hz;
        let format = match options.format {
            BookFormat::Mp3 => Codec::Mp3(Box::new(Mp3::new(&options, out)?)),
            BookFormat::M4b => Codec::M4b(Box::new(M4b::new(options, out)?)),
        };
        Ok(Self { sample_rate_hz, samples: 0, late: 0, format })
    }

    /// Adds a chunk of `samples` samples: what a [`ChunkEncoder`] made of it, or its MP3 from `crate::recorders`.
    ///
    /// # Errors
    /// [`AudioError::Malformed`] for a file that cannot be joined with the others, which leaves the book as it is.
    pub fn push(&mut self, encoded: &[u8], samples: u64) -> Result<(), BookError> {
        let (begins, frame_samples) = match &mut self.format {
            Codec::Mp3(book) => (book.push(encoded, self.samples)?, book.silence.frame_samples().into()),
            Codec::M4b(book) => (book.push(encoded, self.samples)?, book.frame_samples),
        };
        // Less is the rounding to frames, which evens out.
        let late = begins.saturating_sub(self.samples);
        self.late = if late > frame_samples / 2 { late } else { 0 };
        self.samples += samples;
        Ok(())
    }

    /// Ends the book.
    ///
    /// # Errors
    /// [`BookError`].
    pub fn finish(self) -> Result<BookDone, BookError> {
        // The end of a last chunk that began late is not cut off.
        let samples = self.samples + self.late;
        let bytes = match self.format {
            Codec::Mp3(book) => book.finish(samples)?,
            Codec::M4b(book) => book.finish(samples)?,
        };
        Ok(BookDone::new(self.samples, self.sample_rate_hz, bytes))
    }
}

/// Whether a [`BookJoiner`] takes a chunk's file.
pub fn is_joinable(file: &[u8], format: BookFormat, sample_rate_hz: u32) -> bool {
    match format {
        BookFormat::Mp3 => {
            frames::Silence::new(sample_rate_hz).is_some_and(|like| frames::spoken(file, &like).is_ok())
        }
        BookFormat::M4b => units::units(file, sample_rate_hz).all(|unit| unit.is_ok()),
    }
}

/// Where the next chunk begins, in frames: nearest to its place, but not before the end of the last one.
fn place(samples: u64, frame_samples: u64, taken: u64) -> u64 {
    ((samples + frame_samples / 2) / frame_samples).max(taken)
}

struct Mp3<W> {
    out: W,
    tag_bytes: u64,
    bytes: u64,
    info: InfoFrame,
    silence: frames::Silence,
    frames: u64,
}

impl<W: Write + Seek> Mp3<W> {
    fn new(options: &BookOptions, mut out: W) -> Result<Self, BookError> {
        let rate = options.sample_rate_hz;
        let refused = || AudioError::SampleRate { format: AudioFormat::Mp3, sample_rate_hz: rate };
        let silence = frames::Silence::new(rate).ok_or_else(refused)?;
        let info = InfoFrame::new(rate, frames::KBPS).ok_or_else(refused)?;
        let tag = mp3::tag(options)?;
        out.write_all(&tag)?;
        let placeholder = info.placeholder();
        out.write_all(&placeholder)?;
        let tag_bytes = tag.len() as u64;
        Ok(Self { out, tag_bytes, bytes: tag_bytes + placeholder.len() as u64, info, silence, frames: 0 })
    }

    /// Adds a chunk; the sample at which it begins.
    fn push(&mut self, file: &[u8], before: u64) -> Result<u64, BookError> {
        let found = frames::spoken(file, &self.silence)?;
        let frame_samples = u64::from(self.silence.frame_samples());
        let begins = place(before, frame_samples, self.frames);
        self.silence_to(begins)?;
        self.write(found.bytes, found.count)?;
        Ok(begins * frame_samples)
    }

    fn silence_to(&mut self, frames: u64) -> Result<(), BookError> {
        while self.frames < frames {
            let frame = self.silence.next();
            self.write(&frame, 1)?;
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8], frames: u64) -> Result<(), BookError> {
        self.out.write_all(bytes)?;
        self.info.add(bytes);
        self.bytes += bytes.len() as u64;
        self.frames += frames;
        Ok(())
    }

    fn finish(mut self, samples: u64) -> Result<u64, BookError> {
        let frame = u64::from(self.silence.frame_samples());
        self.silence_to((samples + InfoFrame::DELAY_SAMPLES).div_ceil(frame))?;
        let front = self.info.of_frames(self.frames, samples);
        self.out.seek(SeekFrom::Start(self.tag_bytes))?;
        self.out.write_all(&front)?;
        self.out.seek(SeekFrom::Start(self.bytes))?;
        self.out.flush()?;
        Ok(self.bytes)
    }
}

struct M4b<W> {
    mp4: Mp4<W>,
    silence: Vec<u8>,
    frame_samples: u64,
    delay: u64,
    sample_rate_hz: u32,
    units: u64,
}

impl<W: Write + Seek> M4b<W> {
    fn new(options: BookOptions, out: W) -> Result<Self, BookError> {
        let sample_rate_hz = options.sample_rate_hz;
        let encoder = m4b::plain_encoder(&options)?;
        let (frame_samples, delay) = (encoder.frame_samples() as u64, encoder.delay());
        let mp4 = m4b::file(options, &encoder, out)?;
        Ok(Self { mp4, silence: silent_unit(encoder)?, frame_samples, delay, sample_rate_hz, units: 0 })
    }

    /// Adds a chunk; the sample at which it begins.
    fn push(&mut self, file: &[u8], before: u64) -> Result<u64, BookError> {
        let units = units::units(file, self.sample_rate_hz).collect::<Result<Vec<_>, _>>()?;
        let begins = place(before, self.frame_samples, self.units);
        self.silence_to(begins)?;
        for unit in &units {
            self.mp4.unit(unit)?;
        }
        self.units += units.len() as u64;
        Ok(begins * self.frame_samples)
    }

    fn silence_to(&mut self, units: u64) -> Result<(), BookError> {
        while self.units < units {
            self.mp4.unit(&self.silence)?;
            self.units += 1;
        }
        Ok(())
    }

    fn finish(mut self, samples: u64) -> Result<u64, BookError> {
        self.silence_to((samples + self.delay).div_ceil(self.frame_samples))?;
        Ok(self.mp4.finish(samples)?)
    }
}

/// The access unit of silence that follows silence.
fn silent_unit(mut encoder: AacEncoder) -> Result<Vec<u8>, AudioError> {
    let mut last = Vec::new();
    let mut keep = |unit: &[u8]| {
        last = unit.to_vec();
        Ok::<(), AudioError>(())
    };
    encoder.push(&vec![0; SETTLED_FRAMES * encoder.frame_samples()], &mut keep)?;
    Ok(last)
}

/// After this many frames of silence the encoder's units do not change any more.
const SETTLED_FRAMES: usize = 16;

fn malformed(container: &'static str, reason: &str) -> AudioError {
    AudioError::Malformed { container, reason: reason.to_owned() }
}
