//! Dispatch: how workers hear that there are jobs. The rows of the store are the truth, each with its epoch; what passes here only
//! says that one of a kind may be due, so that it may be lost, doubled or late. Whoever hears it claims what is due by the
//! store's own order, which is fair between accounts, and not the row it was said of.
//!
//! Two ways: `embedded` needs nothing but the process and, for others on the same PostgreSQL, its notifications; `nats` hands
//! each job to one worker that has room for it, by a JetStream work queue for each kind and environment.

mod embedded;
mod nats;

use std::fmt;

use futures_util::future::BoxFuture;
use lectern_store::{
    Environment, QueuedJob,
    jobs::{JobClaim, JobKind},
};
use serde::Serialize;

pub use self::{
    embedded::Embedded,
    nats::{Nats, Ticket, Unusable},
};

/// Why something was not said or heard; the sentence is for the operator.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub struct QueueError(pub String);

/// A way in which workers hear of jobs.
pub trait Queue: fmt::Debug + Send + Sync {
    /// Says that these jobs were committed.
    ///
    /// # Errors
    /// When it was not said, or perhaps not of all.
    fn publish<'a>(&'a self, jobs: &'a [QueuedJob]) -> BoxFuture<'a, Result<(), QueueError>>;

    /// The ear of a worker that does these kinds.
    fn calls(&self, kinds: &[JobKind]) -> Box<dyn Calls>;

    /// Puts aside what an operator should know of a job that is dead.
    ///
    /// # Errors
    /// When it was not put aside. The store knows of the job all the same.
    fn bury<'a>(&'a self, letter: &'a DeadLetter) -> BoxFuture<'a, Result<(), QueueError>>;

    /// How many messages of this kind and environment wait for a worker; `None` where there are none to be counted.
    ///
    /// # Errors
    /// When it does not answer.
    fn waiting(
        &self,
        kind: JobKind,
        environment: Environment,
    ) -> BoxFuture<'_, Result<Option<u64>, QueueError>>;

    /// Whether it is known not to answer, so that jobs are found by looking only.
    fn is_away(&self) -> bool;
}

/// The ear of one worker.
pub trait Calls: Send {
    /// Waits for a call, while there is room for so many jobs of each kind. May be dropped and asked again.
    fn next<'a>(&'a mut self, room: &'a [(JobKind, usize)]) -> BoxFuture<'a, Call>;

    /// Whether calls come job by job: then room that became free is told here and not used by looking.
    fn come_one_by_one(&self) -> bool;
}

/// What a worker hears.
#[derive(Debug)]
pub enum Call {
    /// Jobs of any kind may be due, as many as there are.
    Look,
    /// One job of each ticket's kind may be due.
    Tickets(Vec<Ticket>),
}

/// What is put aside of a job that is dead. No text of a customer is in it.
#[derive(Debug, Clone, Serialize)]
pub struct DeadLetter {
    /// The job.
    pub job_id: String,
    /// Its kind.
    pub kind: &'static str,
    /// Its environment.
    pub environment: &'static str,
    /// Its account.
    pub account_id: String,
    /// Its material, if it has one.
    pub material_id: Option<String>,
    /// Its chunk, if it has one.
    pub chunk_index: Option<u32>,
    /// Why it died.
    pub reason: String,
}

impl DeadLetter {
    /// The letter of a claim.
    pub fn of(claim: &JobClaim, reason: &str) -> Self {
        Self {
            job_id: claim.id.to_string(),
            kind: claim.kind.as_str(),
            environment: claim.environment.as_str(),
            account_id: claim.account.to_string(),
            material_id: claim.material.map(|material| material.to_string()),
            chunk_index: claim.chunk,
            reason: reason.to_owned(),
        }
    }
}
