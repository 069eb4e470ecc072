//! Text recognition of scans (OCR) by programs of this machine: `pdftoppm` draws a page of a PDF, `tesseract` reads it, or a
//! picture that was sent as one, and writes its words, at their places, as a page of a PDF without pictures. `pdfunite`
//! joins the pages, and the result is read like any other PDF, or in place of the pages that it is of. So columns, hyphens,
//! running heads and headings of a scan are handled where those of other documents are.
//!
//! This module runs the programs. `reading` goes through the pages, and decides which are left out.
//!
//! The programs are found on `PATH` or named in the settings, never linked and never installed by this one. Each runs
//! confined, for one page. Temporary files are those of the pages that are being read, and the words of all pages.

mod languages;
mod reading;
mod scan;
mod words;

use std::{
    io,
    os::unix::process::ExitStatusExt as _,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use lectern_documents::{Reason, Unreadable};
use rustix::process::Signal;
use tokio::{
    process::Command,
    sync::{OwnedSemaphorePermit, Semaphore, watch},
};

use crate::{
    config,
    confined::{self, Limits, Output},
};
use reading::Reading;
use scan::Sheet;
use words::Words;

pub use languages::debian_package;
pub use scan::Scan;

/// The longer side of a page's picture in pixels: 300 dots an inch of A4, whatever size the PDF claims.
const PAGE_PIXELS: &str = "3508";
const DOTS_PER_INCH: &str = "300";

/// Limits of a program. Recognizing a page takes some 100 MB; drawing one takes what its pictures take.
const ADDRESS_SPACE: u64 = 2 << 30;
const FILE_BYTES: u64 = 256 << 20;

/// The time limit by the clock, which joining pages has, too, is a multiple of that by the processor: the programs run at low priority.
const PATIENCE: u32 = 5;
const MIN_PATIENCE_SECONDS: u64 = 60;

/// How many pages are joined at once: each is an open file.
const JOINED_AT_ONCE: usize = 100;

/// The processor time that joining pages may take.
const JOIN_SECONDS: u64 = 600;

/// The exit codes of poppler's programs when the file cannot be opened, or may not be.
const FILE_AT_FAULT: [i32; 2] = [1, 3];

/// Reads scans. Clones share the limit of one scan at a time.
#[derive(Debug, Clone)]
pub struct Ocr {
    programs: Programs,
    /// Packs for a document without a language.
    languages: Vec<String>,
    most_pages: u64,
    page_seconds: u64,
    /// Pages of a scan that are read side by side.
    at_once: usize,
    turns: Arc<Semaphore>,
}

/// Where the programs are.
#[derive(Debug, Clone)]
struct Programs {
    tesseract: PathBuf,
    info: PathBuf,
    draw: PathBuf,
    join: PathBuf,
}

/// How many pages have been read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    pub pages: u32,
    pub pages_read: u32,
    /// The mean confidence in the words so far, in percent; `None` before the first.
    pub confidence: Option<u32>,
}

/// The text of a scan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recognized {
    /// A PDF of it.
    pub path: PathBuf,
    /// Which page of the scan each of its pages is, from 1.
    pub pages: Vec<u32>,
}

/// Why a scan has no text.
#[derive(Debug, thiserror::Error)]
pub enum OcrError {
    /// The file is at fault; the customer sees the reason.
    #[error("{0}")]
    Unreadable(Unreadable),
    /// A program failed; the job is retried.
    #[error("text recognition failed: {0}")]
    Failed(String),
    /// A program was killed, by the system or because it took too long by the clock; the job is retried.
    #[error("text recognition was interrupted: {0}")]
    Interrupted(String),
    /// The machine is at fault: its disk, or a program that could not be started.
    #[error("text recognition failed on this machine")]
    Machine(#[from] io::Error),
}

impl OcrError {
    /// Whether a page may be at fault, if this happened to one page.
    fn is_of_page(&self) -> bool {
        matches!(self, Self::Unreadable(_) | Self::Failed(_))
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
            let turns = Arc::new(Semaphore::new(1));
            let languages = config.languages.clone();
            Ok(Self {
                programs,
                languages,
                most_pages: config.pages,
                page_seconds: config.page_seconds,
                at_once,
                turns,
            })
        })
    }

    /// The place of a scan, if no other is being read: a scan takes the processors for minutes or hours, so others wait
    /// without keeping short documents waiting.
    pub fn turn(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.turns).try_acquire_owned().ok()
    }

    /// The language packs of tesseract that are installed.
    ///
    /// # Errors
    /// [`OcrError`].
    pub async fn installed(&self) -> Result<Vec<String>, OcrError> {
        let mut list = command(&self.programs.tesseract, self.page_seconds);
        list.arg("--list-langs");
        let output = succeeded("tesseract", self.run("tesseract", list).await?)?;
        let lines = String::from_utf8_lossy(&output.printed).into_owned();
        Ok(lines.lines().skip(1).map(|line| line.trim().to_owned()).filter(|name| !name.is_empty()).collect())
    }

    /// The configured packs that are not installed.
    ///
    /// # Errors
    /// [`OcrError`].
    pub async fn missing_packs(&self) -> Result<Vec<String>, OcrError> {
        let installed = self.installed().await?;
        Ok(self.languages.iter().filter(|name| !installed.contains(name)).cloned().collect())
    }

    /// Recognizes the text of a scan, and writes a PDF of that text into `folder`, which is this call's alone.
    /// `language` is the document's, BCP 47. `progress` has a new value after each page.
    ///
    /// # Errors
    /// [`OcrError`].
    pub async fn read(
        &self,
        scan: Scan<'_>,
        folder: &Path,
        language: Option<&str>,
        progress: &watch::Sender<Option<Progress>>,
    ) -> Result<Recognized, OcrError> {
        if let Scan::PagesOfPdf(_, pages) = scan {
            // The document is read without them when they are too many or in a language that cannot be recognized.
            progress.send_replace(Some(Progress {
                pages: pages.len() as u32,
                pages_read: 0,
                confidence: None,
            }));
        }
        let sheets = self.sheets(&scan).await?;
        let packs = languages::choose(language, &self.languages, &self.installed().await?);
        let packs = packs.map_err(|missing| {
            let message = format!(
                "The pages are pictures (a scan), and this server cannot recognize text in {missing}"
            );
            OcrError::Unreadable(Unreadable::new(Reason::ImageOnly, message))
        })?;
        let reading = Reading { ocr: self, folder, packs: &packs, is_part: scan.is_part(), progress };
        let read = reading.pages(sheets).await?;
        let (parts, pages) = read.into_iter().map(|page| (page.path, page.number)).unzip();
        Ok(Recognized { path: self.join(parts, folder).await?, pages })
    }

    /// What there is to read of a scan.
    async fn sheets<'a>(&self, scan: &Scan<'a>) -> Result<Vec<Sheet<'a>>, OcrError> {
        let sheets: Vec<Sheet<'_>> = match *scan {
            Scan::Pdf(path) => {
                (1..=self.count(path).await?).map(|number| Sheet::OfPdf { path, number }).collect()
            }
            Scan::PagesOfPdf(path, pages) => {
                pages.iter().map(|&number| Sheet::OfPdf { path, number }).collect()
            }
            Scan::Pictures(kind, path) => scan::pictures(kind, path, self.most_pages).await?,
        };
        self.check_count(sheets.len() as u64)?;
        Ok(sheets)
    }

    fn check_count(&self, pages: u64) -> Result<(), OcrError> {
        if pages <= self.most_pages {
            return Ok(());
        }
        let message =
            format!("The scan has {pages} pages; at most {} are read. Send it in parts.", self.most_pages);
        Err(OcrError::Unreadable(Unreadable::new(Reason::TooLarge, message)))
    }

    /// The number of pages.
    async fn count(&self, scan: &Path) -> Result<u32, OcrError> {
        let mut info = command(&self.programs.info, self.page_seconds);
        info.arg("--").arg(scan);
        let output = self.run("pdfinfo", info).await?;
        if blames_file(&output) {
            return Err(damaged("its pages cannot be found"));
        }
        let text = String::from_utf8_lossy(&succeeded("pdfinfo", output)?.printed).into_owned();
        let pages = text.lines().find_map(|line| line.strip_prefix("Pages:")?.trim().parse::<u32>().ok());
        let pages = pages.ok_or_else(|| damaged("its pages cannot be found"))?;
        self.check_count(u64::from(pages))?;
        Ok(pages)
    }

    /// Reads a page. The names of its files begin with `base`.
    async fn page(&self, sheet: &Sheet<'_>, base: &Path, packs: &str) -> Result<Page, OcrError> {
        let number = sheet.number();
        let picture = match sheet {
            Sheet::OfPdf { path, .. } => self.draw(path, number, base).await?,
            Sheet::Zipped { archive, .. } => scan::unpack(archive, number, base.to_owned()).await?,
            Sheet::OfTiff { path, .. } | Sheet::Picture { path } => (*path).to_owned(),
        };
        let mut recognize = command(&self.programs.tesseract, self.page_seconds);
        recognize.arg(&picture).arg(base);
        if matches!(sheet, Sheet::OfPdf { .. }) {
            recognize.args(["--dpi", DOTS_PER_INCH]);
        }
        if matches!(sheet, Sheet::OfTiff { .. }) {
            recognize.args(["-c", &format!("tessedit_page_number={}", number - 1)]);
        }
        recognize.args(["-l", packs, "-c", "textonly_pdf=1", "pdf", "tsv"]);
        let output = self.run("tesseract", recognize).await?;
        // What a page of a PDF is drawn to can always be read, so that only the program can be at fault.
        if !matches!(sheet, Sheet::OfPdf { .. }) && scan::blames_picture(&output) {
            return Err(damaged(&format!("the picture {number} cannot be read")));
        }
        in_time(number, "tesseract", output)?;
        if matches!(sheet, Sheet::OfPdf { .. } | Sheet::Zipped { .. }) {
            tokio::fs::remove_file(&picture).await?;
        }
        let (path, table) = (base.with_extension("pdf"), base.with_extension("tsv"));
        complete_pdf(&path).await?;
        let words = complete_table(&table).await?;
        tokio::fs::remove_file(&table).await?;
        Ok(Page { number, path, words: Words::of(&words) })
    }

    /// Draws a page of a PDF into a file whose name begins with `base`.
    async fn draw(&self, scan: &Path, number: u32, base: &Path) -> Result<PathBuf, OcrError> {
        let mut draw = command(&self.programs.draw, self.page_seconds);
        let page = number.to_string();
        draw.args(["-q", "-f", &page, "-l", &page, "-gray", "-singlefile", "-scale-to", PAGE_PIXELS, "--"]);
        draw.arg(scan).arg(base);
        let drawn = self.run("pdftoppm", draw).await?;
        if blames_file(&drawn) {
            return Err(damaged(&format!("page {number} cannot be drawn")));
        }
        in_time(number, "pdftoppm", drawn)?;
        Ok(base.with_extension(DRAWN))
    }

    /// One PDF of all pages.
    async fn join(&self, parts: Vec<PathBuf>, folder: &Path) -> Result<PathBuf, OcrError> {
        let (mut parts, mut round) = (parts, 0);
        while parts.len() > 1 {
            let mut joined = Vec::new();
            for (number, some) in parts.chunks(JOINED_AT_ONCE).enumerate() {
                let path = folder.join(format!("joined-{round}-{number}.pdf"));
                let mut join = command(&self.programs.join, JOIN_SECONDS);
                join.args(some).arg(&path);
                succeeded("pdfunite", self.run("pdfunite", join).await?)?;
                complete_pdf(&path).await?;
                for part in some {
                    tokio::fs::remove_file(part).await?;
                }
                joined.push(path);
            }
            (parts, round) = (joined, round + 1);
        }
        parts.pop().ok_or_else(|| damaged("it has no pages"))
    }

    /// Runs a program to its end, which a busy machine may put off for long.
    async fn run(&self, name: &str, mut command: Command) -> Result<Output, OcrError> {
        let patience =
            Duration::from_secs(self.page_seconds.max(MIN_PATIENCE_SECONDS)).saturating_mul(PATIENCE);
        let output = tokio::time::timeout(patience, confined::output(&mut command)).await;
        let late = || OcrError::Interrupted(format!("{name} did not end within {} s", patience.as_secs()));
        let output = output.map_err(|_| late())??;
        if output.status.signal() == Some(Signal::KILL.as_raw()) {
            return Err(OcrError::Interrupted(format!("{name} was killed")));
        }
        Ok(output)
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
    /// Which page of the scan it is, from 1.
    number: u32,
    /// A PDF of its text.
    path: PathBuf,
    words: Words,
}

/// The ending of the picture of a page.
const DRAWN: &str = "pgm";

/// How a PDF ends.
const END_OF_PDF: &[u8] = b"%%EOF";

/// The programs report success when a full disk took only part of what they wrote.
async fn complete_pdf(path: &Path) -> Result<(), OcrError> {
    let pdf = tokio::fs::read(path).await?;
    if pdf.trim_ascii_end().ends_with(END_OF_PDF) { Ok(()) } else { Err(cut_off()) }
}

/// What a program wrote line by line. See [`complete_pdf`].
async fn complete_table(path: &Path) -> Result<String, OcrError> {
    let table = tokio::fs::read_to_string(path).await?;
    if table.ends_with('\n') { Ok(table) } else { Err(cut_off()) }
}

fn cut_off() -> OcrError {
    OcrError::Machine(io::Error::new(io::ErrorKind::StorageFull, "a file was written only in part"))
}

fn damaged(what: &str) -> OcrError {
    OcrError::Unreadable(Unreadable::new(Reason::Damaged, format!("The scan is damaged: {what}.")))
}

fn command(program: &Path, processor_seconds: u64) -> Command {
    let limits = Limits { address_space: ADDRESS_SPACE, processor_seconds, file_bytes: FILE_BYTES };
    confined::command(program, limits)
}

/// Whether a program of poppler's could not open the file.
fn blames_file(output: &Output) -> bool {
    output.status.code().is_some_and(|code| FILE_AT_FAULT.contains(&code))
}

/// What a program has printed, unless it failed.
fn succeeded(name: &str, output: Output) -> Result<Output, OcrError> {
    if output.status.success() {
        return Ok(output);
    }
    let complaint = String::from_utf8_lossy(&output.complaint);
    let line = complaint.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
    let line: String = line.chars().filter(|c| !c.is_control()).take(200).collect();
    Err(OcrError::Failed(format!("{name} ended with {}: {line}", output.status)))
}

/// As [`succeeded`]. A page that takes too much processor time would take it again.
fn in_time(number: u32, name: &str, output: Output) -> Result<Output, OcrError> {
    if output.status.signal() == Some(Signal::XCPU.as_raw()) {
        let message = format!("Page {number} of the scan takes far longer to read than a page should.");
        return Err(OcrError::Unreadable(Unreadable::new(Reason::TooLarge, message)));
    }
    succeeded(name, output)
}
