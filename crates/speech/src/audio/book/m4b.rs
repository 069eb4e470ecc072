//! A book as M4B: AAC from one run of the encoder, laid out by `mp4`.

use std::io::{Seek, Write};

use super::{
    BookError, BookOptions,
    aac::AacEncoder,
    mp4::{AudioTrack, Mp4},
};
use crate::audio::{AudioError, limiter::Limiter, loudness::CEILING_DBTP, to_i16};

/// The sample rates that the encoder and audiobook players support.
pub(super) const RATES_HZ: [u32; 9] = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000];

/// The default bit rate for one channel of speech.
const DEFAULT_KBPS: u32 = 64;

/// AAC-LC sounds broken below this rate.
const MIN_KBPS: u32 = 16;

/// The most bits for a sample: an access unit of one channel has at most 6,144 bits for its 1,024
/// samples.
const MAX_BITS_A_SAMPLE: u32 = 6;

pub(super) struct M4bBook<W> {
    encoder: Limited,
    mp4: Mp4<W>,
    samples: u64,
}

impl<W: Write + Seek> M4bBook<W> {
    pub(super) fn new(options: BookOptions, out: W) -> Result<Self, BookError> {
        let encoder = encoder(&options)?;
        let mp4 = file(options, &encoder.encoder, out)?;
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

/// The encoder of a book.
pub(super) fn encoder(options: &BookOptions) -> Result<Limited, AudioError> {
    plain_encoder(options).map(|encoder| Limited::new(encoder, options.sample_rate_hz))
}

/// The same without its limiter.
pub(super) fn plain_encoder(options: &BookOptions) -> Result<AacEncoder, AudioError> {
    let sample_rate_hz = options.sample_rate_hz;
    if !RATES_HZ.contains(&sample_rate_hz) {
        return Err(AudioError::AacSampleRate { sample_rate_hz });
    }
    AacEncoder::new(sample_rate_hz, bits_a_second(options.bitrate_kbps, sample_rate_hz)?)
}

/// The file that takes what the encoder makes.
pub(super) fn file<W: Write + Seek>(
    options: BookOptions,
    encoder: &AacEncoder,
    out: W,
) -> Result<Mp4<W>, BookError> {
    let expected = options.duration_ms() * u64::from(options.sample_rate_hz) / 1000;
    file_of(options, encoder, expected, out)
}

/// The same, which is expected to have this many samples.
pub(super) fn file_of<W: Write + Seek>(
    options: BookOptions,
    encoder: &AacEncoder,
    samples: u64,
    out: W,
) -> Result<Mp4<W>, BookError> {
    let sample_rate_hz = options.sample_rate_hz;
    let track = AudioTrack {
        sample_rate_hz,
        frame_samples: encoder.frame_samples() as u32,
        delay: encoder.delay(),
        config: encoder.config().to_vec(),
        bits_a_second: bits_a_second(options.bitrate_kbps, sample_rate_hz)?,
    };
    Ok(Mp4::new(options, track, samples, encoder.units_for(samples), out)?)
}

/// AAC adds to peaks. So those that come near the ceiling of all audio are lowered before, by a limiter that leaves the rest
/// as it is.
pub(super) struct Limited {
    encoder: AacEncoder,
    limiter: Limiter,
    calm: Vec<f32>,
    samples: Vec<i16>,
}

/// The highest true peak before the encoder, in dBTP: the ceiling less what the encoder was measured to add.
const CEILING_BEFORE_DBTP: f64 = CEILING_DBTP - 1.0;

impl Limited {
    fn new(encoder: AacEncoder, sample_rate_hz: u32) -> Self {
        let ceiling = 10.0_f64.powf(CEILING_BEFORE_DBTP / 20.0) as f32;
        let limiter = Limiter::new(sample_rate_hz, ceiling);
        Self { encoder, limiter, calm: Vec::new(), samples: Vec::new() }
    }

    pub(super) fn push<E: From<AudioError>>(
        &mut self,
        samples: &[i16],
        each: &mut impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.calm.clear();
        self.limiter.push(samples.iter().map(|&sample| f32::from(sample) / 32_768.0), &mut self.calm);
        to_steps(&self.calm, &mut self.samples);
        self.encoder.push(&self.samples, each)
    }

    pub(super) fn finish<E: From<AudioError>>(
        self,
        each: &mut impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let Self { mut encoder, limiter, mut calm, mut samples } = self;
        calm.clear();
        limiter.finish(&mut calm);
        to_steps(&calm, &mut samples);
        encoder.push(&samples, each)?;
        encoder.finish(each)
    }
}

/// Sound that was not limited comes out as it went in.
fn to_steps(samples: &[f32], steps: &mut Vec<i16>) {
    steps.clear();
    steps.extend(samples.iter().map(|&sample| to_i16(sample)));
}

/// The bit rate in bits. The encoder would use another one instead of a rate that it does not have.
fn bits_a_second(bitrate_kbps: Option<u32>, sample_rate_hz: u32) -> Result<u32, AudioError> {
    let most_kbps = sample_rate_hz * MAX_BITS_A_SAMPLE / 1000;
    match bitrate_kbps {
        None => Ok(DEFAULT_KBPS.min(most_kbps) * 1000),
        Some(kbps) if (MIN_KBPS..=most_kbps).contains(&kbps) => Ok(kbps * 1000),
        Some(bitrate_kbps) => Err(AudioError::AacBitrate { bitrate_kbps, sample_rate_hz }),
    }
}
