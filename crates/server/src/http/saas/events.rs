//! `GET /v1/saas/events`.

use axum::{Json, extract::State, http::Uri};
use lectern_store::events;
use lectern_types::{ErrorCode, Event, EventType, Page, kinds};

use crate::{
    app::App,
    http::{
        envelope::Failure,
        extract::{
            auth::{Caller, Read},
            page::{CursorScope, Parameters},
        },
        shapes,
    },
};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::InsufficientScope, ErrorCode::ValidationFailed];

/// List events
///
/// What happened in the key's environment, newest first, whether or not a webhook was told of it.
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
    responses((status = 200, description = "A page of events", body = Page<Event>))
)]
pub async fn list_events(
    State(app): State<App>,
    caller: Caller<Read>,
    uri: Uri,
) -> Result<Json<Page<Event>>, Failure> {
    let scope = CursorScope::new(&app.secrets.cursors, "events", caller.account);
    let mut parameters = Parameters::of(&uri);
    let words = EventType::ALL.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(", ");
    let kind = parameters.word("type", &words, EventType::of_word);
    let position = parameters.position::<kinds::Event>(&scope);
    parameters.finish()?;
    let (account, environment) = (caller.account, caller.key.environment);
    let (before, limit) = (position.before, position.limit);
    let rows = events::list(&app.store, account, environment, kind, before, limit + 1).await?;
    let Page { data, next_cursor } = scope.page(rows, limit, |event| event.id);
    let data = data.iter().map(shapes::event).collect::<crate::error::Result<_>>()?;
    Ok(Json(Page { data, next_cursor }))
}
