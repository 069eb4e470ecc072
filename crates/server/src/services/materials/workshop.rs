//! What jobs are done with, and what they have in common.

use std::{sync::Arc, time::Instant};

use lectern_store::{
    jobs::JobClaim,
    materials::{self, Material},
};

use super::{run::Setback, workspace::Workspace};
use crate::{
    app::{Base, StartError},
    services::speaking::Speaker,
};

/// What jobs are done with. Clones are the same.
#[derive(Clone)]
pub struct Workshop {
    /// Store, storage, clock, settings and what reads uploads.
    pub base: Base,
    /// The voices.
    pub speech: Speaker,
    /// Where files are while they are worked on.
    pub space: Arc<Workspace>,
}

impl Workshop {
    /// A place to work for this process.
    ///
    /// # Errors
    /// [`StartError::Workspace`].
    pub fn open(base: &Base, speech: &Speaker) -> Result<Self, StartError> {
        let space = Workspace::open(&base.config.data_dir).map_err(StartError::Workspace)?;
        Ok(Self { base: base.clone(), speech: speech.clone(), space: Arc::new(space) })
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
