//! What e-readers of local voices are called, and how they sound, in plain words.

use lectern_speech::{engines::ResolvedVoice, language::Language};
use lectern_store::ereaders::Ereader;

use super::grade;

/// How voices sound, by engine and name, where that is known. Of the others only language, gender
/// and grade are told.
const SOUNDS: &[(&str, &str, &str)] = &[
    ("hibari", "heart", "A warm, even voice for long reading; American."),
    ("hibari", "alma", "A lower, unhurried voice; American."),
    ("kokoro", "af_heart", "A warm, natural voice for long reading; American."),
    ("kokoro", "af_bella", "A full, lively voice; American."),
    ("kokoro", "af_nicole", "A soft voice close to a whisper; American."),
];

/// How a voice sounds, in a sentence.
pub(super) fn of(engine: &str, voice: &ResolvedVoice) -> String {
    let known = SOUNDS.iter().find(|(of, name, _)| (*of, *name) == (engine, voice.name.as_str()));
    if let Some((_, _, sound)) = known {
        return (*sound).to_owned();
    }
    let language =
        voice.languages.first().map_or_else(String::new, |own| format!(" for {}", language_name(*own)));
    let grade = grade(voice.grade).map_or_else(String::new, |grade| format!(", grade {grade}"));
    let gender = voice.gender.map_or_else(String::new, |gender| format!("{gender} "));
    format!("A {gender}voice{language}{grade}.")
}

/// What a mix is made of, in a sentence.
pub(super) fn of_blend(voice: &ResolvedVoice) -> String {
    let parts: Vec<String> = voice
        .parts
        .iter()
        .map(|(part, share)| format!("{} {:.0} %", first_name(part.name), share * 100.0))
        .collect();
    format!("A blend of voices: {}.", parts.join(", "))
}

/// A language in English.
fn language_name(language: Language) -> String {
    match (language.primary(), language.region()) {
        ("en", Some("US")) => "American English".to_owned(),
        ("en", Some("GB")) => "British English".to_owned(),
        ("en", _) => "English".to_owned(),
        ("es", None | Some("ES")) => "Spanish".to_owned(),
        ("es", Some("419")) => "Latin American Spanish".to_owned(),
        ("es", Some("MX")) => "Mexican Spanish".to_owned(),
        ("fr", None | Some("FR")) => "French".to_owned(),
        ("it", None | Some("IT")) => "Italian".to_owned(),
        ("pt", Some("BR")) => "Brazilian Portuguese".to_owned(),
        ("ja", None | Some("JP")) => "Japanese".to_owned(),
        ("zh", None | Some("CN")) => "Mandarin Chinese".to_owned(),
        ("hi", None | Some("IN")) => "Hindi".to_owned(),
        ("de", None | Some("DE")) => "German".to_owned(),
        _ => language.to_string(),
    }
}

/// The name of a voice without what stands for its language and gender: `Heart` for `af_heart`.
pub(super) fn first_name(voice: &str) -> String {
    let name = voice.split_once('_').filter(|(prefix, _)| prefix.len() == 2).map_or(voice, |(_, name)| name);
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// A name for people that no other e-reader has: with the engine, or the language, where another
/// engine's, or another language's, has the first name already.
pub(super) fn unique_name(engine: &str, voice: &ResolvedVoice, others: &[&Ereader]) -> String {
    let first = first_name(&voice.name);
    let holder = |name: &str| others.iter().find(|other| other.name == name);
    let Some(other) = holder(&first) else { return first };
    let addition = if other.engine == engine {
        voice.languages.first().map_or_else(String::new, |own| language_name(*own))
    } else {
        first_name(engine)
    };
    let longer = format!("{first} ({addition})");
    if holder(&longer).is_none() { longer } else { voice.name.clone() }
}

#[cfg(test)]
mod tests {
    use lectern_speech::engines;

    use super::*;

    #[test]
    fn a_name_is_the_voice_s_own_without_its_prefix() {
        assert_eq!(first_name("af_heart"), "Heart");
        assert_eq!(first_name("heart"), "Heart");
        assert_eq!(first_name("some_voice"), "Some_voice");
        assert_eq!(first_name(""), "");
    }

    #[test]
    fn every_voice_is_described_in_a_sentence_without_an_age() {
        let engines = engines::LOCAL.iter();
        let all = engines.flat_map(|engine| engine.all_voices().map(|one| of(one.engine, &one.voice)));
        for sentence in all {
            assert!(sentence.starts_with("A ") && sentence.ends_with('.'), "{sentence}");
            let lower = sentence.to_lowercase();
            for age in ["young", "old", "girl", "boy", "aged", "elder", "teen", "child", "mature"] {
                assert!(!lower.contains(age), "{sentence}");
            }
        }
        let (kokoro, emma) = engines::resolve_voice("bf_emma").unwrap();
        assert_eq!(of(kokoro.name, &emma), "A female voice for British English, grade B.");
    }

    #[test]
    fn known_sounds_are_of_voices_that_exist() {
        for (of, voice, _) in SOUNDS {
            assert!(engines::local(of).and_then(|engine| engine.voice(voice)).is_some(), "{of} {voice}");
        }
    }
}
