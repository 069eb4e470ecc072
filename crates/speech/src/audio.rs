//! Samples to files and back: leveling ([`loudness`]), encoding, decoding of what upstream engines
//! answer ([`decode`]), whole books ([`book`]), and captions from word timings ([`captions`]).
//!
//! This module holds the one door for encoding: [`AudioFormat`], [`EncodeOptions`], the one-shot
//! [`encode`] and the [`Encoder`] that takes samples as they come, in constant memory. Each format
//! has a file of its own. Everything is mono. The bytes depend on the samples and the options only:
//! not on the clock, not on chance, and not on how the samples were cut into pushes. Nothing here
//! knows text, voices or HTTP.

pub mod book;
pub mod captions;
pub mod decode;
mod flac;
pub mod flac_reader;
mod limiter;
pub mod loudness;
mod mp3;
mod opus;
pub mod resample;
mod wav;
mod words;

use std::fmt;

pub use lectern_types::AudioFormat;
pub use words::WordTiming;

/// What encoders write as the name of the software.
pub const SOFTWARE: &str = concat!("Lectern ", env!("CARGO_PKG_VERSION"));

/// Titles are cut to this many characters before they go into a file.
const MAX_TITLE_CHARS: usize = 250;

/// Why audio could not be encoded, decoded or leveled.
#[derive(Debug, thiserror::Error)]
pub enum AudioError {
    /// The format cannot carry this sample rate.
    #[error("{format} cannot carry {sample_rate_hz} samples a second")]
    SampleRate {
        /// The format asked for.
        format: AudioFormat,
        /// The rate asked for.
        sample_rate_hz: u32,
    },
    /// AAC cannot carry this sample rate.
    #[error("AAC cannot carry {sample_rate_hz} samples a second")]
    AacSampleRate {
        /// The rate asked for.
        sample_rate_hz: u32,
    },
    /// The format does not know this bit rate, or not at this sample rate.
    #[error("{format} has no bit rate of {bitrate_kbps} kbit/s at {sample_rate_hz} samples a second")]
    Bitrate {
        /// The format asked for.
        format: AudioFormat,
        /// The bit rate asked for.
        bitrate_kbps: u32,
        /// The sample rate it was asked for with.
        sample_rate_hz: u32,
    },
    /// The codec refused its work.
    #[error("the {codec} codec failed: {reason}")]
    Codec {
        /// The codec's name.
        codec: &'static str,
        /// What it said.
        reason: String,
    },
    /// The bytes are no audio of a kind that is known here.
    #[error("the data is not WAV, MP3, FLAC or Ogg Opus")]
    Unrecognized,
    /// The bytes are of a known kind and broken, or use what is not supported.
    #[error("the {container} data cannot be decoded: {reason}")]
    Malformed {
        /// The kind of file.
        container: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// More audio than the caller allowed.
    #[error("the audio is longer than {0} s")]
    TooLong(u32),
    /// Rates that cannot be converted.
    #[error("cannot convert {from_hz} to {to_hz} samples a second")]
    Resample {
        /// Samples a second of the input.
        from_hz: u32,
        /// Samples a second asked for.
        to_hz: u32,
    },
}

impl AudioError {
    fn codec(codec: &'static str, reason: impl fmt::Display) -> Self {
        Self::Codec { codec, reason: reason.to_string() }
    }
}

/// How to encode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodeOptions {
    /// The kind of file.
    pub format: AudioFormat,
    /// Samples a second, of the samples given and of the file.
    pub sample_rate_hz: u32,
    /// The title written into the file, where the format has a place for one (WAV has not).
    pub title: Option<String>,
    /// Bits a second in thousands, for MP3 and Opus; `None`: 64 and 32.
    pub bitrate_kbps: Option<u32>,
}

impl EncodeOptions {
    /// Options with everything but format and rate at its default.
    pub const fn new(format: AudioFormat, sample_rate_hz: u32) -> Self {
        Self { format, sample_rate_hz, title: None, bitrate_kbps: None }
    }

    fn clean_title(&self) -> Option<String> {
        clean_title(self.title.as_deref())
    }
}

/// A title as it goes into files: without control characters, of bounded length; `None` when
/// nothing is left.
fn clean_title(title: Option<&str>) -> Option<String> {
    let title: String = title?.chars().filter(|c| !c.is_control()).take(MAX_TITLE_CHARS).collect();
    let title = title.trim();
    (!title.is_empty()).then(|| title.to_owned())
}

/// What becomes of the bytes an [`Encoder`] hands out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// They are stored, and [`Finished::front_patch`] is written over their front at the end.
    File,
    /// They are on their way already: the front says "length unknown" in the format's own manner
    /// and stays so. An MP3 stream has no LAME tag, so players keep its start-up delay of 1,105
    /// samples.
    Stream,
}

/// Bytes that are only known at the end and belong near the front of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrontPatch {
    /// Where they go, counted from the first byte the encoder handed out.
    pub offset: usize,
    /// What goes there, over the same number of bytes written before.
    pub bytes: Vec<u8>,
}

impl FrontPatch {
    /// Writes the patch over the front of a file held in memory; a file too short for it is left as
    /// it is.
    pub fn apply(&self, file: &mut [u8]) {
        if let Some(place) =
            self.offset.checked_add(self.bytes.len()).and_then(|end| file.get_mut(self.offset..end))
        {
            place.copy_from_slice(&self.bytes);
        }
    }
}

/// The end of an encoding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// The last bytes, to go after all the others.
    pub bytes: Vec<u8>,
    /// What to write over the front; `None` when nothing changes there, and always for
    /// [`Layout::Stream`].
    pub front_patch: Option<FrontPatch>,
}

/// An encoder that takes samples as they come and holds on to no more than a frame or a page of
/// them.
///
/// Samples are nominally within ±1; what lies outside is clipped, and what is not a finite number
/// becomes silence.
pub struct Encoder {
    codec: Codec,
    scratch: Vec<f32>,
}

enum Codec {
    Mp3(mp3::Mp3Encoder),
    Wav(wav::WavEncoder),
    Flac(Box<flac::FlacEncoder>),
    Opus(Box<opus::OpusEncoder>),
}

impl Encoder {
    /// Starts an encoding. The file's front comes with the first push.
    ///
    /// # Errors
    /// [`AudioError::SampleRate`] and [`AudioError::Bitrate`] when the format cannot do what the options ask for.
    pub fn new(options: &EncodeOptions, layout: Layout) -> Result<Self, AudioError> {
        let codec = match options.format {
            AudioFormat::Mp3 => Codec::Mp3(mp3::Mp3Encoder::new(options, layout)?),
            AudioFormat::Wav => Codec::Wav(wav::WavEncoder::new(options, layout)?),
            AudioFormat::Flac => Codec::Flac(Box::new(flac::FlacEncoder::new(options, layout)?)),
            AudioFormat::Opus => Codec::Opus(Box::new(opus::OpusEncoder::new(options)?)),
        };
        Ok(Self { codec, scratch: Vec::new() })
    }

    /// Takes samples and returns the bytes that are ready; often none.
    ///
    /// # Errors
    /// [`AudioError::Codec`]; the encoding cannot go on after it.
    pub fn push(&mut self, samples: &[f32]) -> Result<Vec<u8>, AudioError> {
        let mut out = Vec::new();
        // In pieces, so that the scratch copy stays small however much comes at once.
        for piece in samples.chunks(PIECE) {
            self.scratch.clear();
            self.scratch.extend(piece.iter().map(|&sample| sound(sample)));
            match &mut self.codec {
                Codec::Mp3(codec) => codec.push(&self.scratch, &mut out)?,
                Codec::Wav(codec) => codec.push(&self.scratch, &mut out),
                Codec::Flac(codec) => codec.push(&self.scratch, &mut out),
                Codec::Opus(codec) => codec.push(&self.scratch, &mut out)?,
            }
        }
        Ok(out)
    }

    /// Ends the encoding.
    ///
    /// # Errors
    /// [`AudioError::Codec`].
    pub fn finish(self) -> Result<Finished, AudioError> {
        match self.codec {
            Codec::Mp3(codec) => codec.finish(),
            Codec::Wav(codec) => Ok(codec.finish()),
            Codec::Flac(codec) => Ok(codec.finish()),
            Codec::Opus(codec) => codec.finish(),
        }
    }
}

const PIECE: usize = 1 << 16;

/// Encodes a whole clip into a file.
///
/// # Errors
/// As [`Encoder::new`] and [`Encoder::push`].
pub fn encode(samples: &[f32], options: &EncodeOptions) -> Result<Vec<u8>, AudioError> {
    let mut encoder = Encoder::new(options, Layout::File)?;
    let mut file = encoder.push(samples)?;
    let end = encoder.finish()?;
    file.extend_from_slice(&end.bytes);
    if let Some(patch) = end.front_patch {
        patch.apply(&mut file);
    }
    Ok(file)
}

/// The sample as an encoder may have it: finite and within ±1.
fn sound(sample: f32) -> f32 {
    if sample.is_finite() { sample.clamp(-1.0, 1.0) } else { 0.0 }
}

/// Samples as raw 16-bit little-endian PCM.
pub fn pcm(samples: &[f32]) -> Vec<u8> {
    samples.iter().flat_map(|&sample| to_i16(sound(sample)).to_le_bytes()).collect()
}

/// The nearest 16-bit value. Full scale is 32,768, as decoders have it, so that what was 16 bits
/// comes back as it was.
fn to_i16(sample: f32) -> i16 {
    (sample * 32_768.0).round().clamp(-32_768.0, 32_767.0) as i16
}
