//! `GET /v1/saas/webhooks/{id}/deliveries`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_store::deliveries::{self, Filter};
use lectern_types::{Delivery, DeliveryStatus, ErrorCode, EventType, Page, WebhookId, request::parse_word};

use crate::{
    envelope::Failure,
    extract::{
        auth::{Admin, Caller},
        page::{self, CursorScope, Parameters},
    },
    saas::webhooks::{self, Path},
    shapes,
};
use lectern_service::{
    app::App,
    error::Error,
    services::webhooks::{deliveries::owner, find},
};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] =
    &[ErrorCode::InsufficientScope, ErrorCode::ValidationFailed, ErrorCode::NotFound];

/// List deliveries
///
/// The past and pending deliveries to an endpoint, newest first. Deliveries that have ended are
/// kept for 30 days.
#[utoipa::path(
    get,
    path = "/v1/saas/webhooks/{id}/deliveries",
    tag = "Webhooks",
    operation_id = "list_deliveries",
    params(
        ("id" = WebhookId, Path, description = "The endpoint's id"),
        ("status" = Option<DeliveryStatus>, Query, description = "Only those of this status"),
        ("event_type" = Option<EventType>, Query, description = "Only those of events of this type"),
        ("limit" = Option<u32>, Query, description = "Items on a page", minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "A page of deliveries", body = Page<Delivery>))
)]
pub async fn list_deliveries(
    State(app): State<Arc<App>>,
    caller: Caller<Admin>,
    path: Path,
    uri: Uri,
) -> Result<Json<Page<Delivery>>, Failure> {
    let webhook = webhooks::webhook(path);
    // A cursor belongs to one endpoint's list; without an endpoint there is no valid cursor.
    let within =
        webhook.as_ref().map_or_else(|_| caller.authenticated.account.uuid(), |webhook| webhook.uuid());
    let scope = CursorScope::within(&app.base.secrets.cursors, "deliveries", within);
    let mut parameters = Parameters::of(&uri);
    let filter = Filter {
        status: parameters.read("status", parse_word::<DeliveryStatus>),
        kind: parameters.read("event_type", parse_word::<EventType>),
    };
    let rows = async |before, limit| {
        let webhook = find(&app.base.store, &caller.authenticated, webhook?).await?;
        Ok::<_, Error>(
            deliveries::list(
                &app.base.store,
                owner(&caller.authenticated, webhook.id),
                filter,
                before,
                limit,
            )
            .await?,
        )
    };
    let show = |delivery| shapes::delivery(&delivery);
    page::list(&scope, parameters, rows, |delivery| delivery.id, show).await
}
