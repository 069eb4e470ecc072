//! Re-derives every balance and every hold from the ledger's rows and names the first difference.
//!
//! The checks do not trust the totals that the booking code keeps: balances are summed again from
//! the double entries, holds from their own rows, and the running totals of each row from all rows
//! before it.

use crate::{
    Result, Store,
    db::{Tx, sql},
};

/// The result of a verification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    pub accounts: u64,
    /// Verified ledger rows.
    pub transactions: u64,
    /// The first discrepancy, if any.
    pub first_difference: Option<Difference>,
}

/// A discrepancy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The account, hold or transaction at fault.
    pub subject: String,
    /// The rule that is broken.
    pub what: &'static str,
    /// The amount by the ledger's rows.
    pub expected: i64,
    pub found: i64,
}

/// Each check: the rule, and a query for the first (subject, expected, found) that differ.
const CHECKS: &[(&str, &str)] = &[
    (
        "the sum of all entries is zero",
        "SELECT 'ledger' AS subject, CAST(0 AS BIGINT) AS expected,
             CAST(SUM(credits) AS BIGINT) AS found FROM ledger_entries
         HAVING SUM(credits) <> 0",
    ),
    (
        "the balance is the sum of the account's entries",
        "SELECT a.id AS subject, CAST(COALESCE(e.total, 0) AS BIGINT) AS expected,
             COALESCE(b.balance, -1) AS found
         FROM accounts a
         LEFT JOIN account_balances b ON b.account_id = a.id
         LEFT JOIN (
             SELECT t.account_id, SUM(e.credits) AS total FROM ledger_entries e
             JOIN ledger_transactions t ON t.id = e.transaction_id
             WHERE e.ledger_account IN (t.account_id, t.account_id || ':held') GROUP BY t.account_id
         ) e ON e.account_id = a.id
         WHERE COALESCE(b.balance, -1) <> COALESCE(e.total, 0) ORDER BY a.id LIMIT 1",
    ),
    (
        "what is held is the sum of the entries on the held side",
        "SELECT a.id AS subject, CAST(COALESCE(e.total, 0) AS BIGINT) AS expected,
             COALESCE(b.held, -1) AS found
         FROM accounts a
         LEFT JOIN account_balances b ON b.account_id = a.id
         LEFT JOIN (
             SELECT t.account_id, SUM(e.credits) AS total FROM ledger_entries e
             JOIN ledger_transactions t ON t.id = e.transaction_id
             WHERE e.ledger_account = t.account_id || ':held' GROUP BY t.account_id
         ) e ON e.account_id = a.id
         WHERE COALESCE(b.held, -1) <> COALESCE(e.total, 0) ORDER BY a.id LIMIT 1",
    ),
    (
        "what is held is the sum of the open holds",
        "SELECT b.account_id AS subject, CAST(COALESCE(h.total, 0) AS BIGINT) AS expected, b.held AS found
         FROM account_balances b
         LEFT JOIN (
             SELECT account_id, SUM(credits) AS total FROM holds WHERE settled_at IS NULL GROUP BY account_id
         ) h ON h.account_id = b.account_id
         WHERE b.held <> COALESCE(h.total, 0) ORDER BY b.account_id LIMIT 1",
    ),
    (
        "the account's rows are numbered from 1 without a gap",
        "SELECT b.account_id AS subject, b.last_seq AS expected, COALESCE(t.rows_found, 0) AS found
         FROM account_balances b
         LEFT JOIN (
             SELECT account_id, COUNT(*) AS rows_found, MIN(seq) AS lowest, MAX(seq) AS highest
             FROM ledger_transactions GROUP BY account_id
         ) t ON t.account_id = b.account_id
         WHERE b.last_seq <> COALESCE(t.rows_found, 0)
            OR b.last_seq <> COALESCE(t.highest, 0)
            OR COALESCE(t.lowest, 1) <> 1
         ORDER BY b.account_id LIMIT 1",
    ),
    (
        "each row's balance_after is the sum up to it",
        "SELECT id AS subject, CAST(running AS BIGINT) AS expected, balance_after AS found FROM (
             SELECT id, account_id, seq, balance_after,
                 SUM(CASE WHEN kind IN ('hold', 'release') THEN 0 ELSE credits END)
                     OVER (PARTITION BY account_id ORDER BY seq) AS running
             FROM ledger_transactions
         ) chain WHERE balance_after <> running ORDER BY account_id, seq LIMIT 1",
    ),
    (
        "each row's held_after is the sum up to it",
        "SELECT id AS subject, CAST(running AS BIGINT) AS expected, held_after AS found FROM (
             SELECT id, account_id, seq, held_after,
                 SUM(CASE WHEN kind IN ('hold', 'release') THEN -credits ELSE 0 END)
                     OVER (PARTITION BY account_id ORDER BY seq) AS running
             FROM ledger_transactions
         ) chain WHERE held_after <> running ORDER BY account_id, seq LIMIT 1",
    ),
    (
        "each hold was taken for what it holds",
        "SELECT h.id AS subject, COALESCE(-t.credits, 0) AS expected, h.credits AS found FROM holds h
         LEFT JOIN ledger_transactions t
             ON t.id = h.id AND t.hold_id = h.id AND t.kind = 'hold' AND t.account_id = h.account_id
         WHERE COALESCE(-t.credits, 0) <> h.credits ORDER BY h.id LIMIT 1",
    ),
    (
        "each row that takes a hold has its hold",
        "SELECT t.id AS subject, -t.credits AS expected, CAST(0 AS BIGINT) AS found FROM ledger_transactions t
         LEFT JOIN holds h ON h.id = t.hold_id AND h.account_id = t.account_id
         WHERE t.hold_id IS NOT NULL AND h.id IS NULL ORDER BY t.id LIMIT 1",
    ),
    (
        "a settled hold is released whole, an open one not at all",
        "SELECT h.id AS subject, COALESCE(t.credits, 0) AS expected,
             CASE WHEN h.settled_at IS NULL THEN 0 ELSE h.credits END AS found
         FROM holds h LEFT JOIN ledger_transactions t ON t.hold_id = h.id AND t.kind = 'release'
         WHERE COALESCE(t.credits, 0) <> CASE WHEN h.settled_at IS NULL THEN 0 ELSE h.credits END
         ORDER BY h.id LIMIT 1",
    ),
    (
        "a hold's charge is the one booked",
        "SELECT h.id AS subject, COALESCE(-t.credits, 0) AS expected, COALESCE(h.charged, 0) AS found
         FROM holds h LEFT JOIN ledger_transactions t ON t.hold_id = h.id AND t.kind = 'charge'
         WHERE COALESCE(-t.credits, 0) <> COALESCE(h.charged, 0) ORDER BY h.id LIMIT 1",
    ),
    (
        "each synthesis was charged what its row says",
        "SELECT s.id AS subject, CAST(COALESCE(c.total, 0) AS BIGINT) AS expected,
             s.credits_charged AS found FROM syntheses s
         LEFT JOIN (
             SELECT reference, account_id, -SUM(credits) AS total FROM ledger_transactions
             WHERE kind = 'charge' AND reference IS NOT NULL GROUP BY reference, account_id
         ) c ON c.reference = s.id AND c.account_id = s.account_id
         WHERE s.credits_charged <> COALESCE(c.total, 0) ORDER BY s.id LIMIT 1",
    ),
    (
        "each chunk was charged what its conversion says",
        "SELECT c.material_id || '/' || c.chunk_index AS subject, COALESCE(-t.credits, 0) AS expected,
             c.credits_charged AS found
         FROM chunk_conversions c
         LEFT JOIN ledger_transactions t
             ON t.charge_key = c.material_id || '/' || c.chunk_index || '/' || c.ereader_id
                 || CASE WHEN c.take = 0 THEN '' ELSE '/' || c.take END
             AND t.account_id = c.account_id AND t.kind = 'charge'
         WHERE c.credits_charged <> COALESCE(-t.credits, 0) ORDER BY c.material_id, c.chunk_index LIMIT 1",
    ),
    (
        // Found by material and chunk, because no index has the combined key.
        "each charge of a chunk has its conversion",
        "SELECT t.id AS subject, CAST(0 AS BIGINT) AS expected, -t.credits AS found FROM ledger_transactions t
         LEFT JOIN chunk_conversions c
             ON c.material_id = SUBSTR(t.charge_key, 1, 36)
             AND c.chunk_index = CASE WHEN t.charge_key IS NOT NULL THEN CAST(SUBSTR(t.reference, 38) AS BIGINT) END
             AND c.account_id = t.account_id
             AND t.charge_key = c.material_id || '/' || c.chunk_index || '/' || c.ereader_id
                 || CASE WHEN c.take = 0 THEN '' ELSE '/' || c.take END
         WHERE t.charge_key IS NOT NULL AND c.material_id IS NULL ORDER BY t.id LIMIT 1",
    ),
    (
        "each chunk that waits has the hold it was priced at",
        "SELECT c.material_id || '/' || c.idx AS subject, c.credits AS expected,
             CAST(COALESCE(h.credits, 0) AS BIGINT) AS found FROM chunks c
         LEFT JOIN holds h ON h.id = c.hold_id AND h.settled_at IS NULL
         WHERE c.status IN ('queued', 'converting') AND c.credits <> COALESCE(h.credits, 0)
         ORDER BY c.material_id, c.idx LIMIT 1",
    ),
];

/// Re-derives everything, in one consistent view of the database.
pub async fn verify(store: &Store) -> Result<Verification> {
    let mut tx = store.snapshot().await?;
    let accounts = count(&mut tx, "SELECT COUNT(*) FROM accounts").await?;
    let transactions = count(&mut tx, "SELECT COUNT(*) FROM ledger_transactions").await?;
    let mut first_difference = None;
    for &(what, query) in CHECKS {
        if let Some(row) = tx.one(sql!(query)).await? {
            first_difference = Some(Difference {
                subject: row.get("subject")?,
                what,
                expected: row.get("expected")?,
                found: row.get("found")?,
            });
            break;
        }
    }
    tx.commit().await?;
    Ok(Verification { accounts, transactions, first_difference })
}

async fn count(tx: &mut Tx, query: &'static str) -> Result<u64> {
    tx.one(sql!(query)).await?.map_or(Ok(0), |row| row.scalar())
}
