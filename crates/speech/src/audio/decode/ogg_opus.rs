//! Opus in Ogg (RFC 7845): one stream, mono or stereo, decoded at 48 kHz. Pre-skip, output gain and
//! the end from the last granule position are applied.

use std::io::Cursor;

use ogg::PacketReader;
use opus::{Channels, Decoder};

use super::{super::AudioError, Decoded, Kind, Mono};

const RATE_HZ: u32 = 48_000;
/// The longest packet is 120 ms.
const MAX_FRAMES: usize = 5_760;

pub(super) fn decode(bytes: &[u8], max_seconds: u32) -> Result<Decoded, AudioError> {
    let broken = |error: &dyn std::fmt::Display| Kind::Ogg.malformed(error);
    let mut reader = PacketReader::new(Cursor::new(bytes));
    let first = reader.read_packet().map_err(|error| broken(&error))?;
    let first = first.ok_or_else(|| Kind::Ogg.malformed("it is empty"))?;
    let serial = first.stream_serial();
    let Head { pre_skip, gain } = Head::read(&first.data)?;
    // A mono decoder mixes stereo down itself.
    let mut opus = Decoder::new(RATE_HZ, Channels::Mono).map_err(|error| broken(&error))?;
    opus.set_gain(i32::from(gain)).map_err(|error| broken(&error))?;
    // Samples skipped at the front and cut at the end do not count against the limit, so allow a
    // little more.
    let mut mono = Mono::new(RATE_HZ, 1, max_seconds.saturating_add(2))
        .ok_or_else(|| Kind::Ogg.malformed("its rate makes no sense"))?;
    let mut frames = vec![0.0; MAX_FRAMES];
    let mut tags_seen = false;
    // The granule position of the first sample, computed from the first page's end; and the final
    // position.
    let mut origin: Option<u64> = None;
    let mut end = None;
    loop {
        let packet = match reader.read_packet() {
            Ok(Some(packet)) => packet,
            Ok(None) => break,
            Err(ogg::OggReadError::ReadError(error)) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
                break;
            }
            Err(error) => return Err(broken(&error)),
        };
        if packet.stream_serial() != serial {
            continue;
        }
        if !tags_seen {
            tags_seen = true;
            continue;
        }
        let count = opus.decode_float(&packet.data, &mut frames, false).map_err(|error| broken(&error))?;
        mono.take(&frames[..count.min(MAX_FRAMES)])?;
        let decoded = mono.samples.len() as u64;
        if packet.last_in_stream() {
            end = Some(packet.absgp_page());
        }
        if packet.last_in_page() && origin.is_none() {
            // On a stream's only page, the position is the end, and the stream begins at zero.
            let start = if packet.last_in_stream() { 0 } else { packet.absgp_page().saturating_sub(decoded) };
            origin = Some(start);
        }
    }
    let mut samples = mono.samples;
    if let Some(end) = end {
        let length = end.saturating_sub(origin.unwrap_or(0));
        samples.truncate(usize::try_from(length).unwrap_or(usize::MAX));
    }
    samples.drain(..usize::from(pre_skip).min(samples.len()));
    if samples.len() as u64 > u64::from(max_seconds) * u64::from(RATE_HZ) {
        return Err(AudioError::TooLong(max_seconds));
    }
    Ok(Decoded { samples, sample_rate_hz: RATE_HZ })
}

struct Head {
    pre_skip: u16,
    gain: i16,
}

impl Head {
    fn read(packet: &[u8]) -> Result<Self, AudioError> {
        match packet {
            [b'O', b'p', b'u', b's', b'H', b'e', b'a', b'd', version, channels, fields @ ..] => {
                let &[skip_low, skip_high, _, _, _, _, gain_low, gain_high, mapping, ..] = fields else {
                    return Err(Kind::Ogg.malformed("its Opus head is cut off"));
                };
                if version >> 4 != 0 || mapping != 0 || !(1..=2).contains(channels) {
                    return Err(
                        Kind::Ogg.malformed("it is Opus of a version or with channels not known here")
                    );
                }
                Ok(Self {
                    pre_skip: u16::from_le_bytes([skip_low, skip_high]),
                    gain: i16::from_le_bytes([gain_low, gain_high]),
                })
            }
            _ => Err(Kind::Ogg.malformed("it is not Opus")),
        }
    }
}
