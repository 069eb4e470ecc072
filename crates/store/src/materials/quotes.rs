//! Who says which quote of a material: listed for its owner, who can say otherwise until the first conversion.

mod given;

use std::collections::{BTreeMap, BTreeSet};

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
const ROWS: u32 = 100;

/// The most quotes of a material that are told apart; those after them are the narrator's. No novel has as many, and all
/// of a material's are counted when one changes.
pub const MOST_QUOTES: usize = 20_000;

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
    /// Its paid characters.
    pub characters: u32,
    /// Who says it; `None` when nothing tells.
    pub speaker: Option<String>,
    /// How probably that is right, in thousandths, where it is known.
    pub confidence: Option<u32>,
    /// Whether the material's owner said so.
    pub is_given: bool,
    /// Whether it goes on with the last quote of the chunk before.
    pub goes_on: bool,
}

impl Quote {
    fn of(chunk: u32, stretch: SpokenBy, text: &str) -> Option<Self> {
        let before = text.get(..stretch.start as usize)?;
        let words = text.get(stretch.start as usize..stretch.end as usize)?;
        let given = stretch.name.is_some().then_some(SURE);
        Some(Self {
            chunk,
            first_byte: stretch.start,
            // A chunk's text has at most 5,000 characters.
            start: before.chars().count() as u32,
            text: words.to_owned(),
            characters: stretch.characters,
            speaker: stretch.name,
            confidence: if stretch.is_given { given } else { stretch.confidence },
            is_given: stretch.is_given,
            goes_on: stretch.goes_on,
        })
    }
}

/// Which quotes are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Which<'a> {
    /// Those of this speaker.
    pub speaker: Option<&'a str>,
    /// Those of which nothing tells who says them.
    pub unattributed: bool,
}

impl Which<'_> {
    fn includes(self, stretch: &SpokenBy) -> bool {
        let by_speaker = self.speaker.is_none_or(|name| stretch.name.as_deref() == Some(name));
        by_speaker && (!self.unattributed || (stretch.name.is_none() && !stretch.is_given))
    }
}

/// A quote, by its place, and who says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assigned {
    /// The index of the chunk.
    pub chunk: u32,
    /// How many Unicode scalar values of the chunk's text are before it.
    pub start: u32,
    /// Its words, if they must be these.
    pub text: Option<String>,
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
    /// The quote that the entry at this place names has other words.
    OtherWords { place: usize },
    /// It is changed; the quotes as they are now, in the order of the request.
    Changed(Vec<Quote>),
}

/// At most `limit` quotes of a material in the order of the text, and whether more follow. `after` is the last quote of
/// the page before: its chunk and its first byte there.
pub async fn quotes(
    store: &Store,
    material: &Material,
    which: Which<'_>,
    after: Option<(u32, u32)>,
    limit: u32,
) -> Result<(Vec<Quote>, bool)> {
    // What is marked in a text and the text itself are of one moment.
    let mut tx = store.snapshot().await?;
    let mut found: Vec<(u32, SpokenBy)> = Vec::new();
    let mut from = after.map_or(0, |(chunk, _)| chunk);
    let limit = limit as usize;
    loop {
        let rows = tx
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
            let wanted = stretches.into_iter().filter(|one| later(one) && which.includes(one));
            found.extend(wanted.map(|one| (chunk, one)));
            from = chunk.saturating_add(1);
        }
        if found.len() > limit || rows.len() < ROWS as usize {
            break;
        }
    }
    let has_more = found.len() > limit;
    found.truncate(limit);
    let chunks: BTreeSet<u32> = found.iter().map(|(chunk, _)| *chunk).collect();
    let chunks = read(&mut tx, material.id, chunks).await?;
    let quote = |(chunk, stretch)| Quote::of(chunk, stretch, &chunks.get(&chunk)?.text);
    Ok((found.into_iter().filter_map(quote).collect(), has_more))
}

/// Who speaks at the beginning of a chunk by a line `[speaker NAME]` of a chunk before, if its text does not change
/// that in another way.
pub async fn running_speaker(store: &Store, material: &Material, chunk: u32) -> Result<Option<String>> {
    let row = store
        .one(sql!(
            "SELECT text, speakers FROM chunk_texts WHERE material_id = $1 AND idx = $2",
            material.id,
            chunk
        ))
        .await?;
    let Some(Said { text, stretches }) = row.as_ref().map(Said::read).transpose()? else { return Ok(None) };
    let first = stretches.into_iter().next().filter(|first| first.goes_on && first.start == 0);
    // What a document gives to somebody may end anywhere.
    let ends_by_line = |end: u32| {
        let rest = text.get(end as usize..).unwrap_or_default();
        rest.is_empty() || rest.starts_with("[speaker ")
    };
    Ok(first.filter(|first| ends_by_line(first.end)).and_then(|first| first.name))
}

/// Says of quotes of a material of the account whose they are. A quote that goes on in the next chunks is given whole.
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
    let named: BTreeSet<u32> = assigned.iter().map(|one| one.chunk).collect();
    let mut chunks = read(&mut tx, material, named).await?;
    let mut changed = Vec::with_capacity(assigned.len());
    for (place, one) in assigned.iter().enumerate() {
        let found = chunks.get_mut(&one.chunk).and_then(|said| Some((said.place(one.start)?, said)));
        let Some((at, said)) = found else { return Ok(QuotesOutcome::NoSuchQuote { place }) };
        give(&mut said.stretches[at], one.speaker.clone());
        let is_last = at + 1 == said.stretches.len();
        let quote = Quote::of(one.chunk, said.stretches[at].clone(), &said.text);
        let Some(quote) = quote else { return Ok(QuotesOutcome::NoSuchQuote { place }) };
        if one.text.as_ref().is_some_and(|text| *text != quote.text) {
            return Ok(QuotesOutcome::OtherWords { place });
        }
        changed.push(quote);
        if is_last {
            give_rest(&mut tx, material, &mut chunks, one).await?;
        }
    }
    for (chunk, Said { stretches, .. }) in &chunks {
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

/// Gives what follows of a quote that is the last of its chunk: the beginnings of the next chunks that go on with it.
async fn give_rest(
    tx: &mut Tx,
    material: MaterialId,
    chunks: &mut BTreeMap<u32, Said>,
    assigned: &Assigned,
) -> Result<()> {
    let mut chunk = assigned.chunk;
    loop {
        chunk = chunk.saturating_add(1);
        if !chunks.contains_key(&chunk) {
            chunks.extend(read(tx, material, BTreeSet::from([chunk])).await?);
        }
        let Some(said) = chunks.get_mut(&chunk) else { return Ok(()) };
        let count = said.stretches.len();
        let Some(first) = said.stretches.first_mut().filter(|first| first.goes_on) else { return Ok(()) };
        give(first, assigned.speaker.clone());
        if count > 1 {
            return Ok(());
        }
    }
}

/// A chunk's text and who says what in it.
struct Said {
    text: String,
    stretches: Vec<SpokenBy>,
}

impl Said {
    fn read(row: &Row) -> Result<Self> {
        let (text, stretches): (String, String) = row.pair("text", "speakers")?;
        Ok(Self { text, stretches: read_marks(&stretches)? })
    }

    /// Which stretch begins at this offset, counted in Unicode scalar values.
    fn place(&self, start: u32) -> Option<usize> {
        let start = self.text.char_indices().nth(start as usize)?.0;
        self.stretches.iter().position(|stretch| stretch.start as usize == start)
    }
}

/// Some chunks of a material, by index.
async fn read(tx: &mut Tx, material: MaterialId, chunks: BTreeSet<u32>) -> Result<BTreeMap<u32, Said>> {
    let rows = chunks.iter().map(|chunk| [chunk.bind()]);
    let before = "SELECT idx, text, speakers FROM chunk_texts WHERE material_id = $1 AND idx IN (";
    let rows = tx.every(many(before, &[material.bind()], rows, ")")).await?;
    rows.iter().map(|row| Ok((row.get("idx")?, Said::read(row)?))).collect()
}

fn give(stretch: &mut SpokenBy, speaker: Option<String>) {
    stretch.name = speaker;
    stretch.is_given = true;
}
