//! The texts of syntheses, for the history of their owner. The rows of the syntheses stay when a text is forgotten: they are
//! charges.

use lectern_types::{AccountId, SynthesisId, TextType, Timestamp};

use super::{Synthesis, find, read};
use crate::{
    Environment, Result, Store,
    db::{Row, Tx, sql},
    dialect::Backend,
};

/// The text of a synthesis, for its owner's history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    pub text: String,
    pub text_type: TextType,
    /// When it is forgotten.
    pub delete_after: Timestamp,
}

/// An entry of the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub synthesis: Synthesis,
    /// `None`: it was not kept, or is forgotten.
    pub said: Option<Said>,
}

/// Keeps the text of a synthesis.
pub(super) async fn keep(tx: &mut Tx, synthesis: SynthesisId, said: &Said) -> Result<()> {
    tx.run(sql!(
        "INSERT INTO synthesis_texts (synthesis_id, text, text_type, delete_after) VALUES ($1, $2, $3, $4)",
        synthesis,
        said.text.as_str(),
        said.text_type,
        said.delete_after
    ))
    .await?;
    Ok(())
}

/// The entries of an account, newest first, of which `$condition` is true.
macro_rules! entries {
    ($condition:literal) => {
        concat!(
            "SELECT s.id, key_id, ereader_id, characters, credits_charged, format, sample_rate_hz, duration_ms,
                 object_key, bytes, etag, created_at, s.delete_after, deleted_at, t.text, t.text_type,
                 t.delete_after AS text_delete_after
             FROM syntheses s LEFT JOIN synthesis_texts t ON t.synthesis_id = s.id
             WHERE account_id = $1 AND environment = $2 AND ($3 IS NULL OR s.id < $3) AND ",
            $condition,
            " ORDER BY s.id DESC LIMIT $5"
        )
    };
}

/// A page of the account's history, newest first: those whose text has these words, if any are given.
pub async fn list(
    store: &Store,
    account: AccountId,
    environment: Environment,
    words: Option<&str>,
    before: Option<SynthesisId>,
    limit: u32,
) -> Result<Vec<Entry>> {
    let like = words.map(like);
    let entries = match (&like, store.backend()) {
        (None, _) => entries!("$4 IS NULL"),
        // SQLite's LIKE ignores the case of English letters.
        (Some(_), Backend::Sqlite) => entries!("t.text LIKE $4 ESCAPE '!'"),
        (Some(_), Backend::Postgres) => entries!("t.text ILIKE $4 ESCAPE '!'"),
    };
    let rows = store.all(sql!(entries, account, environment, before, like.as_deref(), limit)).await?;
    rows.iter().map(entry).collect()
}

fn entry(row: &Row) -> Result<Entry> {
    let text: Option<String> = row.get("text")?;
    let said = text.map(|text| -> Result<Said> {
        let (text_type, delete_after) = row.pair("text_type", "text_delete_after")?;
        Ok(Said { text, text_type, delete_after })
    });
    Ok(Entry { synthesis: read(row)?, said: said.transpose()? })
}

/// A pattern for texts that contain these words.
fn like(words: &str) -> String {
    let mut pattern = String::from("%");
    for character in words.chars() {
        if matches!(character, '!' | '%' | '_') {
            pattern.push('!');
        }
        pattern.push(character);
    }
    pattern.push('%');
    pattern
}

/// Forgets the text of a synthesis of the account, which is returned; `None` when there is no such synthesis. The row stays:
/// it is a charge.
pub async fn forget(
    store: &Store,
    account: AccountId,
    environment: Environment,
    synthesis: SynthesisId,
) -> Result<Option<Synthesis>> {
    let found = find(store, account, environment, synthesis).await?;
    if found.is_some() {
        store.run(sql!("DELETE FROM synthesis_texts WHERE synthesis_id = $1", synthesis)).await?;
    }
    Ok(found)
}

/// Forgets the texts that are due, the oldest first; returns how many.
pub async fn forget_due(store: &Store, now: Timestamp, limit: u32) -> Result<u64> {
    // This is the usual case; without this check there would be a write transaction every few seconds.
    let due = store
        .one(sql!("SELECT synthesis_id FROM synthesis_texts WHERE delete_after <= $1 LIMIT 1", now))
        .await?;
    if due.is_none() {
        return Ok(0);
    }
    store
        .run(sql!(
            "DELETE FROM synthesis_texts WHERE synthesis_id IN (
                 SELECT synthesis_id FROM synthesis_texts WHERE delete_after <= $1 ORDER BY delete_after LIMIT $2)",
            now,
            limit
        ))
        .await
}
