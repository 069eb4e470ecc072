//! `GET /v1/bff/webhooks/{id}/deliveries`.

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

/// List deliveries
///
/// As `GET /v1/saas/webhooks/{id}/deliveries`, for who is signed in.
#[utoipa::path(
    get,
    path = "/v1/bff/webhooks/{id}/deliveries",
    tag = "Web application",
    operation_id = "web_list_deliveries",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = lectern_types::WebhookId, Path, description = "The endpoint's id"),
        ("status" = Option<lectern_types::DeliveryStatus>, Query, description = "Only those that are there"),
        ("limit" = Option<u32>, Query, description = "Items on a page", minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    responses((status = 200, description = "A page of deliveries", body = lectern_types::Page<lectern_types::Delivery>))
)]
pub async fn web_list_deliveries(
    State(app): State<App>,
    Web(caller): Web<Admin>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    uri: Uri,
) -> Result<Json<lectern_types::Page<lectern_types::Delivery>>, Failure> {
    saas::webhooks::deliveries::list::list_deliveries(State(app), caller, path, uri).await
}
