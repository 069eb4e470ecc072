//! MP3 by LAME: one channel, constant bit rate, quality 5, after an ID3v2.3 tag with title and
//! encoder.
//!
//! Layer III has a delay: an encoder adds samples in front and fills the last frame. The LAME tag,
//! a silent frame at the very front, states both numbers, so that decoders return exactly the
//! input. LAME reserves that frame (its first output, all zeros after the frame header) and knows
//! its content only at the end: hence the front patch. The example of the wrapping crate inserts
//! the tag as an extra frame and so leaves the placeholder in: decoders that trust the tag then
//! return 576 extra samples of silence.
//!
//! At a low bit rate no frame is large enough for the tag, and LAME writes none: `info_frame` makes one
//! in a frame of a higher bit rate.
//!
//! ffmpeg ignores the rest of the samples to skip at the front when a frame holds both them and
//! padding of the end, which happens in clips below 2 ms. [`LEAD`] zeros before the samples put the
//! start on a frame boundary, so that nothing is left to skip.

mod frame;
mod info_frame;
pub(super) mod parts;

pub(super) use frame::Header;
pub(super) use info_frame::InfoFrame;
use mp3lame_encoder::{
    Bitrate, Builder, Encoder, FlushGap, Mode, MonoPcm, Quality, VbrMode, max_required_buffer_size,
};

use super::{AudioError, AudioFormat, EncodeOptions, Finished, FrontPatch, Layout, SOFTWARE};

/// The default bit rate in kbit/s.
pub(super) const DEFAULT_KBPS: u32 = 64;

const CODEC: &str = "MP3";
/// With LAME's own delay of 576 samples and every decoder's delay of 529, this makes two MPEG-2
/// frames.
const LEAD: usize = 47;
/// A frame must hold its header, at most 17 bytes of side information, and the tag.
const TAG_BYTES: u32 = 4 + 17 + 156;
/// Offsets from the first byte of the tag: delay and padding (12 bits each), and the CRC over
/// everything before it.
const DELAY_AT: usize = 141;
const CRC_AT: usize = 154;

pub(super) struct Mp3Encoder {
    lame: Encoder,
    layout: Layout,
    id3: Vec<u8>,
    started: bool,
    /// Where LAME's own tag has no room.
    info: Option<InfoFrame>,
}

impl Mp3Encoder {
    pub(super) fn new(options: &EncodeOptions, layout: Layout) -> Result<Self, AudioError> {
        Self::with_tag(options, layout, id3_tag(options)?)
    }

    /// An encoder whose file begins with this finished tag.
    pub(super) fn with_tag(
        options: &EncodeOptions,
        layout: Layout,
        id3: Vec<u8>,
    ) -> Result<Self, AudioError> {
        let rate = options.sample_rate_hz;
        let bitrate_kbps = options.bitrate_kbps.unwrap_or(DEFAULT_KBPS);
        let frame_samples = frame_samples(rate)
            .ok_or(AudioError::SampleRate { format: AudioFormat::Mp3, sample_rate_hz: rate })?;
        let refused = || AudioError::Bitrate { format: AudioFormat::Mp3, bitrate_kbps, sample_rate_hz: rate };
        let bitrate = bitrate(bitrate_kbps, frame_samples).ok_or_else(refused)?;
        let is_small = bitrate_kbps * 125 * frame_samples / rate < TAG_BYTES;
        let info = (is_small && layout == Layout::File)
            .then(|| InfoFrame::new(rate, bitrate_kbps).ok_or_else(refused))
            .transpose()?;
        let failed = |error| AudioError::codec(CODEC, error);
        let lame = Builder::new()
            .ok_or_else(|| AudioError::codec(CODEC, "out of memory"))?
            .with_num_channels(1)
            .and_then(|lame| lame.with_mode(Mode::Mono))
            .and_then(|lame| lame.with_sample_rate(rate))
            // Without this, LAME would choose a rate from the bit rate, and resample.
            .and_then(|lame| lame.with_output_sample_rate(std::num::NonZeroU32::new(rate)))
            .and_then(|lame| lame.with_vbr_mode(VbrMode::Off))
            .and_then(|lame| lame.with_brate(bitrate))
            .map(|lame| if bitrate_kbps == UNNAMED_KBPS { with_unnamed_bitrate(lame) } else { lame })
            .and_then(|lame| lame.with_quality(Quality::Good))
            .and_then(|lame| lame.with_to_write_vbr_tag(layout == Layout::File && info.is_none()))
            .and_then(Builder::build)
            .map_err(failed)?;
        Ok(Self { lame, layout, id3, started: false, info })
    }

    pub(super) fn push(&mut self, samples: &[f32], out: &mut Vec<u8>) -> Result<(), AudioError> {
        self.start(out)?;
        self.encode(samples, out)
    }

    fn start(&mut self, out: &mut Vec<u8>) -> Result<(), AudioError> {
        if self.started {
            return Ok(());
        }
        self.started = true;
        out.extend_from_slice(&self.id3);
        if let Some(info) = &self.info {
            out.extend_from_slice(&info.placeholder());
        }
        match self.layout {
            Layout::File => self.encode(&[0.0; LEAD], out),
            Layout::Stream => Ok(()),
        }
    }

    fn encode(&mut self, samples: &[f32], out: &mut Vec<u8>) -> Result<(), AudioError> {
        let before = out.len();
        out.reserve(max_required_buffer_size(samples.len()));
        self.lame.encode_to_vec(MonoPcm(samples), out).map_err(|error| AudioError::codec(CODEC, error))?;
        if let Some(info) = &mut self.info {
            info.count(samples.len(), &out[before..]);
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<Finished, AudioError> {
        let mut bytes = Vec::new();
        self.start(&mut bytes)?;
        // Several frames may still be inside; LAME requires 7,200 bytes.
        let before = bytes.len();
        bytes.reserve(4 * 7_200);
        self.lame.flush_to_vec::<FlushGap>(&mut bytes).map_err(|error| AudioError::codec(CODEC, error))?;
        let front_patch = match (self.layout, self.info) {
            (Layout::Stream, _) => None,
            (Layout::File, Some(mut info)) => {
                info.count(0, &bytes[before..]);
                Some(FrontPatch { offset: self.id3.len(), bytes: info.finished() })
            }
            (Layout::File, None) => {
                let mut tag = Vec::with_capacity(self.lame.lame_tag_size());
                self.lame
                    .lame_tag_encode_to_vec(&mut tag)
                    .ok_or_else(|| AudioError::codec(CODEC, "no LAME tag was made"))?;
                lengthen_delay(&mut tag)
                    .ok_or_else(|| AudioError::codec(CODEC, "the LAME tag is not as expected"))?;
                Some(FrontPatch { offset: self.id3.len(), bytes: tag })
            }
        };
        Ok(Finished { bytes, front_patch })
    }
}

/// Adds [`LEAD`] to the delay that a LAME tag states.
fn lengthen_delay(tag: &mut [u8]) -> Option<()> {
    let start = tag.windows(4).position(|bytes| bytes == b"Info" || bytes == b"Xing")?;
    let crc_at = start + CRC_AT;
    let crc = |tag: &[u8]| tag.get(..crc_at).map(|bytes| crc16(bytes).to_be_bytes());
    // Fails if LAME ever changes the layout of its tag.
    if tag.get(crc_at..crc_at + 2)? != crc(tag)? {
        return None;
    }
    let field = tag.get_mut(start + DELAY_AT..start + DELAY_AT + 2)?;
    let delay = usize::from(field[0]) << 4 | usize::from(field[1]) >> 4;
    let delay = u16::try_from(delay + LEAD).ok().filter(|&delay| delay < 1 << 12)?;
    field[0] = (delay >> 4) as u8;
    field[1] = (delay << 4) as u8 | field[1] & 0x0F;
    let crc = crc(tag)?;
    tag.get_mut(crc_at..crc_at + 2)?.copy_from_slice(&crc);
    Some(())
}

/// CRC-16 as in the LAME tag (polynomial 0x8005, reflected, from zero).
fn crc16(bytes: &[u8]) -> u16 {
    crc16_of(0, bytes)
}

/// The same of bytes that follow others with this CRC.
fn crc16_of(before: u16, bytes: &[u8]) -> u16 {
    bytes.iter().fold(before, |crc, &byte| {
        (0..8).fold(
            crc ^ u16::from(byte),
            |crc: u16, _| if crc & 1 == 0 { crc >> 1 } else { crc >> 1 ^ 0xA001 },
        )
    })
}

/// The samples in a frame of the MPEG version for this sample rate; `None` for a rate that layer
/// III does not support.
pub(super) fn frame_samples(sample_rate_hz: u32) -> Option<u32> {
    match sample_rate_hz {
        32_000 | 44_100 | 48_000 => Some(1_152),
        8_000 | 11_025 | 12_000 | 16_000 | 22_050 | 24_000 => Some(576),
        _ => None,
    }
}

/// A bit rate of layer III for which the wrapping crate has no name.
const UNNAMED_KBPS: u32 = 56;

/// Sets it in LAME itself.
fn with_unnamed_bitrate(mut lame: Builder) -> Builder {
    #[expect(unsafe_code, reason = "the wrapping crate has no name for this bit rate")]
    // SAFETY: the pointer is the builder's own, which lives through the call, and the call stores a number.
    unsafe {
        mp3lame_encoder::ffi::lame_set_brate(lame.as_ptr(), UNNAMED_KBPS.cast_signed());
    }
    lame
}

/// The bit rates differ between MPEG 1 and 2. The caller rejects those too low for a frame to hold
/// the LAME tag.
fn bitrate(kbps: u32, frame_samples: u32) -> Option<Bitrate> {
    let version_has_it = if frame_samples == 1_152 { kbps >= 32 } else { kbps <= 160 };
    if !version_has_it {
        return None;
    }
    Some(match kbps {
        8 => Bitrate::Kbps8,
        16 => Bitrate::Kbps16,
        24 => Bitrate::Kbps24,
        32 => Bitrate::Kbps32,
        40 => Bitrate::Kbps40,
        48 => Bitrate::Kbps48,
        UNNAMED_KBPS | 64 => Bitrate::Kbps64,
        80 => Bitrate::Kbps80,
        96 => Bitrate::Kbps96,
        112 => Bitrate::Kbps112,
        128 => Bitrate::Kbps128,
        160 => Bitrate::Kbps160,
        192 => Bitrate::Kbps192,
        224 => Bitrate::Kbps224,
        256 => Bitrate::Kbps256,
        320 => Bitrate::Kbps320,
        _ => return None,
    })
}

/// An ID3v2.3 tag, which every player reads; its text is UTF-16 where necessary.
fn id3_tag(options: &EncodeOptions) -> Result<Vec<u8>, AudioError> {
    use id3::TagLike as _;
    let mut tag = id3::Tag::new();
    if let Some(title) = options.clean_title() {
        tag.set_title(title);
    }
    tag.set_text("TSSE", SOFTWARE);
    let mut bytes = Vec::new();
    tag.write_to(&mut bytes, id3::Version::Id3v23).map_err(|error| AudioError::codec("ID3", error))?;
    Ok(bytes)
}
