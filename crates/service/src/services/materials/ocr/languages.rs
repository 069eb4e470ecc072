//! Tesseract's names of languages.

/// Packs by the first part of a BCP 47 tag: ISO 639-3, with a script where there are two.
const PACKS: &[(&str, &str)] = &[
    ("ar", "ara"),
    ("bg", "bul"),
    ("ca", "cat"),
    ("cs", "ces"),
    ("da", "dan"),
    ("de", "deu"),
    ("el", "ell"),
    ("en", "eng"),
    ("es", "spa"),
    ("et", "est"),
    ("fa", "fas"),
    ("fi", "fin"),
    ("fr", "fra"),
    ("he", "heb"),
    ("hi", "hin"),
    ("hr", "hrv"),
    ("hu", "hun"),
    ("id", "ind"),
    ("is", "isl"),
    ("it", "ita"),
    ("ja", "jpn"),
    ("ko", "kor"),
    ("la", "lat"),
    ("lt", "lit"),
    ("lv", "lav"),
    ("nb", "nor"),
    ("nl", "nld"),
    ("nn", "nor"),
    ("no", "nor"),
    ("pl", "pol"),
    ("pt", "por"),
    ("ro", "ron"),
    ("ru", "rus"),
    ("sk", "slk"),
    ("sl", "slv"),
    ("sr", "srp"),
    ("sv", "swe"),
    ("th", "tha"),
    ("tr", "tur"),
    ("uk", "ukr"),
    ("vi", "vie"),
];

/// The pack of a language, as far as a name is known.
fn pack(language: &str) -> Option<&'static str> {
    let mut parts = language.split('-');
    let first = parts.next()?.to_ascii_lowercase();
    if first == "zh" || first == "yue" {
        let is_traditional =
            parts.any(|part| ["hant", "tw", "hk", "mo"].contains(&&*part.to_ascii_lowercase()));
        return Some(if is_traditional { "chi_tra" } else { "chi_sim" });
    }
    PACKS.iter().find(|(tag, _)| *tag == first).map(|(_, pack)| *pack)
}

/// What tesseract is told: the pack of the document's language where it is installed, else those of the settings that are.
/// `None`: none is.
pub(super) fn choose(language: Option<&str>, usual: &[String], installed: &[String]) -> Option<String> {
    let is_installed = |name: &str| installed.iter().any(|other| other == name);
    if let Some(own) = language.and_then(pack).filter(|pack| is_installed(pack)) {
        return Some(own.to_owned());
    }
    let usual: Vec<&str> = usual.iter().map(String::as_str).filter(|name| is_installed(name)).collect();
    (!usual.is_empty()).then(|| usual.join("+"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documents_language_goes_before_the_usual_ones() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let (usual, installed) =
            (names(&["eng", "fra", "tlh"]), names(&["deu", "eng", "fra", "osd", "chi_tra"]));
        let choose = |language| choose(language, &usual, &installed);
        assert_eq!(choose(Some("de-CH")).as_deref(), Some("deu"));
        assert_eq!(choose(Some("zh-Hant-HK")).as_deref(), Some("chi_tra"));
        assert_eq!(choose(Some("zh-CN")).as_deref(), Some("eng+fra"), "chi_sim is not installed");
        assert_eq!(choose(Some("xx")).as_deref(), Some("eng+fra"));
        assert_eq!(choose(None).as_deref(), Some("eng+fra"));
        assert_eq!(super::choose(None, &usual, &names(&["osd"])), None);
    }

    #[test]
    fn the_table_is_in_order_without_doubles() {
        assert!(PACKS.is_sorted_by(|(one, _), (other, _)| one < other));
    }
}
