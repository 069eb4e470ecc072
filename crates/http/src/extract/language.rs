//! The language that a browser asks for.

use axum::http::{HeaderMap, header::ACCEPT_LANGUAGE};
use lectern_types::PageLanguage;

/// The longest header that is read. Browsers' are a tenth of it.
const MAX_BYTES: usize = 1_000;

/// The language of ours that the browser prefers, if it names any.
pub fn preferred(headers: &HeaderMap) -> Option<PageLanguage> {
    let text = headers.get(ACCEPT_LANGUAGE)?.to_str().ok().filter(|text| text.len() <= MAX_BYTES)?;
    // `fr-CA` asks for French.
    let primary = |tag: &str| tag.split('-').next().unwrap_or_default().to_ascii_lowercase().parse().ok();
    accept_language::parse(text).iter().find_map(|tag| primary(tag))
}

#[cfg(test)]
mod tests {
    use PageLanguage::{De, En, Fr};

    use super::*;

    #[test]
    fn the_first_language_that_the_pages_have_is_taken() {
        for (header, language) in [
            ("de-CH, en;q=0.8", Some(De)),
            ("nl, fr-CA;q=0.7, en;q=0.9", Some(En)),
            ("sv, FR;q=0.1", Some(Fr)),
            ("sv", None),
            ("", None),
            (";q=,,;;=", None),
        ] {
            let headers = HeaderMap::from_iter([(ACCEPT_LANGUAGE, header.parse().unwrap())]);
            assert_eq!(preferred(&headers), language, "{header}");
        }
        assert_eq!(preferred(&HeaderMap::new()), None);
    }
}
