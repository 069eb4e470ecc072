//! Encodes a chunk for a book that is joined: from its first sample to its last that is not silent.

use std::mem;

use super::units;
use crate::audio::{
    AudioError, AudioFormat, EncodeOptions, Encoder, Layout,
    book::{BookFormat, BookOptions, m4b},
    to_i16,
};

/// The encoded audio of a chunk, as its samples come.
pub struct ChunkEncoder {
    codec: Codec,
    bytes: Vec<u8>,
    /// Silent samples that came since the last sound. They are encoded when another sound follows.
    silent: usize,
}

enum Codec {
    Mp3(Box<Encoder>),
    Aac { encoder: Box<m4b::Limited>, rate_index: u8 },
}

/// Silence is encoded in pieces of this many samples.
const PIECE: usize = 1 << 14;

impl std::fmt::Debug for ChunkEncoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ChunkEncoder").field("bytes", &self.bytes.len()).finish_non_exhaustive()
    }
}

impl ChunkEncoder {
    /// Starts a chunk at the default bit rate.
    ///
    /// # Errors
    /// [`AudioError::SampleRate`] or [`AudioError::AacSampleRate`] when the format cannot carry the sample rate.
    pub fn new(format: BookFormat, sample_rate_hz: u32) -> Result<Self, AudioError> {
        let codec = match format {
            BookFormat::Mp3 => {
                let options = EncodeOptions::new(AudioFormat::Mp3, sample_rate_hz);
                Codec::Mp3(Box::new(Encoder::new(&options, Layout::File)?))
            }
            BookFormat::M4b => Codec::Aac {
                encoder: Box::new(m4b::encoder(&BookOptions::new(format, sample_rate_hz))?),
                rate_index: units::rate_index(sample_rate_hz)
                    .ok_or(AudioError::AacSampleRate { sample_rate_hz })?,
            },
        };
        Ok(Self { codec, bytes: Vec::new(), silent: 0 })
    }

    /// Takes the next samples.
    ///
    /// # Errors
    /// [`AudioError::Codec`]; the encoder cannot be used after it.
    pub fn push(&mut self, samples: &[f32]) -> Result<(), AudioError> {
        let Some(last) = samples.iter().rposition(|&sample| to_i16(sample) != 0) else {
            self.silent += samples.len();
            return Ok(());
        };
        let mut before = mem::take(&mut self.silent);
        while before > 0 {
            let piece = before.min(PIECE);
            self.encode(&vec![0.0; piece])?;
            before -= piece;
        }
        let (sound, silence) = samples.split_at(last + 1);
        self.silent = silence.len();
        self.encode(sound)
    }

    fn encode(&mut self, samples: &[f32]) -> Result<(), AudioError> {
        let bytes = &mut self.bytes;
        match &mut self.codec {
            Codec::Mp3(encoder) => bytes.extend(encoder.push(samples)?),
            Codec::Aac { encoder, rate_index } => {
                let samples: Vec<i16> = samples.iter().map(|&sample| to_i16(sample)).collect();
                encoder.push(&samples, &mut |unit| units::add(bytes, *rate_index, unit))?;
            }
        }
        Ok(())
    }

    /// Ends the chunk: an MP3 file, or an AAC file in ADTS.
    ///
    /// # Errors
    /// [`AudioError::Codec`].
    pub fn finish(self) -> Result<Vec<u8>, AudioError> {
        let Self { codec, mut bytes, .. } = self;
        match codec {
            Codec::Mp3(encoder) => {
                let end = encoder.finish()?;
                bytes.extend(end.bytes);
                if let Some(patch) = end.front_patch {
                    patch.apply(&mut bytes);
                }
            }
            Codec::Aac { encoder, rate_index } => {
                encoder.finish(&mut |unit| units::add(&mut bytes, rate_index, unit))?;
            }
        }
        Ok(bytes)
    }
}
