//! `GET /v1/saas/events`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_store::events;
use lectern_types::{ErrorCode, Event, EventType, Page, request::parse_word};

use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Read},
        page::{self, CursorScope, Parameters},
    },
    shapes,
};
use lectern_service::{app::App, error::Result};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::InsufficientScope, ErrorCode::ValidationFailed];

/// List events
///
/// The events of the key's environment, newest first, whether or not a webhook received them.
#[utoipa::path(
    get,
    path = "/v1/saas/events",
    tag = "Webhooks",
    operation_id = "list_events",
    params(
        ("type" = Option<EventType>, Query, description = "Only those of this type"),
        ("limit" = Option<u32>, Query, description = "Items on a page", minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "A page of events", body = Page<Event>))
)]
pub async fn list_events(
    State(app): State<Arc<App>>,
    caller: Caller<Read>,
    uri: Uri,
) -> Result<Json<Page<Event>>, Failure> {
    let scope = CursorScope::new(&app.base.secrets.cursors, "events", caller.authenticated.account);
    let mut parameters = Parameters::of(&uri);
    let kind = parameters.read("type", parse_word::<EventType>);
    let (account, environment) = (caller.authenticated.account, caller.authenticated.key.environment);
    let rows = async |before, limit| {
        let rows = events::list(&app.base.store, account, environment, kind, before, limit).await?;
        rows.iter().map(shapes::event).collect::<Result<Vec<_>>>()
    };
    page::list(&scope, parameters, rows, |event| event.id, |event| event).await
}
