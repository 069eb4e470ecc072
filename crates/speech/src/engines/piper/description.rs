//! What is known of a voice beside its network: the file that its publisher puts beside the network
//! (`X.onnx.json`), and the one that we keep (`voice.json`).

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use crate::language::Language;

/// The publisher's description, as far as it matters here.
#[derive(Debug, Deserialize)]
pub(super) struct Published {
    audio: Audio,
    #[serde(default)]
    espeak: Option<EspeakVoice>,
    #[serde(default)]
    inference: Inference,
    #[serde(default = "espeak")]
    phoneme_type: String,
    phoneme_id_map: BTreeMap<String, Vec<i32>>,
    #[serde(default)]
    num_speakers: u32,
    #[serde(default)]
    speaker_id_map: BTreeMap<String, u32>,
    #[serde(default)]
    language: Option<PublishedLanguage>,
}

#[derive(Debug, Deserialize)]
struct Audio {
    sample_rate: u32,
}

#[derive(Debug, Deserialize)]
struct EspeakVoice {
    voice: String,
}

#[derive(Debug, Deserialize)]
struct PublishedLanguage {
    code: String,
}

#[derive(Debug, Deserialize)]
#[serde(default)]
struct Inference {
    noise_scale: f32,
    length_scale: f32,
    noise_w: f32,
}

impl Default for Inference {
    fn default() -> Self {
        Self { noise_scale: 0.667, length_scale: 1.0, noise_w: 0.8 }
    }
}

fn espeak() -> String {
    "espeak".to_owned()
}

/// Sample rates that everything after the engine takes.
const RATES_HZ: [u32; 5] = [16_000, 22_050, 24_000, 44_100, 48_000];

/// No voice has more speakers; a larger number is a mistake in the file.
const MOST_SPEAKERS: u32 = 2_000;

/// A voice as it is installed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Description {
    /// What requests call it.
    pub(super) name: String,
    /// The BCP 47 tag of its language.
    pub(super) language: String,
    /// What espeak-ng calls its language; `None` when the voice reads letters.
    pub(super) espeak: Option<String>,
    /// Samples a second.
    pub(super) sample_rate_hz: u32,
    /// The network's ids of each symbol.
    pub(super) ids: BTreeMap<char, Vec<i32>>,
    pub(super) noise_scale: f32,
    pub(super) length_scale: f32,
    pub(super) noise_w: f32,
    /// The names of its speakers, by number; empty when there is one.
    pub(super) speakers: Vec<String>,
    /// The values of the network that are random, in order, each with the output that is its shape.
    pub(super) noises: Vec<(String, String)>,
    /// The value that holds how long each symbol lasts, if it is known.
    pub(super) durations: Option<String>,
    /// What brings typical speech to −16 LUFS.
    pub(super) gain_db: f32,
    /// The network's file, so that a damaged one is found.
    pub(super) bytes: u64,
    pub(super) sha256: String,
}

impl Published {
    /// Reads a publisher's file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn read(json: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(json).map_err(|error| error.to_string())
    }

    /// The voice of this description, without what its network says.
    ///
    /// # Errors
    /// What cannot be used, in words for whoever adds the voice.
    pub(super) fn described(self, name: &str) -> Result<Description, String> {
        let sample_rate_hz = self.audio.sample_rate;
        if !RATES_HZ.contains(&sample_rate_hz) {
            return Err(format!("audio.sample_rate is {sample_rate_hz}; it must be one of {RATES_HZ:?}"));
        }
        let espeak = self.espeak.map(|espeak| espeak.voice);
        let tag = self.language.map(|language| language.code).or_else(|| espeak.clone());
        let espeak = match self.phoneme_type.as_str() {
            "espeak" => Some(espeak.ok_or("espeak.voice is missing")?),
            "text" => None,
            other => return Err(format!("phoneme_type is {other:?}; espeak and text are known")),
        };
        let tag = tag.ok_or("language.code is missing")?.replace('_', "-");
        let language: Language =
            tag.parse().map_err(|_| format!("language.code {tag:?} is no language tag"))?;
        let ids = self.phoneme_id_map.into_iter().filter_map(|(symbol, ids)| {
            let mut chars = symbol.chars();
            Some((chars.next().filter(|_| chars.next().is_none())?, ids))
        });
        let ids: BTreeMap<char, Vec<i32>> = ids.collect();
        if let Some(missing) = ['^', '_', '$'].iter().find(|symbol| ids.get(symbol).is_none_or(Vec::is_empty))
        {
            return Err(format!("phoneme_id_map lacks {missing:?}"));
        }
        let scales = [self.inference.noise_scale, self.inference.length_scale, self.inference.noise_w];
        if scales.iter().any(|scale| !(0.0..=4.0).contains(scale)) || self.inference.length_scale < 0.1 {
            return Err("inference holds a scale that is not between 0 and 4".to_owned());
        }
        Ok(Description {
            name: name.to_owned(),
            language: language.to_string(),
            espeak,
            sample_rate_hz,
            ids,
            noise_scale: scales[0],
            length_scale: scales[1],
            noise_w: scales[2],
            speakers: speakers(self.num_speakers, self.speaker_id_map)?,
            noises: Vec::new(),
            durations: None,
            gain_db: 0.0,
            bytes: 0,
            sha256: String::new(),
        })
    }
}

/// The names of speakers by their numbers: the publisher's, or the number itself.
fn speakers(count: u32, named: BTreeMap<String, u32>) -> Result<Vec<String>, String> {
    if count > MOST_SPEAKERS {
        return Err(format!("num_speakers is {count}; at most {MOST_SPEAKERS} are taken"));
    }
    if count < 2 {
        return Ok(Vec::new());
    }
    let by_number: HashMap<u32, String> = named.into_iter().map(|(name, number)| (number, name)).collect();
    let is_plain = |name: &&String| {
        !name.is_empty()
            && name.len() <= 40
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    Ok((0..count)
        .map(|number| by_number.get(&number).filter(is_plain).cloned().unwrap_or_else(|| number.to_string()))
        .collect())
}

impl Description {
    /// The voice's language.
    pub(super) fn language(&self) -> Language {
        self.language.parse().unwrap_or(Language::UNDETERMINED)
    }

    /// What requests call its speakers, in order of their numbers: the voice's name alone where there is
    /// one.
    pub(super) fn voices(&self) -> Vec<String> {
        if self.speakers.is_empty() {
            return vec![self.name.clone()];
        }
        self.speakers.iter().map(|speaker| format!("{}.{speaker}", self.name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn published(more: &str) -> Result<Description, String> {
        let json = format!(
            r#"{{"audio":{{"sample_rate":22050}},"espeak":{{"voice":"de"}},
                "phoneme_id_map":{{"_":[0],"^":[1],"$":[2],"a":[14]}}{more}}}"#
        );
        Published::read(json.as_bytes())?.described("voice")
    }

    #[test]
    fn a_description_is_read_and_what_it_leaves_out_is_as_the_program_had_it() {
        let voice = published(r#","language":{"code":"de_DE"}"#).unwrap();
        assert_eq!((voice.language.as_str(), voice.espeak.as_deref()), ("de-DE", Some("de")));
        assert_eq!((voice.noise_scale, voice.length_scale, voice.noise_w), (0.667, 1.0, 0.8));
        assert_eq!(voice.voices(), ["voice"]);
        assert_eq!(published("").unwrap().language, "de");
        assert_eq!(published(r#","phoneme_type":"text""#).unwrap().espeak, None);
    }

    #[test]
    fn speakers_are_voices_of_their_own() {
        let voice = published(r#","num_speakers":3,"speaker_id_map":{"anna":2,"b/d":1}"#).unwrap();
        assert_eq!(voice.voices(), ["voice.0", "voice.1", "voice.anna"]);
    }

    #[test]
    fn what_cannot_be_used_is_named() {
        for (more, named) in [
            (r#","phoneme_type":"pinyin""#, "pinyin"),
            (r#","num_speakers":90000"#, "num_speakers"),
            (r#","inference":{"length_scale":0}"#, "inference"),
            (r#","language":{"code":"german"}"#, "german"),
        ] {
            let error = published(more).unwrap_err();
            assert!(error.contains(named), "{error}");
        }
        let no_start =
            br#"{"audio":{"sample_rate":22050},"espeak":{"voice":"de"},"phoneme_id_map":{"a":[1]}}"#;
        assert!(Published::read(no_start).unwrap().described("x").unwrap_err().contains("phoneme_id_map"));
        assert!(Published::read(b"{}").unwrap_err().contains("audio"));
    }
}
