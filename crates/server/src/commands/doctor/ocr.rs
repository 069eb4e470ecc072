//! `lectern doctor` on text recognition: whether the programs and language packs are there that the settings need.

use super::Finding;
use lectern_service::{
    config::Config,
    services::materials::ocr::{Ocr, debian_package},
};

const WHAT: &str = "text recognition";

pub(super) async fn look(config: &Config) -> Finding {
    let Some(ocr) = Ocr::new(&config.ocr) else {
        return Finding::fine(WHAT, "off: scans are refused; ocr.enabled turns it on");
    };
    let ocr = match ocr {
        Ok(ocr) => ocr,
        Err(missing) => {
            let detail = format!("scans cannot be read without {}", missing.join(", "));
            return Finding::wrong(
                WHAT,
                detail,
                "install tesseract and poppler-utils, or set ocr.tesseract and ocr.poppler to where they are",
            );
        }
    };
    match ocr.missing_packs().await {
        Ok(missing) if missing.is_empty() => {
            Finding::fine(WHAT, format!("tesseract has {}", config.ocr.languages.join(", ")))
        }
        Ok(missing) => Finding::wrong(
            WHAT,
            format!("tesseract lacks the language packs {}", missing.join(", ")),
            format!(
                "install them (Debian: {}), or leave them out of ocr.languages",
                missing.iter().map(|pack| debian_package(pack)).collect::<Vec<_>>().join(" ")
            ),
        ),
        Err(error) => {
            Finding::wrong(WHAT, crate::output::chain(&error), "see whether `tesseract --list-langs` works")
        }
    }
}
