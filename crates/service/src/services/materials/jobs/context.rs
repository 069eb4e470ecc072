//! The context of all jobs, and the code that they share.

use std::{sync::Arc, time::Instant};

use lectern_store::{
    chunks::{self, Spoken, Started, Starting},
    jobs::{JobClaim, Outcome},
    materials::{self, Material},
};

use super::{commit, run::JobError, workspace::Workspace};
use crate::{
    base::{Base, StartError},
    config::Config,
    dispatch::batcher::Batcher,
    services::{
        materials::{document_reader::Extractor, ocr::Ocr},
        speech::speaking::Speaker,
    },
};

/// The most chunks started or completed in one transaction. In larger batches, the cost of the
/// commit itself hardly matters.
const AT_ONCE: usize = 64;

/// The context of all jobs. Clones share it.
#[derive(Clone)]
pub struct JobContext {
    /// Store, object storage, clock and settings.
    pub base: Base,
    pub speech: Speaker,
    /// Reads uploaded files.
    pub extractor: Extractor,
    /// Reads scans, where the settings want it; the names of the programs that are missing for it.
    pub ocr: Option<Result<Ocr, Vec<&'static str>>>,
    /// Where jobs keep temporary files.
    pub space: Arc<Workspace>,
    /// Starts and completes chunks, several jobs' chunks in one transaction.
    pub batcher: Arc<ChunkBatcher>,
}

/// Batches of store requests of all jobs in this process.
#[derive(Debug)]
pub struct ChunkBatcher {
    pub start: Batcher<Starting, lectern_store::Result<Option<Started>>>,
    pub complete: Batcher<Spoken, lectern_store::Result<Outcome>>,
}

impl JobContext {
    /// Opens the context of this process.
    ///
    /// # Errors
    /// [`StartError::Workspace`].
    pub fn open(base: &Base, speech: &Speaker) -> Result<Self, StartError> {
        let space = Workspace::open(&base.config.data_dir).map_err(StartError::Workspace)?;
        let batcher = ChunkBatcher::open(base);
        Ok(Self {
            base: base.clone(),
            speech: speech.clone(),
            extractor: Extractor::new(&base.config.limits),
            ocr: ocr(&base.config),
            space: Arc::new(space),
            batcher: Arc::new(batcher),
        })
    }
}

/// The text recognition of the settings. Without its programs the process does everything else, and scans wait for
/// another process.
fn ocr(config: &Config) -> Option<Result<Ocr, Vec<&'static str>>> {
    let ocr = Ocr::new(&config.ocr)?;
    if let Err(missing) = &ocr {
        let missing = missing.join(", ");
        tracing::warn!(missing, "scans cannot be read: programs for text recognition are missing");
    }
    Some(ocr)
}

impl ChunkBatcher {
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
        Self { start: Batcher::start(AT_ONCE, start), complete: Batcher::start(AT_ONCE, complete) }
    }
}

/// The material that a claim is about.
pub(super) async fn claimed(base: &Base, claim: &JobClaim) -> Result<Material, JobError> {
    let Some(material) = claim.material else { return Err(JobError::Lost) };
    let found = materials::find(&base.store, claim.account, claim.environment, material).await?;
    // The material was deleted, and the job with it.
    found.ok_or(JobError::Lost)
}

/// Records how long a phase of a job took.
pub(super) fn phase(kind: &'static str, name: &'static str, started: Instant) {
    metrics::histogram!("lectern_job_phase_seconds", "kind" => kind, "phase" => name)
        .record(started.elapsed().as_secs_f64());
}
