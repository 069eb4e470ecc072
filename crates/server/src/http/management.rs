//! The management listener: whether the process lives, whether it can serve, and its metrics.

use std::time::Duration;

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
use crate::{
    app::Base,
    error::{Error, chain},
    services::{disk, speaking::Speaker},
    telemetry,
};

/// Characters of text in a second of speech, about: of what is not spoken yet nobody knows it better.
const CHARACTERS_A_SECOND: f64 = 15.0;

/// How long store and storage may take to answer those who watch: shorter than these wait.
const STORE_ANSWERS: Duration = Duration::from_secs(2);

/// The process that is managed.
#[derive(Clone)]
pub struct Managed {
    /// What it is made of.
    pub base: Base,
    /// Its voices.
    pub speech: Speaker,
    /// Cancelled when it is asked to stop.
    pub stop: CancellationToken,
    /// Whether it speaks, so that it needs an engine.
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

/// The process is up; nothing else is asked.
async fn healthz() -> Json<serde_json::Value> {
    Json(json!({ "status": "ok" }))
}

/// Whether store, objects and at least one engine answer. One request's failure never changes it.
async fn readyz(State(managed): State<Managed>) -> Result<Json<serde_json::Value>, Failure> {
    let missing = missing(&managed).await;
    if missing.is_empty() {
        // What it can do without: jobs are looked for while the queue is away.
        let degraded: &[&str] = if managed.base.queue.is_away() { &["queue"] } else { &[] };
        Ok(Json(json!({ "status": "ready", "degraded": degraded })))
    } else {
        Err(Error::NotReady(missing).into())
    }
}

/// What the process cannot do its work without and does not have.
async fn missing(managed: &Managed) -> Vec<&'static str> {
    let base = &managed.base;
    let (store, mut missing, objects, full) = tokio::join!(
        answer(base.store.ping()),
        disagreements(base),
        answer(base.objects.ping()),
        tokio::time::timeout(STORE_ANSWERS, disk::full(base))
    );
    for (name, answer) in [("store", store), ("objects", objects)] {
        if let Err(reason) = answer {
            tracing::warn!(reason, missing = name, "what this process leans on does not answer");
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

/// Whether something answers in time; why not.
async fn answer<E: std::error::Error>(asked: impl Future<Output = Result<(), E>>) -> Result<(), String> {
    let answer = tokio::time::timeout(STORE_ANSWERS, asked).await;
    answer.map_err(|_| "no answer in time".to_owned())?.map_err(|error| chain(&error))
}

/// What the store is no longer. That it is away, or slow, is for the question whether it answers.
async fn disagreements(base: &Base) -> Vec<&'static str> {
    let found = match tokio::time::timeout(STORE_ANSWERS, base.disagreements()).await {
        Ok(Ok(found)) => found,
        // Its tables are not what they were.
        Ok(Err(error)) if !error.is_transient() => vec!["schema"],
        Ok(Err(_)) | Err(_) => return Vec::new(),
    };
    if !found.is_empty() {
        tracing::warn!(missing = ?found, "the store is no longer one that this process can work on");
    }
    found
}

async fn metrics(State(managed): State<Managed>) -> Response {
    telemetry::gauge_process(managed.speech.queued());
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

/// Sets the gauges of jobs, which all processes of the store share. A store that does not answer leaves them as they were.
async fn gauge_jobs(app: &Base) {
    let Ok(Ok(counts)) = tokio::time::timeout(STORE_ANSWERS, jobs::counts(&app.store)).await else { return };
    let now = app.clock.now();
    // What only a newer version beside this one knows is counted, too.
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

/// Sets the gauge of how much audio waits to be made, by which workers can be added and taken away.
async fn gauge_audio(base: &Base) {
    let asked = tokio::time::timeout(STORE_ANSWERS, jobs::characters_to_convert(&base.store)).await;
    if let Ok(Ok(characters)) = asked {
        metrics::gauge!("lectern_backlog_audio_seconds").set(characters as f64 / CHARACTERS_A_SECOND);
    }
}

/// Sets the gauges of what is owed to webhooks, as those of jobs.
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
