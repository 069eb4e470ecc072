//! MP3 frames of a part of a book, and the frame in front of a file that is joined of such parts.

use super::{DEFAULT_KBPS, Header, InfoFrame, LEAD, Mp3Encoder};
use crate::audio::{AudioError, AudioFormat, EncodeOptions, Layout};

/// The samples that come out before the first that went in, which are whole frames: the zeros in front, LAME's delay and
/// that of every decoder.
pub(in crate::audio) const DELAY: u64 = 1_152;

/// Encodes a part's samples, and passes on each frame. Frames of parts can follow each other: each part's first refers to
/// nothing before it.
pub(in crate::audio) fn encode(
    samples: &[i16],
    options: &EncodeOptions,
    each: &mut impl FnMut(&[u8]),
) -> Result<(), AudioError> {
    let mut encoder = Mp3Encoder::with_tag(options, Layout::Stream, Vec::new())?;
    let mut bytes = Vec::new();
    encoder.push(&[0.0; LEAD], &mut bytes)?;
    let mut floats = Vec::new();
    for piece in samples.chunks(1 << 14) {
        floats.clear();
        floats.extend(piece.iter().map(|&sample| f32::from(sample) / 32_768.0));
        encoder.push(&floats, &mut bytes)?;
    }
    bytes.extend(encoder.finish()?.bytes);
    let kbps = options.bitrate_kbps.unwrap_or(DEFAULT_KBPS);
    let header = Header::new(options.sample_rate_hz, kbps);
    let mut rest = bytes.as_slice();
    while !rest.is_empty() {
        let length = header.and_then(|header| header.frame_bytes(rest));
        let length = length.ok_or_else(|| AudioError::codec("MP3", "LAME's frames are not as expected"))?;
        let (frame, after) = rest.split_at(length);
        each(frame);
        rest = after;
    }
    Ok(())
}

/// The frame at the front, which states delay, padding and length.
pub(in crate::audio) struct Front {
    info: InfoFrame,
    frames: u64,
    samples: u64,
}

impl Front {
    pub(in crate::audio) fn new(sample_rate_hz: u32, bitrate_kbps: Option<u32>) -> Result<Self, AudioError> {
        let format = AudioFormat::Mp3;
        let bitrate_kbps = bitrate_kbps.unwrap_or(DEFAULT_KBPS);
        super::frame_samples(sample_rate_hz).ok_or(AudioError::SampleRate { format, sample_rate_hz })?;
        let info = InfoFrame::new(sample_rate_hz, bitrate_kbps).ok_or(AudioError::Bitrate {
            format,
            bitrate_kbps,
            sample_rate_hz,
        })?;
        Ok(Self { info, frames: 0, samples: 0 })
    }

    pub(in crate::audio) fn placeholder(&self) -> Vec<u8> {
        self.info.placeholder()
    }

    pub(in crate::audio) fn count(&mut self, samples: usize, frame: &[u8]) {
        self.info.add(frame);
        self.samples += samples as u64;
        self.frames += 1;
    }

    pub(in crate::audio) fn finished(&self) -> Vec<u8> {
        self.info.of_frames(self.frames, self.samples)
    }
}
