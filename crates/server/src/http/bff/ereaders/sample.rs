//! `GET /v1/bff/ereaders/{slug}/sample`.

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
        extract::{auth::AnyKey, web::Web},
        saas,
    },
};

/// Get an e-reader's sample
///
/// As `GET /v1/saas/ereaders/{slug}/sample`, for who is signed in.
#[utoipa::path(
    get,
    path = "/v1/bff/ereaders/{slug}/sample",
    tag = "Web application",
    operation_id = "web_get_ereader_sample",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("slug" = String, Path, description = "The e-reader's slug"),
        ("lang" = Option<String>, Query, description = "One of its `sample_langs`"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    responses((status = 200, description = "The sample", content_type = "audio/mpeg"),
        (status = 206, description = "The range asked for", content_type = "audio/mpeg"),
        (status = 304, description = "It is the one already held"))
)]
pub async fn web_get_ereader_sample(
    State(app): State<App>,
    Web(caller): Web<AnyKey>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    saas::ereaders::sample::get_ereader_sample(State(app), caller, path, method, uri, headers).await
}
