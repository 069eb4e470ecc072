//! Text recognition of scans (OCR) by programs of this machine: `pdftoppm` draws a page, `tesseract` reads it and writes
//! its words, at their places, as a page of a PDF without pictures. `pdfunite` joins the pages, and the result is read
//! like any other PDF. So columns, hyphens, running heads and headings of a scan are handled where those of other
//! documents are.
//!
//! The programs are found on `PATH` or named in the settings, never linked and never installed by this one. Each runs
//! confined, for one page. Temporary files are those of the pages that are being read, and the words of all pages.

mod languages;
mod words;

use std::{
    io,
    path::{Path, PathBuf},
    process::Output,
    time::Duration,
};

use futures_util::{StreamExt as _, stream};
use lectern_documents::{Reason, Unreadable};
use tokio::{process::Command, sync::watch};

use crate::{
    config,
    confined::{self, Limits},
};
use words::Words;

/// The longer side of a page's picture in pixels: 300 dots an inch of A4, whatever size the PDF claims.
const PAGE_PIXELS: &str = "3508";
const DOTS_PER_INCH: &str = "300";

/// Limits of a program. Recognizing a page takes some 100 MB; drawing one takes what its pictures take.
const ADDRESS_SPACE: u64 = 2 << 30;
const FILE_BYTES: u64 = 256 << 20;

/// The time limit by the clock is a multiple of that by the processor: the programs run at low priority.
const PATIENCE: u32 = 5;

/// How many pages are joined at once: each is an open file.
const JOINED_AT_ONCE: usize = 100;

/// Reads scans.
#[derive(Debug, Clone)]
pub struct Ocr {
    programs: Programs,
    /// Packs for a document without a language.
    languages: Vec<String>,
    most_pages: u64,
    page_seconds: u64,
    at_once: usize,
}

/// Where the programs are.
#[derive(Debug, Clone)]
struct Programs {
    tesseract: PathBuf,
    info: PathBuf,
    draw: PathBuf,
    join: PathBuf,
}

/// How far the recognition is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub pages: u32,
    pub pages_read: u32,
    /// The mean confidence in the words so far, in percent; `None` before the first.
    pub confidence: Option<u32>,
}

/// Why a scan has no text.
#[derive(Debug, thiserror::Error)]
pub enum OcrError {
    /// The file is at fault; the customer sees the reason.
    #[error("{0}")]
    Unreadable(Unreadable),
    /// A program is at fault, or the machine; the job is retried.
    #[error("text recognition failed: {what}")]
    Failed {
        what: String,
        #[source]
        source: Option<io::Error>,
    },
}

impl From<io::Error> for OcrError {
    fn from(source: io::Error) -> Self {
        Self::Failed { what: "a temporary file".to_owned(), source: Some(source) }
    }
}

impl Ocr {
    /// With the programs of this machine; `None` when the settings turn it off.
    ///
    /// # Errors
    /// The names of the programs that are missing.
    pub fn new(config: &config::Ocr) -> Option<Result<Self, Vec<&'static str>>> {
        config.enabled.then(|| {
            let at_once =
                std::thread::available_parallelism().map_or(1, |cores| cores.get().div_ceil(2).min(4));
            let programs = Programs::find(config)?;
            let languages = config.languages.clone();
            Ok(Self {
                programs,
                languages,
                most_pages: config.pages,
                page_seconds: config.page_seconds,
                at_once,
            })
        })
    }

    /// The language packs of tesseract that are installed.
    ///
    /// # Errors
    /// [`OcrError::Failed`].
    pub async fn installed(&self) -> Result<Vec<String>, OcrError> {
        let mut list = self.command(&self.programs.tesseract);
        list.arg("--list-langs");
        let output = self.run("tesseract", list).await?;
        let lines = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(lines.lines().skip(1).map(|line| line.trim().to_owned()).filter(|name| !name.is_empty()).collect())
    }

    /// The configured packs that are not installed.
    ///
    /// # Errors
    /// [`OcrError::Failed`].
    pub async fn missing_packs(&self) -> Result<Vec<String>, OcrError> {
        let installed = self.installed().await?;
        Ok(self.languages.iter().filter(|name| !installed.contains(name)).cloned().collect())
    }

    /// Recognizes the text of the PDF at `scan`, and writes a PDF of that text into `folder`, which is this call's
    /// alone. `language` is the document's, BCP 47. `progress` has a new value after each page.
    ///
    /// # Errors
    /// [`OcrError`].
    pub async fn read(
        &self,
        scan: &Path,
        folder: &Path,
        language: Option<&str>,
        progress: &watch::Sender<Option<Progress>>,
    ) -> Result<PathBuf, OcrError> {
        let pages = self.count(scan).await?;
        let packs = languages::choose(language, &self.languages, &self.installed().await?);
        let packs = packs.ok_or_else(|| {
            let message = "The PDF's pages are pictures (a scan), and this server cannot recognize text in its language.";
            OcrError::Unreadable(Unreadable::new(Reason::ImageOnly, message))
        })?;
        let mut reached = Progress { pages, pages_read: 0, confidence: None };
        progress.send_replace(Some(reached));
        let read = |number| self.page(scan, folder, number, &packs);
        let mut read = stream::iter(1..=pages).map(read).buffered(self.at_once);
        let (mut parts, mut words) = (Vec::new(), Words::default());
        while let Some(page) = read.next().await {
            let page = page?;
            parts.push(page.path);
            words.add(page.words);
            reached.pages_read += 1;
            reached.confidence = words.confidence();
            progress.send_replace(Some(reached));
        }
        drop(read);
        if words.count() == 0 {
            let message = "The PDF's pages are pictures (a scan), and no text could be recognized on them.";
            return Err(OcrError::Unreadable(Unreadable::new(Reason::NoText, message)));
        }
        self.join(parts, folder).await
    }

    /// The number of pages.
    async fn count(&self, scan: &Path) -> Result<u32, OcrError> {
        let mut info = self.command(&self.programs.info);
        info.arg("--").arg(scan);
        let output =
            self.run("pdfinfo", info).await.map_err(|error| of_file(error, "its pages cannot be found"))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let pages = text.lines().find_map(|line| line.strip_prefix("Pages:")?.trim().parse::<u32>().ok());
        let pages = pages.ok_or_else(|| damaged("its pages cannot be found"))?;
        if u64::from(pages) > self.most_pages {
            let message = format!("The scan has more than {} pages. Send it in parts.", self.most_pages);
            return Err(OcrError::Unreadable(Unreadable::new(Reason::TooLarge, message)));
        }
        Ok(pages)
    }

    async fn page(&self, scan: &Path, folder: &Path, number: u32, packs: &str) -> Result<Page, OcrError> {
        let name = format!("{number:05}");
        let picture = folder.join(format!("{name}.pgm"));
        let trouble = |error| of_file(error, &format!("page {number} cannot be read"));
        let mut draw = self.command(&self.programs.draw);
        let number = number.to_string();
        draw.args(["-f", &number, "-l", &number, "-gray", "-singlefile", "-scale-to", PAGE_PIXELS, "--"]);
        draw.arg(scan).arg(folder.join(&name));
        self.run("pdftoppm", draw).await.map_err(trouble)?;
        let mut recognize = self.command(&self.programs.tesseract);
        recognize.arg(&picture).arg(folder.join(&name));
        recognize.args(["--dpi", DOTS_PER_INCH, "-l", packs, "-c", "textonly_pdf=1", "pdf", "tsv"]);
        self.run("tesseract", recognize).await.map_err(trouble)?;
        tokio::fs::remove_file(&picture).await?;
        let table = folder.join(format!("{name}.tsv"));
        let words = Words::of(&tokio::fs::read_to_string(&table).await?);
        tokio::fs::remove_file(&table).await?;
        Ok(Page { path: folder.join(format!("{name}.pdf")), words })
    }

    /// One PDF of all pages.
    async fn join(&self, parts: Vec<PathBuf>, folder: &Path) -> Result<PathBuf, OcrError> {
        let (mut parts, mut round) = (parts, 0);
        while parts.len() > 1 {
            let mut joined = Vec::new();
            for (number, some) in parts.chunks(JOINED_AT_ONCE).enumerate() {
                let path = folder.join(format!("joined-{round}-{number}.pdf"));
                let mut join = self.command(&self.programs.join);
                join.args(some).arg(&path);
                self.run("pdfunite", join).await?;
                for part in some {
                    tokio::fs::remove_file(part).await?;
                }
                joined.push(path);
            }
            (parts, round) = (joined, round + 1);
        }
        parts.pop().ok_or_else(|| damaged("it has no pages"))
    }

    fn command(&self, program: &Path) -> Command {
        let limits = Limits {
            address_space: ADDRESS_SPACE,
            processor_seconds: self.page_seconds,
            file_bytes: FILE_BYTES,
        };
        confined::command(program, limits)
    }

    async fn run(&self, name: &str, mut command: Command) -> Result<Output, OcrError> {
        let failed = |what: String, source| OcrError::Failed { what: format!("{name} {what}"), source };
        let patience = Duration::from_secs(self.page_seconds).saturating_mul(PATIENCE);
        let output = tokio::time::timeout(patience, command.output()).await;
        let output =
            output.map_err(|_| failed(format!("did not end within {} s", patience.as_secs()), None))?;
        let output = output.map_err(|source| failed("could not be started".to_owned(), Some(source)))?;
        if output.status.success() {
            return Ok(output);
        }
        let complaint = String::from_utf8_lossy(&output.stderr);
        let line = complaint.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
        let line: String = line.chars().filter(|c| !c.is_control()).take(200).collect();
        Err(failed(format!("ended with {}: {line}", output.status), None))
    }
}

impl Programs {
    fn find(config: &config::Ocr) -> Result<Self, Vec<&'static str>> {
        let tesseract = match config.tesseract.as_deref() {
            Some(path) => Some(path.to_owned()).filter(|path| confined::is_program(path)),
            None => confined::find("tesseract", None),
        };
        let poppler = |name| confined::find(name, config.poppler.as_deref());
        match (tesseract, poppler("pdfinfo"), poppler("pdftoppm"), poppler("pdfunite")) {
            (Some(tesseract), Some(info), Some(draw), Some(join)) => Ok(Self { tesseract, info, draw, join }),
            (tesseract, info, draw, join) => {
                let all =
                    [("tesseract", tesseract), ("pdfinfo", info), ("pdftoppm", draw), ("pdfunite", join)];
                Err(all.into_iter().filter(|(_, path)| path.is_none()).map(|(name, _)| name).collect())
            }
        }
    }
}

/// A page that was read.
struct Page {
    /// A PDF of its text.
    path: PathBuf,
    words: Words,
}

fn damaged(what: &str) -> OcrError {
    OcrError::Unreadable(Unreadable::new(Reason::Damaged, format!("The scan is damaged: {what}.")))
}

/// A program that ended with a complaint blames the file; one that could not run at all does not.
fn of_file(error: OcrError, what: &str) -> OcrError {
    match error {
        OcrError::Failed { source: None, what: reason } => {
            tracing::warn!(reason, "a scan could not be read");
            damaged(what)
        }
        other => other,
    }
}
