//! Makes samples when they are asked for, each once: requests of one process wait for one flight,
//! and processes claim a sample in the store. A process without the engine notes what it wants
//! there, and one with the engine finds it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use futures_util::{
    FutureExt as _,
    future::{BoxFuture, Shared},
};
use lectern_store::ereaders::{
    self, Ereader,
    sample_requests::{self, SampleKey},
};
use lectern_types::ErrorCode;

use super::speak;
use crate::{
    base::Base,
    clock,
    error::{Error, Result},
    services::speech::{context::SpeechContext, speaking::Speaker},
};

/// How long a request waits for its sample.
const REQUEST_PATIENCE: Duration = Duration::from_secs(20);

/// How long it waits in a process without the engine, which cannot know whether another one has it.
const OTHERS_PATIENCE: Duration = Duration::from_secs(8);

/// How often a process looks whether another one has made a sample.
const LOOK_EVERY: Duration = Duration::from_millis(300);

/// `Retry-After` while a sample is being made, in seconds.
const RETRY_SECONDS: u64 = 5;

/// How long nobody tries again after a failure.
const FAILURE_PAUSE_SECONDS: i64 = 30;

/// How long after the last request a sample is still made for a process without the engine.
const WANTED_SECONDS: i64 = 10 * 60;

type Flight = Shared<BoxFuture<'static, Result<()>>>;

/// The samples that this process makes or waits for. Clones share them.
#[derive(Clone, Default)]
pub struct Samples(Arc<Mutex<HashMap<SampleKey, Flight>>>);

impl std::fmt::Debug for Samples {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Samples").finish_non_exhaustive()
    }
}

impl Samples {
    /// Returns when the sample is stored. The work goes on when the caller leaves.
    ///
    /// # Errors
    /// `service_unavailable` while it is not, or what prevented it.
    pub(super) async fn make(
        &self,
        context: &SpeechContext,
        ereader: &Ereader,
        sample: &SampleKey,
    ) -> Result<()> {
        let flight = self.flight(context, ereader, sample);
        tokio::time::timeout(REQUEST_PATIENCE, flight).await.unwrap_or(Err(not_yet(RETRY_SECONDS)))
    }

    /// How many samples this process makes or waits for.
    pub fn in_progress(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// The flight of a sample; a new one if there is none.
    fn flight(&self, context: &SpeechContext, ereader: &Ereader, sample: &SampleKey) -> Flight {
        let mut flights = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(flight) = flights.get(sample) {
            return flight.clone();
        }
        let (base, speaker) = (context.base.clone(), context.speaker.clone());
        let (engine, key, all) = (ereader.engine.clone(), sample.clone(), self.clone());
        let work = context.tasks.spawn(async move {
            // Removed even by a panic: an ended flight would answer every later request.
            let ended = Ended { all, key };
            wait_for(&base, &speaker, &engine, &ended.key).await
        });
        let stopped =
            |error: tokio::task::JoinError| Error::Internal(format!("a sample was not made: {error}"));
        let flight = async move { work.await.map_err(stopped)? }.boxed().shared();
        flights.insert(sample.clone(), flight.clone());
        flight
    }
}

/// Removes its flight when it is dropped.
struct Ended {
    all: Samples,
    key: SampleKey,
}

impl Drop for Ended {
    fn drop(&mut self) {
        self.all.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.key);
    }
}

/// Makes samples that processes without their engine were asked for.
///
/// # Errors
/// The store's. Samples that fail are logged, and left alone for a while.
pub async fn serve_requests(base: &Base, speaker: &Speaker) -> Result<()> {
    let now = base.clock.now();
    let wanted = sample_requests::waiting(&base.store, now.plus_seconds(-WANTED_SECONDS), now).await?;
    for (sample, engine) in wanted.into_iter().filter(|(_, engine)| speaker.has_engine(engine)) {
        if let Err(error) = try_to_make(base, speaker, &sample).await {
            tracing::warn!(error = %error, ereader.id = %sample.ereader, engine, "a sample was not made");
        }
    }
    Ok(())
}

/// Makes a sample of an e-reader on this engine, or waits until another process has.
async fn wait_for(base: &Base, speaker: &Speaker, engine: &str, sample: &SampleKey) -> Result<()> {
    let can_speak = speaker.has_engine(engine);
    if !can_speak {
        sample_requests::note(&base.store, sample, base.clock.now()).await?;
    }
    let patience = if can_speak { REQUEST_PATIENCE } else { OTHERS_PATIENCE };
    let started = tokio::time::Instant::now();
    loop {
        if ereaders::sample(&base.store, sample.ereader, &sample.language).await?.is_some() {
            return Ok(());
        }
        if can_speak && try_to_make(base, speaker, sample).await? {
            return Ok(());
        }
        if let Some(seconds) = failure_pause(base, sample).await? {
            return Err(not_yet(seconds));
        }
        if started.elapsed() >= patience {
            return Err(not_yet(RETRY_SECONDS));
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// The seconds in which nobody tries again because the last attempt failed.
async fn failure_pause(base: &Base, sample: &SampleKey) -> Result<Option<u64>> {
    let micros = match sample_requests::state(&base.store, sample).await? {
        Some(state) if !state.is_claimed => state.lease_until.0 - base.clock.now().0,
        _ => 0,
    };
    let seconds = u64::try_from(micros).unwrap_or(0).div_ceil(1_000_000);
    Ok(Some(seconds).filter(|seconds| *seconds > 0))
}

/// Makes a sample unless another process does; whether it is stored now.
async fn try_to_make(base: &Base, speaker: &Speaker, sample: &SampleKey) -> Result<bool> {
    let owner = format!("{}-{}", base.instance_id, hex::encode(clock::random::<6>()));
    if !sample_requests::claim(&base.store, sample, &owner, base.clock.now(), base.lease_end()).await? {
        return Ok(false);
    }
    match make_claimed(base, speaker, sample, &owner).await {
        Ok(stored) => Ok(stored),
        Err(error) => {
            // A full queue is no failure of the voice.
            let pause = if matches!(error, Error::Unavailable { .. }) { 0 } else { FAILURE_PAUSE_SECONDS };
            let until = base.clock.now().plus_seconds(pause);
            sample_requests::give_up(&base.store, sample, &owner, until).await?;
            Err(error)
        }
    }
}

/// Makes a sample that `owner` has claimed, and renews the claim meanwhile. False when the claim was
/// lost.
async fn make_claimed(base: &Base, speaker: &Speaker, sample: &SampleKey, owner: &str) -> Result<bool> {
    // Read after the claim: another voice ends the claim, so what is stored is never of an old one.
    let found = ereaders::find(&base.store, sample.ereader).await?;
    let found = found.filter(|ereader| ereader.active && speaker.has_engine(&ereader.engine));
    let Some(ereader) = found else { return Err(not_yet(RETRY_SECONDS)) };
    let speaking = speak(base, speaker, &ereader, &sample.language);
    let spoken = tokio::select! {
        spoken = speaking => spoken,
        () = until_lost(base, sample, owner) => return Ok(false),
    };
    let stored = spoken.map_err(unspoken)?;
    let is_stored = sample_requests::finish(&base.store, &ereader, &stored, owner).await?;
    if is_stored {
        tracing::info!(ereader.slug = ereader.slug, language = sample.language, "a sample was stored");
    }
    Ok(is_stored)
}

/// Renews a claim until it is lost.
async fn until_lost(base: &Base, sample: &SampleKey, owner: &str) {
    loop {
        tokio::time::sleep(base.renewal()).await;
        match sample_requests::renew(&base.store, sample, owner, base.lease_end()).await {
            Ok(false) => return,
            Ok(true) => {}
            Err(error) => tracing::warn!(error = %error, "the claim on a sample was not renewed"),
        }
    }
}

/// The text is ours, so a refusal of it is the engine's failure.
fn unspoken(error: Error) -> Error {
    match error {
        Error::Invalid(_) => ErrorCode::TtsProviderError.into(),
        error => error,
    }
}

fn not_yet(retry_after_seconds: u64) -> Error {
    Error::Unavailable { what: "the sample is not made yet", retry_after_seconds }
}
