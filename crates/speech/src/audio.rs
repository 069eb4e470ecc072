//! Samples to files and back: leveling ([`loudness`]), encoding, decoding the responses of upstream
//! engines ([`decode`]), whole books ([`book`]), and captions from word timings ([`captions`]).
//!
//! This module holds the interface for encoding: [`AudioFormat`], [`EncodeOptions`], the one-shot
//! [`encode`], and the [`Encoder`], which takes samples as they come, in constant memory. Each
//! format has its own file. Everything is mono. The bytes depend only on the samples and the
//! options: not on the clock, not on chance, and not on how the samples were divided among pushes.
//! Nothing here knows text, voices or HTTP.

pub mod acx;
pub mod book;
pub mod captions;
pub mod decode;
mod flac;
pub mod flac_reader;
mod g711;
mod limiter;
pub mod loudness;
mod mp3;
mod opus;
mod raw;
pub mod resample;
pub mod room_tone;
mod wav;
mod words;

use std::fmt;

pub use lectern_types::{AudioFormat, AudioParams, Loudness};
pub use words::WordTiming;

/// The name of the software that encoders write into files.
pub const SOFTWARE: &str = concat!("Lectern ", env!("CARGO_PKG_VERSION"));

/// Titles are cut to this many characters before they go into a file.
const MAX_TITLE_CHARS: usize = 250;

/// A reason why audio could not be encoded, decoded or leveled.
#[derive(Debug, thiserror::Error)]
pub enum AudioError {
    /// The format cannot carry this sample rate.
    #[error("{format} cannot carry {sample_rate_hz} samples a second")]
    SampleRate {
        /// The requested format.
        format: AudioFormat,
        /// The requested rate.
        sample_rate_hz: u32,
    },
    /// AAC cannot carry this sample rate.
    #[error("AAC cannot carry {sample_rate_hz} samples a second")]
    AacSampleRate {
        /// The requested rate.
        sample_rate_hz: u32,
    },
    /// AAC has no such bit rate, or not at this sample rate.
    #[error("AAC has no bit rate of {bitrate_kbps} kbit/s at {sample_rate_hz} samples a second")]
    AacBitrate {
        /// The requested bit rate.
        bitrate_kbps: u32,
        /// The sample rate.
        sample_rate_hz: u32,
    },
    /// The format does not support this bit rate, or not at this sample rate.
    #[error("{format} has no bit rate of {bitrate_kbps} kbit/s at {sample_rate_hz} samples a second")]
    Bitrate {
        /// The requested format.
        format: AudioFormat,
        /// The requested bit rate.
        bitrate_kbps: u32,
        /// The sample rate.
        sample_rate_hz: u32,
    },
    /// The codec failed.
    #[error("the {codec} codec failed: {reason}")]
    Codec {
        /// The codec's name.
        codec: &'static str,
        /// The codec's message.
        reason: String,
    },
    /// The bytes are not audio of a known kind.
    #[error("the data is not WAV, MP3, FLAC or Ogg Opus")]
    Unrecognized,
    /// The bytes are of a known kind, but malformed, or use an unsupported feature.
    #[error("the {container} data cannot be decoded: {reason}")]
    Malformed {
        /// The kind of file.
        container: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// There is more audio than the caller allowed; the limit in seconds.
    #[error("the audio is longer than {0} s")]
    TooLong(u32),
    /// A conversion between rates that is not supported.
    #[error("cannot convert {from_hz} to {to_hz} samples a second")]
    Resample {
        /// The input's sample rate.
        from_hz: u32,
        /// The requested sample rate.
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
    /// The sample rate of the input and of the file.
    pub sample_rate_hz: u32,
    /// The title written into the file, if the format has a field for one (WAV does not).
    pub title: Option<String>,
    /// The bit rate in kbit/s, for MP3 and Opus; `None` for the defaults, 64 and 32.
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

/// A title in the form that goes into files: without control characters and with a limited length;
/// `None` when nothing is left.
fn clean_title(title: Option<&str>) -> Option<String> {
    clean_text(title, MAX_TITLE_CHARS)
}

/// The same for a text of at most `most_chars` characters.
fn clean_text(text: Option<&str>, most_chars: usize) -> Option<String> {
    let text: String = text?.chars().filter(|c| !c.is_control()).take(most_chars).collect();
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The destination of the bytes that an [`Encoder`] returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// The bytes are stored, and [`Finished::front_patch`] is written over their front at the end.
    File,
    /// The bytes are sent at once: the header says "length unknown" in the format's own way, and
    /// cannot be changed later. An MP3 stream has no LAME tag, so players keep the encoder's
    /// start-up delay of 1,105 samples.
    Stream,
}

/// Bytes that are only known at the end and belong near the front of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrontPatch {
    /// Their position, counted from the first byte that the encoder returned.
    pub offset: usize,
    /// The bytes, which replace the same number of bytes written before.
    pub bytes: Vec<u8>,
}

impl FrontPatch {
    /// Writes the patch over the front of a file in memory. A file that is too short for the patch
    /// stays as it is.
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
    /// The last bytes, which follow all the others.
    pub bytes: Vec<u8>,
    /// The bytes to write over the front; `None` when nothing changes there, and always for
    /// [`Layout::Stream`].
    pub front_patch: Option<FrontPatch>,
}

/// An encoder that takes samples as they come and buffers at most a frame or a page of them.
///
/// Samples are nominally within ±1. Samples outside are clipped, and samples that are not finite
/// become silence.
pub struct Encoder {
    codec: Codec,
    scratch: Vec<f32>,
}

enum Codec {
    Mp3(mp3::Mp3Encoder),
    Wav(wav::WavEncoder),
    Flac(Box<flac::FlacEncoder>),
    Opus(Box<opus::OpusEncoder>),
    Raw(raw::RawEncoder),
}

impl Encoder {
    /// Starts an encoding. The first push returns the file's front.
    ///
    /// # Errors
    /// [`AudioError::SampleRate`] and [`AudioError::Bitrate`] when the format does not support the
    /// options.
    pub fn new(options: &EncodeOptions, layout: Layout) -> Result<Self, AudioError> {
        let codec = match options.format {
            AudioFormat::Mp3 => Codec::Mp3(mp3::Mp3Encoder::new(options, layout)?),
            AudioFormat::Wav => Codec::Wav(wav::WavEncoder::new(options, layout)?),
            AudioFormat::Flac => Codec::Flac(Box::new(flac::FlacEncoder::new(options, layout)?)),
            AudioFormat::Opus => Codec::Opus(Box::new(opus::OpusEncoder::new(options)?)),
            AudioFormat::Pcm | AudioFormat::Ulaw | AudioFormat::Alaw => {
                Codec::Raw(raw::RawEncoder::new(options.format))
            }
        };
        Ok(Self { codec, scratch: Vec::new() })
    }

    /// Takes samples and returns the bytes that are ready, often none.
    ///
    /// # Errors
    /// [`AudioError::Codec`]; the encoder cannot be used after it.
    pub fn push(&mut self, samples: &[f32]) -> Result<Vec<u8>, AudioError> {
        let mut out = Vec::new();
        // In pieces, so that the scratch copy stays small however many samples come at once.
        for piece in samples.chunks(PIECE) {
            self.scratch.clear();
            self.scratch.extend(piece.iter().map(|&sample| sound(sample)));
            match &mut self.codec {
                Codec::Mp3(codec) => codec.push(&self.scratch, &mut out)?,
                Codec::Wav(codec) => codec.push(&self.scratch, &mut out),
                Codec::Flac(codec) => codec.push(&self.scratch, &mut out),
                Codec::Opus(codec) => codec.push(&self.scratch, &mut out)?,
                Codec::Raw(codec) => codec.push(&self.scratch, &mut out),
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
            // Nothing is kept back, and there is no header.
            Codec::Raw(_) => Ok(Finished { bytes: Vec::new(), front_patch: None }),
        }
    }
}

const PIECE: usize = 1 << 16;

/// Encodes a whole clip into a file.
///
/// # Errors
/// Those of [`Encoder::new`] and [`Encoder::push`].
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

/// The sample in the form that encoders accept: finite and within ±1.
fn sound(sample: f32) -> f32 {
    if sample.is_finite() { sample.clamp(-1.0, 1.0) } else { 0.0 }
}

/// The nearest 16-bit value. Full scale is 32,768, as in decoders, so that samples that came from
/// 16 bits are restored exactly.
fn to_i16(sample: f32) -> i16 {
    nearest_i16(sample * 32_768.0)
}

/// The nearest number of 16 bits, half away from zero, as `f32::round` has it. The oldest x86-64 has no instruction for that, so
/// `f32::round` would be a function call.
fn nearest_i16(value: f32) -> i16 {
    const BELOW_HALF: f32 = 0.5 - f32::EPSILON / 4.0;
    (value + BELOW_HALF.copysign(value)) as i16
}

#[cfg(test)]
mod tests {
    use super::nearest_i16;

    // Negative control, seen: with 0.5 in place of `BELOW_HALF`, the number below one half becomes one.
    #[test]
    fn numbers_are_rounded_as_floats_round() {
        let edges = [
            0.0,
            -0.0,
            0.5,
            -0.5,
            0.5_f32.next_down(),
            -0.5_f32.next_down(),
            1.5,
            2.5,
            32_766.5,
            40_000.0,
            -40_000.0,
        ];
        let steps = (-70_000..70_000).map(|step| step as f32 / 2.0 + 0.001);
        for value in edges.into_iter().chain(steps) {
            assert_eq!(nearest_i16(value), value.round() as i16, "{value}");
        }
        assert_eq!(nearest_i16(f32::NAN), 0);
    }
}
