//! Opus in Ogg (RFC 7845): 20 ms packets, variable bit rate, tuned for speech.
//!
//! Granule positions count 48 kHz samples, whatever the input rate. The first `pre-skip` of them
//! are the codec's look-ahead and are dropped by the decoder; the last page's granule position says
//! where the audio ends inside the last packet. So a decoder returns exactly the input's duration,
//! without a shift. The first page holds one packet, for a quick start and because a decoder must
//! not confuse trimming at the end with a late start; the other pages hold a fifth of a second.

use ogg::writing::{PacketWriteEndInfo, PacketWriter};
use opus::{Application, Bitrate, Channels, Signal};

use super::{AudioError, AudioFormat, EncodeOptions, Finished, SOFTWARE};

/// The default bit rate in kbit/s.
const DEFAULT_KBPS: u32 = 32;

const CODEC: &str = "Opus";
/// Fixed: a file holds one stream, and the same input must give the same bytes.
const SERIAL: u32 = 0x4C65_6374;
const PACKET_48K: u64 = 960;
const PACKETS_A_PAGE: u64 = 10;
/// No packet of 20 ms can be longer (RFC 6716, section 3.4).
const MAX_PACKET_BYTES: usize = 1_275;

pub(super) struct OpusEncoder {
    opus: opus::Encoder,
    ogg: PacketWriter<'static, Vec<u8>>,
    /// The number of 48 kHz samples for each input sample.
    scale: u64,
    pre_skip: u64,
    pending: Vec<f32>,
    taken: u64,
    /// The last packet. It is written when the next one is ready, because the final packet is
    /// written differently.
    held: Option<Vec<u8>>,
    packets: u64,
}

impl OpusEncoder {
    pub(super) fn new(options: &EncodeOptions) -> Result<Self, AudioError> {
        let rate = options.sample_rate_hz;
        if !matches!(rate, 8_000 | 12_000 | 16_000 | 24_000 | 48_000) {
            return Err(AudioError::SampleRate { format: AudioFormat::Opus, sample_rate_hz: rate });
        }
        let bitrate_kbps = options.bitrate_kbps.unwrap_or(DEFAULT_KBPS);
        if !(6..=256).contains(&bitrate_kbps) {
            return Err(AudioError::Bitrate {
                format: AudioFormat::Opus,
                bitrate_kbps,
                sample_rate_hz: rate,
            });
        }
        let mut opus = opus::Encoder::new(rate, Channels::Mono, Application::Audio).map_err(failed)?;
        opus.set_bitrate(Bitrate::Bits(bitrate_kbps.cast_signed() * 1_000)).map_err(failed)?;
        opus.set_vbr(true).map_err(failed)?;
        opus.set_signal(Signal::Voice).map_err(failed)?;
        opus.set_complexity(COMPLEXITY).map_err(failed)?;
        let scale = u64::from(48_000 / rate);
        let pre_skip = u64::try_from(opus.get_lookahead().map_err(failed)?).unwrap_or(0) * scale;
        let mut ogg = PacketWriter::new(Vec::new());
        let end_page = PacketWriteEndInfo::EndPage;
        ogg.write_packet(head(pre_skip as u16, rate), SERIAL, end_page, 0).map_err(failed)?;
        ogg.write_packet(tags(options), SERIAL, PacketWriteEndInfo::EndPage, 0).map_err(failed)?;
        Ok(Self { opus, ogg, scale, pre_skip, pending: Vec::new(), taken: 0, held: None, packets: 0 })
    }

    pub(super) fn push(&mut self, samples: &[f32], out: &mut Vec<u8>) -> Result<(), AudioError> {
        self.taken += samples.len() as u64;
        self.pending.extend_from_slice(samples);
        let frame = (PACKET_48K / self.scale) as usize;
        let mut pending = std::mem::take(&mut self.pending);
        let whole = pending.len() - pending.len() % frame;
        for samples in pending[..whole].chunks_exact(frame) {
            self.encode_packet(samples)?;
        }
        pending.drain(..whole);
        self.pending = pending;
        out.append(self.ogg.inner_mut());
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<Finished, AudioError> {
        let end = self.pre_skip + self.taken * self.scale;
        let frame = (PACKET_48K / self.scale) as usize;
        let mut tail = std::mem::take(&mut self.pending);
        tail.resize(frame, 0.0);
        while self.packets * PACKET_48K < end {
            self.encode_packet(&tail)?;
            tail.fill(0.0);
        }
        if let Some(packet) = self.held.take() {
            self.ogg.write_packet(packet, SERIAL, PacketWriteEndInfo::EndStream, end).map_err(failed)?;
        }
        Ok(Finished { bytes: self.ogg.into_inner(), front_patch: None })
    }

    fn encode_packet(&mut self, samples: &[f32]) -> Result<(), AudioError> {
        let packet = self.opus.encode_vec_float(samples, MAX_PACKET_BYTES).map_err(failed)?;
        if let Some(previous) = self.held.replace(packet) {
            let number = self.packets;
            let end = if (number - 1).is_multiple_of(PACKETS_A_PAGE) {
                PacketWriteEndInfo::EndPage
            } else {
                PacketWriteEndInfo::NormalPacket
            };
            self.ogg.write_packet(previous, SERIAL, end, number * PACKET_48K).map_err(failed)?;
        }
        self.packets += 1;
        Ok(())
    }
}

/// libopus's highest complexity: it costs little compared with synthesis.
const COMPLEXITY: i32 = 10;

fn failed(error: impl std::fmt::Display) -> AudioError {
    AudioError::codec(CODEC, error)
}

/// `OpusHead`, RFC 7845 section 5.1.
fn head(pre_skip: u16, input_rate_hz: u32) -> Vec<u8> {
    let mut head = b"OpusHead\x01\x01".to_vec(); // version 1, one channel
    head.extend_from_slice(&pre_skip.to_le_bytes());
    head.extend_from_slice(&input_rate_hz.to_le_bytes());
    head.extend_from_slice(&[0, 0, 0]); // no output gain, mapping family 0
    head
}

/// `OpusTags`, RFC 7845 section 5.2.
fn tags(options: &EncodeOptions) -> Vec<u8> {
    let mut tags = b"OpusTags".to_vec();
    tags.extend_from_slice(&super::flac::comments(
        ::opus::version(),
        &[("TITLE", options.clean_title()), ("ENCODER", Some(SOFTWARE.to_owned()))],
    ));
    tags
}
