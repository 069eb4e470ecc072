//! Text recognition for a book that is a scan, with the programs of the service.

use std::path::Path;

use lectern_documents::{
    Document, Kind, Limits, Reason, Recognized, Unreadable, language, read, read_recognized,
};
use lectern_service::{
    config::{self, Config},
    services::materials::ocr::{Ocr, OcrError, Progress, Scan},
};
use tokio::sync::watch;

use super::{CommandError, output};

/// Reads documents with the text of their pages that are pictures, where that is wanted.
pub(super) struct Recognizer<'a> {
    /// The names of the programs that are missing.
    ocr: Option<Result<Ocr, Vec<&'static str>>>,
    /// The language that the command asks for.
    language: Option<&'a str>,
}

impl<'a> Recognizer<'a> {
    /// With the settings; `wanted` turns it on whatever they say.
    pub(super) fn new(wanted: bool, config: &Config, language: Option<&'a str>) -> Self {
        let settings = config::Ocr { enabled: wanted || config.ocr.enabled, ..config.ocr.clone() };
        Self { ocr: Ocr::new(&settings), language }
    }

    /// Whether pictures are documents.
    pub(super) fn is_wanted(&self) -> bool {
        self.ocr.is_some()
    }

    /// Reads the file at `path`, which has this kind and these bytes.
    pub(super) fn read(&self, kind: Kind, bytes: &[u8], path: &Path) -> Result<Document, Refusal> {
        let limits = Limits::default();
        match (read(kind, bytes, &limits), &self.ocr) {
            (Ok(document), Some(Ok(ocr))) if !document.pictured_pages.is_empty() => {
                let pages = &document.pictured_pages;
                let own = language::of_document(document.language.as_deref(), &document.text);
                let language = self.language.or_else(|| own.as_ref().map(|own| own.tag.as_str()));
                match recognize(ocr, Scan::PagesOfPdf(path, pages), language) {
                    Ok(Text { pdf, pages }) => {
                        let recognized = Recognized { pdf: &pdf, pages: &pages };
                        Ok(read_recognized(bytes, &recognized, &limits)?)
                    }
                    // They are illustrations, or in a language that cannot be recognized.
                    Err(Refusal::Unreadable(why)) => {
                        output::note(&format!("{}: {}", left_out(pages), why.message));
                        Ok(document)
                    }
                    Err(error) => Err(error),
                }
            }
            (Err(why), Some(ocr)) if is_scan(kind, why.reason) => {
                let ocr = ocr.as_ref().map_err(|missing| Refusal::Programs(missing.clone()))?;
                let scan = if kind.is_picture() { Scan::Pictures(kind, path) } else { Scan::Pdf(path) };
                let text = recognize(ocr, scan, self.language)?;
                Ok(read(Kind::Pdf, &text.pdf, &limits)?)
            }
            (Ok(document), None) if !document.pictured_pages.is_empty() => {
                output::note(&format!("{}; --ocr reads them", left_out(&document.pictured_pages)));
                Ok(document)
            }
            (Err(why), None) if is_scan(kind, why.reason) => {
                let message = format!("{} With --ocr, this command does.", why.message);
                Err(Refusal::Unreadable(Unreadable { message, ..why }))
            }
            (read, _) => Ok(read?),
        }
    }
}

fn left_out(pages: &[u32]) -> String {
    match pages.len() {
        1 => "1 page is a picture and is left out".to_owned(),
        count => format!("{count} pages are pictures and are left out"),
    }
}

/// Recognizes the text of a scan.
fn recognize(ocr: &Ocr, scan: Scan<'_>, language: Option<&str>) -> Result<Text, Refusal> {
    let failed = |what: &str| {
        let what = what.to_owned();
        move |source| Refusal::Failed(CommandError::Io { what, source })
    };
    let folder = tempfile::Builder::new().prefix("lectern-read-").tempdir();
    let folder = folder.map_err(failed("no folder can be created for the scan"))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(failed("the programs for text recognition cannot be run"))?;
    output::note("recognizing the text of pages that are pictures; this takes a few seconds a page");
    let (progress, reached) = watch::channel(None);
    let recognized = runtime.block_on(ocr.read(scan, folder.path(), language, &progress))?;
    let Progress { pages, pages_read, confidence } = reached.borrow().unwrap_or_default();
    if pages_read < pages {
        output::note(&format!("{} of {pages} pages were not read and are left out", pages - pages_read));
    }
    let confidence = confidence.unwrap_or(0);
    let read = match recognized.pages.len() {
        1 => "1 page".to_owned(),
        count => format!("{count} pages"),
    };
    output::note(&format!("recognized {read}; confidence {confidence} %"));
    let pdf = std::fs::read(&recognized.path).map_err(failed("the recognized text cannot be read"))?;
    Ok(Text { pdf, pages: recognized.pages })
}

/// The text of a scan.
struct Text {
    pdf: Vec<u8>,
    pages: Vec<u32>,
}

/// Why there is no text.
pub(super) enum Refusal {
    Unreadable(Unreadable),
    /// Programs are missing.
    Programs(Vec<&'static str>),
    Failed(CommandError),
}

impl From<Unreadable> for Refusal {
    fn from(why: Unreadable) -> Self {
        Self::Unreadable(why)
    }
}

impl From<OcrError> for Refusal {
    fn from(error: OcrError) -> Self {
        match error {
            OcrError::Unreadable(why) => Self::Unreadable(why),
            error => Self::Failed(CommandError::from_error(error)),
        }
    }
}

fn is_scan(kind: Kind, reason: Reason) -> bool {
    kind.is_picture() || kind == Kind::Pdf && matches!(reason, Reason::ImageOnly | Reason::NoText)
}
