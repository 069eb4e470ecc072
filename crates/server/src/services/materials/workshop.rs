//! What jobs are done with, and what they have in common.

use std::{sync::Arc, time::Instant};

use lectern_store::{
    chunks::{self, Spoken, Started, Starting},
    jobs::{JobClaim, Outcome},
    materials::{self, Material},
};

use super::{commit, run::Setback, workspace::Workspace};
use crate::{
    app::{Base, StartError},
    gathering::Gathering,
    services::speaking::Speaker,
};

/// Chunks begun or completed in one transaction at most: a commit's part in each is small by then.
const AT_ONCE: usize = 64;

/// What jobs are done with. Clones are the same.
#[derive(Clone)]
pub struct Workshop {
    /// Store, storage, clock, settings and what reads uploads.
    pub base: Base,
    /// The voices.
    pub speech: Speaker,
    /// Where files are while they are worked on.
    pub space: Arc<Workspace>,
    /// Where chunks are begun and completed, those of several jobs in one transaction.
    pub counter: Arc<Counter>,
}

/// What the jobs of a process ask of the store together.
#[derive(Debug)]
pub struct Counter {
    /// Begins chunks.
    pub start: Gathering<Starting, lectern_store::Result<Option<Started>>>,
    /// Completes chunks.
    pub complete: Gathering<Spoken, lectern_store::Result<Outcome>>,
}

impl Workshop {
    /// A place to work for this process.
    ///
    /// # Errors
    /// [`StartError::Workspace`].
    pub fn open(base: &Base, speech: &Speaker) -> Result<Self, StartError> {
        let space = Workspace::open(&base.config.data_dir).map_err(StartError::Workspace)?;
        let counter = Counter::open(base);
        Ok(Self {
            base: base.clone(),
            speech: speech.clone(),
            space: Arc::new(space),
            counter: Arc::new(counter),
        })
    }
}

impl Counter {
    fn open(base: &Base) -> Self {
        let (starting, completing) = (base.clone(), base.clone());
        let start = move |asked: Vec<Starting>| {
            let base = starting.clone();
            async move { chunks::start(&base.store, &asked, commit::announced_until(&base)).await }
        };
        let complete = move |spoken: Vec<Spoken>| {
            let base = completing.clone();
            async move { chunks::complete(&base.store, &spoken, base.writing()).await }
        };
        Self { start: Gathering::start(AT_ONCE, start), complete: Gathering::start(AT_ONCE, complete) }
    }
}

/// The material that a claim is about.
pub(super) async fn claimed(base: &Base, claim: &JobClaim) -> Result<Material, Setback> {
    let Some(material) = claim.material else { return Err(Setback::Lost) };
    let found = materials::find(&base.store, claim.account, claim.environment, material).await?;
    // It was deleted, and the job with it.
    found.ok_or(Setback::Lost)
}

/// Notes how long a phase of a job took.
pub(super) fn phase(kind: &'static str, name: &'static str, started: Instant) {
    metrics::histogram!("lectern_job_phase_seconds", "kind" => kind, "phase" => name)
        .record(started.elapsed().as_secs_f64());
}
