//! The usage of an account: its finished syntheses and its materials' converted chunks, summed by
//! day, e-reader or key. The rows outlive their audio, so deleting audio loses no usage.

use lectern_types::{AccountId, Credits, EreaderId, Timestamp, UsageGroup};

use crate::{
    Environment, Result, Store,
    db::{Row, sql},
};

/// Microseconds of a UTC day.
const DAY_MICROS: i64 = 86_400_000_000;

/// One group's sum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Used {
    /// The day (`2026-11-21`), or the id.
    pub key: String,
    pub characters: i64,
    /// Credits charged.
    pub credits: Credits,
    pub requests: i64,
}

macro_rules! sums {
    ($group:literal, $groups:literal, $order:literal) => {
        concat!(
            "SELECT ",
            $group,
            ", CAST(SUM(characters) AS BIGINT) AS characters, CAST(SUM(credits_charged) AS BIGINT) AS credits,
                 COUNT(*) AS requests
             FROM (
                 SELECT created_at, ereader_id, key_id, characters, credits_charged FROM syntheses
                 WHERE account_id = $1 AND environment = $2 AND created_at >= $3 AND created_at < $4
                 UNION ALL
                 SELECT created_at, ereader_id, key_id, characters, credits_charged FROM chunk_conversions
                 WHERE account_id = $1 AND environment = $2 AND created_at >= $3 AND created_at < $4
             ) used GROUP BY ",
            $groups,
            " ORDER BY ",
            $order
        )
    };
}

/// The usage of one environment from one instant up to, but not including, another. Days come in
/// order, and only those with usage; e-readers and keys come in descending order of characters.
pub async fn sums(
    store: &Store,
    account: AccountId,
    environment: Environment,
    from: Timestamp,
    to: Timestamp,
    group_by: UsageGroup,
) -> Result<Vec<Used>> {
    let statement = match group_by {
        UsageGroup::Day => sums!("created_at / 86400000000 AS day", "1", "1"),
        UsageGroup::Ereader => sums!("ereader_id", "1", "2 DESC, 1"),
        UsageGroup::Key => sums!("key_id", "1", "2 DESC, 1"),
    };
    let rows = store.all(sql!(statement, account, environment, from, to)).await?;
    rows.iter().map(|row| read(row, group_by)).collect()
}

/// The usage of one e-reader on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsedOnDay {
    /// The day (`2026-11-21`).
    pub day: String,
    pub ereader: EreaderId,
    pub characters: i64,
    /// Credits charged.
    pub credits: Credits,
}

/// The usage of one environment from one instant up to, but not including, another, ordered by day
/// and e-reader.
pub async fn by_day_and_ereader(
    store: &Store,
    account: AccountId,
    environment: Environment,
    from: Timestamp,
    to: Timestamp,
) -> Result<Vec<UsedOnDay>> {
    let statement = sums!("created_at / 86400000000 AS day, ereader_id", "1, 2", "1, 2");
    let rows = store.all(sql!(statement, account, environment, from, to)).await?;
    let read = |row: &Row| {
        Ok(UsedOnDay {
            day: day(row.get("day")?),
            ereader: row.get("ereader_id")?,
            characters: row.get("characters")?,
            credits: row.get("credits")?,
        })
    };
    rows.iter().map(read).collect()
}

/// A recent synthesis, or a material with recent conversions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spoken {
    /// The id of the synthesis, or of the material whose chunks were spoken.
    pub id: String,
    /// The last time it was spoken.
    pub at: Timestamp,
    pub ereader: EreaderId,
    /// The material's title; `None` for a synthesis.
    pub title: Option<String>,
    pub characters: i64,
    /// Credits charged.
    pub credits: Credits,
    pub requests: i64,
}

/// Recent speech, the latest first: syntheses, and materials with their converted part.
pub async fn recent(
    store: &Store,
    account: AccountId,
    environment: Environment,
    limit: u32,
) -> Result<Vec<Spoken>> {
    let rows = store
        .all(sql!(
            "SELECT id, at, ereader_id, title, characters, credits, requests FROM (
                 SELECT * FROM (
                     SELECT id, created_at AS at, ereader_id, NULL AS title, characters,
                         credits_charged AS credits, 1 AS requests
                     FROM syntheses WHERE account_id = $1 AND environment = $2
                     ORDER BY created_at DESC LIMIT $3) s
                 UNION ALL
                 SELECT * FROM (
                     SELECT m.id, MAX(c.created_at) AS at, c.ereader_id, m.title,
                         CAST(SUM(c.characters) AS BIGINT) AS characters,
                         CAST(SUM(c.credits_charged) AS BIGINT) AS credits, COUNT(*) AS requests
                     FROM chunk_conversions c JOIN materials m ON m.id = c.material_id
                     WHERE c.account_id = $1 AND c.environment = $2
                     GROUP BY m.id, c.ereader_id, m.title ORDER BY 2 DESC LIMIT $3) k
             ) spoken ORDER BY at DESC, id LIMIT $3",
            account,
            environment,
            limit
        ))
        .await?;
    let read = |row: &Row| {
        Ok(Spoken {
            id: row.get("id")?,
            at: row.get("at")?,
            ereader: row.get("ereader_id")?,
            title: row.get("title")?,
            characters: row.get("characters")?,
            credits: row.get("credits")?,
            requests: row.get("requests")?,
        })
    };
    rows.iter().map(read).collect()
}

/// The date of a day counted from 1970.
fn day(number: i64) -> String {
    let day = Timestamp(number.saturating_mul(DAY_MICROS));
    day.to_string().chars().take_while(|&digit| digit != 'T').collect()
}

fn read(row: &Row, group_by: UsageGroup) -> Result<Used> {
    let key = match group_by {
        UsageGroup::Day => day(row.get("day")?),
        UsageGroup::Ereader => row.get("ereader_id")?,
        UsageGroup::Key => row.get("key_id")?,
    };
    Ok(Used {
        key,
        characters: row.get("characters")?,
        credits: row.get("credits")?,
        requests: row.get("requests")?,
    })
}
