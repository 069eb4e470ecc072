//! What `lectern speak` says: plain text or SSML, the voices that it names, and the words of lexicons.

use std::ops::Range;

use lectern_service::config::Config;
use lectern_speech::{
    engines,
    language::Language,
    script::{Script, Turn, speakers},
    ssml::{LONGEST, Ssml},
};
use lectern_types::TextType;

use super::{
    CommandError, Reader, Speak,
    cast::{CastVoice, Roles, Voices},
    lexicon_files,
};

/// A script, and the voices besides the narrator's that say it.
pub(super) struct Spoken {
    pub(super) script: Script,
    pub(super) others: Vec<CastVoice>,
}

/// The script of a text that is narrated in this language.
pub(super) fn of(
    text: &str,
    args: &Speak,
    narrator: &Reader,
    narrated: Language,
    config: &Config,
) -> Result<Spoken, CommandError> {
    let spoken = match args.text_type {
        TextType::Text => plain(text, args, narrated, config)?,
        TextType::Ssml => ssml(text, args, narrator, narrated, config)?,
    };
    let words = lexicon_files::words(&lexicon_files::read(&args.lexicon)?)?;
    let Spoken { script, others } = spoken;
    let script = if words.is_empty() { script } else { script.with_words(&words) };
    Ok(Spoken { script, others })
}

fn plain(text: &str, args: &Speak, narrated: Language, config: &Config) -> Result<Spoken, CommandError> {
    let roles = Roles::given(&args.speaker, None)?;
    let others = roles.voices(&speakers(text), "text", narrated, config)?;
    Ok(Spoken { script: Script::with_speakers(text, |name| roles.position(name)), others })
}

fn ssml(
    text: &str,
    args: &Speak,
    narrator: &Reader,
    narrated: Language,
    config: &Config,
) -> Result<Spoken, CommandError> {
    if !args.speaker.is_empty() {
        let why = "--speaker is for lines [speaker NAME] of plain text; SSML has voice";
        return Err(CommandError::Usage(why.to_owned()));
    }
    if text.chars().nth(LONGEST).is_some() {
        return Err(CommandError::Refused(format!("the text has more than {LONGEST} characters")));
    }
    let ssml = Ssml::parse(text, args.speed).map_err(|error| CommandError::Refused(error.to_string()))?;
    if ssml.is_empty() {
        return Err(CommandError::Refused("the text has nothing to say".to_owned()));
    }
    let mut others = Vec::with_capacity(ssml.voices().len());
    for voice in ssml.voices() {
        let other = CastVoice::of(&voice.name, narrated, config).map_err(|error| match error {
            CommandError::Usage(why) => {
                CommandError::Refused(format!("line {}, column {}: {why}", voice.line, voice.column))
            }
            error => error,
        });
        others.push(other?);
    }
    for feature in ssml.features().iter().filter(|feature| feature.element == "prosody pitch") {
        let other = feature.voice.and_then(|voice| others.get(voice));
        let engine = other.map_or(narrator, |other| &other.reader).engine.name();
        if !engines::changes_pitch(engine) {
            let place = format!("line {}, column {}", feature.line, feature.column);
            return Err(CommandError::Refused(format!(
                "{place}: the engine {engine} cannot change the pitch"
            )));
        }
    }
    let languages: Vec<Language> = others.iter().map(|other| other.language).collect();
    Ok(Spoken { script: ssml.script(narrated, &languages), others })
}

impl Spoken {
    /// The script's voices.
    pub(super) fn voices<'a>(&'a self, narrator: &'a Reader) -> Voices<'a> {
        Voices { narrator, others: &self.others }
    }

    /// Refuses what a voice cannot read.
    pub(super) fn check(&self, narrator: &Reader, narrated: Language) -> Result<(), CommandError> {
        let Self { script, others } = self;
        if others.is_empty() {
            return narrator.check_script(narrated, &script.shown());
        }
        let named = (0..others.len()).map(Some);
        for voice in std::iter::once(None).chain(named) {
            let (reader, language) = self.speaker(voice, narrator, narrated);
            reader.check_script(language, &self.said_by(voice))?;
        }
        Ok(())
    }

    /// What a voice says in its own language: other front ends read what is marked as another one.
    fn said_by(&self, voice: Option<usize>) -> String {
        let is_marked = |turn: &&Turn| {
            let crosses = |range: &Range<usize>| range.start < turn.range.end && range.end > turn.range.start;
            self.script.marked.iter().any(|marked| crosses(&marked.range))
        };
        let own = self.script.turns.iter().filter(|turn| turn.voice == voice && !is_marked(turn));
        own.map(|turn| &self.script.text[turn.range.clone()]).collect::<Vec<_>>().join("\n")
    }

    /// Who speaks in a turn, and in which language.
    pub(super) fn speaker<'a>(
        &'a self,
        voice: Option<usize>,
        narrator: &'a Reader,
        narrated: Language,
    ) -> (&'a Reader, Language) {
        let other = voice.and_then(|voice| self.others.get(voice));
        other.map_or((narrator, narrated), |other| (&other.reader, other.language))
    }
}
