//! What `lectern speak` says: plain text or SSML, with the words of lexicons.

use lectern_speech::{
    engines,
    language::Language,
    script::Script,
    ssml::{LONGEST, Ssml},
};
use lectern_types::TextType;

use super::{CommandError, Reader, Speak, lexicon_files};

/// The script of a text.
pub(super) fn of(
    text: String,
    args: &Speak,
    reader: &Reader,
    language: Language,
) -> Result<Script, CommandError> {
    let script = match args.text_type {
        TextType::Text => Script::with_speakers(text, |_| None),
        TextType::Ssml => ssml(&text, args, reader)?.script(language, &[]),
    };
    let words = lexicon_files::words(&lexicon_files::read(&args.lexicon)?)?;
    Ok(if words.is_empty() { script } else { script.with_words(&words) })
}

fn ssml(text: &str, args: &Speak, reader: &Reader) -> Result<Ssml, CommandError> {
    if text.chars().nth(LONGEST).is_some() {
        return Err(CommandError::Refused(format!("the text has more than {LONGEST} characters")));
    }
    let ssml = Ssml::parse(text, args.speed).map_err(|error| CommandError::Refused(error.to_string()))?;
    if ssml.is_empty() {
        return Err(CommandError::Refused("the text has nothing to say".to_owned()));
    }
    if let Some(voice) = ssml.voices().first() {
        let place = format!("line {}, column {}", voice.line, voice.column);
        let why = "this command speaks with one voice; the service takes several";
        return Err(CommandError::Refused(format!("{place}: voice {:?}: {why}", voice.name)));
    }
    let engine = reader.engine.name();
    let pitch = ssml.features().iter().find(|feature| feature.element == "prosody pitch");
    if let Some(feature) = pitch.filter(|_| !engines::changes_pitch(engine)) {
        let place = format!("line {}, column {}", feature.line, feature.column);
        return Err(CommandError::Refused(format!("{place}: the engine {engine} cannot change the pitch")));
    }
    Ok(ssml)
}
