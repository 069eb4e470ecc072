//! The management listener: liveness, readiness and metrics.

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use axum::{
    Json, Router,
    extract::State,
    http::header::CONTENT_TYPE,
    response::{IntoResponse, Response},
    routing::get,
};
use lectern_store::{
    Environment, deliveries,
    jobs::{self, Count, JobKind, JobStatus},
};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::envelope::Failure;
use lectern_service::telemetry;
use lectern_service::{
    base::Base,
    error::{Error, chain},
    services::{
        disk,
        speech::speaking::{CHARACTERS_A_SECOND, Speaker},
    },
};

/// The engines that chunks ever waited for, so that the gauge of one returns to zero.
static BACKLOG_ENGINES: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// The timeout of readiness checks of the store and object storage: shorter than that of the
/// callers.
const STORE_ANSWERS: Duration = Duration::from_secs(2);

/// The process that is managed.
#[derive(Clone)]
pub struct Managed {
    /// Its parts.
    pub base: Base,
    pub speech: Speaker,
    /// Cancelled when it is asked to stop.
    pub stop: CancellationToken,
    /// Whether it synthesizes, and so needs an engine.
    pub speaks: bool,
}

/// The management surface of a process.
pub fn router(managed: Managed) -> Router {
    Router::new()
        .route("/healthz", get(healthz))
        .route("/readyz", get(readyz))
        .route("/metrics", get(metrics))
        .with_state(managed)
}

/// The process is up; nothing else is checked.
async fn healthz() -> Json<serde_json::Value> {
    Json(json!({ "status": "ok" }))
}

/// Whether the store, object storage and at least one engine answer. A single failed request never
/// changes it.
async fn readyz(State(managed): State<Managed>) -> Result<Json<serde_json::Value>, Failure> {
    let missing = missing(&managed).await;
    if missing.is_empty() {
        // The process can do without the queue: workers poll for jobs while it is down.
        let degraded: &[&str] = if managed.base.queue.is_away() { &["queue"] } else { &[] };
        Ok(Json(json!({ "status": "ready", "degraded": degraded })))
    } else {
        Err(Error::NotReady(missing).into())
    }
}

/// Required parts that are not available.
async fn missing(managed: &Managed) -> Vec<&'static str> {
    let base = &managed.base;
    let (store, mut missing, objects, full) = tokio::join!(
        answer(base.store.ping()),
        mismatches(base),
        answer(base.objects.ping()),
        tokio::time::timeout(STORE_ANSWERS, disk::full_disks(&base.config))
    );
    for (name, answer) in [("store", store), ("objects", objects)] {
        if let Err(reason) = answer {
            tracing::warn!(reason, missing = name, "a required dependency does not answer");
            missing.push(name);
        }
    }
    if let Ok(full) = full {
        missing.extend(full);
    } else {
        tracing::warn!(missing = "data_disk", "the disk did not answer in time");
        missing.push("data_disk");
    }
    if managed.speaks && !managed.speech.is_ready() {
        missing.push("engine");
    }
    if managed.stop.is_cancelled() {
        missing.push("shutting_down");
    }
    missing
}

/// Whether a dependency answers in time, and if not, why.
async fn answer<E: std::error::Error>(asked: impl Future<Output = Result<(), E>>) -> Result<(), String> {
    let answer = tokio::time::timeout(STORE_ANSWERS, asked).await;
    answer.map_err(|_| "no answer in time".to_owned())?.map_err(|error| chain(&error))
}

/// Ways in which the store no longer suits this process. Whether it answers at all is checked
/// separately.
async fn mismatches(base: &Base) -> Vec<&'static str> {
    let found = match tokio::time::timeout(STORE_ANSWERS, base.mismatches()).await {
        Ok(Ok(found)) => found,
        // Its tables have changed.
        Ok(Err(error)) if !error.is_transient() => vec!["schema"],
        Ok(Err(_)) | Err(_) => return Vec::new(),
    };
    if !found.is_empty() {
        tracing::warn!(missing = ?found, "the store no longer suits this process");
    }
    found
}

async fn metrics(State(managed): State<Managed>) -> Response {
    telemetry::update_process_gauges(managed.speech.queued());
    telemetry::update_engines(&managed.speech.engine_states());
    metrics::gauge!("lectern_queue_up").set(f64::from(u8::from(!managed.base.queue.is_away())));
    let (missing, ..) = tokio::join!(
        missing(&managed),
        gauge_jobs(&managed.base),
        gauge_audio(&managed.base),
        gauge_webhooks(&managed.base)
    );
    metrics::gauge!("lectern_ready").set(f64::from(u8::from(missing.is_empty())));
    ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], telemetry::metrics().render())
        .into_response()
}

/// Sets the job gauges, which are the same for all processes of a store. They keep their values
/// while the store does not answer.
async fn gauge_jobs(app: &Base) {
    let Ok(Ok(counts)) = tokio::time::timeout(STORE_ANSWERS, jobs::counts(&app.store)).await else { return };
    let now = app.clock.now();
    // Jobs that only a newer version knows are counted, too.
    for kind in JobKind::ALL.iter().copied().map(Some).chain([None]) {
        let word = kind.map_or("unknown", JobKind::as_str);
        for status in JobStatus::ALL.iter().copied() {
            let of = |count: &&Count| (count.kind, count.status) == (kind, status);
            let found = counts.iter().find(of);
            let labels = [("kind", word), ("status", status.as_str())];
            metrics::gauge!("lectern_jobs", &labels).set(found.map_or(0.0, |count| count.jobs as f64));
            if status == JobStatus::Queued {
                let waits = found.map_or(0, |count| now.0.saturating_sub(count.oldest_run_at.0).max(0));
                metrics::gauge!("lectern_jobs_oldest_seconds", "kind" => word).set(waits as f64 / 1e6);
            }
        }
    }
}

/// Sets the gauge of audio waiting to be synthesized, for autoscaling workers.
async fn gauge_audio(base: &Base) {
    let asked = tokio::time::timeout(STORE_ANSWERS, jobs::characters_to_convert(&base.store)).await;
    let Ok(Ok(characters)) = asked else { return };
    let all: u64 = characters.iter().map(|(_, characters)| characters).sum();
    metrics::gauge!("lectern_backlog_audio_seconds").set(all as f64 / CHARACTERS_A_SECOND);
    let mut seen = BACKLOG_ENGINES.lock().unwrap_or_else(PoisonError::into_inner);
    seen.extend(characters.iter().map(|(engine, _)| engine.clone()));
    for engine in &*seen {
        let found = characters.iter().find(|(of, _)| of == engine).map_or(0, |(_, characters)| *characters);
        // Queued by an older version, which did not say.
        let word = if engine.is_empty() { "unknown" } else { engine.as_str() };
        metrics::gauge!("lectern_backlog_engine_audio_seconds", "engine" => word.to_owned())
            .set(found as f64 / CHARACTERS_A_SECOND);
    }
}

/// Sets the webhook gauges, in the same way as those of jobs.
async fn gauge_webhooks(app: &Base) {
    let Ok(Ok(owed)) = tokio::time::timeout(STORE_ANSWERS, deliveries::backlog(&app.store)).await else {
        return;
    };
    let now = app.clock.now();
    for environment in Environment::ALL.iter().copied() {
        let found = owed.iter().find(|backlog| backlog.environment == environment);
        let label = [("environment", environment.as_str())];
        metrics::gauge!("lectern_webhook_backlog", &label)
            .set(found.map_or(0.0, |backlog| backlog.deliveries as f64));
        let age = found.map_or(0, |backlog| now.0.saturating_sub(backlog.oldest.0).max(0));
        metrics::gauge!("lectern_webhook_oldest_undelivered_seconds", &label).set(age as f64 / 1e6);
    }
}
