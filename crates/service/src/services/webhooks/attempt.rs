//! One delivery attempt: builds, signs and posts an event, and evaluates the response.

use std::time::Duration;

use hyper::{
    HeaderMap,
    body::Bytes,
    header::{HeaderName, HeaderValue, InvalidHeaderValue},
};
use lectern_store::deliveries::{Due, End, Ending};
use lectern_types::{EventId, EventType, Timestamp};
use tokio::time::Instant;

use super::{schedule, secrets::Secrets, signature};
use crate::{
    base::Base,
    error::chain,
    outbound::{PostFailure, ReceiverResponse, Target},
};

/// The outcome of an attempt, for metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The event was delivered.
    Succeeded,
    /// The receiver responded with something other than success.
    Refused,
    /// The receiver did not respond in time.
    TimedOut,
    /// There was no response for another reason.
    Failed,
}

impl Outcome {
    /// The label in metrics.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Succeeded => "succeeded",
            Self::Refused => "refused",
            Self::TimedOut => "timed_out",
            Self::Failed => "failed",
        }
    }
}

/// The claim under which an attempt is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    pub epoch: u32,
    /// The attempt's number within the delivery, from 1.
    pub number: u32,
}

pub async fn make(base: &Base, due: &Due, claim: Claim) -> (End, Outcome) {
    let (started_at, started) = (base.clock.now(), Instant::now());
    let response = post(base, due, started_at).await;
    let duration = started.elapsed();
    let now = base.clock.now();
    let next = |retry_after| Ending::Failed(schedule::next(claim.number, now, retry_after));
    let mut end = without_response(due, claim, Ending::Failed(None), String::new());
    (end.started_at, end.duration_ms) = (started_at, millis(duration));
    let outcome = match response {
        Ok(response) => {
            end.error = None;
            end.status_code = Some(response.status.as_u16());
            end.response = Some(response.body);
            let retry_after =
                response.retry_after.and_then(|value| schedule::retry_after_seconds(value.as_bytes(), now));
            let (ending, outcome) = match response.status.as_u16() {
                200..=299 => (Ending::Succeeded, Outcome::Succeeded),
                410 => (Ending::Gone, Outcome::Refused),
                _ => (next(retry_after), Outcome::Refused),
            };
            end.ending = ending;
            outcome
        }
        Err(failure) => {
            end.ending = next(None);
            end.error = Some(failure.to_string());
            if matches!(failure, NoResponse::Post(PostFailure::TimedOut)) {
                Outcome::TimedOut
            } else {
                Outcome::Failed
            }
        }
    };
    (end, outcome)
}

/// The end of an attempt that was aborted within this process, whose result is unknown.
pub fn aborted(base: &Base, due: &Due, claim: Claim) -> End {
    let now = base.clock.now();
    let ending = Ending::Failed(schedule::next(claim.number, now, None));
    let end = without_response(due, claim, ending, "the attempt broke off within the service".to_owned());
    End { started_at: now, ..end }
}

fn without_response(due: &Due, claim: Claim, ending: Ending, error: String) -> End {
    End {
        delivery: due.id,
        epoch: claim.epoch,
        number: claim.number,
        webhook: due.webhook,
        started_at: due.created_at,
        duration_ms: 0,
        status_code: None,
        error: Some(error),
        response: None,
        ending,
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// A reason why there was no response, in a message for the customer.
#[derive(Debug, thiserror::Error)]
enum NoResponse {
    /// The URL is no longer allowed.
    #[error("the URL is not one that webhooks may go to: {0}")]
    Url(String),
    /// This service failed.
    #[error("the event could not be signed")]
    Unsigned,
    /// The receiver failed or could not be reached.
    #[error(transparent)]
    Post(#[from] PostFailure),
}

async fn post(base: &Base, due: &Due, started_at: Timestamp) -> Result<ReceiverResponse, NoResponse> {
    let target = Target::parse(&due.url).map_err(|refusal| NoResponse::Url(refusal.to_string()))?;
    let body = body(due.kind, due.created_at, &due.data);
    let headers = headers(base, due, started_at, body.as_bytes()).map_err(|error| {
        tracing::error!(error, webhook.id = %due.webhook, "an event could not be signed");
        NoResponse::Unsigned
    })?;
    Ok(base.outbound.post(&target, headers, Bytes::from(body)).await?)
}

/// The body, which is identical at every attempt.
pub fn body(kind: EventType, created_at: Timestamp, data: &str) -> String {
    format!(r#"{{"type":"{}","timestamp":"{created_at}","data":{data}}}"#, kind.as_str())
}

/// The headers of an attempt that do not depend on a secret.
pub fn plain_headers(event: EventId, started_at: Timestamp) -> [(&'static str, String); 4] {
    [
        ("content-type", "application/json".to_owned()),
        ("user-agent", "Lectern-Webhooks/1".to_owned()),
        ("webhook-id", event.to_string()),
        ("webhook-timestamp", started_at.unix_seconds().to_string()),
    ]
}

fn headers(base: &Base, due: &Due, started_at: Timestamp, body: &[u8]) -> Result<HeaderMap, String> {
    let secrets =
        Secrets::open(&base.secrets.webhooks, due.webhook, &due.secrets).map_err(|error| chain(&error))?;
    let (id, seconds) = (due.event.to_string(), started_at.unix_seconds());
    let signature = signature::sign(secrets.valid(started_at), &id, seconds, body);
    let plain = plain_headers(due.event, started_at);
    plain
        .into_iter()
        .chain([("webhook-signature", signature)])
        .map(|(name, value)| {
            let value =
                HeaderValue::from_str(&value).map_err(|error: InvalidHeaderValue| error.to_string())?;
            Ok((HeaderName::from_static(name), value))
        })
        .collect()
}
