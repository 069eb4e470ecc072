//! MP3 by LAME: one channel, constant bit rate, quality 5, an ID3v2.3 tag with title and encoder in front.
//!
//! Layer III delays: an encoder adds samples in front and fills the last frame. The LAME tag, a silent frame at the
//! very front, tells decoders how many of each, so that they give back exactly what went in. LAME keeps a place for
//! that frame (it is the first thing it hands out, all zeros after the frame header) and knows its content only at the
//! end: hence the front patch. The wrapping crate's own example inserts the tag as an extra frame and so leaves the
//! placeholder in: decoders that believe the tag then give 576 samples of silence too many.

use mp3lame_encoder::{Bitrate, Builder, Encoder, FlushGap, Mode, MonoPcm, Quality, VbrMode, max_required_buffer_size};

use super::{AudioError, EncodeOptions, Finished, Format, FrontPatch, Layout, SOFTWARE};

const CODEC: &str = "MP3";

pub(super) struct Mp3Encoder {
    lame: Encoder,
    layout: Layout,
    id3: Vec<u8>,
    id3_sent: bool,
}

impl Mp3Encoder {
    pub(super) fn new(options: &EncodeOptions, layout: Layout) -> Result<Self, AudioError> {
        let rate = options.sample_rate_hz;
        let bitrate_kbps = options.bitrate_kbps.or(Format::Mp3.default_bitrate_kbps()).unwrap_or(64);
        let allowed = allowed_bitrates(rate)
            .ok_or(AudioError::SampleRate { format: Format::Mp3, sample_rate_hz: rate })?;
        let bitrate = bitrate(bitrate_kbps).filter(|_| allowed.contains(&bitrate_kbps)).ok_or(
            AudioError::Bitrate { format: Format::Mp3, bitrate_kbps, sample_rate_hz: rate },
        )?;
        let failed = |error| AudioError::codec(CODEC, error);
        let lame = Builder::new()
            .ok_or_else(|| AudioError::codec(CODEC, "out of memory"))?
            .with_num_channels(1)
            .and_then(|lame| lame.with_mode(Mode::Mono))
            .and_then(|lame| lame.with_sample_rate(rate))
            // Unsaid, LAME would choose a rate by the bit rate, and resample.
            .and_then(|lame| lame.with_output_sample_rate(std::num::NonZeroU32::new(rate)))
            .and_then(|lame| lame.with_vbr_mode(VbrMode::Off))
            .and_then(|lame| lame.with_brate(bitrate))
            .and_then(|lame| lame.with_quality(Quality::Good))
            .and_then(|lame| lame.with_to_write_vbr_tag(layout == Layout::File))
            .and_then(Builder::build)
            .map_err(failed)?;
        Ok(Self { lame, layout, id3: id3_tag(options)?, id3_sent: false })
    }

    pub(super) fn push(&mut self, samples: &[f32], out: &mut Vec<u8>) -> Result<(), AudioError> {
        self.send_id3(out);
        out.reserve(max_required_buffer_size(samples.len()));
        self.lame.encode_to_vec(MonoPcm(samples), out).map_err(|error| AudioError::codec(CODEC, error))?;
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<Finished, AudioError> {
        let mut bytes = Vec::new();
        self.send_id3(&mut bytes);
        // Several frames may still be inside; LAME asks for 7,200 bytes.
        bytes.reserve(4 * 7_200);
        self.lame.flush_to_vec::<FlushGap>(&mut bytes).map_err(|error| AudioError::codec(CODEC, error))?;
        let front_patch = match self.layout {
            Layout::Stream => None,
            Layout::File => {
                let mut tag = Vec::with_capacity(self.lame.lame_tag_size());
                self.lame
                    .lame_tag_encode_to_vec(&mut tag)
                    .ok_or_else(|| AudioError::codec(CODEC, "no LAME tag was made"))?;
                Some(FrontPatch { offset: self.id3.len(), bytes: tag })
            }
        };
        Ok(Finished { bytes, front_patch })
    }

    fn send_id3(&mut self, out: &mut Vec<u8>) {
        if !self.id3_sent {
            self.id3_sent = true;
            out.extend_from_slice(&self.id3);
        }
    }
}

/// The bit rates of the MPEG version that a sample rate belongs to; `None` for a rate that layer III does not have.
fn allowed_bitrates(sample_rate_hz: u32) -> Option<&'static [u32]> {
    match sample_rate_hz {
        32_000 | 44_100 | 48_000 => {
            Some(&[32, 40, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320])
        }
        16_000 | 22_050 | 24_000 => Some(&[8, 16, 24, 32, 40, 48, 64, 80, 96, 112, 128, 160]),
        8_000 | 11_025 | 12_000 => Some(&[8, 16, 24, 32, 40, 48, 64]),
        _ => None,
    }
}

fn bitrate(kbps: u32) -> Option<Bitrate> {
    Some(match kbps {
        8 => Bitrate::Kbps8,
        16 => Bitrate::Kbps16,
        24 => Bitrate::Kbps24,
        32 => Bitrate::Kbps32,
        40 => Bitrate::Kbps40,
        48 => Bitrate::Kbps48,
        64 => Bitrate::Kbps64,
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

/// ID3v2.3, which every player reads; its text is UTF-16 where it must be.
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
