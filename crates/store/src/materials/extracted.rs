//! The end of an extraction: the text in chunks, or the reason why there is none.

use lectern_types::{ChunkStatus, EventType, MaterialId, MaterialStatus, Timestamp};

use super::{
    Failure, HeadingAt, Language, MarkedLanguage, Material, NewChapter, PauseAt, Pronounced, Speaker,
    SpokenBy, cast, chapters, lock, marks::write_marks, record,
};
use crate::{
    Result, Store,
    db::{Bound as _, Tx, many, sql},
    jobs::{self, JobClaim},
    lexicons, object_deletions,
    writing::Writing,
};

/// The contents of a document.
#[derive(Debug, Clone)]
pub struct Extracted {
    /// The document's own title; replaces a title that was made up at the upload.
    pub title: Option<String>,
    pub author: Option<String>,
    /// The statement of copyright; stored when the owner gave none.
    pub copyright: Option<String>,
    /// The declared or detected language; stored when the owner gave none.
    pub language: Option<Language>,
    /// Its cover, in the object store and reserved there.
    pub cover: Option<NewCover>,
    /// How many letters of each script all of its text has.
    pub scripts: String,
    /// The key in the object store, reserved there, of what the text is divided from anew.
    pub document_object: Option<String>,
    /// Its chapters; each has at least one chunk.
    pub chapters: Vec<NewChapter>,
    /// Its text in chunks, at least one.
    pub chunks: Vec<NewChunk>,
    /// Its speakers, none of whom has an e-reader yet.
    pub speakers: Vec<Speaker>,
    /// The lexicon that comes with it.
    pub lexicon: Option<OwnLexicon>,
}

/// A cover in the object store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCover {
    pub object: String,
    pub media_type: String,
}

/// The lexicon that comes with a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnLexicon {
    /// The language of its words; `None` when it does not say.
    pub language: Option<String>,
    /// The SHA-256 of `json`, in hexadecimal digits.
    pub digest: String,
    /// Its entries.
    pub json: String,
}

/// A chunk to store; its index is its position in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewChunk {
    pub text: String,
    /// Unicode scalar values of its text.
    pub characters: u32,
    /// The title of its chapter.
    pub title: Option<String>,
    /// Whether a chapter begins with it.
    pub starts_chapter: bool,
    /// The index of its chapter.
    pub chapter: u32,
    /// The pauses in its text.
    pub pauses: Vec<PauseAt>,
    /// The pause between it and the next chunk.
    pub pause_after_ms: u32,
    /// How many letters of each script its text has, in the notation of `lectern_documents`.
    pub scripts: String,
    /// The stretches of its text in a language of their own.
    pub languages: Vec<MarkedLanguage>,
    /// Who says which stretches of its text.
    pub speakers: Vec<SpokenBy>,
    /// The stretches of its text whose pronunciation the document gives.
    pub pronounced: Vec<Pronounced>,
    /// The headings in its text that divide its chapter.
    pub headings: Vec<HeadingAt>,
}

/// Stores the result of an extraction and ends its job, in one transaction. Returns false and
/// changes nothing when the claim is lost, the material was deleted, or the reservation of the
/// cover has ended.
pub async fn extracted(
    store: &Store,
    claim: &JobClaim,
    extracted: &Extracted,
    writing: Writing<'_>,
) -> Result<bool> {
    let mut tx = store.begin().await?;
    let Some(mut material) = processing(&mut tx, claim).await? else { return Ok(false) };
    let now = writing.now;
    let objects = extracted.cover.iter().map(|cover| &cover.object).chain(&extracted.document_object);
    let objects: Vec<&str> = objects.map(String::as_str).collect();
    if !objects.is_empty() && !object_deletions::keep(&mut tx, &objects, now).await? {
        return Ok(false);
    }
    // The owner has given it another cover meanwhile.
    if let (Some(_), Some(cover)) = (&material.cover, &extracted.cover) {
        object_deletions::note(&mut tx, &[&cover.object], now).await?;
    }
    chapters::insert(&mut tx, material.id, &extracted.chapters).await?;
    insert_chunks(&mut tx, material.id, &extracted.chunks).await?;
    cast::insert(&mut tx, material.id, &extracted.speakers).await?;
    if let Some(OwnLexicon { language, digest, json }) = &extracted.lexicon {
        lexicons::copy(&mut tx, material.id, lexicons::Entries { digest, json }).await?;
        tx.run(sql!(
            "UPDATE materials SET lexicon_digest = $2, lexicon_language = $3 WHERE id = $1",
            material.id,
            digest.as_str(),
            language.as_deref()
        ))
        .await?;
    }
    let characters: u64 = extracted.chunks.iter().map(|chunk| u64::from(chunk.characters)).sum();
    material.chunk_count = u32::try_from(extracted.chunks.len()).ok();
    material.status = MaterialStatus::Ready;
    material.event_sequence += 1;
    tx.run(sql!(
        "UPDATE materials SET title = CASE WHEN title_given = 1 THEN title ELSE COALESCE($2, title) END,
             author = COALESCE(author, $3), language_source = CASE WHEN language IS NULL THEN $12 ELSE language_source END,
             language = COALESCE(language, $4), cover_object = COALESCE(cover_object, $5),
             cover_media_type = COALESCE(cover_media_type, $6),
             characters = $7, chunk_count = $8, status = $9, event_sequence = $10, updated_at = $11, scripts = $13,
             document_object = $14, copyright = COALESCE(copyright, $15)
         WHERE id = $1",
        material.id,
        extracted.title.as_deref(),
        extracted.author.as_deref(),
        extracted.language.as_ref().map(|language| language.tag.as_str()),
        extracted.cover.as_ref().map(|cover| cover.object.as_str()),
        extracted.cover.as_ref().map(|cover| cover.media_type.as_str()),
        characters,
        material.chunk_count,
        material.status,
        material.event_sequence,
        now,
        extracted.language.as_ref().map(|language| language.source),
        extracted.scripts.as_str(),
        extracted.document_object.as_deref(),
        extracted.copyright.as_deref()
    ))
    .await?;
    record(&mut tx, &material, EventType::MaterialReady, &writing).await?;
    tx.commit().await?;
    Ok(true)
}

/// Records that a document cannot be read, and ends its job, in one transaction. Returns false in
/// the same cases as [`extracted`].
pub async fn extraction_failed(
    store: &Store,
    claim: &JobClaim,
    failure: &Failure,
    writing: Writing<'_>,
) -> Result<bool> {
    let mut tx = store.begin().await?;
    let Some(material) = processing(&mut tx, claim).await? else { return Ok(false) };
    fail_extraction(&mut tx, material, failure, &writing).await?;
    tx.commit().await?;
    Ok(true)
}

/// Locks the claimed job's material and ends the job; `None` when the claim is lost.
async fn processing(tx: &mut Tx, claim: &JobClaim) -> Result<Option<Material>> {
    let Some(material) = claim.material else { return Ok(None) };
    let Some(material) = lock(tx, material).await? else { return Ok(None) };
    if !jobs::finish(tx, claim).await? || material.status != MaterialStatus::Processing {
        return Ok(None);
    }
    Ok(Some(material))
}

/// Fails the extraction of a locked material.
pub(crate) async fn fail_extraction(
    tx: &mut Tx,
    mut material: Material,
    failure: &Failure,
    writing: &Writing<'_>,
) -> Result<()> {
    material.status = MaterialStatus::Failed;
    material.event_sequence += 1;
    tx.run(sql!(
        "UPDATE materials SET status = $2, failure_code = $3, failure_message = $4, event_sequence = $5,
             updated_at = $6 WHERE id = $1",
        material.id,
        material.status,
        failure.code,
        failure.message.as_str(),
        material.event_sequence,
        writing.now
    ))
    .await?;
    record(tx, &material, EventType::MaterialFailed, writing).await
}

/// Resets a locked material whose extraction failed, for another try.
pub(crate) async fn process_again(tx: &mut Tx, material: &Material, now: Timestamp) -> Result<()> {
    tx.run(sql!(
        "UPDATE materials SET status = $2, failure_code = NULL, failure_message = NULL, updated_at = $3
         WHERE id = $1",
        material.id,
        MaterialStatus::Processing,
        now
    ))
    .await
    .map(drop)
}

const INSERT_CHUNKS: &str = "INSERT INTO chunks (material_id, idx, status, title, characters, starts_chapter,
     chapter, pause_after_ms, scripts) VALUES ";
const INSERT_TEXTS: &str =
    "INSERT INTO chunk_texts (material_id, idx, breaks, languages, speakers, pronounced,
     headings, text) VALUES ";

/// The largest number of texts that are copied at once, so that a book's texts are not all in
/// memory twice.
const TEXTS_AT_ONCE: usize = 500;

pub(super) async fn insert_chunks(tx: &mut Tx, material: MaterialId, chunks: &[NewChunk]) -> Result<()> {
    let rows = (0_u32..).zip(chunks).map(|(index, chunk)| {
        [
            material.bind(),
            index.bind(),
            ChunkStatus::Pending.bind(),
            chunk.title.as_deref().bind(),
            chunk.characters.bind(),
            chunk.starts_chapter.bind(),
            chunk.chapter.bind(),
            chunk.pause_after_ms.bind(),
            chunk.scripts.as_str().bind(),
        ]
    });
    tx.run_all(many(INSERT_CHUNKS, &[], rows, "")).await?;
    let mut index = 0_u32;
    for some in chunks.chunks(TEXTS_AT_ONCE) {
        let mut rows = Vec::with_capacity(some.len());
        for chunk in some {
            let (pauses, languages) = (write_marks(&chunk.pauses)?, write_marks(&chunk.languages)?);
            let (speakers, pronounced) = (write_marks(&chunk.speakers)?, write_marks(&chunk.pronounced)?);
            let headings = write_marks(&chunk.headings)?;
            rows.push([
                material.bind(),
                index.bind(),
                pauses.bind(),
                languages.bind(),
                speakers.bind(),
                pronounced.bind(),
                headings.bind(),
                chunk.text.as_str().bind(),
            ]);
            index += 1;
        }
        tx.run_all(many(INSERT_TEXTS, &[], rows, "")).await?;
    }
    Ok(())
}
