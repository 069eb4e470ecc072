//! A LAME tag that LAME does not make itself: for bit rates at which no frame can hold one, a silent frame of a higher
//! bit rate at the very front, with the delay, the padding and the length (decoders read each frame's own bit rate); and
//! for files that are joined.
//!
//! The layout is that of LAME's `VbrTag.c`: side information of zeros, `Info`, flags, frames, bytes, a
//! table of contents, then encoder, delay, padding, and two CRCs.

use super::{CRC_AT, DELAY_AT, LEAD, TAG_BYTES, crc16, crc16_of, frame::Header};

/// LAME's own delay in samples.
const DELAY: u64 = 576;

/// Frames, bytes, table of contents and quality are there.
const FLAGS: u32 = 15;

/// Offsets from `Info`.
const TOC_AT: usize = 16;
const QUALITY_AT: usize = 116;
const ENCODER_AT: usize = 120;
const METHOD_AT: usize = 129;
const BITRATE_AT: usize = 140;
const MUSIC_LENGTH_AT: usize = 148;
const MUSIC_CRC_AT: usize = 152;

/// The delay of every decoder in samples.
const DECODER_DELAY: u64 = 529;

/// The longest padding that the tag can state.
const MOST_PADDING: u64 = (1 << 12) - 1;

/// The tag of an encoding in progress.
pub(in crate::audio) struct InfoFrame {
    header: Header,
    bitrate_kbps: u32,
    samples: u64,
    bytes: u64,
    crc: u16,
}

impl InfoFrame {
    /// The samples that a decoder returns before the first one of the input.
    pub(in crate::audio) const DELAY_SAMPLES: u64 = DELAY + LEAD as u64 + DECODER_DELAY;

    /// `None` for a rate that layer III does not have.
    pub(in crate::audio) fn new(sample_rate_hz: u32, bitrate_kbps: u32) -> Option<Self> {
        let header = Header::new(sample_rate_hz, bitrate_kbps)?.with_room(TAG_BYTES)?;
        Some(Self { header, bitrate_kbps, samples: 0, bytes: 0, crc: 0 })
    }

    /// What stands in its place until everything is known.
    pub(in crate::audio) fn placeholder(&self) -> Vec<u8> {
        self.header.silent(false)
    }

    /// Counts frames by their bytes.
    pub(in crate::audio) fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.crc = crc16_of(self.crc, bytes);
    }

    /// Counts samples that went in, and bytes that came out.
    pub(super) fn count(&mut self, samples: usize, bytes: &[u8]) {
        self.samples += samples as u64;
        self.add(bytes);
    }

    /// The frame, when everything is encoded.
    pub(super) fn finished(&self) -> Vec<u8> {
        // The bit rate is constant: frames differ by a byte at most, which evens out.
        let samples_a_byte = f64::from(self.header.sample_rate_hz()) / f64::from(self.bitrate_kbps * 125);
        let frame_samples = f64::from(self.header.frame_samples());
        let frames = (self.bytes as f64 * samples_a_byte / frame_samples).round() as u64;
        self.of_frames(frames, self.samples.saturating_sub(LEAD as u64))
    }

    /// The frame of a file with this number of frames, of which decoders return this number of samples.
    pub(in crate::audio) fn of_frames(&self, frames: u64, samples: u64) -> Vec<u8> {
        let delay = DELAY + LEAD as u64;
        let all = frames * u64::from(self.header.frame_samples());
        let padding = all.saturating_sub(delay + samples).min(MOST_PADDING);
        let info_at = self.header.side_info_end();
        let mut frame = self.placeholder();
        let bytes = self.bytes + frame.len() as u64;
        let mut put = |at: usize, bytes: &[u8]| {
            let at = info_at + at;
            frame[at..at + bytes.len()].copy_from_slice(bytes);
        };
        put(0, b"Info");
        put(4, &FLAGS.to_be_bytes());
        put(8, &(frames as u32).to_be_bytes());
        put(12, &(bytes as u32).to_be_bytes());
        for place in 0..100_usize {
            put(TOC_AT + place, &[(place * 256 / 100) as u8]);
        }
        put(QUALITY_AT, &50_u32.to_be_bytes());
        put(ENCODER_AT, b"LAME3.100");
        // Revision 0 of the tag, constant bit rate.
        put(METHOD_AT, &[1]);
        put(BITRATE_AT, &[self.bitrate_kbps.min(255) as u8]);
        put(DELAY_AT, &[(delay >> 4) as u8, (delay << 4) as u8 | (padding >> 8) as u8, padding as u8]);
        put(MUSIC_LENGTH_AT, &(bytes as u32).to_be_bytes());
        put(MUSIC_CRC_AT, &self.crc.to_be_bytes());
        let crc = crc16(&frame[..info_at + CRC_AT]);
        let at = info_at + CRC_AT;
        frame[at..at + 2].copy_from_slice(&crc.to_be_bytes());
        frame
    }
}
