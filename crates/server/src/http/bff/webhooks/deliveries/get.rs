//! `GET /v1/bff/webhooks/{id}/deliveries/{delivery_id}`.

use axum::{
    Json,
    extract::{RawPathParams, State, rejection::RawPathParamsRejection},
    http::Uri,
};
use lectern_types::Environment;

use crate::{
    app::App,
    http::{
        envelope::Failure,
        extract::{auth::Admin, web::Web},
        saas,
    },
};

/// Get a delivery
///
/// As `GET /v1/saas/webhooks/{id}/deliveries/{delivery_id}`, for who is signed in.
#[utoipa::path(
    get,
    path = "/v1/bff/webhooks/{id}/deliveries/{delivery_id}",
    tag = "Web application",
    operation_id = "web_get_delivery",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = lectern_types::WebhookId, Path, description = "The endpoint's id"),
        ("delivery_id" = lectern_types::DeliveryId, Path, description = "The delivery's id"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    responses((status = 200, description = "The delivery with its attempts", body = lectern_types::DeliveryDetail))
)]
pub async fn web_get_delivery(
    State(app): State<App>,
    Web(caller): Web<Admin>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    uri: Uri,
) -> Result<Json<lectern_types::DeliveryDetail>, Failure> {
    saas::webhooks::deliveries::get::get_delivery(State(app), caller, path, uri).await
}
