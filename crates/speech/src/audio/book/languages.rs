//! BCP 47 tags as ID3 and MPEG-4 require them: three letters of ISO 639-2 (the terminological code
//! where there are two).

/// The most common languages; other languages are left out of the file rather than guessed.
#[rustfmt::skip]
const CODES: [(&str, &str); 56] = [
    ("af", "afr"), ("ar", "ara"), ("bg", "bul"), ("bn", "ben"), ("ca", "cat"), ("cs", "ces"), ("cy", "cym"),
    ("da", "dan"), ("de", "deu"), ("el", "ell"), ("en", "eng"), ("eo", "epo"), ("es", "spa"), ("et", "est"),
    ("eu", "eus"), ("fa", "fas"), ("fi", "fin"), ("fr", "fra"), ("ga", "gle"), ("gl", "glg"), ("gu", "guj"),
    ("he", "heb"), ("hi", "hin"), ("hr", "hrv"), ("hu", "hun"), ("hy", "hye"), ("id", "ind"), ("is", "isl"),
    ("it", "ita"), ("ja", "jpn"), ("ka", "kat"), ("ko", "kor"), ("la", "lat"), ("lt", "lit"), ("lv", "lav"),
    ("mr", "mar"), ("ms", "msa"), ("nb", "nob"), ("nl", "nld"), ("nn", "nno"), ("no", "nor"), ("pl", "pol"),
    ("pt", "por"), ("ro", "ron"), ("ru", "rus"), ("sk", "slk"), ("sl", "slv"), ("sr", "srp"), ("sv", "swe"),
    ("sw", "swa"), ("ta", "tam"), ("th", "tha"), ("tr", "tur"), ("uk", "ukr"), ("vi", "vie"), ("zh", "zho"),
];

/// "Undetermined", where a format requires a language.
pub(super) const NO_LANGUAGE: &str = "und";

/// The three letters for a tag such as `en-GB`; `None` when it is not in the table.
pub(super) fn iso_639_2(tag: &str) -> Option<&'static str> {
    let primary = tag.split(['-', '_']).next()?.to_ascii_lowercase();
    CODES.iter().find(|(two, three)| *two == primary || *three == primary).map(|(_, three)| *three)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_become_three_letters_or_nothing() {
        assert_eq!(iso_639_2("en-GB"), Some("eng"));
        assert_eq!(iso_639_2("PT_br"), Some("por"));
        assert_eq!(iso_639_2("deu"), Some("deu"));
        assert_eq!(iso_639_2("tlh"), None);
        assert_eq!(iso_639_2(""), None);
    }
}
