//! `PATCH /v1/saas/webhooks/{id}`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Request, State},
};
use lectern_store::webhooks::Description;
use lectern_types::{ErrorCode, UpdateWebhookRequest, Webhook, WebhookId};
use serde_json::{Map, Value};

use super::{Path, description, events};
use crate::{
    envelope::Failure,
    extract::{
        auth::{Admin, Caller},
        json::Fields,
        path, post,
    },
    shapes,
};
use lectern_service::{
    app::App,
    error::Result,
    services::webhooks::changes::{self, EndpointChanges},
};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::RequestTooLarge,
    ErrorCode::RequestTimeout,
    ErrorCode::ValidationFailed,
    ErrorCode::UrlMustBeHttps,
    ErrorCode::UrlHostNotAllowed,
    ErrorCode::EventsRequired,
    ErrorCode::InvalidEventType,
    ErrorCode::NotFound,
    ErrorCode::TooManyWebhookEndpoints,
];

/// Change a webhook
///
/// Changes the fields that are sent. A disabled endpoint receives no events, and its pending deliveries are canceled. An
/// endpoint that is enabled again receives events from then on, and counts among the 20.
#[utoipa::path(
    patch,
    path = "/v1/saas/webhooks/{id}",
    tag = "Webhooks",
    operation_id = "update_webhook",
    params(("id" = WebhookId, Path, description = "The endpoint's id")),
    request_body = UpdateWebhookRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The endpoint, as it is now", body = Webhook))
)]
pub async fn update_webhook(
    State(app): State<Arc<App>>,
    caller: Caller<Admin>,
    path: Path,
    request: Request,
) -> Result<Json<Webhook>, Failure> {
    let params = params(post::fields(&app.base, request).await?)?;
    // What is wrong with the body comes before existence.
    let webhook = changes::update(&app.base, &caller.authenticated, path::id(path, "id"), params).await?;
    Ok(Json(shapes::webhook(&webhook)))
}

fn params(object: Map<String, Value>) -> Result<EndpointChanges> {
    let mut fields = Fields::of(object);
    let url = fields.optional_text("url");
    let events = events(&mut fields);
    let description = match fields.take("description") {
        None => Description::Kept,
        Some(Value::Null) => Description::Removed,
        Some(Value::String(text)) => description(&mut fields, text).map(Description::Set).unwrap_or_default(),
        Some(_) => fields.wrong("description", "must be a text or null").unwrap_or_default(),
    };
    let active = fields.word("status", "active, disabled", |word| match word {
        "active" => Some(true),
        "disabled" => Some(false),
        _ => None,
    });
    fields.finish()?;
    Ok(EndpointChanges { url, events, description, active })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use lectern_service::error::Error;

    #[test]
    fn absent_fields_stay_and_each_wrong_one_is_named() {
        let of = |body: Value| {
            let Value::Object(object) = body else { panic!("not an object") };
            params(object)
        };
        let nothing = of(json!({})).unwrap();
        assert!(nothing.url.is_none() && nothing.events.is_none());
        assert_eq!((nothing.active, nothing.description), (None, Description::Kept));
        assert_eq!(of(json!({ "description": null })).unwrap().description, Description::Removed);
        assert_eq!(of(json!({ "status": "disabled" })).unwrap().active, Some(false));
        let wrong =
            of(json!({ "url": null, "events": {}, "description": 1, "status": "deleted", "id": "x" }));
        let Err(Error::Invalid(fields)) = wrong else { panic!("it was taken") };
        assert_eq!(
            fields.0.into_keys().collect::<Vec<_>>(),
            ["description", "events", "id", "status", "url"]
        );
    }
}
