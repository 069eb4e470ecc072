//! What of a material was not read, and what of its text is not spoken: told before anybody pays for it and before a
//! voice is chosen. Some scripts are spoken by the voices of one engine alone.

use lectern_documents::{
    Chunk,
    language::{Scripts, Unspoken},
};
use lectern_speech::front_end::espeak::Program;
use lectern_store::materials::{Material, Ocr};
use lectern_types::{MaterialWarning, MaterialWarningCode, language::is_same};

use super::{
    cutting::marked_languages,
    written::{Counting, READ_AS, Readers, Written},
};

/// What of a material was not read, or is not spoken as it should be. Empty until its text is extracted.
pub fn of(material: &Material) -> Vec<MaterialWarning> {
    let written = material.scripts.as_ref().and_then(|written| written.parse::<Written>().ok());
    let language = material.speech_language.as_deref();
    let language = language.or_else(|| material.language.as_ref().map(|language| language.tag.as_str()));
    let unspoken = written.map(|written| told(written, language.unwrap_or(READ_AS)));
    let ocr = material.ocr.filter(|_| material.characters.is_some());
    ocr.and_then(unread_pages).into_iter().chain(unspoken.unwrap_or_default()).collect()
}

/// Pages that text recognition left out.
fn unread_pages(ocr: Ocr) -> Option<MaterialWarning> {
    let count = u64::from(ocr.pages.saturating_sub(ocr.pages_read));
    let pages = match count {
        0 => return None,
        1 => "1 page that is a picture was not read and is left out.".to_owned(),
        _ => format!("{count} pages that are pictures were not read and are left out."),
    };
    Some(MaterialWarning { code: MaterialWarningCode::UnreadPage, message: pages, count })
}

/// The same of a text's chunks that are no material's, spoken in `language`.
pub fn of_chunks(text: &str, chunks: &[Chunk], language: &str, espeak: Program) -> Vec<MaterialWarning> {
    let mut readers = Readers::new(espeak);
    let mut counting = Counting::new(&mut readers, language);
    for chunk in chunks {
        let piece = text.get(chunk.range.clone()).unwrap_or_default();
        counting.add(piece, &Scripts::of(piece), &marked_languages(&chunk.languages));
    }
    told(counting.finish(), language)
}

fn told(Written { scripts, unread }: Written, language: &str) -> Vec<MaterialWarning> {
    let Unspoken { letters, scripts, signs } = scripts.unspoken(language);
    let unread: Vec<_> = unread.into_iter().filter(|(tag, _)| !is_same(tag, language)).collect();
    let misread: u64 = unread.iter().map(|(_, letters)| letters).sum();
    let counted = |count: u64, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    let not_spoken = (letters > 0).then(|| {
        let are = if letters == 1 { "is" } else { "are" };
        format!(
            "{} in {} {are} not spoken.{}",
            counted(letters, "letter"),
            listed(&scripts),
            exception(&scripts)
        )
    });
    let not_known = (misread > 0).then(|| {
        let tags: Vec<&str> = unread.iter().map(|(tag, _)| tag.as_str()).take(MOST_NAMED).collect();
        let languages = if tags.len() == 1 { "a language" } else { "languages" };
        let (are, they) = if misread == 1 { ("is", "it is") } else { ("are", "they are") };
        format!(
            "{} {are} in {languages} that this server cannot read ({}); {they} read like the words next to them.",
            counted(misread, "letter"),
            tags.join(", ")
        )
    });
    let messages: Vec<String> = not_spoken.into_iter().chain(not_known).collect();
    let script = (!messages.is_empty()).then(|| MaterialWarning {
        code: MaterialWarningCode::UnspokenScript,
        message: messages.join(" "),
        count: letters + misread,
    });
    let symbol = (signs > 0).then(|| MaterialWarning {
        code: MaterialWarningCode::UnspokenSymbol,
        message: if signs == 1 {
            "1 symbol is not spoken: it comes from a private font, or was lost when the file was made.".to_owned()
        } else {
            format!("{signs} symbols are not spoken: they come from a private font, or were lost when the file was made.")
        },
        count: signs,
    });
    script.into_iter().chain(symbol).collect()
}

/// The most languages that a message names.
const MOST_NAMED: usize = 10;

/// Scripts whose languages have front ends for voices that know all sounds.
const READ_BY_SOME: &[&str] = &["Han", "Hiragana", "Katakana", "Devanagari"];

/// What some voices speak of these scripts all the same.
fn exception(scripts: &[&str]) -> String {
    let read: Vec<&str> = scripts.iter().copied().filter(|script| READ_BY_SOME.contains(script)).collect();
    if read.is_empty() { String::new() } else { format!(" Only Kokoro's voices speak {}.", listed(&read)) }
}

/// Names with commas, and "and" before the last.
fn listed(names: &[&str]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        one => one.concat(),
    }
}
