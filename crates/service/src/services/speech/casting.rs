//! Who says what in a request: the e-reader that it names, and those of its voices or speakers.

use std::sync::Arc;

use lectern_speech::{
    engines,
    language::Language,
    lexicons::{Heard, Words},
    script::{Script, Turn},
    spec::NarrationSpec,
    ssml::{Feature, Ssml},
};
use lectern_store::{
    Store, Tier,
    ereaders::{self, Ereader},
};
use lectern_types::{Credits, ErrorCode, Speakers};

use super::{language, speaking::narration, voices::UPSTREAM, wording::Wording};
use crate::error::{Error, Result};

/// A voice of a request.
#[derive(Debug, Clone)]
pub(super) struct CastVoice {
    /// Its index among the voices that the text names; `None` for the e-reader of the request.
    pub(super) voice: Option<usize>,
    /// Who speaks.
    pub(super) ereader: Ereader,
    /// The language that it speaks here: one of the e-reader's.
    pub(super) language: String,
}

/// The voices of a request, and what they say.
#[derive(Debug, Clone)]
pub(super) struct Cast {
    /// Those that say something, in the order of their first words.
    pub(super) voices: Vec<CastVoice>,
    /// What is said.
    pub(super) script: Arc<Script>,
}

/// What is known of a request when its voices are looked up.
pub(super) struct Narrator<'a> {
    /// The e-reader of the request.
    pub(super) ereader: &'a Ereader,
    /// The language of the request, one of the e-reader's.
    pub(super) language: &'a str,
    /// The account's tier.
    pub(super) tier: Tier,
    /// Whether the request changes the pitch.
    pub(super) has_pitch: bool,
}

/// The lexicons of a request.
pub(super) struct Lexicon {
    /// Their words.
    pub(super) words: Words,
    /// Whether the request names them.
    pub(super) is_named: bool,
}

/// Finds the voices of a text and writes its script.
///
/// # Errors
/// `ereader_not_found`, `ereader_tier_not_available`, or `validation_failed` for what an engine cannot do.
pub(super) async fn cast(
    store: &Store,
    wording: &Wording,
    speakers: &Speakers,
    lexicon: &Lexicon,
    narrator: &Narrator<'_>,
) -> Result<Cast> {
    let ereaders = match wording {
        Wording::Plain(_) => of_speakers(store, speakers).await?,
        Wording::Ssml { ssml, .. } => of_voices(store, ssml).await?,
    };
    for ereader in &ereaders {
        if ereader.tier > narrator.tier {
            return Err(ErrorCode::EreaderTierNotAvailable.into());
        }
        if narrator.has_pitch && !engines::changes_pitch(&ereader.engine) {
            let why = format!(
                "must be 0: the engine {} of {} cannot change the pitch",
                ereader.engine, ereader.slug
            );
            return Err(Error::invalid("pitch", why));
        }
    }
    let others = ereaders.into_iter().enumerate().map(|(voice, ereader)| {
        let language = language::of_ereader(&ereader, Some(narrator.language))
            .or_else(|| language::of_ereader(&ereader, None))
            .unwrap_or_default();
        CastVoice { voice: Some(voice), ereader, language }
    });
    let own =
        CastVoice { voice: None, ereader: narrator.ereader.clone(), language: narrator.language.to_owned() };
    let voices: Vec<CastVoice> = std::iter::once(own).chain(others).collect();
    let script = match wording {
        Wording::Plain(text) => {
            let voice_of = |name: &str| speakers.names().position(|own| own == name);
            Script::with_speakers_from(text.as_str(), speakers.first().and_then(voice_of), voice_of)
        }
        Wording::Ssml { ssml, .. } => {
            check_features(ssml.features(), &voices)?;
            let languages: Vec<Language> = voices.iter().map(CastVoice::speaks).collect();
            ssml.script(languages[0], &languages[1..])
        }
    };
    if lexicon.is_named {
        check_pronunciations(&lexicon.words, &script, &voices)?;
    }
    let script = if lexicon.words.is_empty() { script } else { script.with_words(&lexicon.words) };
    let first_words = |voice: &CastVoice| script.turns.iter().position(|turn| turn.voice == voice.voice);
    let mut speaking: Vec<(usize, CastVoice)> =
        voices.into_iter().filter_map(|voice| Some((first_words(&voice)?, voice))).collect();
    speaking.sort_by_key(|(at, _)| *at);
    let voices: Vec<CastVoice> = speaking.into_iter().map(|(_, voice)| voice).collect();
    for voice in &voices {
        let own = script.spec(voice.voice, narration(&voice.ereader, &voice.language, script.text.as_str()));
        language::check_script(&voice.ereader, &voice.language, &unmarked(&own))?;
    }
    Ok(Cast { voices, script: Arc::new(script) })
}

async fn of_speakers(store: &Store, speakers: &Speakers) -> Result<Vec<Ereader>> {
    let mut found = Vec::new();
    for id in speakers.ereaders() {
        let ereader = match id {
            Some(id) => ereaders::find(store, id).await?,
            None => None,
        };
        found.push(active(ereader)?);
    }
    Ok(found)
}

async fn of_voices(store: &Store, ssml: &Ssml) -> Result<Vec<Ereader>> {
    let mut found = Vec::new();
    for voice in ssml.voices() {
        // PostgreSQL refuses NUL in text, and nothing stored contains one; XML has none either.
        found.push(active(ereaders::find_by_slug(store, &voice.name).await?)?);
    }
    Ok(found)
}

fn active(ereader: Option<Ereader>) -> Result<Ereader> {
    ereader.filter(|found| found.active).ok_or_else(|| ErrorCode::EreaderNotFound.into())
}

/// Refuses what the engine of a voice cannot follow.
fn check_features(features: &[Feature], voices: &[CastVoice]) -> Result<()> {
    for feature in features {
        let engine =
            voices.iter().find(|voice| voice.voice == feature.voice).map(|voice| &voice.ereader.engine);
        let Some(engine) = engine else { continue };
        let is_followed = match feature.element {
            "prosody pitch" => engines::changes_pitch(engine),
            _ => engine != UPSTREAM,
        };
        if !is_followed {
            let Feature { element, line, column, .. } = feature;
            let what = if *element == "prosody pitch" { "the pitch of prosody" } else { element };
            let why = format!("line {line}, column {column}: the engine {engine} cannot follow {what}");
            return Err(Error::invalid("text", why));
        }
    }
    Ok(())
}

/// Refuses the pronunciations of lexicons where the engine of a voice takes words only.
fn check_pronunciations(words: &Words, script: &Script, voices: &[CastVoice]) -> Result<()> {
    let takes_words_only = |turn: &&Turn| {
        let mut engines = voices.iter().filter(|voice| voice.voice == turn.voice);
        engines.any(|voice| voice.ereader.engine == UPSTREAM)
    };
    for turn in script.turns.iter().filter(takes_words_only) {
        let text = &script.text[turn.range.clone()];
        let found = words.find(text).into_iter().find(|found| matches!(found.said, Heard::Phonemes(_)));
        if let Some(found) = found {
            let word = &text[found.range];
            let why = format!(
                "the engine {UPSTREAM} cannot follow the pronunciation of {word:?}; give it an alias"
            );
            return Err(Error::invalid("lexicon_ids", why));
        }
    }
    Ok(())
}

/// What a voice says in the language that it speaks.
fn unmarked(spec: &NarrationSpec) -> String {
    let mut text = String::new();
    let whole = spec.stretches.is_empty().then(|| 0..spec.text.len());
    for stretch in spec.stretches.iter().cloned().chain(whole) {
        let mut from = stretch.start;
        for marked in spec.marked.iter().map(|marked| &marked.range) {
            if marked.start < stretch.end && marked.end > from {
                text.push_str(&spec.text[from..marked.start.max(from)]);
                from = marked.end.min(stretch.end);
            }
        }
        text.push_str(&spec.text[from..stretch.end]);
    }
    text
}

impl CastVoice {
    fn speaks(&self) -> Language {
        self.language.parse().unwrap_or(Language::UNDETERMINED)
    }
}

impl Cast {
    /// The paid characters of the script up to a byte.
    pub(super) fn characters_until(&self, byte: usize) -> u32 {
        self.script.paid_until(byte) as u32
    }

    /// The price of the script up to a byte, each character at that of its voice; `None` when it is out of
    /// range.
    pub(super) fn price_until(&self, byte: usize) -> Option<Credits> {
        let mut sum = Credits::ZERO;
        for voice in &self.voices {
            let characters = self.script.paid_by(voice.voice, byte);
            sum = sum.checked_add(voice.ereader.price_per_character.times(characters)?)?;
        }
        Some(sum)
    }
}
