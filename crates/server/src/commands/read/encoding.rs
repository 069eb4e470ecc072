//! How the chunks of a book are encoded, once for all files that they go into.

use lectern_speech::audio::{
    AudioError, acx,
    book::{BookFormat as Codec, CodedPart, PartEncoder, is_available},
    flac_reader::FlacReader,
    room_tone::RoomTone,
};
use lectern_types::{BookFile, BookFormat, BookLoudness};

use super::CommandError;

/// The encoding of a book's chunks.
#[derive(Debug)]
pub(super) struct Encoding {
    loudness: BookLoudness,
    pub(super) encoder: PartEncoder,
    pub(super) sample_rate_hz: u32,
}

impl Encoding {
    /// The encoding that a file wants, of a voice with this rate.
    pub(super) fn of(file: BookFile, voice_rate_hz: u32) -> Result<Self, CommandError> {
        let codec = if file.format == BookFormat::M4b { Codec::M4b } else { Codec::Mp3 };
        if !is_available(codec) {
            return Err(CommandError::Usage(format!("this build cannot make {codec}; try --format mp3")));
        }
        let (sample_rate_hz, bitrate_kbps) = match file.loudness {
            BookLoudness::Standard => (voice_rate_hz, None),
            BookLoudness::Acx => (acx::RATE_HZ, (codec == Codec::Mp3).then_some(acx::KBPS)),
        };
        let encoder =
            PartEncoder::new(codec, sample_rate_hz, bitrate_kbps).map_err(CommandError::from_error)?;
        Ok(Self { loudness: file.loudness, encoder, sample_rate_hz })
    }

    /// A chunk's frames, and the number of their samples.
    pub(super) fn of_flac(&self, flac: &[u8]) -> Result<(CodedPart, u64), AudioError> {
        let mut reader = FlacReader::new(flac)?;
        let mut samples = Vec::new();
        while let Some(more) = reader.read()? {
            samples.extend_from_slice(more);
        }
        if self.loudness == BookLoudness::Acx {
            samples = acx::leveled(&samples, reader.sample_rate_hz())?;
        }
        self.of_samples(samples)
    }

    /// The room tone before the speech of a file, and that after it.
    pub(super) fn room_tone(&self) -> Result<Option<[(CodedPart, u64); 2]>, AudioError> {
        if self.loudness == BookLoudness::Standard {
            return Ok(None);
        }
        let tone = |ms: u64| self.of_samples(vec![0; (ms * u64::from(acx::RATE_HZ) / 1000) as usize]);
        Ok(Some([tone(acx::HEAD_MS)?, tone(acx::TAIL_MS)?]))
    }

    fn of_samples(&self, mut samples: Vec<i16>) -> Result<(CodedPart, u64), AudioError> {
        self.encoder.fill(&mut samples);
        if self.loudness == BookLoudness::Acx {
            samples = acx::over_tone(&samples, &mut RoomTone::new());
        }
        Ok((self.encoder.encode(&samples)?, samples.len() as u64))
    }
}
