//! The chapters of a material. Those that are included are its book.

use lectern_types::{AccountId, ChapterRole, ChunkStatus, MaterialId};

use super::{Change, NewValue, again, lock, recount};
use crate::{
    Environment, Result, Store,
    db::{Bound as _, Row, Tx, many, sql},
    writing::Writing,
};

/// A chapter of an extracted text; its index is its position in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewChapter {
    pub title: Option<String>,
    /// From 1, the highest, to 6.
    pub level: u32,
    pub role: ChapterRole,
    /// Whether it belongs to the book.
    pub included: bool,
}

impl NewChapter {
    /// A chapter of which nothing but its title is known.
    fn of_body(title: Option<String>) -> Self {
        Self { title, level: 1, role: ChapterRole::Body, included: true }
    }
}

/// A chapter with its chunks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chapter {
    /// From 0.
    pub index: u32,
    pub about: NewChapter,
    /// In order.
    pub chunks: Vec<ChapterChunk>,
}

/// A chunk of a chapter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChapterChunk {
    pub index: u32,
    /// Unicode scalar values of its text.
    pub characters: u32,
    pub status: ChunkStatus,
    /// The length of its audio.
    pub duration_ms: Option<u64>,
    /// The pause after it.
    pub pause_after_ms: u32,
}

/// The changes to a chapter that an owner requests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChapterChanges {
    /// Its new title, or that it has none.
    pub title: NewValue<String>,
    pub included: Option<bool>,
}

/// The outcome of a change of a chapter. Nothing was changed unless it is [`ChapterOutcome::Changed`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChapterOutcome {
    /// There is no such material.
    NotFound,
    /// It has no chapter of this index.
    NoSuchChapter,
    /// It is changed.
    Changed(Box<Chapter>),
}

/// The chapters of a material of the account, in order. Empty while it has no text.
pub async fn chapters(
    store: &Store,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
) -> Result<Vec<Chapter>> {
    let chunks = store
        .all(sql!(
            "SELECT c.idx, c.chapter, c.title, c.starts_chapter, c.characters, c.status, c.duration_ms, c.pause_after_ms
             FROM chunks c JOIN materials m ON m.id = c.material_id
             WHERE c.material_id = $1 AND m.account_id = $2 AND m.environment = $3 ORDER BY c.idx",
            material,
            account,
            environment
        ))
        .await?;
    let known = store
        .all(sql!(
            "SELECT h.idx, h.title, h.level, h.role, h.included
             FROM material_chapters h JOIN materials m ON m.id = h.material_id
             WHERE h.material_id = $1 AND m.account_id = $2 AND m.environment = $3 ORDER BY h.idx",
            material,
            account,
            environment
        ))
        .await?;
    together(&chunks, &known)
}

/// A chapter without its chunks.
fn read(row: &Row) -> Result<Chapter> {
    let about = NewChapter {
        title: row.get("title")?,
        level: row.get("level")?,
        role: row.get("role")?,
        included: row.get("included")?,
    };
    Ok(Chapter { index: row.get("idx")?, about, chunks: Vec::new() })
}

fn read_chunk(row: &Row) -> Result<ChapterChunk> {
    Ok(ChapterChunk {
        index: row.get("idx")?,
        characters: row.get("characters")?,
        status: row.get("status")?,
        duration_ms: row.get("duration_ms")?,
        pause_after_ms: row.get("pause_after_ms")?,
    })
}

/// Chunks under their chapters. Chunks of a material without chapters begin them as they say.
fn together(chunks: &[Row], known: &[Row]) -> Result<Vec<Chapter>> {
    let mut chapters = known.iter().map(read).collect::<Result<Vec<_>>>()?;
    for row in chunks {
        let chunk = read_chunk(row)?;
        if known.is_empty() && (chapters.is_empty() || row.get("starts_chapter")?) {
            let (index, about) = (chapters.len() as u32, NewChapter::of_body(row.get("title")?));
            chapters.push(Chapter { index, about, chunks: Vec::new() });
        }
        let place = match row.get::<Option<u32>>("chapter")? {
            Some(chapter) if !known.is_empty() => chapters.get_mut(chapter as usize),
            _ => chapters.last_mut(),
        };
        if let Some(chapter) = place {
            chapter.chunks.push(chunk);
        }
    }
    chapters.retain(|chapter| !chapter.chunks.is_empty());
    Ok(chapters)
}

const INSERT: &str = "INSERT INTO material_chapters (material_id, idx, title, level, role, included) VALUES ";

/// Stores the chapters of a text that was extracted.
pub(super) async fn insert(tx: &mut Tx, material: MaterialId, chapters: &[NewChapter]) -> Result<()> {
    let rows = (0_u32..).zip(chapters).map(|(index, chapter)| {
        [
            material.bind(),
            index.bind(),
            chapter.title.as_deref().bind(),
            chapter.level.bind(),
            chapter.role.bind(),
            chapter.included.bind(),
        ]
    });
    tx.run_all(many(INSERT, &[], rows, "")).await.map(drop)
}

/// Gives a locked material of before its chapters, if it has none yet.
async fn ensure(tx: &mut Tx, material: MaterialId) -> Result<()> {
    let known =
        tx.one(sql!("SELECT idx FROM material_chapters WHERE material_id = $1 LIMIT 1", material)).await?;
    if known.is_some() {
        return Ok(());
    }
    let rows = tx
        .all(sql!(
            "SELECT idx, title, starts_chapter FROM chunks WHERE material_id = $1 ORDER BY idx",
            material
        ))
        .await?;
    let mut chapters: Vec<NewChapter> = Vec::new();
    let mut places = Vec::with_capacity(rows.len());
    for row in &rows {
        if chapters.is_empty() || row.get("starts_chapter")? {
            chapters.push(NewChapter::of_body(row.get("title")?));
        }
        places.push((row.get::<u32>("idx")?, chapters.len() as u32 - 1));
    }
    insert(tx, material, &chapters).await?;
    let places = places.into_iter().map(|(index, chapter)| [index.bind(), chapter.bind()]);
    let (before, after) = (
        "WITH placed (idx, chapter) AS (VALUES ",
        ") UPDATE chunks SET chapter = placed.chapter FROM placed
         WHERE chunks.material_id = $1 AND chunks.idx = placed.idx",
    );
    tx.run_all(many(before, &[material.bind()], places, after)).await.map(drop)
}

/// Changes a chapter of a material of the account. What is made of the whole book is made anew. When the
/// change completes the book, that is recorded.
pub async fn update_chapter(
    store: &Store,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
    index: u32,
    changes: &ChapterChanges,
    writing: Writing<'_>,
) -> Result<ChapterOutcome> {
    let mut tx = store.begin().await?;
    let found = lock(&mut tx, material).await?;
    let Some(found) = found.filter(|found| (found.account, found.environment) == (account, environment))
    else {
        return Ok(ChapterOutcome::NotFound);
    };
    ensure(&mut tx, material).await?;
    let row = tx
        .one(sql!(
            "SELECT title, included FROM material_chapters WHERE material_id = $1 AND idx = $2",
            material,
            index
        ))
        .await?;
    let Some(row) = row else { return Ok(ChapterOutcome::NoSuchChapter) };
    let (title, included): (Option<String>, bool) = row.pair("title", "included")?;
    let mut new_title = title.clone();
    changes.title.apply(&mut new_title);
    let new_included = changes.included.unwrap_or(included);
    if (&new_title, new_included) != (&title, included) {
        tx.run(sql!(
            "UPDATE material_chapters SET title = $3, included = $4 WHERE material_id = $1 AND idx = $2",
            material,
            index,
            new_title.as_deref(),
            new_included
        ))
        .await?;
        tx.run(sql!(
            "UPDATE chunks SET title = $3 WHERE material_id = $1 AND chapter = $2",
            material,
            index,
            new_title.as_deref()
        ))
        .await?;
        again::forget_books(&mut tx, material, writing.now).await?;
        recount(&mut tx, &found, Change::default(), &writing).await?;
    }
    let chunks = tx
        .all(sql!(
            "SELECT idx, characters, status, duration_ms, pause_after_ms FROM chunks
             WHERE material_id = $1 AND chapter = $2 ORDER BY idx",
            material,
            index
        ))
        .await?;
    let row = tx
        .one(sql!(
            "SELECT idx, title, level, role, included FROM material_chapters WHERE material_id = $1 AND idx = $2",
            material,
            index
        ))
        .await?;
    let Some(row) = row else { return Ok(ChapterOutcome::NoSuchChapter) };
    let chunks = chunks.iter().map(read_chunk).collect::<Result<_>>()?;
    tx.commit().await?;
    Ok(ChapterOutcome::Changed(Box::new(Chapter { chunks, ..read(&row)? })))
}

/// The chunks of chapters of a locked material: of those asked for, or of those that are included. `Err` with a
/// chapter that it does not have.
pub(super) async fn chunks_of(
    tx: &mut Tx,
    material: MaterialId,
    asked: Option<&[u32]>,
) -> Result<Result<Vec<u32>, u32>> {
    if asked.is_some() {
        ensure(tx, material).await?;
    }
    let rows = tx
        .all(sql!(
            "SELECT c.idx, c.chapter, COALESCE(h.included, 1) AS included
             FROM chunks c LEFT JOIN material_chapters h ON h.material_id = c.material_id AND h.idx = c.chapter
             WHERE c.material_id = $1 ORDER BY c.idx",
            material
        ))
        .await?;
    let mut chunks = Vec::with_capacity(rows.len());
    let mut missing: std::collections::BTreeSet<u32> = asked.unwrap_or_default().iter().copied().collect();
    let wanted = missing.clone();
    for row in &rows {
        let chapter: Option<u32> = row.get("chapter")?;
        let is_wanted = match (asked, chapter) {
            (None, _) => row.get("included")?,
            (Some(_), Some(chapter)) => wanted.contains(&chapter),
            (Some(_), None) => false,
        };
        if is_wanted {
            chunks.push(row.get("idx")?);
            chapter.map(|chapter| missing.remove(&chapter));
        }
    }
    Ok(missing.first().map_or(Ok(chunks), |&chapter| Err(chapter)))
}
