//! `POST /v1/saas/webhooks`.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    response::Response,
};
use lectern_types::{CreateWebhookRequest, ErrorCode, NewWebhook};
use serde_json::{Map, Value};

use super::{description, events};
use crate::{
    envelope::Failure,
    extract::{
        auth::{Admin, Caller},
        json::Fields,
        post::{self, ReplayStorage},
    },
    shapes,
};
use lectern_service::{
    app::App,
    error::Result,
    services::webhooks::registration::{self, NewEndpoint},
};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::RequestTooLarge,
    ErrorCode::RequestTimeout,
    ErrorCode::IdempotencyKeyReuse,
    ErrorCode::ValidationFailed,
    ErrorCode::UrlMustBeHttps,
    ErrorCode::UrlHostNotAllowed,
    ErrorCode::EventsRequired,
    ErrorCode::InvalidEventType,
    ErrorCode::TooManyWebhookEndpoints,
];

/// Register a webhook
///
/// Registers an endpoint that receives events of the key's environment. `secret`, which signs them, is shown in
/// this response only; with an `Idempotency-Key`, repeating the call with the same API key answers the same response for 24
/// hours. At most 20 endpoints of an account are active.
#[utoipa::path(
    post,
    path = "/v1/saas/webhooks",
    tag = "Webhooks",
    operation_id = "create_webhook",
    params(
        ("Idempotency-Key" = Option<String>, Header, description = "Makes the call safe to repeat for 24 hours: \
            1 to 128 characters of A-Z, a-z, 0-9, _ and -", max_length = 128, min_length = 1,
            pattern = "^[A-Za-z0-9_-]+$"),
    ),
    request_body = CreateWebhookRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 201, description = "The endpoint is registered", body = NewWebhook, headers(
        ("Idempotent-Replayed" = Option<String>, description = "`true` when an earlier call made this response"),
    )))
)]
pub async fn create_webhook(
    State(app): State<Arc<App>>,
    caller: Caller<Admin>,
    request: Request,
) -> Result<Response, Failure> {
    let run = async |object, idempotent| {
        let show =
            |webhook: &_, secret| post::json(201, &NewWebhook { about: shapes::webhook(webhook), secret });
        registration::register(&app.base, &caller.authenticated, params(object)?, idempotent, show).await
    };
    post::answer(&app.base, &caller, request, ReplayStorage::Sealed, run).await
}

fn params(object: Map<String, Value>) -> Result<NewEndpoint> {
    let mut fields = Fields::of(object);
    let url = fields.text("url");
    let events = events(&mut fields);
    let description = match fields.take("description") {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => description(&mut fields, text),
        Some(_) => fields.wrong("description", "must be a text or null"),
    };
    let url = fields.finish_with(url)?;
    Ok(NewEndpoint { url, events, description })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use lectern_service::error::Error;

    fn refusal(body: Value) -> Vec<String> {
        let Value::Object(object) = body else { panic!("not an object") };
        match params(object) {
            Ok(_) => Vec::new(),
            Err(Error::Invalid(fields)) => fields.0.into_keys().collect(),
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn each_wrong_field_and_entry_is_named() {
        assert_eq!(refusal(json!({})), ["url"]);
        assert_eq!(
            refusal(json!({ "url": 1, "events": "chunk.completed", "description": 1, "secret": "x" })),
            ["description", "events", "secret", "url"]
        );
        assert!(refusal(json!({ "url": "x", "description": null })).is_empty());
        for (events, named) in [
            (json!([]), vec![]),
            (json!(null), vec!["events"]),
            (json!({}), vec!["events"]),
            (json!(["no such", 1, null]), vec!["events[1]", "events[2]"]),
        ] {
            assert_eq!(refusal(json!({ "url": "x", "events": events })), named, "{events}");
        }
        assert_eq!(refusal(json!({ "url": "x", "events": vec![1; 1_000] })).len(), 10);
        for (text, fits) in
            [("é".repeat(500), true), (String::new(), true), ("é".repeat(501), false), ("a\nb".into(), false)]
        {
            assert_eq!(refusal(json!({ "url": "x", "description": text })).is_empty(), fits, "{text:?}");
        }
    }
}
