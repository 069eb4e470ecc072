//! One attempt at a delivery: an event is written, signed and posted, and what comes back is judged.

use std::time::Duration;

use hyper::{
    HeaderMap,
    body::Bytes,
    header::{CONTENT_TYPE, HeaderName, HeaderValue, InvalidHeaderValue, USER_AGENT},
};
use lectern_store::deliveries::{Due, End, Ending};
use tokio::time::Instant;

use super::{schedule, secrets::Secrets, signature};
use crate::{
    app::Base,
    error::chain,
    outbound::{Answer, PostFailure, Target},
};

/// How an attempt is named in metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It is delivered.
    Succeeded,
    /// The receiver answered something else than success.
    Refused,
    /// The receiver did not answer in time.
    TimedOut,
    /// There was no answer for another reason.
    Failed,
}

impl Outcome {
    /// The word in metrics.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Succeeded => "succeeded",
            Self::Refused => "refused",
            Self::TimedOut => "timed_out",
            Self::Failed => "failed",
        }
    }
}

/// Which claim an attempt is made under.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    /// The claim's number.
    pub epoch: u32,
    /// The attempt's place among the delivery's, from 1.
    pub number: u32,
}

/// Posts an event.
pub async fn make(base: &Base, due: &Due, claim: Claim) -> (End, Outcome) {
    let (started_at, began) = (base.clock.now(), Instant::now());
    let answer = post(base, due).await;
    let took = began.elapsed();
    let now = base.clock.now();
    let next = |asked| Ending::Failed(schedule::next(claim.number, now, asked));
    let mut end = unanswered(due, claim, Ending::Failed(None), String::new());
    (end.started_at, end.duration_ms) = (started_at, millis(took));
    let outcome = match answer {
        Ok(answer) => {
            end.error = None;
            end.status_code = Some(answer.status.as_u16());
            end.response = Some(answer.body);
            let asked = answer.retry_after.and_then(|value| schedule::asked_seconds(value.as_bytes(), now));
            let (ending, outcome) = match answer.status.as_u16() {
                200..=299 => (Ending::Succeeded, Outcome::Succeeded),
                410 => (Ending::Gone, Outcome::Refused),
                _ => (next(asked), Outcome::Refused),
            };
            end.ending = ending;
            outcome
        }
        Err(failure) => {
            end.ending = next(None);
            end.error = Some(failure.to_string());
            if matches!(failure, NoAnswer::Post(PostFailure::TimedOut)) {
                Outcome::TimedOut
            } else {
                Outcome::Failed
            }
        }
    };
    (end, outcome)
}

/// The end of an attempt of which nothing is known, because it broke off here.
pub fn broken_off(base: &Base, due: &Due, claim: Claim) -> End {
    let now = base.clock.now();
    let ending = Ending::Failed(schedule::next(claim.number, now, None));
    let end = unanswered(due, claim, ending, "the attempt broke off within the service".to_owned());
    End { started_at: now, ..end }
}

fn unanswered(due: &Due, claim: Claim, ending: Ending, error: String) -> End {
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

/// Why there is no answer, in words for the customer.
#[derive(Debug, thiserror::Error)]
enum NoAnswer {
    /// The URL would not be taken today.
    #[error("the URL is not one that webhooks may go to: {0}")]
    Url(String),
    /// Our own fault.
    #[error("the event could not be signed")]
    Unsigned,
    /// The receiver's, or that of the way to it.
    #[error(transparent)]
    Post(#[from] PostFailure),
}

async fn post(base: &Base, due: &Due) -> Result<Answer, NoAnswer> {
    let target = Target::parse(&due.url).map_err(|refusal| NoAnswer::Url(refusal.to_string()))?;
    let body = body(due);
    let headers = headers(base, due, body.as_bytes()).map_err(|error| {
        tracing::error!(error, webhook.id = %due.webhook, "an event could not be signed");
        NoAnswer::Unsigned
    })?;
    Ok(base.outbound.post(&target, headers, Bytes::from(body)).await?)
}

/// What is posted: the same bytes at every attempt.
fn body(due: &Due) -> String {
    format!(r#"{{"type":"{}","timestamp":"{}","data":{}}}"#, due.kind.as_str(), due.created_at, due.data)
}

fn headers(base: &Base, due: &Due, body: &[u8]) -> Result<HeaderMap, String> {
    let now = base.clock.now();
    let secrets =
        Secrets::open(&base.secrets.webhooks, due.webhook, &due.secrets).map_err(|error| chain(&error))?;
    let (id, seconds) = (due.event.to_string(), now.unix_seconds());
    let signature = signature::sign(secrets.valid(now), &id, seconds, body);
    let value =
        |text: &str| HeaderValue::from_str(text).map_err(|error: InvalidHeaderValue| error.to_string());
    Ok(HeaderMap::from_iter([
        (CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (USER_AGENT, HeaderValue::from_static("Lectern-Webhooks/1")),
        (HeaderName::from_static("webhook-id"), value(&id)?),
        (HeaderName::from_static("webhook-timestamp"), value(&seconds.to_string())?),
        (HeaderName::from_static("webhook-signature"), value(&signature)?),
    ]))
}
