//! Language tags (BCP 47): their form and comparison. Only the primary subtag counts here: a text
//! in Mexican Spanish is read by a voice from Spain.

use utoipa::openapi::ObjectBuilder;

use crate::{
    request::{Nullable, text_schema},
    text_fields,
};

/// The longest accepted tag.
const MAX_TAG_BYTES: usize = 35;

text_fields! {
    /// A BCP 47 tag; it need not be registered.
    LanguageTag: schema(), |tag: &str| (!is_tag(tag)).then(|| "must be a language tag such as en-US".to_owned());
}

impl Nullable for LanguageTag {
    const OR_NULL: &'static str = "must be a language tag such as en-US, or null";
}

/// The schema of a tag.
pub(crate) fn schema() -> ObjectBuilder {
    text_schema().max_length(Some(MAX_TAG_BYTES)).pattern(Some("^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$"))
}

/// Whether `tag` has the form of a BCP 47 tag; it need not be registered.
pub fn is_tag(tag: &str) -> bool {
    tag.len() <= MAX_TAG_BYTES
        && tag.split('-').enumerate().all(|(at, part)| {
            let form = (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric());
            form && (at > 0 || part.bytes().all(|b| b.is_ascii_alphabetic()))
        })
}

/// Whether two tags name the same language, ignoring regions.
pub fn is_same(one: &str, other: &str) -> bool {
    primary(one) == primary(other)
}

/// The tag in `offered` for the same language as `wanted`: an exact match if there is one, else the
/// first match.
pub fn find_same<'a>(offered: &'a [String], wanted: &str) -> Option<&'a String> {
    let exact = offered.iter().find(|tag| tag.eq_ignore_ascii_case(wanted));
    exact.or_else(|| offered.iter().find(|tag| is_same(tag, wanted)))
}

/// The primary subtag in its preferred form: `en` for `en-GB` and for `eng`.
pub fn primary(tag: &str) -> String {
    let subtag = tag.split('-').next().unwrap_or_default().to_ascii_lowercase();
    preferred_code(&subtag).map_or(subtag, str::to_owned)
}

/// The preferred code of a language for a three-letter code (ISO 639-2 and 639-3) or a withdrawn
/// one.
fn preferred_code(code: &str) -> Option<&'static str> {
    CODES.iter().find(|(others, _)| others.contains(&code)).map(|(_, preferred)| *preferred)
}

const CODES: &[(&[&str], &str)] = &[
    (&["afr"], "af"),
    (&["ara"], "ar"),
    (&["bul"], "bg"),
    (&["cat"], "ca"),
    (&["ces", "cze"], "cs"),
    (&["cym", "wel"], "cy"),
    (&["dan"], "da"),
    (&["deu", "ger"], "de"),
    (&["ell", "gre"], "el"),
    (&["eng"], "en"),
    (&["epo"], "eo"),
    (&["est"], "et"),
    (&["eus", "baq"], "eu"),
    (&["fas", "per", "pes"], "fa"),
    (&["fin"], "fi"),
    (&["fra", "fre"], "fr"),
    (&["gle"], "ga"),
    (&["heb", "iw"], "he"),
    (&["hin"], "hi"),
    (&["hrv"], "hr"),
    (&["hun"], "hu"),
    (&["hye", "arm"], "hy"),
    (&["ind", "in"], "id"),
    (&["isl", "ice"], "is"),
    (&["ita"], "it"),
    (&["jpn"], "ja"),
    (&["kat", "geo"], "ka"),
    (&["kor"], "ko"),
    (&["lat"], "la"),
    (&["lav"], "lv"),
    (&["lit"], "lt"),
    (&["mkd", "mac"], "mk"),
    (&["nld", "dut"], "nl"),
    (&["nob"], "nb"),
    (&["nor"], "no"),
    (&["pol"], "pl"),
    (&["por"], "pt"),
    (&["ron", "rum"], "ro"),
    (&["rus"], "ru"),
    (&["slk", "slo"], "sk"),
    (&["slv"], "sl"),
    (&["spa"], "es"),
    (&["sqi", "alb"], "sq"),
    (&["srp"], "sr"),
    (&["swa"], "sw"),
    (&["swe"], "sv"),
    (&["tam"], "ta"),
    (&["tel"], "te"),
    (&["tha"], "th"),
    (&["tur"], "tr"),
    (&["ukr"], "uk"),
    (&["urd"], "ur"),
    (&["vie"], "vi"),
    (&["yid", "ji"], "yi"),
    (&["zho", "chi", "cmn"], "zh"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_compare_by_their_primary_subtag() {
        assert!(is_same("en-GB", "EN-us") && is_same("es-MX", "es") && is_same("eng", "en-GB"));
        assert!(is_same("iw", "he-IL"));
        assert!(!is_same("en", "e") && !is_same("en", "enm") && !is_same("nb", "nl"));
        let offered = ["en-US".to_owned(), "en-GB".to_owned()];
        assert_eq!(find_same(&offered, "EN-gb").map(String::as_str), Some("en-GB"));
        assert_eq!(find_same(&offered, "en-AU").map(String::as_str), Some("en-US"));
        assert_eq!(find_same(&offered, "fr"), None);
    }

    #[test]
    fn the_form_of_tags() {
        for good in ["en", "en-GB", "zh-Hant-TW", "x-private", "de-CH-1901"] {
            assert!(is_tag(good), "{good}");
        }
        for bad in ["", "e n", "en_GB", "français", "-en", "en-", "1a", "abcdefghi", &"a-".repeat(18)] {
            assert!(!is_tag(bad), "{bad}");
        }
    }
}
