//! The streams on the server: one work queue for each kind of job, each engine that such jobs need
//! and each environment, with one consumer that all workers share, and one stream of dead letters. Each store has its own
//! namespace, so several installations can share a server.

use std::time::Duration;

use async_nats::jetstream::{
    consumer::{AckPolicy, PullConsumer, pull},
    stream::{Config, DiscardPolicy, RetentionPolicy, StorageType},
};
use lectern_store::{Environment, jobs::JobKind};

use super::Link;
use crate::{dispatch::queue::QueueError, error::chain};

/// The most messages in a work queue. Beyond it the oldest are dropped, and `replenish` recreates
/// them later.
const MOST_WAITING: i64 = 1_000_000;

/// Messages older than this expire; their jobs are found by polling the store.
const OLDEST: Duration = Duration::from_hours(24);

/// The window in which a repeated message id is dropped as a duplicate.
const SAME: Duration = Duration::from_mins(2);

/// How many dead letters are kept, and for how long.
const MOST_DEAD: i64 = 100_000;
const DEAD_KEPT: Duration = Duration::from_hours(30 * 24);

/// The most unacknowledged messages of all workers together.
const MOST_UNDER_WAY: i64 = 100_000;

/// The most pulls that may wait at once.
const MOST_PULLS: i64 = 8_192;

/// The consumer that all workers share.
const WORKERS: &str = "workers";

/// One work queue.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Lane {
    pub(super) kind: JobKind,
    /// The engine that its jobs need, in letters that a subject may have; empty for none, or where
    /// that is not known.
    engine: String,
    pub(super) environment: Environment,
}

impl Lane {
    pub(super) fn of(kind: JobKind, engine: &str, environment: Environment) -> Self {
        let letter = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        Self { kind, engine: engine.chars().map(letter).collect(), environment }
    }

    /// Every work queue of jobs that need no engine. The others are made when they are needed.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        JobKind::ALL
            .iter()
            .flat_map(|kind| Environment::ALL.iter().map(|environment| Self::of(*kind, "", *environment)))
    }

    /// Kind, engine if there is one, and environment, with this between them.
    fn joined(&self, separator: &str) -> String {
        let parts = [self.kind.as_str(), &self.engine, self.environment.as_str()];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join(separator)
    }
}

/// Names of streams, subjects and consumers.
#[derive(Debug)]
pub(super) struct Names {
    namespace: String,
    replicas: usize,
}

impl Names {
    pub(super) fn new(namespace: &str, replicas: usize) -> Self {
        Self { namespace: namespace.to_owned(), replicas }
    }

    pub(super) fn subject(&self, lane: &Lane) -> String {
        format!("lectern.{}.jobs.{}", self.namespace, lane.joined("."))
    }

    pub(super) fn dead_subject(&self, kind: &str) -> String {
        format!("lectern.{}.dead.{kind}", self.namespace)
    }

    fn stream_name(&self, lane: &Lane) -> String {
        format!("lectern_{}_{}", self.namespace, lane.joined("_"))
    }

    pub(super) fn stream(&self, lane: &Lane) -> Config {
        Config {
            name: self.stream_name(lane),
            subjects: vec![self.subject(lane)],
            retention: RetentionPolicy::WorkQueue,
            storage: StorageType::File,
            discard: DiscardPolicy::Old,
            max_messages: MOST_WAITING,
            max_age: OLDEST,
            duplicate_window: SAME,
            num_replicas: self.replicas,
            description: Some("Lectern: jobs that may be due".to_owned()),
            ..Config::default()
        }
    }

    pub(super) fn dead_stream(&self) -> Config {
        Config {
            name: format!("lectern_{}_dead", self.namespace),
            subjects: vec![format!("lectern.{}.dead.>", self.namespace)],
            retention: RetentionPolicy::Limits,
            storage: StorageType::File,
            discard: DiscardPolicy::Old,
            max_messages: MOST_DEAD,
            max_age: DEAD_KEPT,
            num_replicas: self.replicas,
            description: Some("Lectern: jobs that were given up".to_owned()),
            ..Config::default()
        }
    }
}

/// The consumer of a work queue, created together with its stream where it is missing.
pub(super) async fn consumer(link: &Link, lane: &Lane) -> Result<PullConsumer, QueueError> {
    let failed = |error: &dyn std::error::Error| QueueError(chain(error));
    let stream = link.jetstream.get_or_create_stream(link.names.stream(lane)).await;
    let stream = stream.map_err(|error| failed(&error))?;
    let config = pull::Config {
        durable_name: Some(WORKERS.to_owned()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: link.lease,
        // The store decides how often a job is retried.
        max_deliver: -1,
        max_ack_pending: MOST_UNDER_WAY,
        max_waiting: MOST_PULLS,
        ..pull::Config::default()
    };
    stream.get_or_create_consumer(WORKERS, config).await.map_err(|error| failed(&error))
}

/// The messages of a work queue that are not delivered to a worker.
pub(super) async fn waiting(link: &Link, lane: &Lane) -> Result<u64, QueueError> {
    Ok(consumer(link, lane).await?.cached_info().num_pending)
}
