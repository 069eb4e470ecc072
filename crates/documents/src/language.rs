//! Languages of texts: the scripts of each language, and the detection of a text's language if it
//! is not declared. `lectern_types::language` compares tags.

mod common_words;
mod detection;
mod east_asian;
mod scripts;
mod windows;

use lectern_types::{
    LanguageSource,
    language::{is_tag, primary},
};
use serde::{Deserialize, Serialize};

pub use detection::detect;
pub use scripts::{ParseScriptsError, Scripts, Unspoken, is_in_foreign_script};
pub(crate) use windows::tag as windows_tag;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentLanguage {
    /// A BCP 47 tag such as `en-GB`.
    pub tag: String,
    pub source: LanguageSource,
}

/// The declared language, unless the tag says nothing or the script of the text contradicts it;
/// else the one that [`detect`] finds.
pub fn of_document(declared: Option<&str>, text: &str) -> Option<DocumentLanguage> {
    let declared = declared
        .map(str::trim)
        .filter(|tag| is_tag(tag) && !is_undetermined(tag) && !is_in_foreign_script(text, tag));
    match declared {
        Some(tag) => Some(DocumentLanguage { tag: tag.to_owned(), source: LanguageSource::Declared }),
        None => {
            detect(text).map(|tag| DocumentLanguage { tag: tag.to_owned(), source: LanguageSource::Detected })
        }
    }
}

/// The BCP 47 form of a language tag: `en_US.UTF-8` becomes `en-US`. `None` for text that is not a
/// tag.
pub(crate) fn language_tag(text: &str) -> Option<String> {
    let text = text.trim().split(['.', ',', ';', ' ']).next()?.replace('_', "-");
    let mut parts = text.split('-');
    let primary = parts.next()?;
    let is_word = |part: &str, lengths: std::ops::RangeInclusive<usize>| {
        lengths.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    if !is_word(primary, 2..=3) || !primary.bytes().all(|byte| byte.is_ascii_alphabetic()) || primary == "und"
    {
        return None;
    }
    let mut tag = primary.to_ascii_lowercase();
    for part in parts.take(5) {
        if !is_word(part, 1..=8) {
            return None;
        }
        tag.push('-');
        // Regions are upper case, scripts are title case, all other subtags are lower case.
        match part.len() {
            2 => tag.push_str(&part.to_ascii_uppercase()),
            4 if part.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
                tag.push_str(&part[..1].to_ascii_uppercase());
                tag.push_str(&part[1..].to_ascii_lowercase());
            }
            _ => tag.push_str(&part.to_ascii_lowercase()),
        }
    }
    Some(tag)
}

/// ISO 639 codes for no particular language: undetermined, several, none, not coded.
fn is_undetermined(tag: &str) -> bool {
    matches!(primary(tag).as_str(), "und" | "mul" | "zxx" | "mis" | "x" | "i" | "")
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEBREW: &str = "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון.";
    const FRENCH: &str = "Chaque matin, la boulangère ouvrait ses volets avant le lever du jour, et l'odeur du pain descendait.";

    fn of(declared: Option<&str>, text: &str) -> Option<(String, LanguageSource)> {
        of_document(declared, text).map(|language| (language.tag, language.source))
    }

    #[test]
    fn a_declared_tag_counts_unless_it_says_nothing_or_the_script_contradicts_it() {
        let declared = |tag: &str| Some((tag.to_owned(), LanguageSource::Declared));
        let detected = |tag: &str| Some((tag.to_owned(), LanguageSource::Detected));
        assert_eq!(of(Some(" fr-CA "), FRENCH), declared("fr-CA"));
        // A wrong language in the right script is accepted from the publisher.
        assert_eq!(of(Some("en"), FRENCH), declared("en"));
        for none in [None, Some("und"), Some("mul"), Some("zxx"), Some(""), Some("fr_FR"), Some("français")]
        {
            assert_eq!(of(none, FRENCH), detected("fr"), "{none:?}");
        }
        assert_eq!(of(Some("en-US"), HEBREW), detected("he"));
        assert_eq!(of(Some("he"), HEBREW), declared("he"));
        // The scripts of this language are unknown, so nothing contradicts it.
        assert_eq!(of(Some("qaa"), HEBREW), declared("qaa"));
        assert_eq!(of(None, "Too short."), None);
    }
}
