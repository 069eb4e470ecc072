//! Turns an upload into text in chunks: fetches it to a local file, reads it in a child process,
//! and stores the text with the cover. A file that cannot be read fails the material for good;
//! every other failure is retried.

use std::{path::Path, time::Instant};

use futures_util::TryStreamExt as _;
use lectern_documents::{Cover, Document, Extracted, Kind};
use lectern_store::materials::{self, Language, Material, NewCover};
use lectern_types::ErrorCode;
use tokio::io::{AsyncWriteExt as _, BufWriter};

use super::{
    commit::{self, Trace},
    context::{JobContext, claimed, phase},
    run::{Fault, JobError, Run},
};
use crate::{
    base::Base,
    error::chain,
    services::{
        lexicons::choice,
        materials::{cutting::Rows, document_reader::ExtractError},
    },
};

const KIND: &str = "extract";

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
    let file = context.space.scratch();
    let started = Instant::now();
    run.unless_cancelled(fetch(base, &material, file.path())).await?;
    phase(KIND, "fetch", started);

    let started = Instant::now();
    let read = async { context.extractor.run(kind, file.path()).await.map_err(|error| unread(&error)) };
    let mut read = run.unless_cancelled(read).await?;
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

fn unread(error: &ExtractError) -> JobError {
    let reason = chain(error);
    match error.verdict() {
        Some(unreadable) => JobError::Permanent(Fault {
            code: ErrorCode::MaterialUnreadable,
            message: unreadable.message,
            reason: format!("{}: {reason}", unreadable.reason),
        }),
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
    let object = format!("materials/{}/cover-{}", material.id, run.id());
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
    let (title, author) = (read.title.clone(), read.author.clone());
    let made = tokio::task::spawn_blocking(move || {
        let mut read = read;
        let (chunks, chapters) = (std::mem::take(&mut read.chunks), std::mem::take(&mut read.chapters));
        let rows = Rows::of(&read.text, tag.as_deref(), chunks, &chapters)?;
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
