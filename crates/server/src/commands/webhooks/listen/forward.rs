//! Forwards an event in the form of a webhook.

use std::time::{Duration, Instant};

use reqwest::{
    Client,
    header::{CONTENT_TYPE, USER_AGENT},
};
use serde_json::json;

use super::{super::super::output, feed::Event};
use lectern_service::{
    clock::Clock,
    config::WebUrl,
    services::webhooks::signature::{self, WebhookSecret},
};

/// The receiver's time limit, the same as for webhooks.
const TIMEOUT: Duration = Duration::from_secs(15);

/// Sends events to one address.
pub(super) struct Forwarder {
    client: Client,
    to: WebUrl,
    secret: WebhookSecret,
    clock: Clock,
}

impl Forwarder {
    pub(super) fn new(client: Client, to: WebUrl, secret: WebhookSecret, clock: Clock) -> Self {
        Self { client, to, secret, clock }
    }

    /// Sends an event once and prints the outcome.
    pub(super) async fn forward(&self, event: &Event, as_json: bool) {
        let body =
            json!({ "type": event.kind, "timestamp": event.timestamp, "data": event.data }).to_string();
        let seconds = self.clock.now().0.div_euclid(1_000_000);
        let signature = signature::sign([&self.secret], &event.id, seconds, body.as_bytes());
        let request = self
            .client
            .post(self.to.as_str())
            .timeout(TIMEOUT)
            .header(CONTENT_TYPE, "application/json")
            .header(USER_AGENT, "Lectern-Webhooks/1")
            .header("webhook-id", &event.id)
            .header("webhook-timestamp", seconds)
            .header("webhook-signature", signature)
            .body(body);
        let has_started = Instant::now();
        let answer = request.send().await;
        let took = has_started.elapsed().as_millis();
        let (status, error) = match answer {
            Ok(answer) => (Some(answer.status().as_u16()), None),
            Err(error) => (None, Some(output::chain(&error))),
        };
        if as_json {
            let line = json!({
                "event_id": event.id,
                "event_type": event.kind,
                "status_code": status,
                "error": error,
                "duration_ms": u64::try_from(took).unwrap_or(u64::MAX),
            });
            output::line(&line.to_string());
        } else {
            let outcome = status.map_or_else(|| error.unwrap_or_default(), |status| status.to_string());
            output::line(&format!(
                "{}  {}  {} -> {outcome} ({took} ms)",
                event.timestamp, event.id, event.kind
            ));
        }
    }
}
