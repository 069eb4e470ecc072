//! `POST /v1/saas/materials/{id}/cancel`.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    response::Response,
};
use lectern_store::materials::Cancelled;
use lectern_types::{ErrorCode, Material, MaterialId};

use super::Path;
use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Write},
        post::{self, ReplayStorage},
    },
    shapes,
};
use lectern_service::{app::App, services::materials::cancel};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::RequestTooLarge,
    ErrorCode::RequestTimeout,
    ErrorCode::IdempotencyKeyReuse,
    ErrorCode::ValidationFailed,
    ErrorCode::MaterialNotFound,
];

/// Cancel a conversion
///
/// Takes back what is queued: those chunks are `pending` again, and what was held for them is released. A chunk
/// that was to be spoken again has its audio of before. Chunks that are being spoken are completed and
/// charged. With nothing queued the response is 200 and nothing changes, so it does no harm to call this twice.
/// With an `Idempotency-Key`, a repeated call gets the first response and cancels nothing that was queued since.
#[utoipa::path(
    post,
    path = "/v1/saas/materials/{id}/cancel",
    tag = "Materials",
    operation_id = "cancel_material",
    params(
        ("id" = MaterialId, Path, description = "The material's id"),
        crate::extract::idempotency::Header,
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses(
        (status = 202, description = "The material, of which nothing is queued any more", body = Material, headers(
            ("Idempotent-Replayed" = Option<String>, description = "`true` when an earlier call made this response"),
        )),
        (status = 200, description = "The material, of which nothing was queued", body = Material, headers(
            ("Idempotent-Replayed" = Option<String>, description = "`true` when an earlier call made this response"),
        )),
    )
)]
pub async fn cancel_material(
    State(app): State<Arc<App>>,
    caller: Caller<Write>,
    path: Path,
    request: Request,
) -> Result<Response, Failure> {
    let run = async |idempotent| {
        let show = |Cancelled { material, had_queued }: &_| {
            post::json(if *had_queued { 202 } else { 200 }, &shapes::material(material))
        };
        cancel::cancel(&app.base, &caller.authenticated, super::material(path)?, idempotent, show).await
    };
    post::answer_bare(&app.base, &caller, request, ReplayStorage::Plain, run).await
}
