//! `lectern worker`: the workers without the API. It runs together with any number of `lectern
//! serve` processes on the same store.

use std::{sync::Arc, time::Duration};

use clap::Args;
use lectern_store::jobs::JobKind;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::{CommandError, numbers, output};
use crate::lifecycle::{self, ManagementListener};
use lectern_http::management::Managed;
use lectern_service::telemetry;
use lectern_service::{
    app,
    base::StartError,
    clock::Clock,
    config::Config,
    descriptors,
    services::{billing::payments::PaymentContext, materials::jobs::JobContext, speech::voices},
    workers::{
        deliveries,
        jobs::{self, Room},
    },
};

/// Run the workers.
#[derive(Debug, Clone, Args)]
pub struct Worker {
    /// Only these kinds of work: `extract`, `convert` (`convert_chunk` and `assemble`), `deliver`
    /// (or `deliver_webhook`).
    #[arg(long, value_delimiter = ',', value_name = "KINDS", value_parser = kind)]
    kinds: Vec<Kind>,
    /// Load only these engines, and convert only chunks of their voices; overrides speech.engines.
    #[arg(long, value_delimiter = ',', value_name = "ENGINES")]
    engines: Vec<String>,
    /// Chunks to convert at once; overrides jobs.concurrency.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = numbers::whole::<u64>(1, u64::MAX.into()))]
    concurrency: Option<u64>,
}

/// A kind of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Job(JobKind),
    /// Everything that produces audio: chunks and assembled books.
    Convert,
    DeliverWebhook,
}

/// Names for more than one kind of job.
const GROUPS: &[(&str, Kind)] = &[
    ("convert", Kind::Convert),
    ("deliver", Kind::DeliverWebhook),
    ("deliver_webhook", Kind::DeliverWebhook),
];

fn kind(word: &str) -> Result<Kind, String> {
    let jobs = JobKind::ALL.iter().map(|kind| (kind.as_str(), Kind::Job(*kind)));
    let mut known = jobs.chain(GROUPS.iter().copied());
    let words = known.clone().map(|(word, _)| word).collect::<Vec<_>>().join(", ");
    let found = known.find(|(known, _)| *known == word).map(|(_, kind)| kind);
    found.ok_or_else(|| format!("must be one of: {words}"))
}

/// Works until the process is asked to end.
pub(super) async fn run(config: Arc<Config>, worker: Worker) -> Result<(), CommandError> {
    telemetry::metrics();
    descriptors::raise_limit();
    let config = if worker.engines.is_empty() {
        config
    } else {
        let engines = worker.engines.clone();
        Arc::new(Arc::unwrap_or_clone(config).with_engines(engines, "--engines")?)
    };
    let mut room = Room::of(&config);
    if let Some(conversions) = worker.concurrency {
        room.conversions = usize::try_from(conversions).unwrap_or(usize::MAX);
    }
    let delivers = worker.kinds.is_empty() || worker.kinds.contains(&Kind::DeliverWebhook);
    if !worker.kinds.is_empty() {
        let jobs = worker.kinds.iter().flat_map(|kind| match kind {
            Kind::Job(kind) => vec![*kind],
            Kind::Convert => vec![JobKind::ConvertChunk, JobKind::Assemble],
            Kind::DeliverWebhook => Vec::new(),
        });
        room.kinds = jobs.collect();
    }
    let speaks = room.kinds.contains(&JobKind::ConvertChunk);
    // Loads the voices while the store opens, because they take the longest. A worker that converts
    // nothing needs none.
    let loading = {
        let config = Arc::clone(&config);
        tokio::task::spawn_blocking(move || if speaks { voices::load(&config) } else { voices::none() })
    };
    let mut base = app::open(Arc::clone(&config), Clock::system()).await?;
    base.check_objects().await?;
    base.connect_queue().await?;
    let surface = ManagementListener::bind(&base)?;
    if config.management.listen.port() == 0 {
        output::line(&json!({ "management": surface.address.to_string() }).to_string());
    }
    let speech = loading.await.map_err(|error| StartError::Speech(error.to_string()))??;
    let context = JobContext::open(&base, &speech)?;
    let stop = CancellationToken::new();
    lifecycle::stop_on_signal(stop.clone(), Some(lifecycle::WORKER_SHUTDOWN_LIMIT)).map_err(|source| {
        CommandError::Io { what: "signal handlers cannot be installed".to_owned(), source }
    })?;
    tracing::info!(management.listen = %surface.address, "working");
    let managed = Managed { base: base.clone(), speech: speech.clone(), stop: stop.clone(), speaks };
    // Health and notifications continue until the last job has ended.
    let done = CancellationToken::new();
    let deliveries = async {
        if delivers {
            let shutdown = Duration::from_secs(config.http.shutdown_seconds);
            deliveries::run(base.clone(), shutdown, stop.clone()).await;
        }
    };
    let public_url = lifecycle::public_url(&config, config.http.listen);
    let payments = PaymentContext::open(&base, &public_url.into())?;
    let working = async {
        tokio::join!(
            lifecycle::work(payments, stop.clone()),
            lifecycle::make_samples(base.clone(), speech.clone(), stop.clone()),
            deliveries,
            jobs::run(context, room.clone(), stop.clone())
        );
        done.cancel();
    };
    tokio::join!(working, surface.run(managed, done.clone()), base.notifier().run(done.clone()));
    let closing = tokio::task::spawn_blocking(move || speech.close(std::time::Duration::from_secs(1)));
    let _ = closing.await;
    lifecycle::close(&base).await;
    Ok(())
}
