//! How speech is written: formats, sample rates, bit rates and loudness, and which of them go
//! together.

use std::{borrow::Cow, fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{
    ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};

use crate::{
    Field, FieldErrors, Wrong, component_fields, request,
    request::{whole, word},
    text_enum,
};

/// The format of audio.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AudioFormat {
    /// MP3, mono; 64 kbit/s unless asked otherwise.
    #[default]
    Mp3,
    /// WAV, 16 bit.
    Wav,
    /// FLAC, 16 bit.
    Flac,
    /// Opus in Ogg; 32 kbit/s unless asked otherwise.
    Opus,
    /// Raw samples without a header: mono, signed, 16 bit, little-endian.
    Pcm,
    /// G.711 μ-law without a header, as telephony takes it; 8,000 Hz unless asked otherwise.
    Ulaw,
    /// G.711 A-law without a header, as telephony takes it; 8,000 Hz unless asked otherwise.
    Alaw,
}

/// The rate of telephony, which G.711 and its media types imply.
const TELEPHONE_HZ: u32 = 8_000;

impl AudioFormat {
    /// All formats.
    pub const ALL: &'static [Self] =
        &[Self::Mp3, Self::Wav, Self::Flac, Self::Opus, Self::Pcm, Self::Ulaw, Self::Alaw];

    /// Those with a header, which says what they are.
    pub const FILES: &'static [Self] = &[Self::Mp3, Self::Wav, Self::Flac, Self::Opus];

    /// The name in the API, also used as file extension.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mp3 => "mp3",
            Self::Wav => "wav",
            Self::Flac => "flac",
            Self::Opus => "opus",
            Self::Pcm => "pcm",
            Self::Ulaw => "ulaw",
            Self::Alaw => "alaw",
        }
    }

    /// The media type of audio at this rate. That of `pcm` says the rate.
    pub fn media_type(self, sample_rate_hz: u32) -> Cow<'static, str> {
        let fixed = match self {
            Self::Mp3 => "audio/mpeg",
            Self::Wav => "audio/wav",
            Self::Flac => "audio/flac",
            Self::Opus => "audio/ogg",
            Self::Pcm => return format!("audio/pcm;rate={sample_rate_hz}").into(),
            // The contract has no rate here; who asks for another than 8,000 knows it.
            Self::Ulaw => "audio/PCMU",
            Self::Alaw => "audio/PCMA",
        };
        fixed.into()
    }

    /// Whether the bytes do not say what they are, so that their rate must be known otherwise.
    pub const fn is_headerless(self) -> bool {
        matches!(self, Self::Pcm) || self.is_companded()
    }

    const fn is_companded(self) -> bool {
        matches!(self, Self::Ulaw | Self::Alaw)
    }

    /// The rate that a file has when none is asked for, of a voice with this rate.
    pub const fn default_rate_hz(self, voice_hz: u32) -> u32 {
        match (self, voice_hz) {
            (Self::Ulaw | Self::Alaw, _) => TELEPHONE_HZ,
            (Self::Opus, ..=8_000) => 8_000,
            // Opus codes 12,000 Hz as well.
            (Self::Opus, 12_000) => 12_000,
            (Self::Opus, ..=16_000) => 16_000,
            (Self::Opus, ..=24_000) => 24_000,
            (Self::Opus, _) => 48_000,
            _ => voice_hz,
        }
    }

    /// The format with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.as_str() == name)
    }
}

/// A word that is none of [`AudioFormat::ALL`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not an audio format; there are mp3, wav, flac, opus, pcm, ulaw and alaw")]
pub struct UnknownAudioFormat(pub String);

impl FromStr for AudioFormat {
    type Err = UnknownAudioFormat;

    fn from_str(word: &str) -> Result<Self, UnknownAudioFormat> {
        Self::parse(word).ok_or_else(|| UnknownAudioFormat(word.to_owned()))
    }
}

impl fmt::Display for AudioFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

text_enum! {
    /// How loud audio is made.
    #[derive(Default, ToSchema)]
    Loudness {
        /// -16 LUFS, as podcasts and audiobook players have it; true peaks to -1 dB.
        #[default]
        Standard "standard",
        /// As ACX wants audiobooks: RMS from -23 to -18 dB, peaks to -3 dB, a noise floor under
        /// -60 dB, and room tone before and after the speech.
        Acx "acx",
        /// EBU R 128: -23 LUFS, true peaks to -1 dB.
        Broadcast "broadcast",
        /// As the voice gives it.
        None "none",
    }
}

/// How loud a stream is made. Its end is not known when its beginning is sent, so it cannot be
/// brought to a measured level.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StreamLoudness {
    /// The voice's gain that brings typical speech to -16 LUFS; true peaks to -1 dB.
    #[default]
    Standard,
    /// As the voice gives it.
    None,
}

impl From<StreamLoudness> for Loudness {
    fn from(loudness: StreamLoudness) -> Self {
        match loudness {
            StreamLoudness::Standard => Self::Standard,
            StreamLoudness::None => Self::None,
        }
    }
}

component_fields! {
    AudioFormat: word;
    Loudness: word;
    StreamLoudness: |value: &Value| word(value).map_err(|_| {
        "must be one of: standard, none (the level of a stream is not measured)".into()
    });
}

/// Samples a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SampleRate(pub u32);

impl SampleRate {
    /// The rates that can be asked for.
    pub const ALL: &'static [u32] = &[8_000, 16_000, 22_050, 24_000, 44_100, 48_000];

    /// The rate of this number.
    ///
    /// # Errors
    /// The sentence about another number.
    pub fn of(rate: u64) -> Result<Self, String> {
        let rate = u32::try_from(rate).ok().filter(|rate| Self::ALL.contains(rate));
        rate.map(Self).ok_or_else(|| format!("must be one of: {}", list(Self::ALL)))
    }
}

impl Field for SampleRate {
    fn property() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Integer).enum_values(Some(Self::ALL.iter().copied())).into()
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        Ok(Self::of(whole(&value, 0..=u64::MAX).unwrap_or(0))?)
    }
}

/// A bit rate in kbit/s.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bitrate(pub u32);

/// The bit rates of MP3 at any rate, and those from 32,000 Hz on besides.
const MP3_KBPS: &[u32] = &[32, 40, 48, 56, 64, 80, 96, 112, 128, 160];
const FAST_MP3_KBPS: &[u32] = &[192, 256, 320];
const FAST_HZ: u32 = 32_000;
const OPUS_KBPS: std::ops::RangeInclusive<u32> = 6..=128;

impl Field for Bitrate {
    fn property() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(6)).maximum(Some(320)).into()
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        whole(&value, 6..=320).map(Self)
    }
}

/// A number of semitones.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Pitch(pub f64);

impl Pitch {
    const MOST: f64 = 12.0;

    /// The pitch of this number.
    ///
    /// # Errors
    /// The sentence about another number.
    pub fn of(semitones: f64) -> Result<Self, String> {
        let is_one = (-Self::MOST..=Self::MOST).contains(&semitones);
        is_one.then_some(Self(semitones)).ok_or_else(|| "must be a number from -12 to 12".to_owned())
    }
}

impl Field for Pitch {
    fn property() -> RefOr<Schema> {
        let number = ObjectBuilder::new().schema_type(Type::Number);
        number.minimum(Some(-Self::MOST)).maximum(Some(Self::MOST)).into()
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        Ok(Self::of(value.as_f64().unwrap_or(f64::NAN))?)
    }
}

/// The seed of everything random in a voice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seed(pub u32);

impl Field for Seed {
    fn property() -> RefOr<Schema> {
        let number = ObjectBuilder::new().schema_type(Type::Integer);
        number.minimum(Some(0)).maximum(Some(u32::MAX)).into()
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        whole(&value, 0..=u32::MAX).map(Self)
    }
}

fn list(numbers: &[u32]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

request! {
    /// How audio is written.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub struct AudioParams {
        /// The format of the audio.
        pub format: AudioFormat = AudioFormat::Mp3,
        /// Samples a second; by default those of the voice, 8,000 for `ulaw` and `alaw`. `opus` takes
        /// 8,000, 16,000, 24,000 and 48,000.
        #[example(24000)]
        pub sample_rate_hz: Option<SampleRate>,
        /// The bit rate of `mp3` (32, 40, 48, 56, 64, 80, 96, 112, 128 or 160, and from 32,000 samples a
        /// second on 192, 256 or 320; by default 64) and of `opus` (6 to 128; by default 32), in kbit/s.
        /// MP3 of 8,000 samples a second holds at most 64: more than that becomes 64.
        #[example(64)]
        pub bitrate_kbps: Option<Bitrate>,
    }
}

impl AudioParams {
    /// A format with everything else at its default.
    pub const fn of(format: AudioFormat) -> Self {
        Self { format, sample_rate_hz: None, bitrate_kbps: None }
    }

    /// The rate of the audio of a voice with this rate.
    pub fn rate_hz(&self, voice_hz: u32) -> u32 {
        self.sample_rate_hz.map_or_else(|| self.format.default_rate_hz(voice_hz), |rate| rate.0)
    }

    /// What does not go together, under the names of its fields; without the rate of the voice, as
    /// far as that can be told without it.
    pub fn errors(&self, voice_hz: Option<u32>) -> FieldErrors {
        let mut errors = FieldErrors::default();
        let Self { format, sample_rate_hz, bitrate_kbps } = *self;
        if let Some(SampleRate(rate)) = sample_rate_hz
            && format == AudioFormat::Opus
            && AudioFormat::Opus.default_rate_hz(rate) != rate
        {
            errors.add("sample_rate_hz", "must be one of: 8000, 16000, 24000, 48000 (opus has no other)");
        }
        if let Some(Bitrate(kbps)) = bitrate_kbps
            && let Err(sentence) = self.check_bitrate(kbps, voice_hz)
        {
            errors.add("bitrate_kbps", sentence);
        }
        errors
    }

    fn check_bitrate(&self, kbps: u32, voice_hz: Option<u32>) -> Result<(), String> {
        let rate_hz = self.sample_rate_hz.map(|rate| rate.0).or(voice_hz);
        match self.format {
            AudioFormat::Mp3 if MP3_KBPS.contains(&kbps) => Ok(()),
            AudioFormat::Mp3 if FAST_MP3_KBPS.contains(&kbps) => {
                if rate_hz.is_none_or(|rate_hz| rate_hz >= FAST_HZ) {
                    return Ok(());
                }
                Err(format!("must be one of: {} (more from 32000 samples a second on)", list(MP3_KBPS)))
            }
            AudioFormat::Mp3 => Err(format!(
                "must be one of: {}, or from 32000 samples a second on {}",
                list(MP3_KBPS),
                list(FAST_MP3_KBPS)
            )),
            AudioFormat::Opus if OPUS_KBPS.contains(&kbps) => Ok(()),
            AudioFormat::Opus => Err(format!("must be from {} to {}", OPUS_KBPS.start(), OPUS_KBPS.end())),
            other => Err(format!("is for mp3 and opus only: {other} has no bit rate to choose")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(format: AudioFormat, rate: Option<u32>, kbps: Option<u32>, voice: Option<u32>) -> Vec<String> {
        let params =
            AudioParams { format, sample_rate_hz: rate.map(SampleRate), bitrate_kbps: kbps.map(Bitrate) };
        params.errors(voice).0.into_keys().collect()
    }

    #[test]
    fn what_does_not_go_together_is_named() {
        use AudioFormat::{Alaw, Flac, Mp3, Opus, Pcm, Ulaw, Wav};
        for &rate in SampleRate::ALL {
            for format in [Mp3, Wav, Flac, Pcm, Ulaw, Alaw] {
                assert!(wrong(format, Some(rate), None, None).is_empty(), "{format} {rate}");
            }
            let opus = wrong(Opus, Some(rate), None, None);
            assert_eq!(opus.is_empty(), ![22_050, 44_100].contains(&rate), "opus {rate}");
        }
        for format in [Wav, Flac, Pcm, Ulaw, Alaw] {
            assert_eq!(wrong(format, None, Some(64), None), ["bitrate_kbps"]);
        }
        for (kbps, is_right) in [(5, false), (6, true), (33, true), (128, true), (129, false)] {
            assert_eq!(wrong(Opus, None, Some(kbps), None).is_empty(), is_right, "opus {kbps}");
        }
        for (kbps, rate, is_right) in [
            (32, 8_000, true),
            (24, 8_000, false),
            (160, 24_000, true),
            (192, 24_000, false),
            (192, 44_100, true),
            (224, 44_100, false),
            (320, 48_000, true),
            (33, 48_000, false),
        ] {
            assert_eq!(
                wrong(Mp3, Some(rate), Some(kbps), Some(24_000)).is_empty(),
                is_right,
                "{kbps} {rate}"
            );
            assert_eq!(wrong(Mp3, None, Some(kbps), Some(rate)).is_empty(), is_right, "voice {kbps} {rate}");
        }
        assert!(wrong(Mp3, None, Some(320), None).is_empty(), "only the voice's rate can tell");
    }

    #[test]
    fn media_types_say_the_rate_where_the_bytes_do_not() {
        let of = |format: AudioFormat, rate| format.media_type(rate).into_owned();
        assert_eq!(of(AudioFormat::Pcm, 16_000), "audio/pcm;rate=16000");
        assert_eq!(of(AudioFormat::Ulaw, 8_000), "audio/PCMU");
        assert_eq!(of(AudioFormat::Alaw, 8_000), "audio/PCMA");
        assert_eq!(of(AudioFormat::Alaw, 16_000), "audio/PCMA");
        assert_eq!(of(AudioFormat::Opus, 16_000), "audio/ogg");
    }

    #[test]
    fn rates_by_default_are_ones_that_the_format_has() {
        assert_eq!(AudioFormat::Opus.default_rate_hz(22_050), 24_000);
        assert_eq!(AudioFormat::Opus.default_rate_hz(44_100), 48_000);
        assert_eq!(AudioFormat::Ulaw.default_rate_hz(24_000), 8_000);
        assert_eq!(AudioFormat::Wav.default_rate_hz(22_050), 22_050);
    }
}
