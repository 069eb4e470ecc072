//! `lectern worker`: the workers without the API, beside any number of `lectern serve` on the same store.

use std::sync::Arc;

use clap::Args;
use lectern_store::jobs::JobKind;
use tokio_util::sync::CancellationToken;

use super::CommandError;
use crate::{
    app::{Base, StartError},
    clock::Clock,
    config::Config,
    descriptors, lifecycle,
    services::{materials::Workshop, voices},
    telemetry,
    workers::jobs::{self, Room},
};

/// Runs the workers.
#[derive(Debug, Clone, Args)]
pub struct Worker {
    /// Runs jobs of these kinds only: `extract`, `convert_chunk`, `assemble`.
    #[arg(long, value_delimiter = ',', value_name = "KINDS", value_parser = kind)]
    kinds: Vec<JobKind>,
    /// Chunks converted at once, whatever jobs.concurrency says.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    concurrency: Option<u64>,
}

fn kind(word: &str) -> Result<JobKind, String> {
    let known: Vec<&str> = JobKind::ALL.iter().map(|kind| kind.as_str()).collect();
    let found = JobKind::ALL.iter().copied().find(|kind| kind.as_str() == word);
    found.ok_or_else(|| format!("must be one of: {}", known.join(", ")))
}

/// Works until the process is asked to end.
pub(super) async fn run(config: Arc<Config>, worker: Worker) -> Result<(), CommandError> {
    telemetry::metrics();
    descriptors::raise_limit();
    let mut room = Room::of(&config);
    if let Some(conversions) = worker.concurrency {
        room.conversions = usize::try_from(conversions).unwrap_or(usize::MAX);
    }
    if !worker.kinds.is_empty() {
        room.kinds = worker.kinds;
    }
    // The voices take the longest: they are loaded while the store opens. A worker that speaks nothing needs none.
    let loading = {
        let config = Arc::clone(&config);
        let speaks = room.kinds.contains(&JobKind::ConvertChunk);
        tokio::task::spawn_blocking(move || if speaks { voices::load(&config) } else { voices::none() })
    };
    let base = Base::open(Arc::clone(&config), Clock::system()).await?;
    let speech = loading.await.map_err(|error| StartError::Speech(error.to_string()))??;
    let workshop = Workshop::open(&base, &speech)?;
    let stop = CancellationToken::new();
    lifecycle::stop_on_signal(stop.clone())
        .map_err(|source| CommandError::Io { what: "signals cannot be listened to".to_owned(), source })?;
    tokio::join!(lifecycle::work(base.clone(), stop.clone()), jobs::run(workshop, room, stop));
    let closing = tokio::task::spawn_blocking(move || speech.close(std::time::Duration::from_secs(1)));
    let _ = closing.await;
    base.store.close().await;
    Ok(())
}
