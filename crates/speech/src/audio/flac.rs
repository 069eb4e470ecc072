//! Our own FLAC encoder (RFC 9639), 16-bit mono. `docs/adr/0003-flac.md` gives the reasons.
//!
//! This module writes the stream: metadata, blocks of 4,096 samples, frame headers and checksums,
//! and chooses how to write each block. [`predict`] finds predictors, [`rice`] writes residuals,
//! and [`bits`] packs bits. The stream information holds lengths and an MD5 of the samples, which
//! are known only at the end: they are zeros (unknown) at first, then patched.

mod bits;
mod predict;
mod rice;

use md5::{Digest as _, Md5};

use self::bits::BitWriter;
use super::{AudioError, AudioFormat, EncodeOptions, Finished, FrontPatch, Layout, SOFTWARE, to_i16};

const BLOCK: usize = 4_096;
const BITS_A_SAMPLE: u32 = 16;
/// "fLaC" and the header of the first metadata block.
const STREAM_INFO_AT: usize = 8;

pub(super) struct FlacEncoder {
    sample_rate_hz: u32,
    layout: Layout,
    /// The metadata, until it is returned.
    front: Vec<u8>,
    pending: Vec<i32>,
    frames: u64,
    samples: u64,
    frame_bytes: Option<(u32, u32)>,
    md5: Md5,
    searcher: predict::Searcher,
}

impl FlacEncoder {
    pub(super) fn new(options: &EncodeOptions, layout: Layout) -> Result<Self, AudioError> {
        let sample_rate_hz = options.sample_rate_hz;
        // The highest rate in Hz that fits into a frame header. For higher rates, decoders would
        // have to use the stream information.
        if !(1..=65_535).contains(&sample_rate_hz) {
            return Err(AudioError::SampleRate { format: AudioFormat::Flac, sample_rate_hz });
        }
        let mut encoder = Self {
            sample_rate_hz,
            layout,
            front: Vec::new(),
            pending: Vec::with_capacity(BLOCK),
            frames: 0,
            samples: 0,
            frame_bytes: None,
            md5: Md5::new(),
            searcher: predict::Searcher::new(),
        };
        let comments = comments(SOFTWARE, &[("TITLE", options.clean_title())]);
        encoder.front.extend_from_slice(b"fLaC\x00\x00\x00\x22");
        encoder.front.extend_from_slice(&encoder.stream_info(0, [0; 16]));
        encoder.front.push(0x84); // the last metadata block, of type 4: comments
        encoder.front.extend_from_slice(&(comments.len() as u32).to_be_bytes()[1..]);
        encoder.front.extend_from_slice(&comments);
        Ok(encoder)
    }

    pub(super) fn push(&mut self, samples: &[f32], out: &mut Vec<u8>) {
        out.append(&mut self.front);
        let samples: Vec<i16> = samples.iter().map(|&sample| to_i16(sample)).collect();
        let digested: Vec<u8> = samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
        self.md5.update(&digested);
        for &sample in &samples {
            self.pending.push(i32::from(sample));
            if self.pending.len() == BLOCK {
                self.write_frame(out);
            }
        }
        self.samples += samples.len() as u64;
    }

    pub(super) fn finish(mut self) -> Finished {
        let mut bytes = std::mem::take(&mut self.front);
        if !self.pending.is_empty() {
            self.write_frame(&mut bytes);
        }
        let digest: [u8; 16] = std::mem::take(&mut self.md5).finalize().into();
        let front_patch = (self.layout == Layout::File).then(|| FrontPatch {
            offset: STREAM_INFO_AT,
            bytes: self.stream_info(self.samples, digest).to_vec(),
        });
        Finished { bytes, front_patch }
    }

    /// The 34 bytes of STREAMINFO (RFC 9639, section 8.2); zeros stand for "unknown".
    fn stream_info(&self, samples: u64, md5: [u8; 16]) -> [u8; 34] {
        let (smallest, largest) = self.frame_bytes.unwrap_or((0, 0));
        let mut info = [0; 34];
        info[0..2].copy_from_slice(&(BLOCK as u16).to_be_bytes());
        info[2..4].copy_from_slice(&(BLOCK as u16).to_be_bytes());
        info[4..7].copy_from_slice(&smallest.to_be_bytes()[1..]);
        info[7..10].copy_from_slice(&largest.to_be_bytes()[1..]);
        // 20 bits of rate, 3 of channels less one, 5 of bits less one, 36 of samples; a larger
        // number of samples is "unknown".
        let samples = if samples < 1 << 36 { samples } else { 0 };
        let packed = u64::from(self.sample_rate_hz) << 44 | u64::from(BITS_A_SAMPLE - 1) << 36 | samples;
        info[10..18].copy_from_slice(&packed.to_be_bytes());
        info[18..34].copy_from_slice(&md5);
        info
    }

    /// Writes the pending samples as one frame (RFC 9639, section 9).
    fn write_frame(&mut self, out: &mut Vec<u8>) {
        let mut bits = BitWriter::default();
        bits.put(0xFFF8, 16); // sync code, blocks of a fixed size
        let whole = self.pending.len() == BLOCK;
        bits.put(if whole { 0b1100 } else { 0b0111 }, 4);
        bits.put(rate_code(self.sample_rate_hz), 4);
        bits.put(0b0000_1000, 8); // one channel, 16 bits, reserved
        bits.put_coded_number(self.frames);
        if !whole {
            bits.put(self.pending.len() as u32 - 1, 16);
        }
        if rate_code(self.sample_rate_hz) == RATE_IN_HZ {
            bits.put(self.sample_rate_hz, 16);
        }
        let checksum = bits.crc8();
        bits.put(u32::from(checksum), 8);
        self.write_subframe(&mut bits);
        bits.align();
        let checksum = bits.crc16();
        bits.put(u32::from(checksum), 16);
        let frame = bits.into_bytes();
        let length = frame.len() as u32;
        let (smallest, largest) = self.frame_bytes.unwrap_or((length, length));
        self.frame_bytes = Some((smallest.min(length), largest.max(length)));
        out.extend_from_slice(&frame);
        self.frames += 1;
        self.pending.clear();
    }

    fn write_subframe(&mut self, bits: &mut BitWriter) {
        let samples = &self.pending;
        let constant = samples.first().copied().filter(|first| samples.iter().all(|sample| sample == first));
        if let Some(value) = constant {
            bits.put(0b0000_0000, 8);
            bits.put_signed(value, BITS_A_SAMPLE);
            return;
        }
        let (predictor, residual) = self.searcher.best(samples);
        if predictor.bits(BITS_A_SAMPLE) + residual.bits() >= samples.len() as u64 * u64::from(BITS_A_SAMPLE)
        {
            bits.put(0b0000_0010, 8); // verbatim
            for &sample in samples {
                bits.put_signed(sample, BITS_A_SAMPLE);
            }
            return;
        }
        predictor.write(samples, BITS_A_SAMPLE, bits);
        residual.write(bits);
    }
}

/// The code for a rate that follows in 16 bits, in Hz.
const RATE_IN_HZ: u32 = 0b1101;

/// RFC 9639, section 9.1.2.
fn rate_code(sample_rate_hz: u32) -> u32 {
    match sample_rate_hz {
        8_000 => 0b0100,
        16_000 => 0b0101,
        22_050 => 0b0110,
        24_000 => 0b0111,
        32_000 => 0b1000,
        44_100 => 0b1001,
        48_000 => 0b1010,
        _ => RATE_IN_HZ,
    }
}

/// A Vorbis comment header without framing bit, as FLAC and Opus both require it (RFC 9639, section
/// 8.6).
pub(super) fn comments(vendor: &str, fields: &[(&str, Option<String>)]) -> Vec<u8> {
    let fields: Vec<String> = fields
        .iter()
        .filter_map(|(name, value)| value.as_ref().map(|value| format!("{name}={value}")))
        .collect();
    let mut bytes = Vec::new();
    put_text(vendor, &mut bytes);
    bytes.extend_from_slice(&(fields.len() as u32).to_le_bytes());
    for field in &fields {
        put_text(field, &mut bytes);
    }
    bytes
}

fn put_text(text: &str, bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
    bytes.extend_from_slice(text.as_bytes());
}
