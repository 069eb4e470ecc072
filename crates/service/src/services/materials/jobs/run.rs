//! One run of a job: its claim, the objects it has stored, and the ways in which it can fail.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use lectern_store::jobs::JobClaim;
use lectern_types::ErrorCode;
use tokio_util::sync::CancellationToken;

use crate::{
    base::Base,
    clock,
    error::{Error, chain},
    objects,
};

/// The least delay of a job that found the speech queue full.
const QUEUE_FULL_DELAY: Duration = Duration::from_secs(2);

/// The delay of a job when the store or object storage is down.
const OUTAGE_DELAY: Duration = Duration::from_secs(5);

/// One run of a job.
#[derive(Debug)]
pub struct Run {
    /// The claim under which it works.
    pub claim: JobClaim,
    /// Cancelled when the claim was lost or the process stops.
    pub cancelled: CancellationToken,
    /// Part of the names of all objects of this run.
    id: String,
    /// Objects that the run uploaded, or may have, and that no row refers to yet.
    stored: Mutex<Vec<String>>,
}

/// Why a run ended without completing its work.
#[derive(Debug)]
pub enum JobError {
    /// It was cancelled.
    Cancelled,
    /// Another worker has the claim, or the work was cancelled.
    Lost,
    /// It is unknown whether its work was committed. The next run of the job finds out.
    CommitUnknown {
        /// For the operator.
        reason: String,
    },
    /// A dependency is unavailable. The job is retried after a delay, as often as it takes, and no
    /// attempt is counted.
    Unavailable {
        /// The dependency.
        what: Dependency,
        /// The delay, before jitter.
        delay: Duration,
        /// For the operator.
        reason: String,
    },
    /// It failed; a retry may succeed. The attempt counts.
    Failed(Fault),
    /// It failed, and a retry cannot succeed.
    Permanent(Fault),
}

/// A dependency of a job that may be unavailable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dependency {
    /// The database.
    Store,
    /// Object storage: it said so itself, or the network failed.
    Objects,
    /// Object storage, or one object of it. The supervisor finds out which.
    Object,
    /// Free space on this process's disk.
    Room,
    /// A place in the speech queue.
    Speech,
    /// The programs that read scans, or their turn.
    TextRecognition,
    /// The engine of the e-reader; this process was started without it.
    Engine,
}

/// What went wrong.
#[derive(Debug, Clone)]
pub struct Fault {
    /// For the customer, when the failure is final.
    pub code: ErrorCode,
    /// For the customer; the code's default message when there is no better one.
    pub message: String,
    /// For the operator.
    pub reason: String,
}

impl Fault {
    /// A fault with the default message of its code.
    pub fn new(code: ErrorCode, reason: impl Into<String>) -> Self {
        Self { code, message: code.default_message().to_owned(), reason: reason.into() }
    }
}

impl Run {
    /// A new run of this claim.
    pub fn new(claim: JobClaim, cancelled: CancellationToken) -> Self {
        let id = format!("{}-{}", claim.epoch, hex::encode(clock::random::<4>()));
        Self { claim, cancelled, id, stored: Mutex::default() }
    }

    /// The run's id. It is in the names of all its objects, so that a run that lost its claim and
    /// cleans up cannot delete what the next run has stored.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Runs `work` unless the run is cancelled.
    ///
    /// # Errors
    /// Those of `work`, or [`JobError::Cancelled`].
    pub async fn unless_cancelled<T>(
        &self,
        work: impl Future<Output = Result<T, JobError>>,
    ) -> Result<T, JobError> {
        tokio::select! {
            biased;
            () = self.cancelled.cancelled() => Err(JobError::Cancelled),
            done = work => done,
        }
    }

    /// Records objects that are about to be uploaded. They are deleted unless the run's work is
    /// committed.
    pub fn stores<'a>(&self, keys: impl IntoIterator<Item = &'a str>) {
        self.stored().extend(keys.into_iter().map(str::to_owned));
    }

    /// Keeps the run's objects: rows refer to them now, or may.
    pub fn keep_objects(&self) {
        self.stored().clear();
    }

    /// Deletes the run's objects. The sweep deletes those that cannot be deleted now.
    pub async fn discard_objects(&self, base: &Base) {
        let keys = std::mem::take(&mut *self.stored());
        for key in keys {
            if let Err(error) = base.objects.delete(&key).await {
                tracing::warn!(
                    error = chain(&error),
                    object.key = key,
                    "an object of a lost run was not deleted"
                );
            }
        }
    }

    fn stored(&self) -> std::sync::MutexGuard<'_, Vec<String>> {
        self.stored.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Decides which failures are retried and which of those count as attempts. The engine's failures
/// count, because a voice may fail on this text alone. An unavailable dependency says nothing about
/// the job.
impl From<Error> for JobError {
    fn from(error: Error) -> Self {
        let reason = chain(&error);
        match error {
            Error::Store(store) if store.is_transient() => Self::unavailable(Dependency::Store, reason),
            Error::Objects(source)
                if objects::s3_error::is_disk_full(&source) || objects::s3_error::is_unavailable(&source) =>
            {
                Self::unavailable(Dependency::Objects, reason)
            }
            Error::Objects(_) => Self::unavailable(Dependency::Object, reason),
            Error::Unavailable { retry_after_seconds, .. } => {
                let delay = Duration::from_secs(retry_after_seconds).max(QUEUE_FULL_DELAY);
                Self::Unavailable { what: Dependency::Speech, delay, reason }
            }
            Error::Engine(_) => Self::Failed(Fault::new(ErrorCode::TtsProviderError, reason)),
            _ => Self::Failed(Fault::new(ErrorCode::InternalError, reason)),
        }
    }
}

impl From<lectern_store::Error> for JobError {
    fn from(error: lectern_store::Error) -> Self {
        Error::from(error).into()
    }
}

impl From<object_store::Error> for JobError {
    fn from(error: object_store::Error) -> Self {
        Error::from(error).into()
    }
}

/// Errors of this process's disk.
impl From<std::io::Error> for JobError {
    fn from(error: std::io::Error) -> Self {
        let what =
            if objects::s3_error::is_disk_full(&error) { Dependency::Room } else { Dependency::Object };
        Self::unavailable(what, format!("the disk failed: {error}"))
    }
}

impl JobError {
    /// An object that ended before its length. With remote storage the network is to blame.
    pub fn cut_off(base: &Base, reason: String) -> Self {
        Self::unavailable(
            if base.objects.is_remote() { Dependency::Objects } else { Dependency::Object },
            reason,
        )
    }

    /// A dependency is unavailable.
    pub fn unavailable(what: Dependency, reason: String) -> Self {
        Self::Unavailable { what, delay: OUTAGE_DELAY, reason }
    }

    /// A retry cannot succeed. The customer gets `code` with its default message.
    pub fn permanent(code: ErrorCode, reason: impl Into<String>) -> Self {
        Self::Permanent(Fault::new(code, reason))
    }
}
