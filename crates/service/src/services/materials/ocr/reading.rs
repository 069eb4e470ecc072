//! Reads the pages of a scan. A page that cannot be read is left out; the scan fails only when none of its pages can be
//! read, or when the machine is at fault.

use std::{io, path::Path};

use futures_util::{StreamExt as _, stream};
use lectern_documents::{Reason, Unreadable};
use tokio::{io::AsyncWriteExt as _, sync::watch};

use super::{
    DRAWN, Ocr, OcrError, Page, Progress,
    scan::{Sheet, UNPACKED},
    words::Words,
};

/// In a document that has text, a page that is a picture counts as text from this many words on. Pages with fewer are mostly
/// illustrations.
const LEAST_WORDS: u64 = 3;

/// The mean confidence of tesseract, in percent, from which the words of such a page count.
const LEAST_CONFIDENCE: u32 = 50;

/// The pages that are pictures of a document with text that are read first, evenly spread over all of them. If none of these
/// has text, all are taken for illustrations.
pub(super) const SAMPLE_PAGES: usize = 20;

/// What is written to find out whether the disk takes it.
const PROBE_BYTES: usize = 64 << 10;

/// The files of a page.
const ENDINGS: [&str; 4] = [DRAWN, UNPACKED, "pdf", "tsv"];

/// How all pages of a scan are read.
pub(super) struct Reading<'a> {
    pub(super) ocr: &'a Ocr,
    pub(super) folder: &'a Path,
    /// What tesseract is told.
    pub(super) packs: &'a str,
    /// Whether the pages are part of a document with text.
    pub(super) is_part: bool,
    pub(super) progress: &'a watch::Sender<Option<Progress>>,
}

/// What was read.
#[derive(Default)]
struct Found {
    pages: Vec<Page>,
    words: Words,
    pages_read: u32,
    /// Why the first page that was left out could not be read.
    fault: Option<OcrError>,
}

impl Reading<'_> {
    /// The pages with text, in order.
    ///
    /// # Errors
    /// [`OcrError`], if there are none.
    pub(super) async fn pages(&self, sheets: Vec<Sheet<'_>>) -> Result<Vec<Page>, OcrError> {
        let count = sheets.len() as u32;
        let mut found = Found::default();
        self.tell(count, &found);
        let (sample, others) = if self.is_part { sample(sheets) } else { (sheets, Vec::new()) };
        self.read(sample, count, &mut found).await?;
        if found.words.count() > 0 {
            self.read(others, count, &mut found).await?;
        }
        match found {
            Found { words, mut pages, .. } if words.count() > 0 => {
                pages.sort_by_key(|page| page.number);
                Ok(pages)
            }
            Found { pages_read: 0, fault: Some(fault), .. } if !self.is_part => Err(fault),
            _ => {
                let message = "The pages are pictures (a scan), and no text could be recognized on them.";
                Err(OcrError::Unreadable(Unreadable::new(Reason::NoText, message)))
            }
        }
    }

    fn tell(&self, pages: u32, found: &Found) {
        let confidence = found.words.confidence();
        self.progress.send_replace(Some(Progress { pages, pages_read: found.pages_read, confidence }));
    }

    async fn read(&self, sheets: Vec<Sheet<'_>>, count: u32, found: &mut Found) -> Result<(), OcrError> {
        let reading: Vec<_> = sheets.into_iter().map(|sheet| self.page(sheet)).collect();
        let mut read = stream::iter(reading).buffered(self.ocr.at_once);
        while let Some((number, page)) = read.next().await {
            match page {
                Ok(page) => {
                    found.pages_read += 1;
                    if !self.is_part || page.words.are_text(LEAST_WORDS, LEAST_CONFIDENCE) {
                        found.words.add(page.words);
                        found.pages.push(page);
                    }
                }
                Err(fault) if fault.is_of_page() => {
                    tracing::warn!(page = number, error = %fault, "a page of a scan is left out");
                    found.fault.get_or_insert(fault);
                }
                Err(error) => return Err(error),
            }
            self.tell(count, found);
        }
        Ok(())
    }

    /// A page with its number. It is read again if a program fails on it, which need not be for what is on the page.
    async fn page(&self, sheet: Sheet<'_>) -> (u32, Result<Page, OcrError>) {
        let number = sheet.number();
        let page = match self.try_page(&sheet).await {
            Err(OcrError::Failed(_)) => self.try_page(&sheet).await,
            page => page,
        };
        (number, page)
    }

    /// Blames the page only when the disk takes what is written. On a full disk, some of the programs report success, and
    /// others that the picture is damaged.
    async fn try_page(&self, sheet: &Sheet<'_>) -> Result<Page, OcrError> {
        let base = self.folder.join(format!("{:05}", sheet.number()));
        let page = self.ocr.page(sheet, &base, self.packs).await;
        if matches!(&page, Err(fault) if fault.is_of_page()) {
            // What it left counts towards a full disk, so it is removed only now.
            probe(&base.with_extension("probe")).await?;
            for ending in ENDINGS {
                remove(&base.with_extension(ending)).await?;
            }
        }
        page
    }
}

/// At most [`SAMPLE_PAGES`], evenly spread, and the others.
fn sample(sheets: Vec<Sheet<'_>>) -> (Vec<Sheet<'_>>, Vec<Sheet<'_>>) {
    let (count, size) = (sheets.len(), sheets.len().min(SAMPLE_PAGES));
    // One of each `count / size` pages: the first whose share of the sample is a whole number more than before.
    let is_in_sample = |index: usize| index == 0 || index * size / count > (index - 1) * size / count;
    let (sample, others): (Vec<_>, Vec<_>) =
        sheets.into_iter().enumerate().partition(|(index, _)| is_in_sample(*index));
    let sheets = |some: Vec<(usize, _)>| some.into_iter().map(|(_, sheet)| sheet).collect();
    (sheets(sample), sheets(others))
}

async fn remove(path: &Path) -> io::Result<()> {
    match tokio::fs::remove_file(path).await {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Writes a file and removes it.
async fn probe(path: &Path) -> io::Result<()> {
    let mut file = tokio::fs::File::create(path).await?;
    let written = async {
        file.write_all(&vec![0; PROBE_BYTES]).await?;
        file.sync_all().await
    };
    let written = written.await;
    tokio::fs::remove_file(path).await?;
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_spread_evenly_over_all_pages() {
        let path = Path::new("x.pdf");
        let sheets = |count| (1..=count).map(|number| Sheet::OfPdf { path, number }).collect::<Vec<_>>();
        for (count, first, last) in [(1, 1, 1), (19, 1, 19), (20, 1, 20), (21, 1, 21), (301, 1, 287)] {
            let (sample, others) = sample(sheets(count));
            let numbers: Vec<u32> = sample.iter().map(Sheet::number).collect();
            assert_eq!(numbers.len(), (count as usize).min(SAMPLE_PAGES), "{numbers:?}");
            assert_eq!((numbers.first(), numbers.last()), (Some(&first), Some(&last)), "{numbers:?}");
            assert_eq!(sample.len() + others.len(), count as usize);
            let most = count.div_ceil(SAMPLE_PAGES as u32);
            assert!(numbers.windows(2).all(|two| two[1] - two[0] <= most), "{numbers:?}");
        }
    }
}
