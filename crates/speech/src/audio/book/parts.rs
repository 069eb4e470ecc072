//! A book whose parts are encoded as soon as they are spoken, and the file that their frames are joined into. Nothing is
//! kept in a lossless form meanwhile, and a part that is encoded once is the same in every file. `joined` does the same
//! where a chunk's length is fixed before its format.
//!
//! A part is as many frames as its samples fill. A codec's delay moves the sound of the last samples into the frames after
//! these, which only the file's last part keeps: so a part must end in silence ([`PartEncoder::fill`]). The delay is the
//! same through the whole file, which states it, so that the file has exactly the samples of its parts.

use std::io::{Seek, SeekFrom, Write};

use super::{BookDone, BookError, BookFormat, BookOptions, m4b, mp3, mp4::Mp4};
use crate::audio::{AudioError, AudioFormat, EncodeOptions, mp3 as codec};

/// Samples of at most this many steps are silent.
const SILENT_STEPS: u16 = 1;

/// How the parts of a book are encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartEncoder {
    format: BookFormat,
    sample_rate_hz: u32,
    bitrate_kbps: Option<u32>,
    frame_samples: usize,
    delay: usize,
}

/// The frames of a part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CodedPart {
    /// Each with its length before it, in two bytes, the higher first.
    bytes: Vec<u8>,
}

impl PartEncoder {
    /// Parts for files with these properties of [`BookOptions`].
    ///
    /// # Errors
    /// [`AudioError`], as [`super::BookEncoder::new`].
    pub fn new(
        format: BookFormat,
        sample_rate_hz: u32,
        bitrate_kbps: Option<u32>,
    ) -> Result<Self, AudioError> {
        let (frame_samples, delay) = match format {
            BookFormat::Mp3 => {
                codec::parts::Front::new(sample_rate_hz, bitrate_kbps)?;
                let refused = AudioError::SampleRate { format: AudioFormat::Mp3, sample_rate_hz };
                (codec::frame_samples(sample_rate_hz).ok_or(refused)? as usize, codec::parts::DELAY as usize)
            }
            BookFormat::M4b => {
                let options = BookOptions { bitrate_kbps, ..BookOptions::new(format, sample_rate_hz) };
                let encoder = m4b::plain_encoder(&options)?;
                (encoder.frame_samples(), encoder.delay() as usize)
            }
        };
        Ok(Self { format, sample_rate_hz, bitrate_kbps, frame_samples, delay })
    }

    fn options(&self) -> BookOptions {
        BookOptions { bitrate_kbps: self.bitrate_kbps, ..BookOptions::new(self.format, self.sample_rate_hz) }
    }

    /// Adds silence, so that the samples end in enough of it and fill whole frames.
    pub fn fill(&self, samples: &mut Vec<i16>) {
        let silent = samples.iter().rev().take_while(|sample| sample.unsigned_abs() <= SILENT_STEPS).count();
        let missing = (self.delay + self.frame_samples).saturating_sub(silent);
        let length = (samples.len() + missing).next_multiple_of(self.frame_samples);
        samples.resize(length, 0);
    }

    /// Encodes samples that [`Self::fill`] has filled.
    ///
    /// # Errors
    /// [`AudioError`].
    pub fn encode(&self, samples: &[i16]) -> Result<CodedPart, AudioError> {
        let mut part = CodedPart::default();
        match self.format {
            BookFormat::Mp3 => {
                let options = EncodeOptions {
                    bitrate_kbps: self.bitrate_kbps,
                    ..EncodeOptions::new(AudioFormat::Mp3, self.sample_rate_hz)
                };
                codec::parts::encode(samples, &options, &mut |frame| part.add(frame))?;
            }
            BookFormat::M4b => {
                let mut encoder = m4b::encoder(&self.options())?;
                let mut each = |unit: &[u8]| {
                    part.add(unit);
                    Ok::<_, AudioError>(())
                };
                encoder.push(samples, &mut each)?;
                encoder.finish(&mut each)?;
            }
        }
        Ok(part)
    }
}

impl CodedPart {
    /// What [`Self::as_bytes`] gave.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        Self { bytes }
    }

    /// What can be kept in a file.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn add(&mut self, frame: &[u8]) {
        // No frame of either format has more than 2,881 bytes.
        self.bytes.extend((frame.len() as u16).to_be_bytes());
        self.bytes.extend_from_slice(frame);
    }

    fn frames(&self) -> impl Iterator<Item = &[u8]> {
        let mut rest = self.bytes.as_slice();
        std::iter::from_fn(move || {
            let (length, after) = rest.split_first_chunk()?;
            let (frame, after) = after.split_at_checked(usize::from(u16::from_be_bytes(*length)))?;
            rest = after;
            Some(frame)
        })
    }
}

/// A book's file that is being joined. It is written from the current position of `W`, which must be its start, and is
/// complete only after [`JoinedBook::finish`].
pub struct JoinedBook<W> {
    frame_samples: usize,
    sample_rate_hz: u32,
    samples: u64,
    /// The frames after the last part's own.
    after: Vec<u8>,
    file: File<W>,
}

enum File<W> {
    Mp3 { front: codec::parts::Front, front_at: u64, bytes: u64, out: W },
    M4b(Box<Mp4<W>>),
}

impl<W: Write + Seek> JoinedBook<W> {
    /// Begins the file of parts that this encoder encodes, with `samples` samples in all.
    ///
    /// # Errors
    /// [`BookError`].
    pub fn new(
        encoder: &PartEncoder,
        options: BookOptions,
        samples: u64,
        mut out: W,
    ) -> Result<Self, BookError> {
        let options = BookOptions {
            format: encoder.format,
            sample_rate_hz: encoder.sample_rate_hz,
            bitrate_kbps: encoder.bitrate_kbps,
            ..options
        };
        let options = options.made_sound();
        let file = match encoder.format {
            BookFormat::Mp3 => {
                let front = codec::parts::Front::new(encoder.sample_rate_hz, encoder.bitrate_kbps)?;
                let tag = mp3::tag(&options)?;
                let placeholder = front.placeholder();
                out.write_all(&tag)?;
                out.write_all(&placeholder)?;
                let front_at = tag.len() as u64;
                File::Mp3 { front, front_at, bytes: front_at + placeholder.len() as u64, out }
            }
            BookFormat::M4b => {
                let codec = m4b::plain_encoder(&options)?;
                File::M4b(Box::new(m4b::file_of(options, &codec, samples, out)?))
            }
        };
        let (frame_samples, sample_rate_hz) = (encoder.frame_samples, encoder.sample_rate_hz);
        Ok(Self { frame_samples, sample_rate_hz, samples: 0, after: Vec::new(), file })
    }

    /// Adds a part with this many samples.
    ///
    /// # Errors
    /// [`BookError`]; [`BookError::Audio`] when the part has fewer frames than its samples fill.
    pub fn push(&mut self, part: &CodedPart, samples: u64) -> Result<(), BookError> {
        let own = samples / self.frame_samples as u64;
        let mut left = own;
        self.after.clear();
        for frame in part.frames() {
            if left == 0 {
                self.after.extend((frame.len() as u16).to_be_bytes());
                self.after.extend_from_slice(frame);
                continue;
            }
            left -= 1;
            self.file.frame(self.frame_samples, frame)?;
        }
        if left > 0 {
            return Err(AudioError::codec("the part", "it is cut off").into());
        }
        self.samples += own * self.frame_samples as u64;
        Ok(())
    }

    /// Ends the file.
    ///
    /// # Errors
    /// [`BookError`].
    pub fn finish(mut self) -> Result<BookDone, BookError> {
        let after = CodedPart { bytes: std::mem::take(&mut self.after) };
        for frame in after.frames() {
            self.file.frame(0, frame)?;
        }
        let bytes = self.file.finish(self.samples)?;
        Ok(BookDone::new(self.samples, self.sample_rate_hz, bytes))
    }
}

impl<W: Write + Seek> File<W> {
    fn frame(&mut self, samples: usize, frame: &[u8]) -> Result<(), BookError> {
        match self {
            Self::Mp3 { front, bytes, out, .. } => {
                front.count(samples, frame);
                *bytes += frame.len() as u64;
                Ok(out.write_all(frame)?)
            }
            Self::M4b(mp4) => mp4.unit(frame),
        }
    }

    fn finish(self, samples: u64) -> Result<u64, BookError> {
        match self {
            Self::Mp3 { front, front_at, bytes, mut out } => {
                out.seek(SeekFrom::Start(front_at))?;
                out.write_all(&front.finished())?;
                out.seek(SeekFrom::Start(bytes))?;
                out.flush()?;
                Ok(bytes)
            }
            Self::M4b(mp4) => Ok(mp4.finish(samples)?),
        }
    }
}
