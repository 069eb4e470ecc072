//! `GET /v1/bff/materials/{id}/audio`.

use axum::{
    extract::{RawPathParams, State, rejection::RawPathParamsRejection},
    http::{HeaderMap, Method, Uri},
    response::Response,
};
use lectern_types::Environment;

use crate::{
    app::App,
    http::{
        envelope::Failure,
        extract::{auth::Read, web::Web},
        saas,
    },
};

/// Get a book's audio
///
/// As `GET /v1/saas/materials/{id}/audio`, for who is signed in.
#[utoipa::path(
    get,
    path = "/v1/bff/materials/{id}/audio",
    tag = "Web application",
    operation_id = "web_get_material_audio",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = lectern_types::MaterialId, Path, description = "The material's id"),
        ("format" = Option<lectern_types::BookFormat>, Query, description = "The form of the file; `mp3` when absent"),
        ("url" = Option<bool>, Query, description = "Whether to answer with a URL instead"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    responses((status = 200, description = "The audio, or its URL", content((String = "audio/*"), (lectern_types::AudioUrl = "application/json"))),
        (status = 206, description = "The range asked for", content_type = "audio/*"),
        (status = 304, description = "It is the one already held"),)
)]
pub async fn web_get_material_audio(
    State(app): State<App>,
    Web(caller): Web<Read>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    saas::materials::audio::get_material_audio(State(app), caller, path, method, uri, headers).await
}
