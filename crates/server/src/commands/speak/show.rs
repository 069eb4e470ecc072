//! `--show words` and `--show phonemes`: what would be spoken, one line for each line of the text.

use std::{
    collections::{HashMap, hash_map::Entry},
    io::{self, BufWriter, Write as _},
};

use lectern_service::{
    config::Config,
    services::speech::voices::{self, FoundEngine},
};
use lectern_speech::{
    front_end::FrontEnds,
    language::Language,
    phonemes::{Lexicon, phoneme_string},
};

use super::{CommandError, Show, reader::Reader};

/// What the front ends of engines read; each is loaded once.
pub(super) struct Readings<'a> {
    config: &'a Config,
    lexicon: &'a Lexicon,
    loaded: HashMap<&'static str, FrontEnds>,
}

impl<'a> Readings<'a> {
    pub(super) fn new(config: &'a Config, lexicon: &'a Lexicon) -> Self {
        Self { config, lexicon, loaded: HashMap::new() }
    }

    /// Prints every line of `text` as words or phonemes.
    pub(super) fn print(
        &mut self,
        (what, text): (Show, &str),
        reader: &Reader,
        language: Language,
    ) -> Result<(), CommandError> {
        let FoundEngine::Local(engine) = reader.engine else {
            return Err(CommandError::Usage(format!(
                "--show does not know what {} reads: espeak-ng does; try: espeak-ng -q --ipa -v LANGUAGE TEXT",
                reader.voice.name
            )));
        };
        let front_ends = match self.loaded.entry(engine.name) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(free) => {
                let pack = voices::open(self.config, engine.pack).map_err(CommandError::from_error)?;
                free.insert(FrontEnds::load(&pack).map_err(CommandError::from_error)?)
            }
        };
        let lexicon = self.lexicon;
        // The variety that the voice speaks.
        let language = reader.voice.reads(language).unwrap_or(language);
        let front_end = front_ends.of(language).map_err(CommandError::from_error)?;
        print(text, |line| {
            let mut said = Vec::new();
            for span in front_end.split(line, 0..line.len()) {
                let shown = match what {
                    Show::Words if engine.mixes_languages => front_ends.spoken(line, &span, language, &[]),
                    Show::Words => front_end.spoken(line, &span, language),
                    Show::Phonemes => {
                        let read = if engine.mixes_languages {
                            front_ends.read(line, &span, language, lexicon, &[])
                        } else {
                            front_end.read(line, &span, language, lexicon)
                        };
                        read.map(|reading| {
                            (!reading.words.is_empty()).then(|| phoneme_string(&reading.words))
                        })
                    }
                };
                said.extend(shown.map_err(CommandError::from_error)?);
            }
            Ok(said)
        })
    }
}

/// Prints the result of `say` for each line. A reader that closed the pipe (`| head`) is not an
/// error.
fn print(text: &str, say: impl Fn(&str) -> Result<Vec<String>, CommandError>) -> Result<(), CommandError> {
    let mut out = BufWriter::new(io::stdout().lock());
    for line in text.lines() {
        let said = say(line)?.join(" ");
        if let Err(error) = writeln!(out, "{said}") {
            return ended(error);
        }
    }
    out.flush().or_else(ended)
}

fn ended(source: io::Error) -> Result<(), CommandError> {
    match source.kind() {
        io::ErrorKind::BrokenPipe => Ok(()),
        _ => Err(CommandError::Io { what: "cannot write standard output".to_owned(), source }),
    }
}
