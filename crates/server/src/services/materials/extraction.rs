//! An upload becomes text in chunks: fetched to a file of this process, read by a child process, stored with its cover. A
//! file that cannot be read is the material's failure, and final; anything else is tried again.

use std::{path::Path, time::Instant};

use futures_util::TryStreamExt as _;
use lectern_documents::{Chunk, Cover, Extracted, Kind, language::Scripts};
use lectern_store::{
    chunks::Break,
    materials::{self, Language, Material, NewChunk, NewCover},
};
use lectern_types::{ErrorCode, LanguageSource};
use tokio::io::{AsyncWriteExt as _, BufWriter};

use super::{
    commit::{self, Trace},
    run::{Fault, Run, Setback},
    workshop::{Workshop, claimed, phase},
};
use crate::{app::Base, error::chain, services::extraction::ExtractError};

const KIND: &str = "extract";

/// Reads the upload of the run's claim.
///
/// # Errors
/// [`Setback`]; a file that cannot be read is [`Setback::Hopeless`] with `material_unreadable`.
pub async fn extract(shop: &Workshop, run: &Run) -> Result<(), Setback> {
    let base = &shop.base;
    let material = claimed(base, &run.claim).await?;
    let Some(kind) = Kind::from_media_type(&material.media_type) else {
        let reason = format!("there is no reader for {}", material.media_type);
        return Err(Setback::hopeless(ErrorCode::InternalError, reason));
    };
    let file = shop.space.scratch();
    let started = Instant::now();
    run.unless_cancelled(fetch(base, &material, file.path())).await?;
    phase(KIND, "fetch", started);

    let started = Instant::now();
    let read = async { base.extractor.run(kind, file.path()).await.map_err(|error| unread(&error)) };
    let mut read = run.unless_cancelled(read).await?;
    phase(KIND, "read", started);
    drop(file);

    let started = Instant::now();
    let cover = put_cover(base, run, &material, read.cover.take()).await?;
    store(base, run, read, cover).await?;
    phase(KIND, "store", started);
    base.signals.material_changed(material.id);
    Ok(())
}

/// Copies the upload out of the storage.
async fn fetch(base: &Base, material: &Material, path: &Path) -> Result<(), Setback> {
    let Some(mut pieces) = base.objects.read(&material.source_object, 0..material.source_bytes).await? else {
        base.objects.ping().await?;
        return Err(Setback::Failed(Fault::new(
            ErrorCode::InternalError,
            "the upload is not in the storage",
        )));
    };
    let mut file = BufWriter::new(tokio::fs::File::create_new(path).await?);
    let unread = |error: std::io::Error| Setback::cut_off(base, format!("an upload cannot be read: {error}"));
    while let Some(piece) = pieces.try_next().await.map_err(unread)? {
        file.write_all(&piece).await?;
    }
    Ok(file.flush().await?)
}

fn unread(error: &ExtractError) -> Setback {
    let reason = chain(error);
    match error.verdict() {
        Some(unreadable) => Setback::Hopeless(Fault {
            code: ErrorCode::MaterialUnreadable,
            message: unreadable.message,
            reason: format!("{}: {reason}", unreadable.reason),
        }),
        None => Setback::Failed(Fault::new(ErrorCode::InternalError, reason)),
    }
}

async fn put_cover(
    base: &Base,
    run: &Run,
    material: &Material,
    cover: Option<Cover>,
) -> Result<Option<NewCover>, Setback> {
    let Some(cover) = cover else { return Ok(None) };
    let object = format!("materials/{}/cover-{}", material.id, run.word());
    commit::announce(base, run, &[&object]).await?;
    base.objects.put(&object, cover.bytes).await?;
    Ok(Some(NewCover { object, media_type: cover.media_type }))
}

async fn store(base: &Base, run: &Run, read: Extracted, cover: Option<NewCover>) -> Result<(), Setback> {
    let Extracted { title, author, language, text, chunks, .. } = read;
    // A book has up to 16 million letters to look at.
    let chunks = tokio::task::spawn_blocking(move || {
        chunks.into_iter().map(|chunk| new_chunk(&text, chunk)).collect::<Option<Vec<_>>>()
    });
    let chunks = chunks.await.map_err(|error| {
        Setback::Failed(Fault::new(ErrorCode::InternalError, format!("the chunks were not made: {error}")))
    })?;
    // The answer was checked when it came; this is what it was checked for.
    let Some(chunks) = chunks else {
        return Err(Setback::Failed(Fault::new(
            ErrorCode::InternalError,
            "a chunk lies outside of the text",
        )));
    };
    let language = language.map(|found| Language {
        tag: found.tag,
        source: match found.source {
            lectern_documents::LanguageSource::Declared => LanguageSource::Declared,
            lectern_documents::LanguageSource::Detected => LanguageSource::Detected,
        },
    });
    let extracted = materials::Extracted { title, author, language, cover, chunks };
    let answer = materials::extracted(&base.store, &run.claim, &extracted, base.writing()).await;
    let answer = answer.map(|stored| stored.then_some(()));
    let trace = Trace::Text { cover: extracted.cover.as_ref().map(|cover| cover.object.as_str()) };
    commit::settled(base, run, answer, trace).await.map(drop)
}

fn new_chunk(text: &str, chunk: Chunk) -> Option<NewChunk> {
    let piece = text.get(chunk.range)?;
    Some(NewChunk {
        text: piece.to_owned(),
        characters: chunk.characters,
        title: chunk.title,
        starts_chapter: chunk.starts_chapter,
        // A chunk's text has at most 5,000 characters.
        breaks: chunk
            .breaks
            .iter()
            .map(|rest| Break { at: rest.at as u32, pause_ms: rest.pause_ms })
            .collect(),
        pause_after_ms: chunk.pause_after_ms,
        scripts: Scripts::of(piece).to_string(),
    })
}
