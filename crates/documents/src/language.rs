//! Languages of texts: the scripts of each language, and the detection of a text's language if it
//! is not declared. `lectern_types::language` compares tags.

mod detection;
mod scripts;

use lectern_types::{
    LanguageSource,
    language::{is_tag, primary},
};
use serde::{Deserialize, Serialize};

pub use detection::detect;
pub use scripts::{ParseScriptsError, Scripts, Unspoken, is_in_foreign_script};

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
