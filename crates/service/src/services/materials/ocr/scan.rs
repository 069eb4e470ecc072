//! What is recognized: pages of a PDF, or pictures.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use lectern_documents::{Kind, Limits, PictureArchive, Reason, Unreadable, detect_pictures, tiff_pages};

use super::{OcrError, Output};

/// A scan.
#[derive(Debug, Clone, Copy)]
pub enum Scan<'a> {
    /// A PDF of nothing but pictures.
    Pdf(&'a Path),
    /// Those pages of a PDF, from 1, that are pictures.
    PagesOfPdf(&'a Path, &'a [u32]),
    /// A file of a kind that consists of pictures.
    Pictures(Kind, &'a Path),
}

impl Scan<'_> {
    /// Whether it is part of a document with text.
    pub(super) fn is_part(&self) -> bool {
        matches!(self, Self::PagesOfPdf(..))
    }
}

/// The ending of a picture out of an archive.
pub(super) const UNPACKED: &str = "picture";

/// The bytes of an archive of pictures.
type Zip = Arc<Vec<u8>>;

/// A page to be recognized.
#[derive(Debug, Clone)]
pub(super) enum Sheet<'a> {
    OfPdf {
        path: &'a Path,
        number: u32,
    },
    OfTiff {
        path: &'a Path,
        number: u32,
    },
    Picture {
        path: &'a Path,
    },
    /// The picture with this number in an archive.
    Zipped {
        archive: Zip,
        number: u32,
    },
}

impl Sheet<'_> {
    /// Its number in the scan, from 1.
    pub(super) fn number(&self) -> u32 {
        match self {
            Self::OfPdf { number, .. } | Self::OfTiff { number, .. } | Self::Zipped { number, .. } => *number,
            Self::Picture { .. } => 1,
        }
    }
}

/// The pages of a file of pictures, at most one more than `most`.
pub(super) async fn pictures(kind: Kind, path: &Path, most: u64) -> Result<Vec<Sheet<'_>>, OcrError> {
    let most = u32::try_from(most).unwrap_or(u32::MAX - 1);
    Ok(match kind {
        Kind::Tiff => {
            let pages = tiff_pages(&tokio::fs::read(path).await?, most);
            (1..=pages).map(|number| Sheet::OfTiff { path, number }).collect()
        }
        Kind::PictureZip => {
            let archive: Zip = Arc::new(tokio::fs::read(path).await?);
            let opened = with(&archive, |archive| Ok(archive.count())).await?;
            let pages = u32::try_from(opened).unwrap_or(u32::MAX).min(most + 1);
            (1..=pages).map(|number| Sheet::Zipped { archive: Arc::clone(&archive), number }).collect()
        }
        _ => vec![Sheet::Picture { path }],
    })
}

/// Unpacks a picture of an archive into a file.
pub(super) async fn unpack(archive: &Zip, number: u32, to: PathBuf) -> Result<PathBuf, OcrError> {
    let picture = with(archive, move |archive| {
        let picture = archive.read(number as usize - 1)?;
        // Tesseract takes anything else for a list of files to read.
        if matches!(detect_pictures(&picture, &picture), Some(Kind::Png | Kind::Jpeg | Kind::Tiff)) {
            return Ok(picture);
        }
        let message = format!("File {number} of the archive is not a picture (PNG, JPEG or TIFF).");
        Err(Unreadable::new(Reason::UnknownKind, message))
    });
    let picture = picture.await?;
    let to = to.with_extension(UNPACKED);
    tokio::fs::write(&to, picture).await?;
    Ok(to)
}

/// Does something with an archive, off the threads that serve requests.
async fn with<T: Send + 'static>(
    archive: &Zip,
    work: impl FnOnce(&mut PictureArchive<'_>) -> Result<T, Unreadable> + Send + 'static,
) -> Result<T, OcrError> {
    let archive = Arc::clone(archive);
    let done =
        tokio::task::spawn_blocking(move || work(&mut PictureArchive::open(&archive, &Limits::default())?));
    let done = done.await.map_err(|error| OcrError::Failed(format!("the archive was not read: {error}")))?;
    done.map_err(OcrError::Unreadable)
}

/// Whether tesseract could not read a picture, or it takes more memory than any page.
pub(super) fn blames_picture(output: &Output) -> bool {
    // A limit on time is a matter of its own.
    !output.status.success() && output.status.code().is_some()
        || std::os::unix::process::ExitStatusExt::signal(&output.status)
            == Some(rustix::process::Signal::ABORT.as_raw())
}
