//! The text of a material divided anew, because its notes go to another place. That is possible only while nothing
//! of it was converted or edited.

use std::collections::{HashMap, HashSet};

use lectern_types::{EreaderId, MaterialId, NotesMode};

use super::{Material, NewChapter, NewChunk, Speaker, cast, chapters, extracted::insert_chunks, quotes};
use crate::{
    Result,
    db::{Tx, sql},
};

/// Chapters, each with the index of the one that it was before; chunks; speakers; and how many letters of each
/// script the text has.
pub type NewTextRows = (Vec<(NewChapter, Option<u32>)>, Vec<NewChunk>, Vec<Speaker>, String);

/// A text with its notes in another place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recut {
    /// Where they are.
    pub notes: NotesMode,
    /// The text; `None` when it stays as it is, because it has no notes.
    pub text: Option<NewTextRows>,
}

impl Recut {
    /// The new chunks, if the text changes.
    pub fn chunks(&self) -> Option<&[NewChunk]> {
        self.text.as_ref().map(|(_, chunks, ..)| chunks.as_slice())
    }
}

/// Divides the text of a locked material anew. What its owner decided of its chapters, speakers and quotes stays. Returns the
/// material in its new state; `None`, and nothing is changed, when it was converted or edited.
pub(super) async fn apply(tx: &mut Tx, material: &Material, new: &Recut) -> Result<Option<Material>> {
    if is_locked(tx, material).await? {
        return Ok(None);
    }
    let mut changed = Material { notes: new.notes, ..material.clone() };
    if let Some((new_chapters, chunks, speakers, scripts)) = &new.text {
        let new_chapters = decided(tx, material.id, new_chapters).await?;
        let speakers = with_voices(tx, material.id, speakers).await?;
        let titled = |chunk: &NewChunk| {
            let title = new_chapters.get(chunk.chapter as usize).and_then(|chapter| chapter.title.clone());
            NewChunk { title, ..chunk.clone() }
        };
        let mut chunks: Vec<NewChunk> = chunks.iter().map(titled).collect();
        let given = quotes::given(tx, material.id).await?;
        given.carry_to(&mut chunks);
        for delete in [
            "DELETE FROM jobs WHERE material_id = $1 AND kind = 'convert_chunk'",
            "DELETE FROM material_chapters WHERE material_id = $1",
            "DELETE FROM material_cast WHERE material_id = $1",
            "DELETE FROM chunk_texts WHERE material_id = $1",
            "DELETE FROM chunks WHERE material_id = $1",
        ] {
            tx.run(sql!(delete, material.id)).await?;
        }
        chapters::insert(tx, material.id, &new_chapters).await?;
        insert_chunks(tx, material.id, &chunks).await?;
        cast::insert(tx, material.id, &speakers).await?;
        if !given.is_empty() {
            cast::count_quotes(tx, material.id).await?;
        }
        changed.characters = Some(chunks.iter().map(|chunk| u64::from(chunk.characters)).sum());
        changed.chunk_count = u32::try_from(chunks.len()).ok();
        changed.chunks_failed = 0;
        changed.scripts = Some(scripts.clone());
    }
    tx.run(sql!(
        "UPDATE materials SET notes = $2, characters = $3, chunk_count = $4, chunks_failed = $5, scripts = $6
         WHERE id = $1",
        changed.id,
        changed.notes,
        changed.characters,
        changed.chunk_count,
        changed.chunks_failed,
        changed.scripts.as_deref()
    ))
    .await?;
    Ok(Some(changed))
}

/// Whether anything of a locked material was converted or edited, or is being converted.
async fn is_locked(tx: &mut Tx, material: &Material) -> Result<bool> {
    if material.edits > 0 || material.chunks_queued > 0 || material.chunks_completed > 0 {
        return Ok(true);
    }
    let spoken = tx
        .one(sql!("SELECT chunk_index FROM chunk_conversions WHERE material_id = $1 LIMIT 1", material.id))
        .await?;
    Ok(spoken.is_some())
}

/// New chapters with what was decided of those that they were.
async fn decided(
    tx: &mut Tx,
    material: MaterialId,
    new: &[(NewChapter, Option<u32>)],
) -> Result<Vec<NewChapter>> {
    let rows = tx
        .all(sql!("SELECT idx, title, included FROM material_chapters WHERE material_id = $1", material))
        .await?;
    let mut old: HashMap<u32, (Option<String>, bool)> = HashMap::new();
    for row in &rows {
        old.insert(row.get("idx")?, row.pair("title", "included")?);
    }
    let decided = new.iter().map(|(chapter, before)| match before.and_then(|before| old.get(&before)) {
        Some((title, included)) => {
            NewChapter { title: title.clone(), included: *included, ..chapter.clone() }
        }
        None => chapter.clone(),
    });
    Ok(decided.collect())
}

/// New speakers with the e-readers that those of their names have, and the others that have one.
async fn with_voices(tx: &mut Tx, material: MaterialId, new: &[Speaker]) -> Result<Vec<Speaker>> {
    let rows = tx
        .all(sql!(
            "SELECT name, ereader_id FROM material_cast WHERE material_id = $1 AND ereader_id IS NOT NULL",
            material
        ))
        .await?;
    let voices: HashMap<String, EreaderId> =
        rows.iter().map(|row| row.pair("name", "ereader_id")).collect::<Result<_>>()?;
    let with_voice = |speaker: &Speaker| Speaker {
        ereader: voices.get(&speaker.name).copied().or(speaker.ereader),
        ..speaker.clone()
    };
    let mut speakers: Vec<Speaker> = new.iter().map(with_voice).collect();
    // Their quotes may have been given to them.
    let known: HashSet<&str> = new.iter().map(|speaker| speaker.name.as_str()).collect();
    let missing = voices.iter().filter(|(name, _)| !known.contains(name.as_str()));
    speakers.extend(missing.map(|(name, ereader)| Speaker {
        name: name.clone(),
        ereader: Some(*ereader),
        quotes: 0,
        confidence: 0,
    }));
    Ok(speakers)
}
