//! The voices of a book's speakers: those that `--speaker` and `--cast` name.

use std::{ops::Range, path::Path};

use lectern_documents::language;
use lectern_service::{config::Config, services::materials::speakers::Speakers};
use lectern_speech::language::Language;
use lectern_types::MAX_CAST;
use serde::Deserialize;

use super::{CommandError, reader::Reader, source::Source};

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
            return Err(CommandError::Usage(format!("a book has at most {MAX_CAST} voices")));
        }
        Ok(Self(roles))
    }
}

/// A speaker's voice.
pub(super) struct CastVoice {
    pub(super) reader: Reader,
    /// The book's language as the voice calls it, or its own.
    pub(super) language: Language,
}

/// Who speaks in a book besides the narrator.
#[derive(Default)]
pub(super) struct Cast {
    pub(super) voices: Vec<CastVoice>,
    /// Places in the book's text and in `voices`, in order and apart.
    stretches: Vec<(Range<usize>, usize)>,
}

impl Cast {
    /// The cast of a book that is read in `spoken`: its speakers are those that it names on lines of their own, or
    /// those that its dialogue is attributed to.
    pub(super) fn of(
        roles: &Roles,
        source: &Source,
        spoken: Language,
        config: &Config,
    ) -> Result<Self, CommandError> {
        let Roles(roles) = roles;
        if roles.is_empty() {
            return Ok(Self::default());
        }
        let text = &source.document.text;
        let own = language::of_document(source.document.language.as_deref(), text);
        let tag = own.map_or_else(|| spoken.to_string(), |own| own.tag);
        let speakers = Speakers::of(text, Some(&tag), &source.document.voices);
        let mut voices = Vec::new();
        for (name, voice) in roles {
            if !speakers.names().any(|known| known == name) {
                return Err(unknown(name, &speakers));
            }
            let reader = Reader::of(voice, config)?;
            let language = reader.spoken(&spoken.to_string()).unwrap_or(reader.voice.languages[0]);
            voices.push(CastVoice { reader, language });
        }
        let place = |name: &str| roles.iter().position(|(known, _)| known == name);
        let stretches = speakers.stretches().filter_map(|(range, name)| Some((range, place(name)?)));
        Ok(Self { voices, stretches: stretches.collect() })
    }

    /// The stretches inside a chunk, with places in its text.
    pub(super) fn inside(&self, chunk: &Range<usize>) -> Vec<(Range<usize>, usize)> {
        let first = self.stretches.partition_point(|(range, _)| range.end <= chunk.start);
        let inside = self.stretches[first..].iter().take_while(|(range, _)| range.start < chunk.end);
        let cut = |(range, voice): &(Range<usize>, usize)| {
            let (start, end) = (range.start.max(chunk.start), range.end.min(chunk.end));
            (start - chunk.start..end - chunk.start, *voice)
        };
        inside.map(cut).collect()
    }
}

/// The refusal of a name that nobody has, with those that are known.
fn unknown(name: &str, speakers: &Speakers) -> CommandError {
    const MOST: usize = 20;
    let known: Vec<&str> = speakers.names().take(MOST).collect();
    let known = if known.is_empty() {
        "no speaker was found in it".to_owned()
    } else {
        format!("its speakers are: {}", known.join(", "))
    };
    CommandError::Usage(format!("nobody in the book is called {name:?}; {known}"))
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
