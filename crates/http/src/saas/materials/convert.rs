//! `POST /v1/saas/materials/{id}/convert`.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    response::Response,
};
use lectern_store::materials;
use lectern_types::{Conversion, ConvertRequest, ErrorCode, ErrorCode as Code, Request as _};

use super::Path;
use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Write},
        post::{self, ReplayStorage},
    },
    shapes,
};
use lectern_service::{app::App, services::materials::convert};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    Code::InsufficientScope,
    Code::RequestTooLarge,
    Code::RequestTimeout,
    Code::IdempotencyKeyReuse,
    Code::ValidationFailed,
    Code::MaterialNotFound,
    Code::MaterialNotReady,
    Code::EreaderNotFound,
    Code::EreaderTierNotAvailable,
    Code::EreaderLocked,
    Code::LanguageNotSupported,
    Code::LexiconNotFound,
    Code::NotesLocked,
    Code::ChunkNotFound,
    Code::ChapterNotFound,
    Code::MaterialChunksAlreadyConverted,
    Code::ApiAccessRequiresCredits,
    Code::InsufficientBalance,
];

/// Convert a material
///
/// Queues chunks to be spoken by an e-reader: all that are not completed, or those named. The whole
/// price is held at once, and each chunk is charged when its audio is ready; the hold for a chunk
/// that fails for good is released. Chunks that are already completed or queued are skipped and not
/// charged again, unless `again` says that completed ones are spoken and paid once more. The first conversion fixes the e-reader. A material in a language that the
/// e-reader does not speak is refused, unless `language` says in which of its languages to read it.
/// A chunk that is mostly in a script in which that language is not written ends `failed`, and
/// nothing is held for it.
#[utoipa::path(
    post,
    path = "/v1/saas/materials/{id}/convert",
    tag = "Materials",
    operation_id = "convert_material",
    params(
        ("id" = lectern_types::MaterialId, Path, description = "The material's id"),
        crate::extract::idempotency::Header,
    ),
    request_body = ConvertRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 202, description = "The chunks are queued", body = Conversion, headers(
        ("Idempotent-Replayed" = Option<String>, description = "`true` when an earlier call made this response"),
    )))
)]
pub async fn convert_material(
    State(app): State<Arc<App>>,
    caller: Caller<Write>,
    path: Path,
    request: Request,
) -> Result<Response, Failure> {
    let run = async |object, idempotent| {
        let params = ConvertRequest::parse(object)?;
        let material = super::material(path)?;
        let show = |queued: &materials::Conversion| {
            let body = Conversion {
                material: shapes::material(&queued.material),
                chunks: queued.chunks,
                characters: queued.characters,
                credits_held: queued.credits_held,
            };
            post::json(202, &body)
        };
        convert::convert(&app.base, &caller.authenticated, material, params, idempotent, show).await
    };
    post::answer(&app.base, &caller, request, ReplayStorage::Plain, run).await
}
