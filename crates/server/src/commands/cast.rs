//! The voices of a text, for the commands that speak without the service: the narrator, and those that the text
//! names.

use std::{path::Path, sync::Arc};

use lectern_service::{config::Config, services::speech::voices::FoundEngine};
use lectern_speech::{
    engines::{EngineError, Speech},
    language::Language,
    pool::{Pool, PoolError, Priority, Reading, Request},
    script::Script,
    spec::NarrationSpec,
};
use lectern_types::MAX_CAST;
use serde::Deserialize;

use super::{CommandError, reader::Reader};

/// Which voice a speaker has, in the order in which they were given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Roles(pub(super) Vec<(String, String)>);

/// A cast in JSON: that of the API, with the name of a voice in place of an e-reader's id.
#[derive(Debug, Deserialize)]
struct Body {
    speakers: Vec<Written>,
}

/// Speakers without a voice are the narrator's.
#[derive(Debug, Deserialize)]
struct Written {
    name: String,
    voice: Option<String>,
}

impl Roles {
    /// The roles that the options name: NAME=VOICE each, and those of a file.
    pub(super) fn given(speakers: &[String], file: Option<&Path>) -> Result<Self, CommandError> {
        let mut roles = Vec::new();
        for speaker in speakers {
            let (name, voice) = speaker.rsplit_once('=').ok_or_else(|| {
                CommandError::Usage(format!("--speaker {speaker:?} must look like NAME=VOICE"))
            })?;
            roles.push((name.trim().to_owned(), voice.trim().to_owned()));
        }
        if let Some(path) = file {
            let refused = |why: &dyn std::fmt::Display| {
                CommandError::Refused(format!("--cast {}: {why}", path.display()))
            };
            let text = std::fs::read_to_string(path).map_err(|error| refused(&error))?;
            let body: Body = serde_json::from_str(&text).map_err(|error| refused(&error))?;
            roles.extend(body.speakers.into_iter().filter_map(|one| Some((one.name, one.voice?))));
        }
        let mut names: Vec<&str> = roles.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        if let Some([twice, _]) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(CommandError::Usage(format!("the speaker {twice:?} has two voices")));
        }
        if roles.len() > MAX_CAST {
            return Err(CommandError::Usage(format!("there are at most {MAX_CAST} voices")));
        }
        Ok(Self(roles))
    }

    /// The place of a speaker.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|(known, _)| known == name)
    }

    /// The voices, in order. `names` are the speakers that the text has; `place` says where they are looked for.
    pub(super) fn voices(
        &self,
        names: &[&str],
        place: &str,
        narrated: Language,
        config: &Config,
    ) -> Result<Vec<CastVoice>, CommandError> {
        let mut voices = Vec::with_capacity(self.0.len());
        for (name, voice) in &self.0 {
            if !names.contains(&name.as_str()) {
                return Err(unknown(name, names, place));
            }
            voices.push(CastVoice::of(voice, narrated, config)?);
        }
        Ok(voices)
    }
}

/// The refusal of a name that nobody has, with those that are known.
fn unknown(name: &str, names: &[&str], place: &str) -> CommandError {
    const MOST: usize = 20;
    let known = &names[..names.len().min(MOST)];
    let known = if known.is_empty() {
        "no speaker was found in it".to_owned()
    } else {
        format!("its speakers are: {}", known.join(", "))
    };
    CommandError::Usage(format!("nobody in the {place} is called {name:?}; {known}"))
}

/// A voice besides the narrator's.
pub(super) struct CastVoice {
    pub(super) reader: Reader,
    /// The narrator's language as the voice calls it, or its own.
    pub(super) language: Language,
}

impl CastVoice {
    /// The voice of a name, in a text that is narrated in this language.
    pub(super) fn of(name: &str, narrated: Language, config: &Config) -> Result<Self, CommandError> {
        let reader = Reader::of(name, config)?;
        let language = reader.spoken(&narrated.to_string()).unwrap_or(reader.voice.languages[0]);
        Ok(Self { reader, language })
    }
}

/// All voices of a text.
#[derive(Clone, Copy)]
pub(super) struct Voices<'a> {
    pub(super) narrator: &'a Reader,
    /// The others, as the turns of the script number them.
    pub(super) others: &'a [CastVoice],
}

impl Voices<'_> {
    /// Their engines, that of the narrator first.
    pub(super) fn engines(&self) -> Vec<FoundEngine> {
        let mut found = vec![self.narrator.engine];
        for engine in self.others.iter().map(|voice| voice.reader.engine) {
            if !found.iter().any(|known| known.name() == engine.name()) {
                found.push(engine);
            }
        }
        found
    }

    /// Refuses a pitch that one of the engines cannot give its voice.
    pub(super) fn check_pitch(&self, semitones: f32) -> Result<(), CommandError> {
        self.narrator.check_pitch(semitones)?;
        self.others.iter().try_for_each(|voice| voice.reader.check_pitch(semitones))
    }

    /// Begins a script. `spec` is how the narrator says it.
    pub(super) fn read(
        &self,
        pool: &Pool,
        script: &Script,
        spec: &NarrationSpec,
        priority: Priority,
    ) -> Result<Performance, PoolError> {
        let mut speaking = Vec::new();
        for turn in &script.turns {
            if !speaking.contains(&turn.voice) {
                speaking.push(turn.voice);
            }
        }
        let place = |voice| speaking.iter().position(|known| *known == voice);
        let turns: Vec<(usize, usize)> =
            script.turns.iter().filter_map(|turn| Some((place(turn.voice)?, turn.range.end))).collect();
        let request = |&voice: &Option<usize>| Request {
            account: String::new(),
            work: String::new(),
            early: false,
            priority,
            spec: Arc::new(script.spec(voice, self.spec(voice, spec))),
        };
        let reading = pool.read(speaking.iter().map(request).collect(), &turns)?;
        Ok(Performance { reading, levels: speaking.iter().map(|voice| self.level(*voice)).collect() })
    }

    fn other(&self, voice: Option<usize>) -> Option<&CastVoice> {
        self.others.get(voice?)
    }

    /// How a voice says what the narrator says like this.
    fn spec(&self, voice: Option<usize>, narrator: &NarrationSpec) -> NarrationSpec {
        match self.other(voice) {
            None => narrator.clone(),
            Some(own) => NarrationSpec {
                engine: own.reader.engine.name().to_owned(),
                voice: own.reader.voice.name.clone(),
                language: own.language,
                ..narrator.clone()
            },
        }
    }

    /// The factor that makes a voice as loud as the narrator.
    fn level(&self, voice: Option<usize>) -> f32 {
        let own = self.other(voice).map_or(self.narrator, |own| &own.reader);
        10.0_f32.powf((own.voice.gain_db - self.narrator.voice.gain_db) / 20.0)
    }
}

/// A script that is being said.
pub(super) struct Performance {
    reading: Reading,
    /// A factor for each of its voices.
    levels: Vec<f32>,
}

impl Performance {
    /// The next utterance, as loud as the narrator; `None` when all are said.
    pub(super) fn next(&mut self) -> Option<Result<Speech, EngineError>> {
        let said = self.reading.blocking_next()?;
        Some(said.map(|said| {
            let (level, mut speech) = (self.levels[said.voice], said.speech);
            if (level - 1.0).abs() > 1e-3 {
                speech.samples.iter_mut().for_each(|sample| *sample *= level);
            }
            speech
        }))
    }

    /// How far into the script, in bytes, the utterances reach that were returned.
    pub(super) fn reached(&self) -> usize {
        self.reading.reached()
    }

    /// How many utterances there are, as far as that is known.
    pub(super) fn utterances(&self) -> usize {
        self.reading.utterances()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_come_from_options_and_from_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("cast.json");
        std::fs::write(&file, r#"{"speakers":[{"name":"Tom","voice":"james","quotes":3},{"name":"Ann"}]}"#)
            .unwrap();
        let given = |speakers: &[&str], file| {
            let speakers: Vec<String> = speakers.iter().map(|&one| one.to_owned()).collect();
            Roles::given(&speakers, file).map(|Roles(roles)| roles).map_err(|error| error.to_string())
        };
        let role = |name: &str, voice: &str| (name.to_owned(), voice.to_owned());
        assert_eq!(given(&["Ines=emma"], Some(&file)), Ok(vec![role("Ines", "emma"), role("Tom", "james")]));
        assert_eq!(given(&["A=b=af_bella:2,af_sky:1"], None), Ok(vec![role("A=b", "af_bella:2,af_sky:1")]));
        for (speakers, why) in [(&["Ines"][..], "NAME=VOICE"), (&["Tom=emma"], "two voices")] {
            let error = given(speakers, Some(&file)).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
        std::fs::write(&file, "{}").unwrap();
        assert!(given(&[], Some(&file)).unwrap_err().contains("speakers"));
    }
}
