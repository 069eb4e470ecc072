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

/// The package of Debian and Ubuntu with a pack.
pub fn debian_package(pack: &str) -> String {
    format!("tesseract-ocr-{}", pack.replace('_', "-"))
}

/// Why no pack can be used. The message follows "cannot recognize text in".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum MissingPack {
    #[error(
        "its language ({language}): tesseract lacks the pack {pack} (Debian: {}). The operator of the service \
         can install it.",
        debian_package(pack)
    )]
    Own { language: String, pack: &'static str },
    #[error(
        "its language: tesseract lacks {}. The operator of the service can install what is missing.",
        packages(packs)
    )]
    Usual { packs: Vec<String> },
}

fn packages(packs: &[String]) -> String {
    let named = packs.iter().map(|pack| format!("the pack {pack} (Debian: {})", debian_package(pack)));
    named.collect::<Vec<_>>().join(", ")
}

/// What tesseract is told: the pack of the document's language, or those of the settings that are installed where it has
/// none or its pack has no known name.
pub(super) fn choose(
    language: Option<&str>,
    usual: &[String],
    installed: &[String],
) -> Result<String, MissingPack> {
    let is_installed = |name: &str| installed.iter().any(|other| other == name);
    if let Some((language, pack)) = language.and_then(|language| Some((language, pack(language)?))) {
        return if is_installed(pack) {
            Ok(pack.to_owned())
        } else {
            Err(MissingPack::Own { language: language.to_owned(), pack })
        };
    }
    let (there, missing): (Vec<_>, Vec<_>) = usual.iter().partition(|name| is_installed(name));
    if there.is_empty() {
        return Err(MissingPack::Usual { packs: missing.into_iter().cloned().collect() });
    }
    if !missing.is_empty() {
        tracing::warn!(?missing, "tesseract lacks packs of ocr.languages");
    }
    Ok(there.iter().map(|name| name.as_str()).collect::<Vec<_>>().join("+"))
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
        assert_eq!(choose(Some("de-CH")).as_deref(), Ok("deu"));
        assert_eq!(choose(Some("zh-Hant-HK")).as_deref(), Ok("chi_tra"));
        assert_eq!(choose(Some("xx")).as_deref(), Ok("eng+fra"));
        assert_eq!(choose(None).as_deref(), Ok("eng+fra"));
    }

    // Negative control: with the usual packs for a language whose own is missing, Chinese is read as English.
    #[test]
    fn a_pack_that_is_missing_is_named_with_its_package() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let said = |language, installed: &[&str]| {
            choose(language, &names(&["eng", "tlh"]), &names(installed))
                .map_err(|missing| missing.to_string())
        };
        let own = said(Some("zh-CN"), &["eng"]).unwrap_err();
        assert!(own.contains("(zh-CN)") && own.contains("Debian: tesseract-ocr-chi-sim"), "{own}");
        let usual = said(None, &["osd"]).unwrap_err();
        assert!(usual.contains("tesseract-ocr-eng") && usual.contains("tesseract-ocr-tlh"), "{usual}");
        assert_eq!(said(None, &["eng"]).as_deref(), Ok("eng"));
    }

    #[test]
    fn the_table_is_in_order_without_doubles() {
        assert!(PACKS.is_sorted_by(|(one, _), (other, _)| one < other));
    }
}
