//! The ledger summed up the way people think of it: one line for a book however many parts it has,
//! one for the speech of a day, one for each purchase. Holds and releases cancel out and appear
//! only in the raw ledger.

use lectern_types::{AccountId, Credits, MaterialId, StatementKind, Timestamp};

use crate::{
    Result, Store,
    db::{Row, sql},
};

/// A line of the statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The kind of the summed rows.
    pub kind: StatementKind,
    /// The number of its newest row among the account's rows, by which lines are ordered.
    pub seq: i64,
    /// When its newest row was booked.
    pub at: Timestamp,
    /// The sum of its credits.
    pub credits: Credits,
    pub entries: i64,
    /// The material of a book.
    pub material: Option<MaterialId>,
    /// The material's title; empty once it was deleted.
    pub title: Option<String>,
    /// The operator's note on a grant or a refund.
    pub note: Option<String>,
}

/// The requested lines.
#[derive(Debug, Clone, Copy, Default)]
pub struct Filter {
    /// Only lines of this kind.
    pub kind: Option<StatementKind>,
    /// Only transactions from this instant on.
    pub from: Option<Timestamp>,
    /// Only transactions before this instant.
    pub to: Option<Timestamp>,
    /// Only lines older than the one with this number.
    pub before: Option<i64>,
}

/// A page of the account's statement, newest first. A charge for a chunk names it as `mat_…/3`.
pub async fn statement(store: &Store, account: AccountId, filter: Filter, limit: u32) -> Result<Vec<Line>> {
    let rows = store
        .all(sql!(
            "SELECT g.kind, g.seq, g.at, g.credits, g.entries, m.id AS material_id, m.title, g.note FROM (
                 SELECT kind, line, MAX(seq) AS seq, MAX(created_at) AS at,
                     CAST(SUM(credits) AS BIGINT) AS credits, COUNT(*) AS entries, MAX(note) AS note
                 FROM (
                     SELECT seq, created_at, credits,
                         CASE WHEN kind <> 'charge' THEN kind
                             WHEN reference LIKE 'mat!_%/%' ESCAPE '!' THEN 'book' ELSE 'speech' END AS kind,
                         CASE WHEN kind <> 'charge' THEN id
                             WHEN reference LIKE 'mat!_%/%' ESCAPE '!' THEN substr(reference, 1, 36)
                             ELSE CAST(created_at / 86400000000 AS TEXT) END AS line,
                         CASE WHEN kind IN ('grant', 'refund') THEN reference END AS note
                     FROM ledger_transactions
                     WHERE account_id = $1 AND kind NOT IN ('hold', 'release')
                         AND created_at >= $2 AND created_at < $3) booked
                 GROUP BY kind, line) g
             LEFT JOIN materials m ON m.id = g.line AND m.account_id = $1
             WHERE g.seq < $4 AND (g.kind = $5 OR $5 = '')
             ORDER BY g.seq DESC LIMIT $6",
            account,
            filter.from.unwrap_or(Timestamp(i64::MIN)),
            filter.to.unwrap_or(Timestamp(i64::MAX)),
            filter.before.unwrap_or(i64::MAX),
            filter.kind.map_or("", StatementKind::as_str),
            limit
        ))
        .await?;
    let read = |row: &Row| {
        Ok(Line {
            kind: row.get("kind")?,
            seq: row.get("seq")?,
            at: row.get("at")?,
            credits: row.get("credits")?,
            entries: row.get("entries")?,
            material: row.get("material_id")?,
            title: row.get("title")?,
            note: row.get("note")?,
        })
    };
    rows.iter().map(read).collect()
}

/// The price of one part of a book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub index: u32,
    /// The title of its chapter.
    pub title: Option<String>,
    pub characters: i64,
    /// Credits charged.
    pub credits: Credits,
    pub at: Timestamp,
}

/// The price of each part of a book, in the book's order; `None` when the account has no such
/// material.
pub async fn parts(store: &Store, account: AccountId, material: MaterialId) -> Result<Option<Vec<Part>>> {
    let known = "SELECT 1 FROM materials WHERE id = $1 AND account_id = $2";
    if store.one(sql!(known, material, account)).await?.is_none() {
        return Ok(None);
    }
    let rows = store
        .all(sql!(
            "SELECT s.chunk_index, c.title, s.characters, s.credits_charged, s.created_at
             FROM chunk_conversions s
             LEFT JOIN chunks c ON c.material_id = s.material_id AND c.idx = s.chunk_index
             WHERE s.material_id = $1 AND s.account_id = $2 AND s.credits_charged > 0
             ORDER BY s.chunk_index, s.take",
            material,
            account
        ))
        .await?;
    let read = |row: &Row| {
        Ok(Part {
            index: row.get("chunk_index")?,
            title: row.get("title")?,
            characters: row.get("characters")?,
            credits: row.get("credits_charged")?,
            at: row.get("created_at")?,
        })
    };
    rows.iter().map(read).collect::<Result<_>>().map(Some)
}
