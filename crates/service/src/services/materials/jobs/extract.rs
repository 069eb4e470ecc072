//! Turns an upload into text in chunks: fetches it to a local file, reads it in a child process,
//! and stores the text with the cover. A file that cannot be read fails the material for good;
//! every other failure is retried.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use futures_util::TryStreamExt as _;
use lectern_documents::{Cover, Document, Extracted, Kind, Reason, Unreadable};
use lectern_store::materials::{self, Language, Material, NewCover};
use lectern_types::ErrorCode;
use tokio::{
    io::{AsyncWriteExt as _, BufWriter},
    sync::watch,
};

use super::{
    commit::{self, Trace},
    context::{JobContext, claimed, phase},
    run::{Dependency, Fault, JobError, Run},
    workspace::ScratchFolder,
};
use crate::{
    base::Base,
    error::chain,
    objects::naming,
    services::{
        lexicons::choice,
        materials::{
            cutting::Rows,
            document_reader::ExtractError,
            ocr::{Ocr, OcrError, Progress, Recognized, Scan},
            written::Readers,
        },
        speech::voices,
    },
};

const KIND: &str = "extract";

/// How long a scan waits that cannot be read now.
const SCAN_DELAY: Duration = Duration::from_secs(30);

/// Reads the upload of the run's claim.
///
/// # Errors
/// [`JobError`]; a file that cannot be read is [`JobError::Permanent`] with `material_unreadable`.
pub async fn extract(context: &JobContext, run: &Run) -> Result<(), JobError> {
    let base = &context.base;
    let material = claimed(base, &run.claim).await?;
    let Some(kind) = Kind::from_media_type(&material.media_type) else {
        let reason = format!("there is no reader for {}", material.media_type);
        return Err(JobError::permanent(ErrorCode::InternalError, reason));
    };
    let kind = if kind == Kind::Html && material.source_url.is_some() { Kind::WebPage } else { kind };
    let file = context.space.scratch();
    let started = Instant::now();
    run.unless_cancelled(fetch(base, &material, file.path())).await?;
    phase(KIND, "fetch", started);

    let started = Instant::now();
    let mut read = run.unless_cancelled(read(context, &material, kind, file.path())).await?;
    phase(KIND, "read", started);
    drop(file);

    let started = Instant::now();
    let cover = put_cover(base, run, &material, read.cover.take()).await?;
    store(base, run, &material, read, cover).await?;
    phase(KIND, "store", started);
    Ok(())
}

/// Downloads the upload from object storage.
async fn fetch(base: &Base, material: &Material, path: &Path) -> Result<(), JobError> {
    let Some(mut pieces) = base.objects.read(&material.source_object, 0..material.source_bytes).await? else {
        base.objects.ping().await?;
        return Err(JobError::Failed(Fault::new(
            ErrorCode::InternalError,
            "the upload is not in object storage",
        )));
    };
    let mut file = BufWriter::new(tokio::fs::File::create_new(path).await?);
    let unread =
        |error: std::io::Error| JobError::cut_off(base, format!("an upload cannot be read: {error}"));
    while let Some(piece) = pieces.try_next().await.map_err(unread)? {
        file.write_all(&piece).await?;
    }
    Ok(file.flush().await?)
}

/// Reads the document. The text of a scan is recognized first, where this process can.
async fn read(
    context: &JobContext,
    material: &Material,
    kind: Kind,
    path: &Path,
) -> Result<Extracted, JobError> {
    let why = match context.extractor.run(kind, path).await {
        Ok(extracted) => return with_pictured_pages(context, material, path, extracted).await,
        Err(ExtractError::Unreadable(why)) if is_for_ocr(kind, why.reason) => why,
        Err(error) => return Err(unread(&error)),
    };
    let scan = if kind.is_picture() { Scan::Pictures(kind, path) } else { Scan::Pdf(path) };
    match &context.ocr {
        None => Err(unread(&ExtractError::Unreadable(why))),
        Some(Ok(ocr)) => {
            let language = material.language.as_ref().map(|language| language.tag.as_str());
            let text = recognize(context, ocr, material, (scan, language)).await?;
            context.extractor.run(Kind::Pdf, &text.recognized.path).await.map_err(|error| unread(&error))
        }
        Some(Err(missing)) => {
            let reason = format!("text recognition needs {}, which this machine lacks", missing.join(", "));
            Err(postponed(reason))
        }
    }
}

/// Whether there may be text on the pages that the file does not have.
fn is_for_ocr(kind: Kind, reason: Reason) -> bool {
    kind.is_picture() || kind == Kind::Pdf && matches!(reason, Reason::ImageOnly | Reason::NoText)
}

/// Recognizes those pages of a document that are pictures, where this process can, and leaves the others as they are.
async fn with_pictured_pages(
    context: &JobContext,
    material: &Material,
    path: &Path,
    read: Extracted,
) -> Result<Extracted, JobError> {
    let ocr = match &context.ocr {
        Some(Ok(ocr)) if !read.pictured_pages.is_empty() => ocr,
        _ => return Ok(read),
    };
    let scan = Scan::PagesOfPdf(path, &read.pictured_pages);
    let given = material.language.as_ref().map(|language| language.tag.as_str());
    let language = given.or_else(|| read.language.as_ref().map(|language| language.tag.as_str()));
    let text = match recognize(context, ocr, material, (scan, language)).await {
        Ok(text) => text,
        // They are illustrations, damaged, or in a language that cannot be recognized: the text is there without them.
        // Those that were not read are in the material's warnings.
        Err(JobError::Permanent(fault)) => {
            tracing::info!(material.id = %material.id, reason = fault.reason, "pages that are pictures are left out");
            return Ok(read);
        }
        Err(error) => return Err(error),
    };
    let Recognized { path: pdf, pages } = &text.recognized;
    let again = context.extractor.run_with(Kind::Pdf, path, Some((pdf, pages))).await;
    again.map_err(|error| unread(&error))
}

/// The text of a scan, in a folder that goes with it.
struct Text {
    recognized: Recognized,
    _folder: ScratchFolder,
}

fn postponed(reason: String) -> JobError {
    JobError::Unavailable { what: Dependency::TextRecognition, delay: SCAN_DELAY, reason }
}

async fn recognize(
    context: &JobContext,
    ocr: &Ocr,
    material: &Material,
    (scan, language): (Scan<'_>, Option<&str>),
) -> Result<Text, JobError> {
    let started = Instant::now();
    let base = &context.base;
    let _turn = ocr.turn().ok_or_else(|| postponed("another scan is being read".to_owned()))?;
    let folder = context.space.scratch_folder()?;
    let (progress, reached) = watch::channel(None);
    let recognized = tokio::select! {
        text = ocr.read(scan, folder.path(), language, &progress) => text,
        () = record_each(base, material, reached.clone()) => return Err(internal("a scan was not read".to_owned())),
    };
    let last = *reached.borrow();
    record(base, material, last).await;
    phase(KIND, "recognize", started);
    Ok(Text { recognized: recognized?, _folder: folder })
}

/// Records each page that was read, for as long as pages are.
async fn record_each(base: &Base, material: &Material, mut reached: watch::Receiver<Option<Progress>>) {
    while reached.changed().await.is_ok() {
        let progress = *reached.borrow_and_update();
        record(base, material, progress).await;
    }
}

/// Records how many pages were read. A scan is not read again because this failed.
async fn record(base: &Base, material: &Material, progress: Option<Progress>) {
    let Some(Progress { pages, pages_read, confidence }) = progress else { return };
    let progress = materials::Ocr { pages, pages_read, confidence };
    let now = base.clock.now();
    if let Err(error) = materials::set_ocr(&base.store, material.account, material.id, &progress, now).await {
        tracing::warn!(error = %error, material.id = %material.id, "the progress of a scan was not recorded");
    }
}

impl From<OcrError> for JobError {
    fn from(error: OcrError) -> Self {
        let reason = chain(&error);
        match error {
            OcrError::Unreadable(why) => unreadable(why, &reason),
            OcrError::Failed(_) | OcrError::Interrupted(_) => {
                Self::Failed(Fault::new(ErrorCode::InternalError, reason))
            }
            OcrError::Machine(error) => error.into(),
        }
    }
}

fn unreadable(why: Unreadable, reason: &str) -> JobError {
    JobError::Permanent(Fault {
        code: ErrorCode::MaterialUnreadable,
        message: why.message,
        reason: format!("{}: {reason}", why.reason),
    })
}

fn unread(error: &ExtractError) -> JobError {
    let reason = chain(error);
    match error.verdict() {
        Some(why) => unreadable(why, &reason),
        None => JobError::Failed(Fault::new(ErrorCode::InternalError, reason)),
    }
}

async fn put_cover(
    base: &Base,
    run: &Run,
    material: &Material,
    cover: Option<Cover>,
) -> Result<Option<NewCover>, JobError> {
    let Some(cover) = cover else { return Ok(None) };
    let ending = naming::picture_ending(&cover.media_type);
    let object = format!("materials/{}/cover-{}{ending}", material.id, run.id());
    commit::announce(base, run, &[&object]).await?;
    base.objects.put(&object, cover.bytes).await?;
    Ok(Some(NewCover { object, media_type: cover.media_type }))
}

/// Stores what the text is divided from anew when its notes go to another place, if it has notes.
async fn put_document(
    base: &Base,
    run: &Run,
    material: &Material,
    document: &Document,
) -> Result<Option<String>, JobError> {
    if document.notes.is_empty() {
        return Ok(None);
    }
    let object = format!("materials/{}/document-{}.json", material.id, run.id());
    commit::announce(base, run, &[&object]).await?;
    let json = serde_json::to_vec(document).map_err(|error| internal(format!("a document: {error}")))?;
    base.objects.put(&object, json).await?;
    Ok(Some(object))
}

fn internal(reason: String) -> JobError {
    JobError::Failed(Fault::new(ErrorCode::InternalError, reason))
}

async fn store(
    base: &Base,
    run: &Run,
    material: &Material,
    read: Extracted,
    cover: Option<NewCover>,
) -> Result<(), JobError> {
    let given = material.language.as_ref().map(|language| language.tag.clone());
    let language = read.language.clone();
    let tag = given.or_else(|| language.as_ref().map(|found| found.tag.clone()));
    let (title, author, copyright) = (read.title.clone(), read.author.clone(), read.copyright.clone());
    let espeak = voices::espeak(&base.config);
    let made = tokio::task::spawn_blocking(move || {
        let mut read = read;
        let (chunks, chapters) = (std::mem::take(&mut read.chunks), std::mem::take(&mut read.chapters));
        let rows = Rows::of(&read.text, tag.as_deref(), chunks, &chapters, &mut Readers::new(espeak))?;
        let lexicon = choice::of_book(&read.lexicons);
        Some((rows, lexicon, read.into_document()))
    });
    let made = made.await.map_err(|error| internal(format!("the chunks were not made: {error}")))?;
    // The answer was checked on arrival, so this cannot happen.
    let Some((rows, lexicon, document)) = made else {
        return Err(internal("a chunk lies outside of the text".to_owned()));
    };
    let document_object = put_document(base, run, material, &document).await?;
    drop(document);
    let Rows { chapters, chunks, speakers, scripts } = rows;
    let extracted = materials::Extracted {
        title,
        author,
        copyright,
        language: language.map(|found| Language { tag: found.tag, source: found.source }),
        cover,
        scripts,
        document_object,
        chapters,
        chunks,
        speakers,
        lexicon: lexicon?,
    };
    let answer = materials::extracted(&base.store, &run.claim, &extracted, base.writing()).await;
    let trace = Trace::Text { cover: extracted.cover.as_ref().map(|cover| cover.object.as_str()) };
    commit::settled(base, run, answer, trace).await
}
