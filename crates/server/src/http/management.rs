//! The management listener: whether the process lives, whether it can serve, and its metrics.

use axum::{
    Json, Router,
    extract::State,
    http::header::CONTENT_TYPE,
    response::{IntoResponse, Response},
    routing::get,
};
use serde_json::json;

use super::envelope::Failure;
use crate::{app::App, error::Error, telemetry};

/// The management surface of `app`.
pub fn router(app: App) -> Router {
    Router::new()
        .route("/healthz", get(healthz))
        .route("/readyz", get(readyz))
        .route("/metrics", get(metrics))
        .with_state(app)
}

/// The process is up; nothing else is asked.
async fn healthz() -> Json<serde_json::Value> {
    Json(json!({ "status": "ok" }))
}

/// Whether store, objects and at least one engine answer. One request's failure never changes it.
async fn readyz(State(app): State<App>) -> Result<Json<serde_json::Value>, Failure> {
    let (store, objects) = tokio::join!(app.store.ping(), app.objects.ping());
    let mut missing = Vec::new();
    if let Err(error) = store {
        tracing::warn!(error = %error, "the store does not answer");
        missing.push("store");
    }
    if let Err(error) = objects {
        tracing::warn!(error = %error, "object storage does not answer");
        missing.push("objects");
    }
    if !app.speech.is_ready() {
        missing.push("engine");
    }
    if app.stop.is_cancelled() {
        missing.push("shutting_down");
    }
    if missing.is_empty() {
        Ok(Json(json!({ "status": "ready" })))
    } else {
        Err(Error::NotReady(missing).into())
    }
}

async fn metrics(State(app): State<App>) -> Response {
    telemetry::gauge_process(app.speech.queued());
    ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], telemetry::metrics().render())
        .into_response()
}
