//! `output_format`: format, sample rate and bit rate in one word, such as `mp3_44100_128`.

use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use crate::{AudioFormat, AudioParams, Bitrate, SampleRate, request::text_schema};

/// One of ElevenLabs' formats that this service can make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutputFormat(pub AudioParams);

impl OutputFormat {
    /// The formats. ElevenLabs also has `opus_48000_192`, over the limit of an Opus voice here, and the
    /// rate 32,000, which nothing else of this service has.
    pub const ALL: &'static [&'static str] = &[
        "mp3_22050_32",
        "mp3_24000_48",
        "mp3_44100_32",
        "mp3_44100_64",
        "mp3_44100_96",
        "mp3_44100_128",
        "mp3_44100_192",
        "opus_48000_32",
        "opus_48000_64",
        "opus_48000_96",
        "opus_48000_128",
        "pcm_8000",
        "pcm_16000",
        "pcm_22050",
        "pcm_24000",
        "pcm_44100",
        "pcm_48000",
        "wav_8000",
        "wav_16000",
        "wav_22050",
        "wav_24000",
        "wav_44100",
        "wav_48000",
        "ulaw_8000",
        "alaw_8000",
    ];

    /// The format when a request names none.
    pub const USUAL: &'static str = "mp3_44100_128";

    /// The format of this name.
    ///
    /// # Errors
    /// The sentence about another name.
    pub fn parse(name: &str) -> Result<Self, String> {
        let known = Self::ALL.contains(&name).then(|| Self::read(name)).flatten();
        known.ok_or_else(|| format!("must be one of: {}", Self::ALL.join(", ")))
    }

    fn read(name: &str) -> Option<Self> {
        let mut parts = name.split('_');
        let format = AudioFormat::parse(parts.next()?)?;
        let sample_rate_hz = Some(SampleRate(parts.next()?.parse().ok()?));
        let bitrate_kbps = match parts.next() {
            Some(kbps) => Some(Bitrate(kbps.parse().ok()?)),
            None => None,
        };
        Some(Self(AudioParams { format, sample_rate_hz, bitrate_kbps }))
    }
}

impl PartialSchema for OutputFormat {
    fn schema() -> RefOr<Schema> {
        let names = text_schema().enum_values(Some(Self::ALL.iter().copied()));
        names.default(Some(Self::USUAL.into())).into()
    }
}

impl ToSchema for OutputFormat {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_format_can_be_made() {
        for name in OutputFormat::ALL {
            let OutputFormat(params) = OutputFormat::parse(name).unwrap();
            let rate = params.sample_rate_hz.unwrap();
            assert!(SampleRate::of(rate.0.into()).is_ok(), "{name}");
            assert!(params.errors(None).0.is_empty(), "{name}");
            assert!(name.starts_with(params.format.as_str()), "{name}");
        }
        let OutputFormat(usual) = OutputFormat::parse(OutputFormat::USUAL).unwrap();
        assert_eq!(
            (usual.format, usual.sample_rate_hz, usual.bitrate_kbps),
            (AudioFormat::Mp3, Some(SampleRate(44_100)), Some(Bitrate(128)))
        );
    }

    #[test]
    fn what_cannot_be_made_is_refused_with_what_can() {
        for name in ["", "mp3", "mp3_44100", "pcm_32000", "opus_48000_192", "MP3_44100_128", "flac_44100"] {
            let sentence = OutputFormat::parse(name).unwrap_err();
            assert!(sentence.starts_with("must be one of: mp3_22050_32, "), "{name}: {sentence}");
        }
    }
}
