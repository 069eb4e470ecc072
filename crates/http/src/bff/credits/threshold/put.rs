//! `PUT /v1/bff/credits/threshold`.

use std::{sync::Arc, time::Duration};

use axum::{
    Json,
    extract::{Request, State},
};
use lectern_store::ledger;
use lectern_types::{Credits, ErrorCode, LowBalance};
use serde_json::Value;

use crate::{
    envelope::Failure,
    extract::{
        json::{self, Fields},
        page::Parameters,
        session::Session,
    },
};
use lectern_service::{app::App, services::accounts::authentication};

/// The failures of this route besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] =
    &[ErrorCode::ConsentRequired, ErrorCode::ValidationFailed, ErrorCode::RequestTimeout];

/// The highest threshold; far below what an `i64` holds.
const MOST: i64 = 1_000_000_000_000_000;

/// Set the low-balance threshold
///
/// Below how many available credits `credits.low` is emitted, once for each fall; null for never.
#[utoipa::path(
    put,
    path = "/v1/bff/credits/threshold",
    tag = "Web application",
    operation_id = "web_set_threshold",
    security(("session" = []), ("session_cookie" = [])),
    request_body = LowBalance,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The threshold", body = LowBalance))
)]
pub async fn web_set_threshold(
    State(app): State<Arc<App>>,
    Session(signed_in): Session,
    request: Request,
) -> Result<Json<LowBalance>, Failure> {
    authentication::check_standing(&signed_in.consent)?;
    let (parts, body) = request.into_parts();
    let (cap, patience) = (app.base.config.limits.body_bytes, app.base.config.http.body_seconds);
    let bytes = json::read(body, cap, Duration::from_secs(patience)).await?;
    let mut fields = Fields::of(json::parse_object(&parts.headers, &bytes)?);
    Parameters::of(&parts.uri).finish()?;
    let threshold = match fields.take("threshold") {
        Some(Value::Null) => None,
        value => {
            let number = value.and_then(|value| value.as_i64()).filter(|number| (1..=MOST).contains(number));
            number.map(Credits).or_else(|| {
                fields.wrong("threshold", format!("must be null or a whole number from 1 to {MOST}"))
            })
        }
    };
    fields.finish()?;
    ledger::set_low_threshold(&app.base.store, signed_in.account.id, threshold).await?;
    Ok(Json(LowBalance { threshold }))
}
