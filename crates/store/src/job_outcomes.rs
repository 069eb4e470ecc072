//! Outcomes of jobs other than success, with their effects on the job's material and chunk: a later
//! attempt ([`retry_later`]), a claim that is released ([`release`]) or lost ([`reclaim_lost`]), a
//! permanent failure ([`fail_permanently`]), and a dead job queued again by an operator
//! ([`retry()`]). This module uses `jobs`, `chunks` and `materials`, so that none of them needs to
//! know the others' tables. Success is recorded with its result (`materials::extracted`,
//! `chunks::complete`, `books::insert`).

mod fail;
mod reclaim;
mod retry;

pub use fail::{fail_permanently, release, retry_later};
pub use reclaim::{MAX_LOST_LEASES, Reclaimed, reclaim_lost};
pub use retry::{RetryOutcome, retry};
