//! `POST /v1/bff/auth/register`.

use axum::{Json, extract::State, http::StatusCode};
use lectern_types::{RegisterRequest, Registration};

use crate::{
    app::App,
    http::{
        envelope::Failure,
        extract::form::{Form, ToRegister},
        saas,
    },
};

/// Register
///
/// As `POST /v1/saas/auth/register`.
#[utoipa::path(
    post,
    path = "/v1/bff/auth/register",
    tag = "Web application",
    operation_id = "web_register",
    security(()),
    request_body = RegisterRequest,
    responses((status = 201, description = "The account is registered", body = Registration))
)]
pub async fn web_register(
    State(app): State<App>,
    form: Form<ToRegister>,
) -> Result<(StatusCode, Json<Registration>), Failure> {
    saas::auth::register::register(State(app), form).await
}
