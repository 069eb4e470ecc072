//! Turns an upload into text in chunks: fetches it to a local file, reads it in a child process,
//! and stores the text with the cover. A file that cannot be read fails the material for good;
//! every other failure is retried.

use std::{path::Path, time::Instant};

use futures_util::TryStreamExt as _;
use lectern_documents::{Chunk, Cover, Extracted, Kind, language::Scripts};
use lectern_store::{
    chunks::PauseAt,
    materials::{self, Language, Material, NewChunk, NewCover},
};
use lectern_types::ErrorCode;
use tokio::io::{AsyncWriteExt as _, BufWriter};

use super::{
    commit::{self, Trace},
    context::{JobContext, claimed, phase},
    run::{Fault, JobError, Run},
};
use crate::{base::Base, error::chain, services::materials::document_reader::ExtractError};

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
    store(base, run, read, cover).await?;
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

async fn store(base: &Base, run: &Run, read: Extracted, cover: Option<NewCover>) -> Result<(), JobError> {
    let Extracted { title, author, language, text, chunks, .. } = read;
    // A book has up to 16 million characters, which takes a while.
    let chunks = tokio::task::spawn_blocking(move || {
        chunks.into_iter().map(|chunk| new_chunk(&text, chunk)).collect::<Option<Vec<_>>>()
    });
    let chunks = chunks.await.map_err(|error| {
        JobError::Failed(Fault::new(ErrorCode::InternalError, format!("the chunks were not made: {error}")))
    })?;
    // The answer was checked on arrival, so this cannot happen.
    let Some(chunks) = chunks else {
        return Err(JobError::Failed(Fault::new(
            ErrorCode::InternalError,
            "a chunk lies outside of the text",
        )));
    };
    let language = language.map(|found| Language { tag: found.tag, source: found.source });
    let mut scripts = Scripts::default();
    chunks.iter().filter_map(|chunk| chunk.scripts.parse().ok()).for_each(|part| scripts.add(&part));
    let scripts = scripts.to_string();
    let extracted = materials::Extracted { title, author, language, cover, scripts, chunks };
    let answer = materials::extracted(&base.store, &run.claim, &extracted, base.writing()).await;
    let trace = Trace::Text { cover: extracted.cover.as_ref().map(|cover| cover.object.as_str()) };
    commit::settled(base, run, answer, trace).await
}

fn new_chunk(text: &str, chunk: Chunk) -> Option<NewChunk> {
    let piece = text.get(chunk.range)?;
    Some(NewChunk {
        text: piece.to_owned(),
        characters: chunk.characters,
        title: chunk.title,
        starts_chapter: chunk.starts_chapter,
        // A chunk's text has at most 5,000 characters.
        pauses: chunk
            .pauses
            .iter()
            .map(|pause| PauseAt { at: pause.at as u32, pause_ms: pause.pause_ms })
            .collect(),
        pause_after_ms: chunk.pause_after_ms,
        scripts: Scripts::of(piece).to_string(),
    })
}
