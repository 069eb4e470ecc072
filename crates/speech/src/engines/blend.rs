//! Voices by name: one of an engine's own, or a blend of several, written `af_bella:2,af_sky:1`.
//!
//! A blend speaks with the weighted mean of its parts' styles. What is known of it follows from
//! what is known of the parts; nothing is loaded to say so.

use super::{LOCAL, LocalEngine, Voice};
use crate::{front_end, language::Language};

/// A blend of more voices than these sounds like all others.
const MOST_PARTS: usize = 8;

/// No part weighs more than this, so that shares stay exact enough.
const MOST_WEIGHT: f32 = 1000.0;

/// A voice as a request names it: one of an engine's own, or a blend of several.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedVoice {
    /// Its name in the one form it is stored in: without spaces, weights as short as they can be.
    pub name: String,
    /// The languages it reads, its own first; never empty. Of a blend, those of the first part that
    /// all others read as well.
    pub languages: Vec<Language>,
    /// Female or male; `None` for a blend whose parts differ.
    pub gender: Option<&'static str>,
    /// A to D, where its publisher says so; `None` for a blend, which nobody has judged.
    pub grade: Option<char>,
    /// What brings typical speech to −16 LUFS: of a blend the weighted mean, which is not measured.
    pub gain_db: f32,
    /// Times the speed that is asked for.
    pub rate: f32,
    /// The voices it consists of, each with its share; the shares add up to 1.
    pub parts: Vec<(&'static Voice, f32)>,
}

/// Why a name is no voice.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VoiceError {
    /// No engine, or not this one, has a voice of the name.
    #[error("there is no voice {name:?}; there are: {}", known.join(", "))]
    Unknown {
        /// The name.
        name: String,
        /// The voices there are.
        known: Vec<String>,
    },
    /// The voices of an engine cannot be blended.
    #[error("the voices of {0} cannot be blended")]
    NotBlended(&'static str),
    /// The weight of a part is not a positive number.
    #[error("the weight in {0:?} must be a number above 0 and at most {MOST_WEIGHT}, as in af_bella:2")]
    Weight(String),
    /// A part is named twice.
    #[error("{0} is named twice in one blend")]
    Twice(&'static str),
    /// There are too many parts.
    #[error("a blend has at most {MOST_PARTS} voices")]
    TooMany,
    /// The parts have no language in common.
    #[error("{0} and {1} have no language in common")]
    NoSharedLanguage(&'static str, &'static str),
}

impl VoiceError {
    /// The same, naming more voices that there are.
    #[must_use]
    pub fn with_more(mut self, more: impl Iterator<Item = String>) -> Self {
        if let Self::Unknown { known, .. } = &mut self {
            known.extend(more);
        }
        self
    }
}

impl ResolvedVoice {
    /// The variety in which it reads a language: the very one, or another of the same language.
    pub fn reads(&self, language: Language) -> Option<Language> {
        language.among(&self.languages)
    }

    /// Whether its own language is read by a first version of our front end, which no native speaker
    /// has judged. Voices that users bring have no parts and other front ends.
    pub fn is_preview(&self) -> bool {
        !self.parts.is_empty() && self.languages.first().is_some_and(|&own| front_end::is_preview(own))
    }

    /// Whether it consists of several voices.
    pub fn is_blend(&self) -> bool {
        self.parts.len() > 1
    }

    /// A voice of an engine by itself.
    pub(super) fn own(voice: &'static Voice) -> Self {
        Self {
            name: voice.name.to_owned(),
            languages: voice.languages.to_vec(),
            gender: Some(voice.gender),
            grade: voice.grade,
            gain_db: voice.gain_db,
            rate: voice.rate,
            parts: vec![(voice, 1.0)],
        }
    }

    fn blend(parts: &[(&'static Voice, f32)]) -> Result<Self, VoiceError> {
        let (first, others) = (parts[0].0, &parts[1..]);
        let reads = |voice: &Voice, language: &Language| voice.reads(*language).is_some();
        let is_shared = |language: &&Language| others.iter().all(|(voice, _)| reads(voice, language));
        let languages: Vec<Language> = first.languages.iter().filter(is_shared).copied().collect();
        if languages.is_empty() {
            let differs =
                |(voice, _): &&(&Voice, f32)| !first.languages.iter().any(|language| reads(voice, language));
            let other =
                others.iter().find(differs).or(others.last()).map_or(first.name, |(voice, _)| voice.name);
            return Err(VoiceError::NoSharedLanguage(first.name, other));
        }
        let all: f32 = parts.iter().map(|(_, weight)| weight).sum();
        let mean = |value: fn(&Voice) -> f32| {
            parts.iter().map(|(voice, weight)| value(voice) * weight).sum::<f32>() / all
        };
        let names: Vec<String> =
            parts.iter().map(|(voice, weight)| format!("{}:{weight}", voice.name)).collect();
        Ok(Self {
            name: names.join(","),
            languages,
            gender: Some(first.gender)
                .filter(|gender| others.iter().all(|(voice, _)| voice.gender == *gender)),
            grade: None,
            gain_db: mean(|voice| voice.gain_db),
            rate: mean(|voice| voice.rate),
            parts: parts.iter().map(|(voice, weight)| (*voice, weight / all)).collect(),
        })
    }
}

impl LocalEngine {
    /// The voice of a name: one of its own, or a blend of them.
    ///
    /// # Errors
    /// [`VoiceError`], which says what would be right.
    pub fn resolve(&self, name: &str) -> Result<ResolvedVoice, VoiceError> {
        let parts = name.split(',').map(|part| self.part(part.trim())).collect::<Result<Vec<_>, _>>()?;
        if let [(voice, _)] = parts[..] {
            return Ok(ResolvedVoice::own(voice));
        }
        if !self.blends {
            return Err(VoiceError::NotBlended(self.name));
        }
        if parts.len() > MOST_PARTS {
            return Err(VoiceError::TooMany);
        }
        let is_twice = |at: usize| parts[..at].iter().any(|(voice, _)| voice.name == parts[at].0.name);
        if let Some(at) = (1..parts.len()).find(|at| is_twice(*at)) {
            return Err(VoiceError::Twice(parts[at].0.name));
        }
        ResolvedVoice::blend(&parts)
    }

    /// A voice and its weight, of `name` or `name:weight`.
    fn part(&self, part: &str) -> Result<(&'static Voice, f32), VoiceError> {
        let (name, weight) = part.split_once(':').map_or((part, None), |(name, weight)| (name, Some(weight)));
        let name = name.trim();
        let voice = self.voice(name).ok_or_else(|| VoiceError::Unknown {
            name: name.to_owned(),
            known: self.voices.iter().map(|voice| voice.name.to_owned()).collect(),
        })?;
        let weight = weight.map_or(Some(1.0), |weight| weight.trim().parse::<f32>().ok());
        let weight = weight.filter(|weight| *weight > 0.0 && *weight <= MOST_WEIGHT);
        Ok((voice, weight.ok_or_else(|| VoiceError::Weight(part.to_owned()))?))
    }
}

/// The voice of a name, and the engine that has it, of those that speak in this process.
///
/// # Errors
/// [`VoiceError`], which says what would be right.
pub fn resolve_voice(name: &str) -> Result<(&'static LocalEngine, ResolvedVoice), VoiceError> {
    let first = name.split([',', ':']).next().unwrap_or_default().trim();
    match LOCAL.iter().find(|engine| engine.voice(first).is_some()) {
        Some(engine) => Ok((engine, engine.resolve(name)?)),
        None => Err(VoiceError::Unknown {
            name: first.to_owned(),
            known: LOCAL.iter().flat_map(|engine| engine.voices).map(|voice| voice.name.to_owned()).collect(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(name: &str) -> Result<ResolvedVoice, VoiceError> {
        resolve_voice(name).map(|(_, voice)| voice)
    }

    #[test]
    fn a_name_alone_is_the_engines_own_voice() {
        let (engine, heart) = resolve_voice("af_heart").unwrap();
        assert_eq!((engine.name, heart.name.as_str(), heart.grade), ("kokoro", "af_heart", Some('A')));
        assert!(!heart.is_blend());
        assert_eq!(resolve("af_heart:3").unwrap(), heart);
        assert_eq!(resolve_voice("heart").unwrap().0.name, "hibari");
    }

    #[test]
    fn a_blend_has_what_its_parts_share() {
        let mixed = resolve("af_bella:2, am_adam").unwrap();
        assert_eq!(mixed.name, "af_bella:2,am_adam:1");
        assert_eq!((mixed.gender, mixed.grade), (None, None));
        let [(bella, most), (adam, least)] = mixed.parts[..] else { panic!("two parts") };
        assert!((most - 2.0 / 3.0).abs() < 1e-6 && (least - 1.0 / 3.0).abs() < 1e-6);
        assert!((mixed.gain_db - (2.0 * bella.gain_db + adam.gain_db) / 3.0).abs() < 1e-4);
        // What is stored is read back as the same blend.
        assert_eq!(resolve(&mixed.name).unwrap(), mixed);
        assert_eq!(resolve("af_bella:2.50,af_sky:.5").unwrap().name, "af_bella:2.5,af_sky:0.5");
    }

    #[test]
    fn the_first_part_decides_which_variety_of_a_shared_language_is_spoken() {
        let american = resolve("af_bella,bf_emma").unwrap();
        assert_eq!(american.languages, [Language::EN_US]);
        assert_eq!(american.gender, Some("female"));
        assert_eq!(resolve("bf_emma,af_bella").unwrap().languages, [Language::EN_GB]);
        let refused = resolve("af_bella,af_sky,ef_dora").unwrap_err();
        assert_eq!(refused, VoiceError::NoSharedLanguage("af_bella", "ef_dora"));
    }

    #[test]
    fn what_is_no_blend_is_refused_and_says_why() {
        for (name, why) in [
            ("af_bella:0,af_sky", "above 0"),
            ("af_bella:-1,af_sky", "above 0"),
            ("af_bella:inf,af_sky", "above 0"),
            ("af_bella:NaN,af_sky", "above 0"),
            ("af_bella:two,af_sky", "above 0"),
            ("af_bella:,af_sky", "above 0"),
            ("af_bella:1:2,af_sky", "above 0"),
            ("af_bella,af_bella:2", "twice"),
            ("af_bella,nobody", "no voice \"nobody\""),
            ("af_bella,", "no voice \"\""),
            ("", "no voice \"\""),
            ("af_bella,heart", "no voice \"heart\""),
            ("heart,alma", "hibari cannot be blended"),
        ] {
            let said = resolve(name).unwrap_err().to_string();
            assert!(said.contains(why), "{name}: {said}");
        }
        let many: Vec<&str> = super::super::kokoro::VOICES.iter().take(9).map(|voice| voice.name).collect();
        assert_eq!(resolve(&many.join(",")), Err(VoiceError::TooMany));
    }
}
