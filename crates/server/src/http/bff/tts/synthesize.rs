//! `POST /v1/bff/tts:synthesize`.

use axum::{
    extract::{Request, State},
    response::Response,
};
use lectern_types::Environment;

use crate::{
    app::App,
    http::{
        envelope::Failure,
        extract::{auth::Write, web::Web},
        saas,
    },
};

/// Synthesize
///
/// As `POST /v1/saas/tts:synthesize`, for who is signed in.
#[utoipa::path(
    post,
    path = "/v1/bff/tts:synthesize",
    tag = "Web application",
    operation_id = "web_synthesize",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("Idempotency-Key" = Option<String>, Header, description = "Makes the call safe to repeat for 24 hours: 1 to 128 characters of A-Z, a-z, 0-9, _ and -", max_length = 128, min_length = 1, pattern = "^[A-Za-z0-9_-]+$"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    request_body = lectern_types::SynthesizeRequest,
    responses((status = 200, description = "The audio's URL", body = lectern_types::Synthesis))
)]
pub async fn web_synthesize(
    State(app): State<App>,
    Web(caller): Web<Write>,
    request: Request,
) -> Result<Response, Failure> {
    saas::tts::synthesize::synthesize(State(app), caller, request).await
}
