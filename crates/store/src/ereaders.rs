//! E-readers (voices with a price) and their stored samples. `favorites` has what accounts marked,
//! `sample_requests` who makes a sample that is asked for.

pub mod favorites;
pub mod sample_requests;

use std::collections::BTreeSet;

use lectern_types::{Credits, EreaderId, Grade, Timestamp, language};

use crate::{
    Error, Result, Store, Tier,
    db::{Bound as _, Row, Statement, Tx, many, sql},
    jobs::{JobKind, JobStatus},
    object_deletions,
};

/// An e-reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ereader {
    pub id: EreaderId,
    /// Its name in URLs.
    pub slug: String,
    /// Its name for people.
    pub name: String,
    /// A description of its sound.
    pub description: String,
    /// The languages it reads, BCP 47.
    pub languages: Vec<String>,
    /// The gender it sounds like, if any.
    pub gender: Option<String>,
    /// How good it was judged to be, if anybody did.
    pub grade: Option<Grade>,
    /// Whether its language is offered on trial.
    pub preview: bool,
    /// The level that may use it.
    pub tier: Tier,
    pub engine: String,
    /// The engine's own name of the voice.
    pub voice: String,
    /// The sample rate of its audio.
    pub sample_rate_hz: u32,
    /// The price of one character.
    pub price_per_character: Credits,
    /// The audio formats it serves.
    pub formats: Vec<String>,
    /// Whether it is listed and can be used.
    pub active: bool,
    /// The languages of its stored samples, sorted. Not written by [`put`].
    pub sample_langs: Vec<String>,
    /// When it was first stored.
    pub created_at: Timestamp,
}

/// One row an e-reader and sample, or one with a null for an e-reader that has none.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT e.id, e.slug, e.name, e.description, e.languages, e.gender, e.grade, e.preview, e.tier, e.engine, e.voice,
                 e.sample_rate_hz, e.price_per_character, e.formats, e.active, e.created_at, s.language
             FROM ereaders e LEFT JOIN ereader_samples s ON s.ereader_id = e.id ",
            $rest
        )
    };
}
/// The insertion of one e-reader.
macro_rules! insert_sql {
    () => {
        "INSERT INTO ereaders (id, slug, name, description, languages, gender, grade, preview, tier, engine, voice,
             sample_rate_hz, price_per_character, formats, active, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)"
    };
}

/// Stores these e-readers if the store has none; returns whether it did.
pub async fn seed(store: &Store, ereaders: &[Ereader]) -> Result<bool> {
    if exist(store).await? {
        return Ok(false);
    }
    let mut tx = store.begin().await?;
    // Again under the lock; two PostgreSQL processes that both find none write the same slugs, and
    // the second adds nothing.
    if tx.one(sql!(ANY)).await?.is_some() {
        return Ok(false);
    }
    for ereader in ereaders {
        tx.run(insert(concat!(insert_sql!(), " ON CONFLICT (slug) DO NOTHING"), ereader)?).await?;
    }
    tx.commit().await?;
    Ok(true)
}

const ANY: &str = "SELECT id FROM ereaders LIMIT 1";

/// Whether the store holds any e-reader.
pub async fn exist(store: &Store) -> Result<bool> {
    Ok(store.one(sql!(ANY)).await?.is_some())
}

/// Stores an e-reader if its slug is free; whether it was.
pub async fn add(store: &Store, ereader: &Ereader) -> Result<bool> {
    let statement = insert(concat!(insert_sql!(), " ON CONFLICT (slug) DO NOTHING"), ereader)?;
    Ok(store.run(statement).await? > 0)
}

/// Stores an e-reader: a new slug is added; a known one is changed, keeping its id, `created_at`
/// and, unless it now has another voice, its samples. Chunks that are queued for it wait for its
/// engine from now on. The e-reader as it now is.
pub async fn put(store: &Store, ereader: &Ereader, now: Timestamp) -> Result<Ereader> {
    let mut tx = store.begin().await?;
    let before = lock_by_slug(&mut tx, &ereader.slug).await?;
    tx.run(insert(
        concat!(
            insert_sql!(),
            " ON CONFLICT (slug) DO UPDATE SET
             name = excluded.name, description = excluded.description, languages = excluded.languages,
             gender = excluded.gender, grade = excluded.grade, preview = excluded.preview,
             tier = excluded.tier, engine = excluded.engine, voice = excluded.voice,
             sample_rate_hz = excluded.sample_rate_hz, price_per_character = excluded.price_per_character,
             formats = excluded.formats, active = excluded.active"
        ),
        ereader,
    )?)
    .await?;
    if let Some((id, engine, voice)) = before {
        if (&engine, &voice) != (&ereader.engine, &ereader.voice) {
            end_samples(&mut tx, id, now).await?;
        }
        if engine != ereader.engine {
            queue_for_engine(&mut tx, id, &ereader.engine).await?;
        }
    }
    tx.commit().await?;
    let stored = find_by_slug(store, &ereader.slug).await?;
    stored.ok_or_else(|| Error::Unreadable { what: "an e-reader that was just written".to_owned() })
}

/// Locks the e-reader with this slug until the transaction ends; its id, engine and voice.
async fn lock_by_slug(tx: &mut Tx, slug: &str) -> Result<Option<(EreaderId, String, String)>> {
    tx.run(sql!("UPDATE ereaders SET slug = slug WHERE slug = $1", slug)).await?;
    let row = tx.one(sql!("SELECT id, engine, voice FROM ereaders WHERE slug = $1", slug)).await?;
    row.map(|row| Ok((row.get("id")?, row.get("engine")?, row.get("voice")?))).transpose()
}

/// Locks an e-reader until the transaction ends, if it still has this voice; whether it has.
async fn lock_if_same_voice(tx: &mut Tx, ereader: &Ereader) -> Result<bool> {
    let locked = tx.run(sql!(
        "UPDATE ereaders SET slug = slug WHERE id = $1 AND engine = $2 AND voice = $3",
        ereader.id,
        ereader.engine.as_str(),
        ereader.voice.as_str()
    ));
    Ok(locked.await? == 1)
}

/// Removes the samples of a locked e-reader, and the claims on them.
async fn end_samples(tx: &mut Tx, ereader: EreaderId, now: Timestamp) -> Result<()> {
    let rows = tx.all(sql!("SELECT object_key FROM ereader_samples WHERE ereader_id = $1", ereader)).await?;
    orphan_samples(tx, &rows, now).await?;
    tx.run(sql!("DELETE FROM ereader_samples WHERE ereader_id = $1", ereader)).await?;
    tx.run(sql!("DELETE FROM sample_requests WHERE ereader_id = $1", ereader)).await?;
    Ok(())
}

/// Lets the queued chunks of an e-reader's materials wait for this engine. One that a worker has
/// claimed is given back with the engine that it needs ([`crate::jobs::needs_engine`]).
async fn queue_for_engine(tx: &mut Tx, ereader: EreaderId, engine: &str) -> Result<()> {
    tx.run(sql!(
        "UPDATE jobs SET engine = $2 WHERE kind = $3 AND status = $4
           AND material_id IN (SELECT id FROM materials WHERE ereader_id = $1)",
        ereader,
        engine,
        JobKind::ConvertChunk,
        JobStatus::Queued
    ))
    .await?;
    Ok(())
}

/// An insertion of an e-reader with the given SQL, which begins with [`insert_sql`].
fn insert(statement: &'static str, ereader: &Ereader) -> Result<Statement> {
    Ok(sql!(
        statement,
        ereader.id,
        ereader.slug.as_str(),
        ereader.name.as_str(),
        ereader.description.as_str(),
        to_json(&ereader.languages)?,
        ereader.gender.as_deref(),
        ereader.grade,
        ereader.preview,
        ereader.tier,
        ereader.engine.as_str(),
        ereader.voice.as_str(),
        ereader.sample_rate_hz,
        ereader.price_per_character,
        to_json(&ereader.formats)?,
        ereader.active,
        ereader.created_at
    ))
}

/// Which e-readers to list.
#[derive(Debug, Clone, Copy, Default)]
pub struct Filter<'a> {
    /// Only e-readers that speak this language, whatever the region: `en-GB` finds `en-US`.
    pub language: Option<&'a str>,
    /// Only those of exactly this tier.
    pub tier: Option<Tier>,
    /// Only those on this engine.
    pub engine: Option<&'a str>,
    /// Only those of this gender, whatever the case of the letters.
    pub gender: Option<&'a str>,
    /// The inactive ones, too.
    pub include_inactive: bool,
}

/// The e-readers, oldest first.
pub async fn list(store: &Store, filter: Filter<'_>) -> Result<Vec<Ereader>> {
    let rows = store
        .all(sql!(
            select!(
                "WHERE ($1 = 1 OR e.active = 1) AND ($2 IS NULL OR e.tier = $2)
                   AND ($3 IS NULL OR e.engine = $3)
                 ORDER BY e.created_at, e.id, s.language_key"
            ),
            filter.include_inactive,
            filter.tier,
            filter.engine
        ))
        .await?;
    let mut ereaders = read_all(&rows)?;
    if let Some(wanted) = filter.language {
        ereaders.retain(|ereader| language::find_same(&ereader.languages, wanted).is_some());
    }
    if let Some(wanted) = filter.gender {
        ereaders
            .retain(|ereader| ereader.gender.as_deref().is_some_and(|own| own.eq_ignore_ascii_case(wanted)));
    }
    Ok(ereaders)
}

/// The e-reader with this id, active or not.
pub async fn find(store: &Store, ereader: EreaderId) -> Result<Option<Ereader>> {
    let rows = store.all(sql!(select!("WHERE e.id = $1 ORDER BY s.language_key"), ereader)).await?;
    Ok(read_all(&rows)?.pop())
}

/// The e-readers with these ids, active or not.
pub(crate) async fn find_in(tx: &mut Tx, ereaders: &BTreeSet<EreaderId>) -> Result<Vec<Ereader>> {
    let ids = ereaders.iter().map(|ereader| [ereader.bind()]);
    let rows =
        tx.every(many(select!("WHERE e.id IN ("), &[], ids, ") ORDER BY e.id, s.language_key")).await?;
    read_all(&rows)
}

/// The e-reader with this slug, active or not.
pub async fn find_by_slug(store: &Store, slug: &str) -> Result<Option<Ereader>> {
    let rows = store.all(sql!(select!("WHERE e.slug = $1 ORDER BY s.language_key"), slug)).await?;
    Ok(read_all(&rows)?.pop())
}

/// Folds rows of one e-reader, which stand together, into it.
fn read_all(rows: &[Row]) -> Result<Vec<Ereader>> {
    let mut ereaders: Vec<Ereader> = Vec::new();
    for row in rows {
        let id = row.get("id")?;
        let mut ereader = Ereader {
            id,
            slug: row.get("slug")?,
            name: row.get("name")?,
            description: row.get("description")?,
            languages: from_json(&row.get::<String>("languages")?)?,
            gender: row.get("gender")?,
            grade: row.get("grade")?,
            preview: row.get("preview")?,
            tier: row.get("tier")?,
            engine: row.get("engine")?,
            voice: row.get("voice")?,
            sample_rate_hz: row.get("sample_rate_hz")?,
            price_per_character: row.get("price_per_character")?,
            formats: from_json(&row.get::<String>("formats")?)?,
            active: row.get("active")?,
            created_at: row.get("created_at")?,
            sample_langs: Vec::new(),
        };
        let language: Option<String> = row.get("language")?;
        match ereaders.last_mut() {
            Some(last) if last.id == id => last.sample_langs.extend(language),
            _ => {
                ereader.sample_langs.extend(language);
                ereaders.push(ereader);
            }
        }
    }
    Ok(ereaders)
}

fn to_json(words: &[String]) -> Result<String> {
    serde_json::to_string(words).map_err(|_| Error::Unreadable { what: "a list of words".to_owned() })
}

fn from_json(text: &str) -> Result<Vec<String>> {
    serde_json::from_str(text).map_err(|_| Error::Unreadable { what: "a list of words".to_owned() })
}

/// A stored sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// Its language, BCP 47.
    pub language: String,
    /// The audio's key in the object store.
    pub object_key: String,
    pub etag: String,
    pub bytes: u32,
    /// When it was made.
    pub created_at: Timestamp,
}

/// How long the object of a replaced sample stays, for answers that are being sent.
const REPLACED_KEPT_SECONDS: i64 = 10 * 60;

/// Stores a sample of this voice in the place of the one before, whose object is deleted later. Its
/// own object may be announced in [`object_deletions`]. False when the e-reader has another voice by
/// now; nothing is stored then.
pub async fn put_sample(store: &Store, ereader: &Ereader, sample: &Sample) -> Result<bool> {
    let mut tx = store.begin().await?;
    if !lock_if_same_voice(&mut tx, ereader).await? {
        return Ok(false);
    }
    replace_sample(&mut tx, ereader.id, sample).await?;
    tx.commit().await?;
    Ok(true)
}

async fn replace_sample(tx: &mut Tx, ereader: EreaderId, sample: &Sample) -> Result<()> {
    let (language_key, object_key) = (sample.language.to_ascii_lowercase(), sample.object_key.as_str());
    let rows = tx
        .all(sql!(
            "SELECT object_key FROM ereader_samples
             WHERE ereader_id = $1 AND language_key = $2 AND object_key <> $3",
            ereader,
            language_key.as_str(),
            object_key
        ))
        .await?;
    orphan_samples(tx, &rows, sample.created_at).await?;
    tx.run(sql!("DELETE FROM object_deletions WHERE object_key = $1", object_key)).await?;
    tx.run(sql!(
        "INSERT INTO ereader_samples (ereader_id, language_key, language, object_key, etag, bytes, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (ereader_id, language_key) DO UPDATE SET language = excluded.language,
             object_key = excluded.object_key, etag = excluded.etag, bytes = excluded.bytes,
             created_at = excluded.created_at",
        ereader,
        language_key,
        sample.language.as_str(),
        object_key,
        sample.etag.as_str(),
        sample.bytes,
        sample.created_at
    ))
    .await?;
    Ok(())
}

/// Lists the objects of these rows for deletion.
async fn orphan_samples(tx: &mut Tx, rows: &[Row], now: Timestamp) -> Result<()> {
    let keys = rows.iter().map(Row::scalar).collect::<Result<Vec<String>>>()?;
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    object_deletions::note(tx, &keys, now.plus_seconds(REPLACED_KEPT_SECONDS)).await
}

/// The object keys of all samples.
pub async fn sample_objects(store: &Store) -> Result<Vec<String>> {
    let rows = store.all(sql!("SELECT object_key FROM ereader_samples ORDER BY object_key")).await?;
    rows.iter().map(crate::db::Row::scalar).collect()
}

/// The e-reader's sample in this language (compared without regard to case).
pub async fn sample(store: &Store, ereader: EreaderId, language: &str) -> Result<Option<Sample>> {
    let row = store
        .one(sql!(
            "SELECT language, object_key, etag, bytes, created_at FROM ereader_samples
             WHERE ereader_id = $1 AND language_key = $2",
            ereader,
            language.to_ascii_lowercase()
        ))
        .await?;
    row.as_ref().map(read_sample).transpose()
}

/// The e-reader's samples, sorted by language.
pub async fn samples(store: &Store, ereader: EreaderId) -> Result<Vec<Sample>> {
    let rows = store
        .all(sql!(
            "SELECT language, object_key, etag, bytes, created_at FROM ereader_samples
             WHERE ereader_id = $1 ORDER BY language_key",
            ereader
        ))
        .await?;
    rows.iter().map(read_sample).collect()
}

fn read_sample(row: &Row) -> Result<Sample> {
    Ok(Sample {
        language: row.get("language")?,
        object_key: row.get("object_key")?,
        etag: row.get("etag")?,
        bytes: row.get("bytes")?,
        created_at: row.get("created_at")?,
    })
}
