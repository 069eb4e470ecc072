//! A book as M4B: AAC from one run of the encoder, laid out by `mp4`.

use std::io::{Seek, Write};

use super::{
    BookError, BookOptions,
    aac::AacEncoder,
    mp4::{AudioTrack, Mp4},
};
use crate::audio::{AudioError, book::aac::BITS_A_SECOND};

/// The sample rates that the encoder and audiobook players support.
const RATES_HZ: [u32; 9] = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000];

pub(super) struct M4bBook<W> {
    encoder: AacEncoder,
    mp4: Mp4<W>,
    samples: u64,
}

impl<W: Write + Seek> M4bBook<W> {
    pub(super) fn new(options: BookOptions, out: W) -> Result<Self, BookError> {
        let sample_rate_hz = options.sample_rate_hz;
        if !RATES_HZ.contains(&sample_rate_hz) {
            return Err(AudioError::AacSampleRate { sample_rate_hz }.into());
        }
        let encoder = AacEncoder::new(sample_rate_hz)?;
        let track = AudioTrack {
            sample_rate_hz,
            frame_samples: encoder.frame_samples() as u32,
            delay: encoder.delay(),
            config: encoder.config().to_vec(),
            bits_a_second: BITS_A_SECOND,
        };
        let expected = options.duration_ms() * u64::from(sample_rate_hz) / 1000;
        let mp4 = Mp4::new(options, track, expected, encoder.units_for(expected), out)?;
        Ok(Self { encoder, mp4, samples: 0 })
    }

    pub(super) fn push(&mut self, samples: &[i16]) -> Result<(), BookError> {
        self.samples += samples.len() as u64;
        let mp4 = &mut self.mp4;
        self.encoder.push(samples, &mut |unit| mp4.unit(unit))
    }

    pub(super) fn finish(self) -> Result<u64, BookError> {
        let Self { encoder, mut mp4, samples } = self;
        encoder.finish(&mut |unit| mp4.unit(unit))?;
        Ok(mp4.finish(samples)?)
    }
}
