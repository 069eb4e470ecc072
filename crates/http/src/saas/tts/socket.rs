//! `GET /v1/saas/tts:socket`: Lectern's own messages on a socket. `crate::speech_socket` serves it.

use std::sync::Arc;

use axum::{
    extract::{Request, State, ws::Message},
    response::Response,
};
use lectern_service::{
    app::App,
    error::{Error, Result},
    services::{
        limits::concurrency::Permit,
        speech::socket::{Input, Output, placeholder},
    },
};
use lectern_types::{ErrorBody, ErrorCode};
use serde_json::{Map, Value, json};

use super::request;
use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Write},
        page::Parameters,
    },
    speech_socket::{self, Opening, Protocol, Told, text},
};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] =
    &[ErrorCode::BadRequest, ErrorCode::InsufficientScope, ErrorCode::ValidationFailed];

/// The subprotocol of these messages. It is the only one that an answer names: another may carry a key.
const PROTOCOL: &str = "lectern.v1";

/// Speak on a socket
///
/// A WebSocket for text that comes piece by piece, as from a language model. Speech begins at the end of the first
/// sentence. The messages are in `docs/SOCKET.md`. The key is in `Authorization`, or in the subprotocol
/// `lectern.key.<key>` beside `lectern.v1`, because browsers cannot set headers here. Each sentence is held before it is
/// spoken, and charged when its last frame is written.
#[utoipa::path(
    get,
    path = "/v1/saas/tts:socket",
    tag = "Speech",
    operation_id = "open_socket",
    params(
        ("Upgrade" = Option<String>, Header, description = "`websocket`"),
        ("Sec-WebSocket-Protocol" = Option<String>, Header, description = "`lectern.v1`, and `lectern.key.<key>` \
            without `Authorization`"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 101, description = "The connection is a WebSocket from here on"))
)]
pub async fn open_socket(State(app): State<Arc<App>>, request: Request) -> Result<Response, Failure> {
    let (mut parts, _) = request.into_parts();
    let caller = Caller::<Write>::by_socket(&parts, &app).await?;
    Parameters::of(&parts.uri).finish()?;
    let upgrade = speech_socket::upgrade(&mut parts).await?;
    let request_id = speech_socket::request_id(&parts, &app);
    let place = app.sockets.place(caller.authenticated.account).await?;
    let own = Own { opening: Some((caller, place)) };
    Ok(speech_socket::answer(upgrade.protocols([PROTOCOL]), app, request_id, own))
}

/// Lectern's own messages.
struct Own {
    /// Until the start.
    opening: Option<(Caller<Write>, Permit)>,
}

impl Protocol for Own {
    async fn open(&mut self, _: &App, first: Map<String, Value>) -> Result<Opening> {
        let request = request::live(start_of(first)?)?;
        let opening = self.opening.take();
        let (caller, place) = opening.ok_or_else(|| Error::Internal("a socket began twice".to_owned()))?;
        Ok(Opening { caller, request, inputs: Vec::new(), idle: None, holds_back: false, place })
    }

    fn inputs(&self, message: Map<String, Value>) -> Result<Vec<Input>> {
        Ok(vec![input_of(message)?])
    }

    fn message(&self, output: &Output) -> Option<Message> {
        Some(match output {
            Output::Words(words) => text(&json!({ "type": "words", "words": words })),
            Output::Audio(frame) => Message::Binary(frame.bytes()?),
            Output::Flushed => text(&json!({ "type": "flushed" })),
            Output::Done { characters, credits_charged } => {
                text(&json!({ "type": "done", "characters": characters, "credits_charged": credits_charged }))
            }
        })
    }

    fn tell(&self, body: ErrorBody, _: u16) -> Told {
        let reason = body.code.as_str().to_owned();
        Told { message: json!({ "type": "error", "error": body }), reason }
    }
}

/// The request of a session, with a placeholder for its text.
fn start_of(mut message: Map<String, Value>) -> Result<Map<String, Value>> {
    if message.remove("type") != Some(json!("start")) {
        return Err(Error::invalid("type", "must be start in the first message"));
    }
    if message.contains_key("text") {
        return Err(Error::invalid("text", "comes in messages of type text; start has none"));
    }
    let text = placeholder(message.get("text_type").and_then(Value::as_str));
    message.insert("text".to_owned(), json!(text));
    Ok(message)
}

/// What a message after the start asks for.
fn input_of(mut message: Map<String, Value>) -> Result<Input> {
    let kind = message.remove("type");
    let input = match kind.as_ref().and_then(Value::as_str) {
        Some("text") => match message.remove("text") {
            Some(Value::String(text)) => Input::Text(text),
            _ => return Err(Error::invalid("text", "must be a string")),
        },
        Some("flush") => Input::Flush,
        Some("cancel") => Input::Cancel,
        Some("end") => Input::End,
        Some("start") => return Err(Error::invalid("type", "must not be start: this socket has started")),
        _ => return Err(Error::invalid("type", "must be one of: text, flush, cancel, end")),
    };
    match message.keys().next() {
        Some(unknown) => Err(Error::invalid(unknown, "is not a field of this message")),
        None => Ok(input),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::speech_socket::object;

    fn message(text: &str) -> Result<Input> {
        object(text).and_then(input_of)
    }

    fn refusal<T>(result: Result<T>) -> String {
        match result {
            Ok(_) => "taken".to_owned(),
            Err(Error::Invalid(fields)) => fields.0.into_keys().collect::<Vec<_>>().join(","),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn messages_are_what_they_say() {
        assert_eq!(message(r#"{"type":"text","text":"Hel"}"#).ok(), Some(Input::Text("Hel".to_owned())));
        assert_eq!(message(r#"{"type":"flush"}"#).ok(), Some(Input::Flush));
        assert_eq!(message(r#"{"type":"cancel"}"#).ok(), Some(Input::Cancel));
        assert_eq!(message(r#"{"type":"end"}"#).ok(), Some(Input::End));
    }

    #[test]
    fn what_is_wrong_with_a_message_is_named() {
        for (wrong, field) in [
            ("{}", "type"),
            (r#"{"type":"speak"}"#, "type"),
            (r#"{"type":1}"#, "type"),
            (r#"{"type":"start"}"#, "type"),
            (r#"{"type":"text"}"#, "text"),
            (r#"{"type":"text","text":1}"#, "text"),
            (r#"{"type":"text","text":"a","speed":1}"#, "speed"),
            (r#"{"type":"flush","text":"a"}"#, "text"),
        ] {
            assert_eq!(refusal(message(wrong)), field, "{wrong}");
        }
        let start = |text: &str| object(text).and_then(start_of);
        assert_eq!(refusal(start(r#"{"type":"text","text":"a"}"#)), "type");
        assert_eq!(refusal(start(r#"{"type":"start","text":"a"}"#)), "text");
        assert_eq!(refusal(start(r#"{"type":"start"}"#)), "taken");
    }
}
