//! Lexicons: the words of an account and environment, and how they are said. Entries are a JSON text
//! here. The caller checks them before it stores them.
//!
//! A conversion of a material copies the entries that it uses, so that a later change does not reach
//! its chunks: [`copied`] reads such a copy, `copy` writes it.

use lectern_types::{AccountId, LexiconId, MaterialId, Timestamp};

use crate::{
    Environment, Error, Result, Store,
    db::{Row, Tx, sql},
    dialect,
    idempotency::{self, Replay, Request, Response, RowKey},
};

/// How many lexicons an account may have in an environment.
pub const MOST: u32 = 50;

/// A lexicon, without its entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lexicon {
    pub id: LexiconId,
    pub name: String,
    /// The language of its words, a BCP 47 tag.
    pub language: String,
    /// Whether requests in its language that name no lexicons use it.
    pub is_default: bool,
    pub entries_count: u32,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// Entries to copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entries<'a> {
    /// The SHA-256 of `json`, in hexadecimal digits, by which the copy is named.
    pub digest: &'a str,
    pub json: &'a str,
}

/// The outcome of making a lexicon. Nothing was stored unless it is [`CreateOutcome::Created`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CreateOutcome {
    /// It is stored.
    Created,
    /// The `Idempotency-Key` was used before.
    Replay(Replay),
    /// There are [`MOST`] already.
    TooMany,
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, name, language, is_default, entries_count, created_at, updated_at FROM lexicons ",
            $rest
        )
    };
}

fn read(row: &Row) -> Result<Lexicon> {
    Ok(Lexicon {
        id: row.get("id")?,
        name: row.get("name")?,
        language: row.get("language")?,
        is_default: row.get("is_default")?,
        entries_count: row.get("entries_count")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}

/// Stores a lexicon and, when the request carried an `Idempotency-Key`, the response to replay. Of
/// concurrent calls, as many succeed as there is room for.
pub async fn create(
    store: &Store,
    account: AccountId,
    environment: Environment,
    lexicon: &Lexicon,
    entries: &str,
    idempotency: Option<(&Request<'_>, &Response)>,
) -> Result<CreateOutcome> {
    let mut tx = store.begin().await?;
    if let Some((request, response)) = idempotency {
        let row = RowKey::new(account, environment, request);
        let at = lexicon.created_at;
        if let Some(replay) = idempotency::record(&mut tx, &row, request.fingerprint, response, at).await? {
            return Ok(CreateOutcome::Replay(replay));
        }
    }
    // Without this lock, two concurrent calls on PostgreSQL would each miss the other's lexicon.
    tx.one(sql!(dialect::lock_account(tx.backend()), account)).await?;
    let count = "SELECT COUNT(*) FROM lexicons WHERE account_id = $1 AND environment = $2";
    let count = tx.one(sql!(count, account, environment)).await?.map_or(Ok(0), |row| row.scalar::<u32>())?;
    if count >= MOST {
        return Ok(CreateOutcome::TooMany);
    }
    tx.run(sql!(
        "INSERT INTO lexicons (id, account_id, environment, name, language, is_default, entries_count, entries,
             created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        lexicon.id,
        account,
        environment,
        lexicon.name.as_str(),
        lexicon.language.as_str(),
        lexicon.is_default,
        lexicon.entries_count,
        entries,
        lexicon.created_at,
        lexicon.updated_at
    ))
    .await?;
    tx.commit().await?;
    Ok(CreateOutcome::Created)
}

/// Replaces everything of a lexicon of the account but its id and the time when it was made. Returns
/// the lexicon in its new state, or `None` when there is none.
pub async fn replace(
    store: &Store,
    account: AccountId,
    environment: Environment,
    lexicon: &Lexicon,
    entries: &str,
) -> Result<Option<Lexicon>> {
    let rows = store
        .change(sql!(
            "UPDATE lexicons SET name = $4, language = $5, is_default = $6, entries_count = $7, entries = $8,
                 updated_at = $9
             WHERE id = $1 AND account_id = $2 AND environment = $3
             RETURNING id, name, language, is_default, entries_count, created_at, updated_at",
            lexicon.id,
            account,
            environment,
            lexicon.name.as_str(),
            lexicon.language.as_str(),
            lexicon.is_default,
            lexicon.entries_count,
            entries,
            lexicon.updated_at
        ))
        .await?;
    rows.first().map(read).transpose()
}

/// Deletes a lexicon of the account. Returns its last state, or `None` when there is none.
pub async fn delete(
    store: &Store,
    account: AccountId,
    environment: Environment,
    lexicon: LexiconId,
) -> Result<Option<Lexicon>> {
    let rows = store
        .change(sql!(
            "DELETE FROM lexicons WHERE id = $1 AND account_id = $2 AND environment = $3
             RETURNING id, name, language, is_default, entries_count, created_at, updated_at",
            lexicon,
            account,
            environment
        ))
        .await?;
    rows.first().map(read).transpose()
}

/// A lexicon of the account in this environment.
pub async fn find(
    store: &Store,
    account: AccountId,
    environment: Environment,
    lexicon: LexiconId,
) -> Result<Option<Lexicon>> {
    let row = store
        .one(sql!(
            select!("WHERE id = $1 AND account_id = $2 AND environment = $3"),
            lexicon,
            account,
            environment
        ))
        .await?;
    row.as_ref().map(read).transpose()
}

/// The entries of a lexicon of the account in this environment, as JSON.
pub async fn entries(
    store: &Store,
    account: AccountId,
    environment: Environment,
    lexicon: LexiconId,
) -> Result<Option<String>> {
    let row = store
        .one(sql!(
            "SELECT entries FROM lexicons WHERE id = $1 AND account_id = $2 AND environment = $3",
            lexicon,
            account,
            environment
        ))
        .await?;
    row.map(|row| row.scalar()).transpose()
}

/// The account's lexicons in this environment, newest first. `before` is the last id of the previous
/// page.
pub async fn list(
    store: &Store,
    account: AccountId,
    environment: Environment,
    before: Option<LexiconId>,
    limit: u32,
) -> Result<Vec<Lexicon>> {
    let rows = store
        .all(sql!(
            select!(
                "WHERE account_id = $1 AND environment = $2 AND ($3 IS NULL OR id < $3)
                 ORDER BY id DESC LIMIT $4"
            ),
            account,
            environment,
            before,
            limit
        ))
        .await?;
    rows.iter().map(read).collect()
}

/// The lexicons that requests use which name none, the oldest first.
pub async fn defaults(store: &Store, account: AccountId, environment: Environment) -> Result<Vec<Lexicon>> {
    let rows = store
        .all(sql!(
            select!("WHERE account_id = $1 AND environment = $2 AND is_default = 1 ORDER BY id"),
            account,
            environment
        ))
        .await?;
    rows.iter().map(read).collect()
}

/// The entries that come with a material, and their language.
pub async fn own(store: &Store, material: MaterialId) -> Result<Option<(Option<String>, String)>> {
    let row = store
        .one(sql!(
            "SELECT m.lexicon_language, l.entries FROM materials m
             JOIN material_lexicons l ON l.material_id = m.id AND l.digest = m.lexicon_digest
             WHERE m.id = $1",
            material
        ))
        .await?;
    row.map(|row| row.pair("lexicon_language", "entries")).transpose()
}

/// The entries that a conversion of a material copied.
pub async fn copied(store: &Store, material: MaterialId, digest: &str) -> Result<String> {
    let row = store
        .one(sql!(
            "SELECT entries FROM material_lexicons WHERE material_id = $1 AND digest = $2",
            material,
            digest
        ))
        .await?;
    let row = row.ok_or_else(|| Error::Unreadable { what: format!("no copied lexicon {digest}") })?;
    row.scalar()
}

/// Copies entries for the chunks of a locked material.
pub(crate) async fn copy(tx: &mut Tx, material: MaterialId, entries: Entries<'_>) -> Result<()> {
    tx.run(sql!(
        "INSERT INTO material_lexicons (material_id, digest, entries) VALUES ($1, $2, $3)
         ON CONFLICT (material_id, digest) DO NOTHING",
        material,
        entries.digest,
        entries.json
    ))
    .await
    .map(drop)
}

/// Deletes the copies that no chunk of a locked material names any more.
pub(crate) async fn delete_unused(tx: &mut Tx, material: MaterialId) -> Result<()> {
    tx.run(sql!(
        "DELETE FROM material_lexicons WHERE material_id = $1
             AND digest NOT IN (SELECT c.lexicon_digest FROM chunks c
                 WHERE c.material_id = $1 AND c.lexicon_digest IS NOT NULL)
             AND digest NOT IN (SELECT m.lexicon_digest FROM materials m
                 WHERE m.id = $1 AND m.lexicon_digest IS NOT NULL)",
        material
    ))
    .await
    .map(drop)
}
