//! How workers learn that jobs are due. The rows of the store are the truth, each with its epoch. A
//! message here only says that a job of some kind may be due, so it may be lost, duplicated or
//! late. A worker that receives one claims whatever is due in the store's own order, which is fair
//! between accounts.
//!
//! There are two implementations. `embedded` needs only the process itself and, between processes
//! on one PostgreSQL, its notifications. `nats` delivers each job to one worker with free capacity,
//! through a JetStream work queue for each kind, engine and environment.

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
    nats::{Nats, QueueMessage, Unusable},
};

/// Why a message was not sent or received; the sentence is for the operator.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub struct QueueError(pub String);

/// Delivers messages about due jobs to workers.
pub trait Queue: fmt::Debug + Send + Sync {
    /// Publishes a message for each of these committed jobs.
    ///
    /// # Errors
    /// When some of the messages were not sent, or may not have been.
    fn publish<'a>(&'a self, jobs: &'a [QueuedJob]) -> BoxFuture<'a, Result<(), QueueError>>;

    /// The subscription of a worker that runs these kinds of jobs, with these engines.
    fn subscribe(&self, kinds: &[JobKind], engines: &[String]) -> Box<dyn Subscription>;

    /// Stores a dead letter: what an operator should know about a job that failed for good.
    ///
    /// # Errors
    /// When it was not stored. The job's row in the store is not affected.
    fn put_dead_letter<'a>(&'a self, letter: &'a DeadLetter) -> BoxFuture<'a, Result<(), QueueError>>;

    /// How many messages of this kind, engine and environment wait for a worker; `None` where
    /// messages are not counted.
    ///
    /// # Errors
    /// When the server does not answer.
    fn waiting<'a>(
        &'a self,
        kind: JobKind,
        engine: &'a str,
        environment: Environment,
    ) -> BoxFuture<'a, Result<Option<u64>, QueueError>>;

    /// Whether the queue is known to be down, so that jobs are found by polling only.
    fn is_away(&self) -> bool;
}

/// The subscription of one worker.
pub trait Subscription: Send {
    /// Waits for the next wake-up; `room` is the free capacity for each kind. Safe to cancel.
    fn next<'a>(&'a mut self, room: &'a [(JobKind, usize)]) -> BoxFuture<'a, Wake>;

    /// Whether there is one message a job. Free capacity is then announced here rather than filled
    /// by polling.
    fn is_per_job(&self) -> bool;
}

/// Why a worker wakes up.
#[derive(Debug)]
pub enum Wake {
    /// Jobs of any kind may be due, as many as there are.
    Poll,
    /// One job of each message's kind may be due.
    Messages(Vec<QueueMessage>),
}

/// What is kept about a job that failed for good. It holds no text of a customer.
#[derive(Debug, Clone, Serialize)]
pub struct DeadLetter {
    pub job_id: String,
    pub kind: &'static str,
    pub environment: &'static str,
    pub account_id: String,
    /// Its material, if it has one.
    pub material_id: Option<String>,
    /// Its chunk, if it has one.
    pub chunk_index: Option<u32>,
    pub reason: String,
}

impl DeadLetter {
    /// The dead letter of a claim.
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
