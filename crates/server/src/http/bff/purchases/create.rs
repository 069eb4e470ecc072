//! `POST /v1/bff/purchases`.

use std::time::Duration;

use axum::{
    extract::{Request, State},
    response::Response,
};
use lectern_store::idempotency::Response as Stored;
use lectern_types::{ErrorCode, PurchaseBegun, PurchaseRequest};

use crate::{
    app::App,
    error::Error,
    http::{
        envelope::Failure,
        extract::{
            idempotency as header,
            json::{self, Fields},
            page::Parameters,
            post,
            session::Session,
        },
        shapes,
    },
    services::{
        authentication,
        idempotency::{self, Answer, Guarded},
        payments::{self, Begun},
    },
};

/// The failures of this route besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::ConsentRequired,
    ErrorCode::IdempotencyKeyReuse,
    ErrorCode::ValidationFailed,
    ErrorCode::RequestTimeout,
];

/// Buy a pack
///
/// Asks for a pack of credits. With Stripe the browser goes to `checkout_url` to pay; else the operator approves. An account
/// may have ten purchases that wait; one that is not wanted any more can be withdrawn.
#[utoipa::path(
    post,
    path = "/v1/bff/purchases",
    tag = "Web application",
    operation_id = "web_create_purchase",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("Idempotency-Key" = Option<String>, Header, description = "Makes the call safe to repeat for 24 hours: 1 to 128 characters of A-Z, a-z, 0-9, _ and -", max_length = 128, min_length = 1, pattern = "^[A-Za-z0-9_-]+$"),
    ),
    request_body = PurchaseRequest,
    responses((status = 201, description = "The purchase waits for its payment", body = PurchaseBegun, headers(
        ("Idempotent-Replayed" = Option<String>, description = "`true` when an earlier call made this response"),
    )))
)]
pub async fn web_create_purchase(
    State(app): State<App>,
    Session(signed_in): Session,
    request: Request,
) -> Result<Response, Failure> {
    authentication::check_standing(&signed_in.consent)?;
    let (parts, body) = request.into_parts();
    let (cap, patience) = (app.config.limits.body_bytes, app.config.http.body_seconds);
    let bytes = json::read(body, cap, Duration::from_secs(patience)).await?;
    let object = json::parse_object(&parts.headers, &bytes)?;
    let guarded = header::key(&parts.headers)?.map(|key| {
        let path = parts.uri.path().to_owned();
        Guarded::post_of_account(signed_in.account.id, path, key, json::fingerprint(&object))
    });
    if let Some(guarded) = &guarded
        && let Some(response) = idempotency::settle(&app, guarded).await?
    {
        return Ok(post::render(Answer { response, replayed: true })?);
    }
    Parameters::of(&parts.uri).finish()?;
    let mut fields = Fields::of(object);
    let pack = fields.text("pack_id");
    fields.finish()?;
    let pack = pack.ok_or_else(|| Error::Internal("a required field was absent and not noted".to_owned()))?;
    let show = |purchase, begun: &Begun| {
        let checkout_url = match begun {
            Begun::Approval => None,
            Begun::Visit { url, .. } => Some(url.clone()),
        };
        let begun = PurchaseBegun { purchase: shapes::purchase(purchase), checkout_url };
        let body = serde_json::to_vec(&begun).map_err(|error| Error::Internal(error.to_string()))?;
        Ok(Stored { status: 201, content_type: "application/json".to_owned(), body, sealed: false })
    };
    Ok(post::render(payments::ask(&app, &signed_in, &pack, guarded, show).await?)?)
}
