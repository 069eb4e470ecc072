//! Decodes audio from outside, the responses of upstream engines, into mono samples.
//!
//! The content determines the kind, never a name or a header. This module reads WAV ([`wav`]) and
//! Ogg Opus ([`ogg_opus`]); symphonia reads MP3 and FLAC. The bytes are not trusted: stated lengths
//! are only claims, the output is bounded, and a panic inside an external parser is an error like
//! any other. A truncated file yields the samples that it has. Channels are mixed down to mono by
//! their mean.

mod ogg_opus;
mod wav;

use std::{io::Cursor, panic};

use symphonia::core::{
    codecs::audio::AudioDecoderOptions,
    errors::Error,
    formats::{FormatOptions, TrackType, probe::Hint},
    io::{MediaSourceStream, MediaSourceStreamOptions},
    meta::MetadataOptions,
};

use super::AudioError;

/// [`decode`] refuses more audio than this, in seconds.
pub const MAX_SECONDS: u32 = 2 * 60 * 60;

const RATES_HZ: std::ops::RangeInclusive<u32> = 1_000..=384_000;
const MAX_CHANNELS: usize = 32;

/// Decoded audio.
#[derive(Debug, Clone, PartialEq)]
pub struct Decoded {
    /// Mono samples, nominally within ±1.
    pub samples: Vec<f32>,
    /// Samples a second.
    pub sample_rate_hz: u32,
}

/// Decodes WAV, MP3, FLAC or Ogg Opus of at most [`MAX_SECONDS`].
///
/// # Errors
/// [`AudioError::Unrecognized`], [`AudioError::Malformed`] and [`AudioError::TooLong`].
pub fn decode(bytes: &[u8]) -> Result<Decoded, AudioError> {
    decode_within(bytes, MAX_SECONDS)
}

/// Like [`decode`], with another limit.
///
/// # Errors
/// Those of [`decode`].
pub fn decode_within(bytes: &[u8], max_seconds: u32) -> Result<Decoded, AudioError> {
    let kind = Kind::of(bytes).ok_or(AudioError::Unrecognized)?;
    // Our own readers do not panic. We cannot promise that of external parsers on untrusted bytes.
    panic::catch_unwind(|| match kind {
        Kind::Wav => wav::decode(bytes, max_seconds),
        Kind::Flac | Kind::Mp3 => by_symphonia(kind, bytes, max_seconds),
        Kind::Ogg => ogg_opus::decode(bytes, max_seconds),
    })
    .unwrap_or_else(|_| Err(kind.malformed("its parser gave up")))
}

/// Converts raw 16-bit little-endian mono PCM; half a sample at the end is dropped.
pub fn pcm_s16le(bytes: &[u8], sample_rate_hz: u32) -> Decoded {
    let samples = bytes
        .as_chunks::<2>()
        .0
        .iter()
        .map(|&sample| f32::from(i16::from_le_bytes(sample)) / 32_768.0)
        .collect();
    Decoded { samples, sample_rate_hz }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Wav,
    Flac,
    Mp3,
    Ogg,
}

impl Kind {
    fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'A', b'V', b'E', ..] => Some(Self::Wav),
            [b'f', b'L', b'a', b'C', ..] => Some(Self::Flac),
            [b'O', b'g', b'g', b'S', ..] => Some(Self::Ogg),
            [b'I', b'D', b'3', ..] => Some(Self::Mp3),
            // Eleven sync bits, and layer III. AAC has the sync bits, too, but layer 0.
            [0xFF, second, ..] if second & 0xE6 == 0xE2 => Some(Self::Mp3),
            _ => None,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Wav => "WAV",
            Self::Flac => "FLAC",
            Self::Mp3 => "MP3",
            Self::Ogg => "Ogg",
        }
    }

    fn malformed(self, reason: impl std::fmt::Display) -> AudioError {
        AudioError::Malformed { container: self.name(), reason: reason.to_string() }
    }
}

/// Collects frames as mono samples, up to a limit.
struct Mono {
    samples: Vec<f32>,
    channels: usize,
    limit: usize,
    max_seconds: u32,
}

impl Mono {
    /// `None` when the rate or the number of channels is invalid.
    fn new(sample_rate_hz: u32, channels: usize, max_seconds: u32) -> Option<Self> {
        if !RATES_HZ.contains(&sample_rate_hz) || !(1..=MAX_CHANNELS).contains(&channels) {
            return None;
        }
        let limit = usize::try_from(u64::from(max_seconds) * u64::from(sample_rate_hz)).unwrap_or(usize::MAX);
        Some(Self { samples: Vec::new(), channels, limit, max_seconds })
    }

    /// Mixes interleaved samples down and appends them.
    fn take(&mut self, interleaved: &[f32]) -> Result<(), AudioError> {
        self.check(interleaved.len() / self.channels)?;
        let mean = |frame: &[f32]| frame.iter().sum::<f32>() / self.channels as f32;
        self.samples.extend(interleaved.chunks_exact(self.channels).map(mean));
        Ok(())
    }

    fn silence(&mut self, frames: u64) -> Result<(), AudioError> {
        let frames = usize::try_from(frames).unwrap_or(usize::MAX);
        self.check(frames)?;
        self.samples.resize(self.samples.len() + frames, 0.0);
        Ok(())
    }

    fn check(&self, more: usize) -> Result<(), AudioError> {
        if more > self.limit - self.samples.len() {
            Err(AudioError::TooLong(self.max_seconds))
        } else {
            Ok(())
        }
    }
}

fn by_symphonia(kind: Kind, bytes: &[u8], max_seconds: u32) -> Result<Decoded, AudioError> {
    let source = MediaSourceStream::new(Box::new(Cursor::new(bytes)), MediaSourceStreamOptions::default());
    let mut hint = Hint::new();
    hint.with_extension(if kind == Kind::Flac { "flac" } else { "mp3" });
    let broken = |error: Error| kind.malformed(error);
    let mut format = symphonia::default::get_probe()
        .probe(&hint, source, FormatOptions::default(), MetadataOptions::default())
        .map_err(broken)?;
    let track = format.default_track(TrackType::Audio).ok_or_else(|| kind.malformed("no audio in it"))?;
    let track_id = track.id;
    let parameters = track.codec_params.as_ref().and_then(|parameters| parameters.audio());
    let parameters = parameters.ok_or_else(|| kind.malformed("no audio in it"))?;
    let options = AudioDecoderOptions::default().gapless(true).verify(true);
    let mut decoder =
        symphonia::default::get_codecs().make_audio_decoder(parameters, &options).map_err(broken)?;

    let mut mono: Option<(u32, Mono)> = None;
    let mut interleaved: Vec<f32> = Vec::new();
    let mut good = 0_u64;
    let mut bad = 0_u64;
    loop {
        let packet = match format.next_packet() {
            Ok(Some(packet)) => packet,
            Ok(None) => break,
            Err(Error::IoError(error)) if error.kind() == std::io::ErrorKind::UnexpectedEof => break,
            Err(error) => return Err(broken(error)),
        };
        if packet.track_id != track_id {
            continue;
        }
        match decoder.decode(&packet) {
            Ok(frames) => {
                let rate = frames.spec().rate();
                let channels = frames.spec().channels().count();
                if mono.is_none() {
                    let new = Mono::new(rate, channels, max_seconds);
                    mono = Some((
                        rate,
                        new.ok_or_else(|| kind.malformed("its rate or channels make no sense"))?,
                    ));
                }
                let Some((first_rate, mono)) = &mut mono else { break };
                if *first_rate != rate || mono.channels != channels {
                    return Err(kind.malformed("its rate or channels change on the way"));
                }
                frames.copy_to_vec_interleaved(&mut interleaved);
                mono.take(&interleaved)?;
                good += 1;
            }
            // An MP3 cut out of a longer one begins with frames that need bits from before the cut.
            Err(Error::DecodeError(_)) if kind == Kind::Mp3 => {
                bad += 1;
                if let Some((_, mono)) = &mut mono {
                    mono.silence(packet.dur.get())?;
                }
            }
            Err(error) => return Err(broken(error)),
        }
    }
    if decoder.finalize().verify_ok == Some(false) {
        return Err(kind.malformed("its samples do not have the check sum it promises"));
    }
    if bad > 2 + good / 10 {
        return Err(kind.malformed(format_args!("{bad} of {} frames are broken", good + bad)));
    }
    if let Some((sample_rate_hz, mono)) = mono {
        return Ok(Decoded { samples: mono.samples, sample_rate_hz });
    }
    // A file without any samples has the rate that its headers state.
    let claimed = decoder.codec_params().sample_rate.filter(|rate| RATES_HZ.contains(rate));
    let sample_rate_hz = claimed.ok_or_else(|| kind.malformed("no audio in it"))?;
    Ok(Decoded { samples: Vec::new(), sample_rate_hz })
}
