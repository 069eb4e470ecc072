//! Who says which quote of a material: listed for its owner, who can say otherwise until the first conversion.

mod given;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use lectern_types::{AccountId, EreaderId, MaterialId, MaterialStatus, Timestamp};

use super::{
    Material, cast, lock,
    marks::{SURE, SpokenBy, read_marks, write_marks},
};
use crate::{
    Environment, Result, Store,
    db::{Bound as _, Row, Tx, many, sql},
};
pub(super) use given::{given, kept};

/// How many chunks' speakers are read at once.
const ROWS: u32 = 500;

/// A stretch of a chunk's text that somebody says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote {
    /// The index of the chunk.
    pub chunk: u32,
    /// Its first byte in the chunk's text.
    pub first_byte: u32,
    /// How many Unicode scalar values of the chunk's text are before it.
    pub start: u32,
    pub text: String,
    /// Who says it; `None` when nothing tells.
    pub speaker: Option<String>,
    /// How probably that is right, in thousandths, where it is known.
    pub confidence: Option<u32>,
    /// Whether the material's owner said so.
    pub is_given: bool,
}

impl Quote {
    fn of(chunk: u32, stretch: SpokenBy, text: &str) -> Option<Self> {
        let before = text.get(..stretch.start as usize)?;
        let words = text.get(stretch.start as usize..stretch.end as usize)?;
        Some(Self {
            chunk,
            first_byte: stretch.start,
            // A chunk's text has at most 5,000 characters.
            start: before.chars().count() as u32,
            text: words.to_owned(),
            speaker: stretch.name,
            confidence: stretch.confidence,
            is_given: stretch.is_given,
        })
    }
}

/// Whose quotes are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose<'a> {
    Everybodys,
    Speakers(&'a str),
    /// Those of which nothing tells who says them.
    Nobodys,
}

impl Whose<'_> {
    fn includes(self, stretch: &SpokenBy) -> bool {
        match self {
            Self::Everybodys => true,
            Self::Speakers(name) => stretch.name.as_deref() == Some(name),
            Self::Nobodys => stretch.name.is_none(),
        }
    }
}

/// A quote, by its place, and who says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assigned {
    /// The index of the chunk.
    pub chunk: u32,
    /// How many Unicode scalar values of the chunk's text are before it.
    pub start: u32,
    /// `None` for the narrator.
    pub speaker: Option<String>,
}

/// The outcome of a change of who says what. Nothing was changed unless it is [`QuotesOutcome::Changed`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuotesOutcome {
    /// There is no such material.
    NotFound,
    /// Its text is not there.
    NotReady { status: MaterialStatus },
    /// It was converted with this e-reader.
    Locked { ereader: EreaderId },
    /// The entry at this place of the request names no quote.
    NoSuchQuote { place: usize },
    /// It is changed; the quotes as they are now, in the order of the request.
    Changed(Vec<Quote>),
}

/// At most `limit` quotes of a material, in the order of the text, after the one in a chunk that begins with a byte.
pub async fn quotes(
    store: &Store,
    material: &Material,
    whose: Whose<'_>,
    after: Option<(u32, u32)>,
    limit: u32,
) -> Result<Vec<Quote>> {
    let mut found: Vec<(u32, SpokenBy)> = Vec::new();
    let mut from = after.map_or(0, |(chunk, _)| chunk);
    loop {
        let rows = store
            .all(sql!(
                "SELECT idx, speakers FROM chunk_texts
                 WHERE material_id = $1 AND idx >= $2 AND speakers <> '[]' ORDER BY idx LIMIT $3",
                material.id,
                from,
                ROWS
            ))
            .await?;
        for row in &rows {
            let (chunk, stretches): (u32, String) = row.pair("idx", "speakers")?;
            let stretches: Vec<SpokenBy> = read_marks(&stretches)?;
            let later = |one: &SpokenBy| after.is_none_or(|after| (chunk, one.start) > after);
            let wanted = stretches.into_iter().filter(|one| later(one) && whose.includes(one));
            found.extend(wanted.map(|one| (chunk, one)));
            from = chunk.saturating_add(1);
        }
        if found.len() >= limit as usize || rows.len() < ROWS as usize {
            break;
        }
    }
    found.truncate(limit as usize);
    let chunks: BTreeSet<u32> = found.iter().map(|(chunk, _)| *chunk).collect();
    let mut texts = HashMap::new();
    let before = "SELECT idx, text FROM chunk_texts WHERE material_id = $1 AND idx IN (";
    for statement in many(before, &[material.id.bind()], chunks.iter().map(|chunk| [chunk.bind()]), ")") {
        for row in &store.all(statement).await? {
            texts.insert(row.get::<u32>("idx")?, row.get::<String>("text")?);
        }
    }
    let quote = |(chunk, stretch)| Quote::of(chunk, stretch, texts.get(&chunk)?);
    Ok(found.into_iter().filter_map(quote).collect())
}

/// Says of quotes of a material of the account whose they are.
pub async fn assign_quotes(
    store: &Store,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
    assigned: &[Assigned],
    now: Timestamp,
) -> Result<QuotesOutcome> {
    let mut tx = store.begin().await?;
    let found = lock(&mut tx, material).await?;
    let Some(found) = found.filter(|found| (found.account, found.environment) == (account, environment))
    else {
        return Ok(QuotesOutcome::NotFound);
    };
    if let Some(ereader) = found.ereader {
        return Ok(QuotesOutcome::Locked { ereader });
    }
    let status = found.status;
    if matches!(status, MaterialStatus::Processing | MaterialStatus::Failed) {
        return Ok(QuotesOutcome::NotReady { status });
    }
    let mut chunks = named(&mut tx, material, assigned).await?;
    let mut changed = Vec::with_capacity(assigned.len());
    for (place, one) in assigned.iter().enumerate() {
        let quote = chunks.get_mut(&one.chunk).and_then(|(text, stretches)| assign(text, stretches, one));
        let Some(quote) = quote else { return Ok(QuotesOutcome::NoSuchQuote { place }) };
        changed.push(quote);
    }
    for (chunk, (_, stretches)) in &chunks {
        let stretches = write_marks(stretches)?;
        tx.run(sql!(
            "UPDATE chunk_texts SET speakers = $3 WHERE material_id = $1 AND idx = $2",
            material,
            *chunk,
            stretches
        ))
        .await?;
    }
    cast::count_quotes(&mut tx, material).await?;
    tx.run(sql!("UPDATE materials SET updated_at = $2 WHERE id = $1", material, now)).await?;
    tx.commit().await?;
    Ok(QuotesOutcome::Changed(changed))
}

/// The texts and the speakers of the chunks that are named, by index.
async fn named(
    tx: &mut Tx,
    material: MaterialId,
    assigned: &[Assigned],
) -> Result<BTreeMap<u32, (String, Vec<SpokenBy>)>> {
    let chunks: BTreeSet<u32> = assigned.iter().map(|one| one.chunk).collect();
    let rows = chunks.iter().map(|chunk| [chunk.bind()]);
    let before = "SELECT idx, text, speakers FROM chunk_texts WHERE material_id = $1 AND idx IN (";
    let rows = tx.every(many(before, &[material.bind()], rows, ")")).await?;
    rows.iter().map(|row| Ok((row.get("idx")?, said(row)?))).collect()
}

/// The text and the speakers in a row.
fn said(row: &Row) -> Result<(String, Vec<SpokenBy>)> {
    let (text, stretches): (String, String) = row.pair("text", "speakers")?;
    Ok((text, read_marks(&stretches)?))
}

/// Gives one of a chunk's quotes its speaker; `None` when it has no such quote.
fn assign(text: &str, stretches: &mut [SpokenBy], assigned: &Assigned) -> Option<Quote> {
    let start = text.char_indices().nth(assigned.start as usize)?.0;
    let stretch = stretches.iter_mut().find(|stretch| stretch.start as usize == start)?;
    give(stretch, assigned.speaker.clone());
    Quote::of(assigned.chunk, stretch.clone(), text)
}

fn give(stretch: &mut SpokenBy, speaker: Option<String>) {
    stretch.confidence = speaker.is_some().then_some(SURE);
    stretch.name = speaker;
    stretch.is_given = true;
}
