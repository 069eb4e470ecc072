//! Languages of texts: in which scripts a language is written, and which language a text is in when nothing says so.
//! How tags compare is in `lectern_types::language`; what a voice speaks is not known here.

mod detection;
mod scripts;

use lectern_types::language::{is_tag, primary};
use serde::{Deserialize, Serialize};

pub use detection::detect;
pub use scripts::{NotScripts, Scripts, is_in_foreign_script};

/// The language of a document, and who said so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentLanguage {
    /// A BCP 47 tag such as `en-GB`.
    pub tag: String,
    /// Where the tag comes from.
    pub source: LanguageSource,
}

/// Where the language of a document comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LanguageSource {
    /// The document says so.
    Declared,
    /// Its text looks like it.
    Detected,
}

/// The language of a text: the one that its document declares, unless the tag says nothing or the text's script
/// contradicts it; else the one that [`detect`] finds.
pub fn of_document(declared: Option<&str>, text: &str) -> Option<DocumentLanguage> {
    let declared = declared
        .map(str::trim)
        .filter(|tag| is_tag(tag) && !says_nothing(tag) && !is_in_foreign_script(text, tag));
    match declared {
        Some(tag) => Some(DocumentLanguage { tag: tag.to_owned(), source: LanguageSource::Declared }),
        None => {
            detect(text).map(|tag| DocumentLanguage { tag: tag.to_owned(), source: LanguageSource::Detected })
        }
    }
}

/// ISO 639's codes for no language in particular: undetermined, several, none, not coded.
fn says_nothing(tag: &str) -> bool {
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
        // A wrong declaration in the right script is the publisher's word.
        assert_eq!(of(Some("en"), FRENCH), declared("en"));
        for none in [None, Some("und"), Some("mul"), Some("zxx"), Some(""), Some("fr_FR"), Some("français")]
        {
            assert_eq!(of(none, FRENCH), detected("fr"), "{none:?}");
        }
        assert_eq!(of(Some("en-US"), HEBREW), detected("he"));
        assert_eq!(of(Some("he"), HEBREW), declared("he"));
        // Nothing is known of how this language is written, so nothing contradicts it.
        assert_eq!(of(Some("qaa"), HEBREW), declared("qaa"));
        assert_eq!(of(None, "Too short."), None);
    }
}
