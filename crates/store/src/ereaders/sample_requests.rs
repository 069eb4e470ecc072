//! Which process makes a sample that somebody asked for: the one that claims its row, until its
//! lease ends. The row goes when the sample is stored.

use lectern_types::{EreaderId, Timestamp};

use super::{Ereader, Sample, lock_if_same_voice, replace_sample};
use crate::{
    Result, Store,
    db::{Row, sql},
};

/// The sample of an e-reader in a language.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SampleKey {
    pub ereader: EreaderId,
    /// BCP 47.
    pub language: String,
}

impl SampleKey {
    fn language_key(&self) -> String {
        self.language.to_ascii_lowercase()
    }
}

/// Notes that a sample is wanted, for a process that can make it.
pub async fn note(store: &Store, sample: &SampleKey, now: Timestamp) -> Result<()> {
    store
        .run(sql!(
            "INSERT INTO sample_requests (ereader_id, language_key, language, requested_at, owner, lease_until)
             VALUES ($1, $2, $3, $4, NULL, $4)
             ON CONFLICT (ereader_id, language_key) DO UPDATE SET requested_at = excluded.requested_at",
            sample.ereader,
            sample.language_key(),
            sample.language.as_str(),
            now
        ))
        .await?;
    Ok(())
}

/// Makes `owner` the only one that makes this sample until `lease_until`; false while another is,
/// and while the pause after a failure lasts.
pub async fn claim(
    store: &Store,
    sample: &SampleKey,
    owner: &str,
    now: Timestamp,
    lease_until: Timestamp,
) -> Result<bool> {
    let claimed = store
        .run(sql!(
            "INSERT INTO sample_requests (ereader_id, language_key, language, requested_at, owner, lease_until)
             VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (ereader_id, language_key) DO UPDATE
                 SET owner = excluded.owner, lease_until = excluded.lease_until
                 WHERE sample_requests.lease_until <= $4",
            sample.ereader,
            sample.language_key(),
            sample.language.as_str(),
            now,
            owner,
            lease_until
        ))
        .await?;
    Ok(claimed > 0)
}

/// Renews a claim; false when it was lost.
pub async fn renew(store: &Store, sample: &SampleKey, owner: &str, lease_until: Timestamp) -> Result<bool> {
    let renewed = store
        .run(sql!(
            "UPDATE sample_requests SET lease_until = $4
             WHERE ereader_id = $1 AND language_key = $2 AND owner = $3",
            sample.ereader,
            sample.language_key(),
            owner,
            lease_until
        ))
        .await?;
    Ok(renewed > 0)
}

/// Gives a claim up after a failure; nobody tries again before `until`.
pub async fn give_up(store: &Store, sample: &SampleKey, owner: &str, until: Timestamp) -> Result<()> {
    store
        .run(sql!(
            "UPDATE sample_requests SET owner = NULL, lease_until = $4
             WHERE ereader_id = $1 AND language_key = $2 AND owner = $3",
            sample.ereader,
            sample.language_key(),
            owner,
            until
        ))
        .await?;
    Ok(())
}

/// Stores a claimed sample and ends the claim; false when the claim was lost, as when the e-reader
/// got another voice meanwhile. Nothing is stored then.
pub async fn finish(store: &Store, ereader: &Ereader, sample: &Sample, owner: &str) -> Result<bool> {
    let key = SampleKey { ereader: ereader.id, language: sample.language.clone() };
    let mut tx = store.begin().await?;
    // Locked first, as a change of the voice does it.
    if !lock_if_same_voice(&mut tx, ereader).await? {
        return Ok(false);
    }
    let ended = tx
        .run(sql!(
            "DELETE FROM sample_requests WHERE ereader_id = $1 AND language_key = $2 AND owner = $3",
            ereader.id,
            key.language_key(),
            owner
        ))
        .await?;
    if ended == 0 {
        return Ok(false);
    }
    replace_sample(&mut tx, ereader.id, sample).await?;
    tx.commit().await?;
    Ok(true)
}

/// How it stands with a wanted sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// Whether a process makes it.
    pub is_claimed: bool,
    /// Before this nobody else begins.
    pub lease_until: Timestamp,
}

/// How it stands with a sample; `None` when it is not wanted.
pub async fn state(store: &Store, sample: &SampleKey) -> Result<Option<State>> {
    let row = store
        .one(sql!(
            "SELECT owner, lease_until FROM sample_requests WHERE ereader_id = $1 AND language_key = $2",
            sample.ereader,
            sample.language_key()
        ))
        .await?;
    let read = |row: Row| -> Result<State> {
        let is_claimed = row.get::<Option<String>>("owner")?.is_some();
        Ok(State { is_claimed, lease_until: row.get("lease_until")? })
    };
    row.map(read).transpose()
}

/// The samples of active e-readers that somebody asked for since `since` and that nobody makes, the
/// oldest request first, each with its e-reader's engine.
pub async fn waiting(store: &Store, since: Timestamp, now: Timestamp) -> Result<Vec<(SampleKey, String)>> {
    let rows = store
        .all(sql!(
            "SELECT r.ereader_id, r.language, e.engine
             FROM sample_requests r JOIN ereaders e ON e.id = r.ereader_id
             WHERE r.lease_until <= $1 AND r.requested_at >= $2 AND e.active = 1
             ORDER BY r.requested_at, r.ereader_id",
            now,
            since
        ))
        .await?;
    rows.iter().map(read).collect()
}

fn read(row: &Row) -> Result<(SampleKey, String)> {
    let key = SampleKey { ereader: row.get("ereader_id")?, language: row.get("language")? };
    Ok((key, row.get("engine")?))
}
