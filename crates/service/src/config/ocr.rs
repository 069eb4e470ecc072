//! `[ocr]`: text recognition of scans, by programs of this machine.

use std::path::PathBuf;

use serde::{Deserialize, Deserializer, de::Error as _};

use super::values::{optional, positive};

/// Text recognition of scans.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ocr {
    /// Whether scans are read at all.
    pub enabled: bool,
    /// The program tesseract; `None`: the one on `PATH`.
    #[serde(deserialize_with = "optional_path")]
    pub tesseract: Option<PathBuf>,
    /// The directory of pdfinfo, pdftoppm and pdfunite; `None`: those on `PATH`.
    #[serde(deserialize_with = "optional_path")]
    pub poppler: Option<PathBuf>,
    /// Language packs of tesseract for a material without a language.
    #[serde(deserialize_with = "packs")]
    pub languages: Vec<String>,
    /// The most pages of a scan.
    #[serde(deserialize_with = "positive")]
    pub pages: u64,
    /// Seconds that one page may take a processor; a page that takes longer is left out.
    #[serde(deserialize_with = "positive")]
    pub page_seconds: u64,
}

fn optional_path<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PathBuf>, D::Error> {
    Ok(optional(deserializer)?.map(PathBuf::from))
}

/// The names become an argument of a program and the name of a file.
fn packs<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let names = Vec::<String>::deserialize(deserializer)?;
    let is_name = |name: &String| {
        (1..=40).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    if names.is_empty() || !names.iter().all(is_name) {
        return Err(D::Error::custom("must name tesseract's language packs, such as eng or chi_sim"));
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use crate::config::{Config, Sources};

    fn with(key: &str, value: &str) -> Result<super::Ocr, String> {
        let environment = vec![(format!("LECTERN_OCR__{key}").into(), value.into())];
        let sources = Sources { environment, ..Sources::default() };
        Config::load(&sources).map(|config| config.ocr).map_err(|error| error.to_string())
    }

    #[test]
    fn it_is_off_and_reads_english_unless_set() {
        let usual = with("ENABLED", "false").unwrap();
        assert!(!usual.enabled && usual.tesseract.is_none() && usual.languages == ["eng"]);
        assert!(with("ENABLED", "true").unwrap().enabled);
        assert_eq!(with("LANGUAGES", "eng,chi_sim").unwrap().languages, ["eng", "chi_sim"]);
        for wrong in ["../eng", "eng+deu", "eng,-l"] {
            let refusal = with("LANGUAGES", wrong).unwrap_err();
            assert!(refusal.contains("ocr.languages: must name tesseract's language packs"), "{refusal}");
        }
        assert!(with("PAGES", "0").unwrap_err().contains("ocr.pages: must be a whole number of at least 1"));
    }
}
