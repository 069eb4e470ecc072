//! What an account used: its finished syntheses and its materials' converted chunks, added up by day, e-reader or key. The rows outlive their audio, so
//! nothing is lost to its deletion.

use lectern_types::{AccountId, Credits, Timestamp};

use crate::{
    Environment, Result, Store,
    db::{Row, sql},
};

/// Microseconds of a UTC day.
const DAY_MICROS: i64 = 86_400_000_000;

/// What usage is added up by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupBy {
    /// The UTC day.
    Day,
    /// The e-reader that spoke.
    Ereader,
    /// The key that asked.
    Key,
}

/// One group's sum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Used {
    /// The day (`2026-11-21`), or the id.
    pub key: String,
    /// Characters spoken.
    pub characters: i64,
    /// Credits charged.
    pub credits: Credits,
    /// Syntheses and chunks.
    pub requests: i64,
}

macro_rules! sums {
    ($group:literal, $order:literal) => {
        concat!(
            "SELECT ",
            $group,
            ", CAST(SUM(characters) AS BIGINT), CAST(SUM(credits_charged) AS BIGINT), COUNT(*)
             FROM (
                 SELECT created_at, ereader_id, key_id, characters, credits_charged FROM syntheses
                 WHERE account_id = $1 AND environment = $2 AND created_at >= $3 AND created_at < $4
                 UNION ALL
                 SELECT created_at, ereader_id, key_id, characters, credits_charged FROM chunk_conversions
                 WHERE account_id = $1 AND environment = $2 AND created_at >= $3 AND created_at < $4
             ) used GROUP BY 1 ORDER BY ",
            $order
        )
    };
}

/// The usage of one environment from an instant up to, not including, another. Days come in their order and only those
/// with use; e-readers and keys with the most characters first.
pub async fn sums(
    store: &Store,
    account: AccountId,
    environment: Environment,
    from: Timestamp,
    to: Timestamp,
    group_by: GroupBy,
) -> Result<Vec<Used>> {
    let statement = match group_by {
        GroupBy::Day => sums!("created_at / 86400000000", "1"),
        GroupBy::Ereader => sums!("ereader_id", "2 DESC, 1"),
        GroupBy::Key => sums!("key_id", "2 DESC, 1"),
    };
    let rows = store.all(sql!(statement, account, environment, from, to)).await?;
    rows.iter().map(|row| read(row, group_by)).collect()
}

fn read(row: &Row, group_by: GroupBy) -> Result<Used> {
    let mut columns = row.columns();
    let key = match group_by {
        GroupBy::Day => {
            let day = Timestamp(columns.take::<i64>()?.saturating_mul(DAY_MICROS));
            day.to_string().chars().take_while(|&digit| digit != 'T').collect()
        }
        GroupBy::Ereader | GroupBy::Key => columns.take()?,
    };
    Ok(Used { key, characters: columns.take()?, credits: columns.take()?, requests: columns.take()? })
}
