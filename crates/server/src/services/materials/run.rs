//! One run of a job: what it may still do, what it has stored, and the ways in which it can end without its work done.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use lectern_store::jobs::JobClaim;
use lectern_types::ErrorCode;
use tokio_util::sync::CancellationToken;

use crate::{
    app::Base,
    clock,
    error::{Error, chain},
    objects,
};

/// Rest of a job that found the speech queue full.
const FULL: Duration = Duration::from_secs(2);

/// Rest of a job that met the store or the storage away.
const AWAY: Duration = Duration::from_secs(5);

/// One run of a job.
#[derive(Debug)]
pub struct Run {
    /// The claim under which it works.
    pub claim: JobClaim,
    /// Cancelled when it is to break off: its claim was lost, or the process ends.
    pub cancelled: CancellationToken,
    /// Tells its objects from those of other runs.
    word: String,
    /// Objects that it put, or may have, and that nothing knows of yet.
    stored: Mutex<Vec<String>>,
}

/// Why a run ended without its work done.
#[derive(Debug)]
pub enum Setback {
    /// It was told to break off.
    Cancelled,
    /// The claim is another's, or what was to be done is no longer wanted.
    Lost,
    /// Whether its work was committed cannot be told now; who claims the job next will find out.
    Doubt {
        /// For the operator.
        reason: String,
    },
    /// It is not the job's fault: to be tried again after a while, as often as it takes.
    Postponed {
        /// What was away or full.
        what: Away,
        /// About how long to wait.
        rest: Duration,
        /// For the operator.
        reason: String,
    },
    /// It failed and may succeed another time.
    Failed(Fault),
    /// It failed and always will.
    Hopeless(Fault),
}

/// What a job needs that may be away, through no fault of the job's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Away {
    /// The database.
    Store,
    /// Object storage, by what itself or the way to it says.
    Objects,
    /// Object storage, or one object of it: who runs the job finds out which.
    Object,
    /// Room on this process's disk.
    Room,
    /// Room in the speech queue.
    Speech,
    /// The engine of the e-reader, which this process was started without.
    Engine,
}

/// What went wrong.
#[derive(Debug, Clone)]
pub struct Fault {
    /// For the customer, when it is final.
    pub code: ErrorCode,
    /// For the customer; the code's own sentence when there is no better one.
    pub message: String,
    /// For the operator.
    pub reason: String,
}

impl Fault {
    /// A fault about which its code says everything that the customer need know.
    pub fn new(code: ErrorCode, reason: impl Into<String>) -> Self {
        Self { code, message: code.default_message().to_owned(), reason: reason.into() }
    }
}

impl Run {
    /// A run under this claim.
    pub fn new(claim: JobClaim, cancelled: CancellationToken) -> Self {
        let word = format!("{}-{}", claim.epoch, hex::encode(clock::random::<4>()));
        Self { claim, cancelled, word, stored: Mutex::default() }
    }

    /// The word that is in the names of all objects of this run and of no other's: a run that lost its claim and cleans
    /// up after itself cannot delete what the next one has stored.
    pub fn word(&self) -> &str {
        &self.word
    }

    /// Does `work` unless the run is told to break off.
    ///
    /// # Errors
    /// The work's, or [`Setback::Cancelled`].
    pub async fn unless_cancelled<T>(
        &self,
        work: impl Future<Output = Result<T, Setback>>,
    ) -> Result<T, Setback> {
        tokio::select! {
            biased;
            () = self.cancelled.cancelled() => Err(Setback::Cancelled),
            done = work => done,
        }
    }

    /// Says that objects are about to be put: they are deleted again unless the run's work is committed.
    pub fn stores<'a>(&self, keys: impl IntoIterator<Item = &'a str>) {
        self.stored().extend(keys.into_iter().map(str::to_owned));
    }

    /// The run's objects are known to the store now, or may be: they stay.
    pub fn keep_objects(&self) {
        self.stored().clear();
    }

    /// Deletes the objects that the run put in vain. What cannot be deleted now is left to the sweep.
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

/// Which failures are worth another run, and which of those count. The engine's count: its voice may choke on this text
/// alone. What is away or full says nothing about the job.
impl From<Error> for Setback {
    fn from(error: Error) -> Self {
        let reason = chain(&error);
        match error {
            Error::Store(store) if store.is_transient() => Self::away(Away::Store, reason),
            Error::Objects(source)
                if objects::trouble::is_full(&source) || objects::trouble::is_away(&source) =>
            {
                Self::away(Away::Objects, reason)
            }
            Error::Objects(_) => Self::away(Away::Object, reason),
            Error::Unavailable { .. } => Self::Postponed { what: Away::Speech, rest: FULL, reason },
            Error::Engine(_) => Self::Failed(Fault::new(ErrorCode::TtsProviderError, reason)),
            _ => Self::Failed(Fault::new(ErrorCode::InternalError, reason)),
        }
    }
}

impl From<lectern_store::Error> for Setback {
    fn from(error: lectern_store::Error) -> Self {
        Error::from(error).into()
    }
}

impl From<object_store::Error> for Setback {
    fn from(error: object_store::Error) -> Self {
        Error::from(error).into()
    }
}

/// The disk of this process: full, gone, or not ours to write.
impl From<std::io::Error> for Setback {
    fn from(error: std::io::Error) -> Self {
        let what = if objects::trouble::is_full(&error) { Away::Room } else { Away::Object };
        Self::away(what, format!("the disk failed: {error}"))
    }
}

impl Setback {
    /// An object whose bytes ended before its end: on the far side of a network that is the network's doing.
    pub fn cut_off(base: &Base, reason: String) -> Self {
        Self::away(if base.objects.is_remote() { Away::Objects } else { Away::Object }, reason)
    }

    /// Something is away.
    pub fn away(what: Away, reason: String) -> Self {
        Self::Postponed { what, rest: AWAY, reason }
    }

    /// The work can never succeed; the customer is told `code` with its own sentence.
    pub fn hopeless(code: ErrorCode, reason: impl Into<String>) -> Self {
        Self::Hopeless(Fault::new(code, reason))
    }
}
