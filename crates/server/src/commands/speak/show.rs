//! `--show words` and `--show phonemes`: what would be spoken, one line for each line of the text.

use std::{
    io::{self, BufWriter, Write as _},
    sync::Arc,
};

use lectern_speech::{
    engines::{
        Abandoned, Engine as _, Phases, Utterance,
        hibari::{Hibari, Voice},
    },
    pack::Pack,
    phonemes::{Lexicon, phoneme_string},
    text::{Analyzer, spoken},
};

use super::{CommandError, Show};

/// Prints every line of `text` as words or phonemes.
pub(super) fn run(
    what: Show,
    text: &str,
    pack: &Pack,
    voice: &Voice,
    language: &str,
    lexicon: Lexicon,
) -> Result<(), CommandError> {
    match what {
        Show::Words => {
            let analyzer = Analyzer::load(pack).map_err(CommandError::from_error)?;
            let accent = voice.accent;
            print(text, |line| {
                let pieces = analyzer.split(line).into_iter();
                let sentences = pieces.filter_map(|piece| analyzer.analyze_piece(line, &piece, accent));
                Ok(sentences.map(|sentence| spoken(&sentence)).collect())
            })
        }
        Show::Phonemes => {
            let hibari = Hibari::load(pack).map_err(CommandError::from_error)?;
            let engine = hibari.engine();
            let lexicon = Arc::new(lexicon);
            print(text, |line| {
                let utterance = |range| Utterance {
                    text: line.into(),
                    range,
                    language: language.to_owned(),
                    voice: voice.name.to_owned(),
                    speed: 1.0,
                    seed: 0,
                    lexicon: Arc::clone(&lexicon),
                    abandoned: Abandoned::default(),
                };
                let mut said = Vec::new();
                for range in engine.plan(line) {
                    let words = hibari.phonemes(&utterance(range), &mut Phases::default());
                    said.extend(
                        words.map_err(CommandError::from_error)?.map(|(words, _)| phoneme_string(&words)),
                    );
                }
                Ok(said)
            })
        }
    }
}

/// Prints what `say` makes of each line. A reader that goes away (`| head`) ends it without complaint.
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
