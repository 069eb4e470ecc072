//! `POST /v1/bff/purchases`.

use std::time::Duration;

use axum::{
    Json,
    extract::{Request, State},
    http::StatusCode,
};
use lectern_types::{ErrorCode, PurchaseBegun, PurchaseRequest};

use crate::{
    app::App,
    error::Error,
    http::{
        envelope::Failure,
        extract::{
            json::{self, Fields},
            page::Parameters,
            session::Session,
        },
        shapes,
    },
    services::{
        authentication,
        payments::{self, Begun},
    },
};

/// The failures of this route besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] =
    &[ErrorCode::ConsentRequired, ErrorCode::ValidationFailed, ErrorCode::RequestTimeout];

/// Buy a pack
///
/// Asks for a pack of credits. With Stripe the browser goes to `checkout_url` to pay; else the operator approves. An account
/// may have ten purchases that wait.
#[utoipa::path(
    post,
    path = "/v1/bff/purchases",
    tag = "Web application",
    operation_id = "web_create_purchase",
    security(("session" = []), ("session_cookie" = [])),
    request_body = PurchaseRequest,
    responses((status = 201, description = "The purchase waits for its payment", body = PurchaseBegun))
)]
pub async fn web_create_purchase(
    State(app): State<App>,
    Session(signed_in): Session,
    request: Request,
) -> Result<(StatusCode, Json<PurchaseBegun>), Failure> {
    authentication::check_standing(&signed_in.consent)?;
    let (parts, body) = request.into_parts();
    let (cap, patience) = (app.config.limits.body_bytes, app.config.http.body_seconds);
    let bytes = json::read(body, cap, Duration::from_secs(patience)).await?;
    let mut fields = Fields::of(json::parse_object(&parts.headers, &bytes)?);
    Parameters::of(&parts.uri).finish()?;
    let pack = fields.text("pack_id");
    fields.finish()?;
    let pack = pack.ok_or_else(|| Error::Internal("a required field was absent and not noted".to_owned()))?;
    let (purchase, begun) = payments::ask(&app, &signed_in, &pack).await?;
    let checkout_url = match begun {
        Begun::Approval => None,
        Begun::Visit { url, .. } => Some(url),
    };
    let purchase = shapes::purchase(purchase);
    Ok((StatusCode::CREATED, Json(PurchaseBegun { purchase, checkout_url })))
}
