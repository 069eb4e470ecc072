//! `GET /v1/saas/materials/{id}/events`.

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::{
    extract::State,
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header::CACHE_CONTROL},
    response::{
        IntoResponse as _, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use lectern_types::{ErrorCode, MaterialId, StreamedEvent};

use super::Path;
use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Read},
        page::Parameters,
    },
    listening,
};
use lectern_service::{
    app::App,
    services::materials::events::{self, MaterialEvent},
};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] =
    &[ErrorCode::InsufficientScope, ErrorCode::ValidationFailed, ErrorCode::MaterialNotFound];

/// How often a comment shows that the stream is alive when there are no events.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// The header that names the last event that a reconnecting client has seen.
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// Follow a material
///
/// The events of a material, as server-sent events: `id` is the event's `sequence`, `event` its
/// type (`material.ready`, `chunk.completed`, …), `data` what a webhook would carry as `data`. The
/// stream begins with the first event, or after the one that `Last-Event-ID` names, and ends after
/// the event with which the material is completed or failed. A client that has already seen that
/// event gets 204, at which `EventSource` stops reconnecting. A deletion ends the stream with
/// `material.deleted`.
#[utoipa::path(
    get,
    path = "/v1/saas/materials/{id}/events",
    tag = "Materials",
    operation_id = "follow_material",
    params(
        ("id" = MaterialId, Path, description = "The material's id"),
        ("Last-Event-ID" = Option<String>, Header, description = "The `id` of the last event seen"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses(
        (status = 200, description = "The events: the schema is of each one", body = StreamedEvent, content_type = "text/event-stream"),
        (status = 204, description = "All events were seen, and none will follow"),
    )
)]
pub async fn follow_material(
    State(app): State<Arc<App>>,
    caller: Caller<Read>,
    path: Path,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    Parameters::of(&uri).finish()?;
    let material = super::material(path)?;
    let seen = headers.get(LAST_EVENT_ID).and_then(|value| value.to_str().ok());
    let seen = seen.and_then(|text| text.parse().ok());
    let Some(progress) =
        events::follow(&app.base.store, &app.long_requests, &caller.authenticated, material, seen).await?
    else {
        return Ok(StatusCode::NO_CONTENT.into_response());
    };
    // A HEAD is answered at once and takes no place among the open streams.
    let progress = (method != Method::HEAD).then_some(progress);
    let stream = futures_util::stream::unfold(progress, |progress| async {
        let mut progress = progress?;
        let next = progress.next().await?;
        Some((Ok::<_, Infallible>(event(next)), Some(progress)))
    });
    let mut response = Sse::new(stream).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response();
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    listening::unbuffered(headers);
    Ok(response)
}

fn event(next: MaterialEvent) -> Event {
    let event = Event::default().event(next.kind).data(next.data);
    match next.sequence {
        Some(sequence) => event.id(sequence.to_string()),
        None => event,
    }
}
