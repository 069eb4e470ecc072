//! `/v1/saas/webhooks`: endpoints, their secrets, and what was delivered to them.

pub mod create;
pub mod delete;
pub mod deliveries;
pub mod get;
pub mod list;
pub mod rotate_secret;
pub mod test;
pub mod update;

use axum::extract::{RawPathParams, rejection::RawPathParamsRejection};
use lectern_types::{ErrorCode, MAX_WEBHOOK_DESCRIPTION, WebhookId};
use serde_json::Value;

use crate::extract::{json::Fields, path};
use lectern_service::error::Result;

/// What the path of a route names, as axum gives it.
type Path = Result<RawPathParams, RawPathParamsRejection>;

/// Entries of `events` that are named when they are wrong.
const NAMED_EVENTS: usize = 10;

/// The endpoint that the path names.
///
/// # Errors
/// `not_found` for what is no id of an endpoint.
fn webhook(path: Path) -> Result<WebhookId> {
    path::id(path, "id").ok_or_else(|| ErrorCode::NotFound.into())
}

/// The words of `events`, which may be absent; each entry that is no text is named by its place.
fn events(fields: &mut Fields) -> Option<Vec<String>> {
    let Value::Array(entries) = fields.take("events")? else {
        return fields.wrong("events", "must be a list of event types");
    };
    let mut words = Vec::with_capacity(entries.len().min(NAMED_EVENTS));
    let mut wrong = 0;
    for (at, entry) in entries.into_iter().enumerate() {
        if let Value::String(word) = entry {
            words.push(word);
            continue;
        }
        fields.wrong::<()>(&format!("events[{at}]"), "must be a text");
        wrong += 1;
        if wrong == NAMED_EVENTS {
            break;
        }
    }
    Some(words)
}

/// A description that can be shown and is not too long.
fn description(fields: &mut Fields, text: String) -> Option<String> {
    let fits = text.chars().count() <= MAX_WEBHOOK_DESCRIPTION && !text.chars().any(char::is_control);
    let sentence = "must be at most 500 characters, none of them a control character";
    if fits { Some(text) } else { fields.wrong("description", sentence) }
}
