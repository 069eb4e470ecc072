//! AAC-LC by the Fraunhofer FDK encoder: one channel, constant bit rate, whole access units out.
//!
//! The encoder has a delay: its first output samples precede the first input sample.
//! [`AacEncoder::delay`] is their number; the file's edit list removes them.

use fdk_aac::enc::{AudioObjectType, BitRate, ChannelMode, Encoder, EncoderError, EncoderParams, Transport};

use crate::audio::AudioError;

const CODEC: &str = "AAC";

/// The largest access unit of one channel: 6,144 bits.
const MOST_UNIT_BYTES: usize = 768;

/// The most silent frames that may have to be added before the last samples come out.
const MOST_FLUSH_FRAMES: usize = 16;

pub(super) struct AacEncoder {
    encoder: Encoder,
    frame_samples: usize,
    delay: u64,
    config: Vec<u8>,
    pending: Vec<i16>,
    unit: Vec<u8>,
    taken: u64,
    units: u64,
}

impl AacEncoder {
    pub(super) fn new(sample_rate_hz: u32, bits_a_second: u32) -> Result<Self, AudioError> {
        let params = EncoderParams {
            bit_rate: BitRate::Cbr(bits_a_second),
            sample_rate: sample_rate_hz,
            transport: Transport::Raw,
            channels: ChannelMode::Mono,
            audio_object_type: AudioObjectType::Mpeg4LowComplexity,
        };
        let encoder = Encoder::new(params).map_err(failed)?;
        let info = encoder.info().map_err(failed)?;
        let config = info.confBuf.get(..info.confSize as usize).unwrap_or_default().to_vec();
        Ok(Self {
            frame_samples: info.frameLength as usize,
            delay: u64::from(info.nDelay),
            config,
            pending: Vec::with_capacity(info.frameLength as usize),
            unit: vec![0; MOST_UNIT_BYTES.max(info.maxOutBufBytes as usize)],
            taken: 0,
            units: 0,
            encoder,
        })
    }

    /// The number of samples in an access unit.
    pub(super) fn frame_samples(&self) -> usize {
        self.frame_samples
    }

    /// The number of samples that come out before the first input sample.
    pub(super) fn delay(&self) -> u64 {
        self.delay
    }

    /// The `AudioSpecificConfig` (ISO 14496-3, 1.6.2.1) that decoders need.
    pub(super) fn config(&self) -> &[u8] {
        &self.config
    }

    /// The number of access units needed to get `samples` samples out again.
    pub(super) fn units_for(&self, samples: u64) -> u64 {
        (samples + self.delay).div_ceil(self.frame_samples as u64)
    }

    /// Takes samples and passes on the access units that are ready.
    pub(super) fn push<E: From<AudioError>>(
        &mut self,
        mut samples: &[i16],
        each: &mut impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.taken += samples.len() as u64;
        while !samples.is_empty() {
            let room = self.frame_samples - self.pending.len();
            let (now, later) = samples.split_at(room.min(samples.len()));
            self.pending.extend_from_slice(now);
            samples = later;
            if self.pending.len() == self.frame_samples {
                self.frame(each)?;
            }
        }
        Ok(())
    }

    /// Returns the remaining frames.
    pub(super) fn finish<E: From<AudioError>>(
        mut self,
        each: &mut impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let wanted = self.units_for(self.taken);
        for _ in 0..MOST_FLUSH_FRAMES {
            if self.units >= wanted {
                return Ok(());
            }
            self.pending.resize(self.frame_samples, 0);
            self.frame(each)?;
        }
        Err(AudioError::codec(CODEC, "the encoder keeps its last samples").into())
    }

    /// Encodes the pending frame.
    fn frame<E: From<AudioError>>(&mut self, each: &mut impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let mut left = self.pending.as_slice();
        while !left.is_empty() {
            let done = self.encoder.encode(left, &mut self.unit).map_err(failed)?;
            if done.output_size > 0 {
                self.units += 1;
                each(&self.unit[..done.output_size.min(self.unit.len())])?;
            } else if done.input_consumed == 0 {
                return Err(AudioError::codec(CODEC, "the encoder takes no more samples").into());
            }
            left = &left[done.input_consumed.min(left.len())..];
        }
        self.pending.clear();
        Ok(())
    }
}

fn failed(error: EncoderError) -> AudioError {
    AudioError::codec(CODEC, error)
}
