//! `POST /v1/bff/tts:stream`.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, header::ACCEPT},
    response::Response,
};
use lectern_types::{Environment, ErrorCode, ErrorCode as Code, StreamLine, StreamRequest, Timestamps};

use crate::{
    envelope::Failure,
    extract::{
        auth::Write,
        post::{self, Received, ReplayStorage},
        web::Web,
    },
    listening::{self, LINES},
    saas::tts::request,
};
use lectern_service::{
    app::App,
    services::speech::streaming::{self, Stream},
};

/// The failures of this route besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] = &[
    Code::ConsentRequired,
    Code::RequestTooLarge,
    Code::RequestTimeout,
    Code::IdempotencyKeyReuse,
    Code::TextEmpty,
    Code::TextTooLong,
    Code::ValidationFailed,
    Code::EreaderNotFound,
    Code::LexiconNotFound,
    Code::LanguageNotSupported,
    Code::EreaderTierNotAvailable,
    Code::ApiAccessRequiresCredits,
    Code::InsufficientBalance,
    Code::TtsProviderError,
];

/// Stream speech
///
/// `POST /v1/saas/tts:stream` for users of the pages, with two differences. The service keeps the audio that it sent for
/// a day, and the history plays it: a listener who stops keeps what was charged. The work ends when the client leaves.
/// With an `Idempotency-Key`, a repeated call returns the audio that the first one sent, and charges nothing more. With
/// `Accept: application/x-ndjson` the answer is lines of JSON, each with the next bytes of the audio and the words that
/// begin in them.
#[utoipa::path(
    post,
    path = "/v1/bff/tts:stream",
    tag = "Web application",
    operation_id = "web_stream",
    security(("session" = []), ("session_cookie" = [])),
    params(
        crate::extract::idempotency::Header,
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    request_body = StreamRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The audio", content(
        (String = "audio/*"),
        (StreamLine = "application/x-ndjson"),
    ), headers(
        ("Idempotent-Replayed" = Option<String>, description = "`true` when an earlier call was spoken"),
        ("Lectern-Synthesis-Id" = String, description = "The synthesis, as the ledger's `reference` names it"),
        ("Lectern-Characters" = u32, description = "Characters of the whole text"),
        ("Lectern-Credits" = i64, description = "The price of the whole text; 0 in the test environment"),
    )))
)]
pub async fn web_stream(
    State(app): State<Arc<App>>,
    Web(caller): Web<Write>,
    incoming: Request,
) -> Result<Response, Failure> {
    let in_lines = accepts_lines(incoming.headers());
    let stream = match post::receive(&app.base, &caller, incoming, ReplayStorage::Plain).await? {
        Received::Replay(kept, _) => Stream::replay(&kept)?,
        Received::Fresh(object, idempotent) => {
            let mut request = request::live(object)?;
            if in_lines {
                request.timestamps = Timestamps::Word;
            }
            streaming::stream_for_history(&app.speech, caller.authenticated, request, idempotent).await?
        }
    };
    let objects = &app.base.objects;
    if in_lines {
        Ok(listening::render_lines(objects, stream).await?)
    } else {
        Ok(listening::render(objects, stream).await?)
    }
}

/// Whether the client names the media type of lines. Everything else means the audio itself.
fn accepts_lines(headers: &HeaderMap) -> bool {
    let values = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let mut types = values.flat_map(|value| value.split(',')).filter_map(|one| one.split(';').next());
    types.any(|one| one.trim().eq_ignore_ascii_case(LINES))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn lines_are_for_those_who_name_them() {
        let accepts = |value: &'static str| {
            accepts_lines(&HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(value))]))
        };
        assert!(!accepts_lines(&HeaderMap::new()));
        for lines in ["application/x-ndjson", "text/html, Application/X-NDJSON;q=0.5"] {
            assert!(accepts(lines), "{lines}");
        }
        for audio in ["*/*", "application/*", "audio/mpeg", "application/json", ""] {
            assert!(!accepts(audio), "{audio}");
        }
    }
}
