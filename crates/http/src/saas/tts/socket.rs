//! `GET /v1/saas/tts:socket`: messages to and from a session. `lectern_service::services::speech::socket` speaks.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{
        FromRequestParts as _, Request, State, WebSocketUpgrade,
        ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code},
    },
    response::Response,
};
use futures_util::{
    SinkExt as _, StreamExt as _,
    stream::{SplitSink, SplitStream},
};
use lectern_service::{
    app::App,
    error::{Error, Result},
    services::{
        limits::concurrency::Permit,
        speech::socket::{Input, Output, Session, placeholder},
    },
};
use lectern_types::{ErrorCode, RequestId};
use serde_json::{Map, Value, json};
use tokio::{
    sync::mpsc,
    time::{Instant, interval_at, timeout},
};
use tokio_util::sync::CancellationToken;

use super::request;
use crate::{
    envelope::{self, Failure},
    extract::auth::{Caller, Write},
    request::Context,
};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::BadRequest, ErrorCode::InsufficientScope];

/// The subprotocol of these messages. It is the only one that an answer names: another may carry a key.
const PROTOCOL: &str = "lectern.v1";

/// The largest message of a client.
const MESSAGE_BYTES: usize = 64 << 10;

/// The largest message that is read at all. One between the two limits gets an error that says so.
const READ_BYTES: usize = 2 << 20;

/// How long a client may take to send the start, and to answer a ping.
const PATIENCE: Duration = Duration::from_mins(1);

/// How often a ping is sent, so that proxies between do not close a quiet socket.
const PING_EVERY: Duration = Duration::from_secs(20);

/// Messages that may wait while a sentence is spoken. A client that sends more waits for its own socket.
const INPUTS_AHEAD: usize = 256;

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
    let upgrade = WebSocketUpgrade::from_request_parts(&mut parts, &()).await;
    let upgrade = upgrade.map_err(|_| Error::from(ErrorCode::BadRequest))?;
    let context = parts.extensions.get::<Context>().cloned();
    let request_id = context.map_or_else(|| app.base.ids.make(), |context| context.request_id);
    let place = app.sockets.place(caller.authenticated.account).await?;
    let tasks = app.tasks.clone();
    let upgrade = upgrade.max_message_size(READ_BYTES).max_frame_size(READ_BYTES).protocols([PROTOCOL]);
    Ok(upgrade.on_upgrade(move |socket| tasks.track_future(serve(app, caller, socket, request_id, place))))
}

async fn serve(
    app: Arc<App>,
    caller: Caller<Write>,
    socket: WebSocket,
    request_id: RequestId,
    _place: Permit,
) {
    metrics::gauge!("lectern_sockets").increment(1.0);
    let (sink, mut stream) = socket.split();
    let (sink, outcome) = converse(&app, caller, sink, &mut stream).await;
    metrics::gauge!("lectern_sockets").decrement(1.0);
    let ended = match &outcome {
        Ok(()) => "done",
        Err(End::Left) => "left",
        Err(End::Failed(_)) => "failed",
    };
    metrics::counter!("lectern_sockets_total", "ended" => ended).increment(1);
    let Some(mut sink) = sink else { return };
    let goodbye = async {
        let close = match outcome {
            Ok(()) => CloseFrame { code: close_code::NORMAL, reason: Utf8Bytes::default() },
            Err(End::Left) => return Ok(()),
            Err(End::Failed(error)) => {
                let body = envelope::on_socket(&error, request_id);
                let code = match body.code.http_status() {
                    429 | 500.. => close_code::AGAIN,
                    _ => close_code::POLICY,
                };
                let reason = Utf8Bytes::from_static(body.code.as_str());
                sink.send(text(&json!({ "type": "error", "error": body }))).await?;
                CloseFrame { code, reason }
            }
        };
        sink.send(Message::Close(Some(close))).await?;
        // The client's own close ends the handshake. Closing the connection before it could lose what was sent.
        while let Some(Ok(message)) = stream.next().await {
            if matches!(message, Message::Close(_)) {
                break;
            }
        }
        Ok::<(), axum::Error>(())
    };
    let _ = timeout(PING_EVERY, goodbye).await;
}

/// Why a conversation ended early.
enum End {
    /// The client has left.
    Left,
    Failed(Error),
}

impl From<Error> for End {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

type Sink = SplitSink<WebSocket, Message>;

/// Takes a session from its start to its end. Returns the sink if the client still reads from it.
async fn converse(
    app: &App,
    caller: Caller<Write>,
    sink: Sink,
    stream: &mut SplitStream<WebSocket>,
) -> (Option<Sink>, Result<(), End>) {
    let opened = async {
        // A socket that has not begun does not delay a shutdown.
        let start = tokio::select! {
            biased;
            () = app.stop.cancelled() => return Err(stopping().into()),
            start = timeout(PATIENCE, next(stream)) => start,
        };
        let start = start.map_err(|_| Error::from(ErrorCode::RequestTimeout))??;
        let request = request::live(start_of(start)?)?;
        let (key, stop) = (caller.presented, app.stop.clone());
        Ok::<_, End>(Session::open(app.speech.clone(), caller.authenticated, key, request, stop).await?)
    };
    let (session, outputs) = match opened.await {
        Ok(opened) => opened,
        Err(end) => return (Some(sink), Err(end)),
    };
    let (inputs, received) = mpsc::channel(INPUTS_AHEAD);
    let ended = CancellationToken::new();
    let speaking = async {
        let outcome = session.run(received).await;
        ended.cancel();
        outcome
    };
    let (spoken, read, sink) =
        tokio::join!(speaking, ended.run_until_cancelled(read(stream, inputs)), write(sink, outputs));
    // What was wrong with a message is the cause of all else.
    let outcome = match (read, spoken) {
        (Some(Err(end)), _) => Err(end),
        (_, Err(error)) => Err(End::Failed(error)),
        (_, Ok(())) => Ok(()),
    };
    (sink, outcome)
}

fn stopping() -> Error {
    Error::Unavailable { what: "the service is shutting down", retry_after_seconds: 1 }
}

/// Reads messages until the client leaves or errs. Dropping `inputs` ends the session.
async fn read(stream: &mut SplitStream<WebSocket>, inputs: mpsc::Sender<Input>) -> Result<(), End> {
    loop {
        let input = input_of(next(stream).await?)?;
        // The session has ended; its result says why.
        if inputs.send(input).await.is_err() {
            return Ok(());
        }
    }
}

/// Writes what a session has; `None` when the client does not read any more.
async fn write(mut sink: Sink, mut outputs: mpsc::Receiver<Output>) -> Option<Sink> {
    let mut pings = interval_at(Instant::now() + PING_EVERY, PING_EVERY);
    loop {
        let output = tokio::select! {
            output = outputs.recv() => output,
            _ = pings.tick() => {
                send(&mut sink, Message::Ping(axum::body::Bytes::new())).await?;
                continue;
            }
        };
        match output {
            None => return Some(sink),
            Some(Output::Words(words)) => {
                send(&mut sink, text(&json!({ "type": "words", "words": words }))).await?;
            }
            Some(Output::Audio(frame)) => {
                let Some(bytes) = frame.bytes() else { continue };
                send(&mut sink, Message::Binary(bytes)).await?;
                frame.delivered();
            }
            Some(Output::Flushed) => send(&mut sink, text(&json!({ "type": "flushed" }))).await?,
            Some(Output::Done { characters, credits_charged }) => {
                let done =
                    json!({ "type": "done", "characters": characters, "credits_charged": credits_charged });
                send(&mut sink, text(&done)).await?;
            }
        }
    }
}

async fn send(sink: &mut Sink, message: Message) -> Option<()> {
    timeout(PATIENCE, sink.send(message)).await.ok()?.ok()
}

fn text(value: &Value) -> Message {
    Message::Text(value.to_string().into())
}

/// The next message of the client, which answers pings if nothing else.
async fn next(stream: &mut SplitStream<WebSocket>) -> Result<Map<String, Value>, End> {
    loop {
        let message = timeout(PATIENCE, stream.next()).await.map_err(|_| End::Left)?;
        match message {
            None | Some(Err(_) | Ok(Message::Close(_))) => return Err(End::Left),
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
            Some(Ok(Message::Binary(_))) => {
                return Err(
                    Error::invalid("message", "must be text; only the server sends binary messages").into()
                );
            }
            Some(Ok(Message::Text(text))) => return Ok(object(text.as_str())?),
        }
    }
}

fn object(text: &str) -> Result<Map<String, Value>> {
    if text.len() > MESSAGE_BYTES {
        return Err(Error::RequestTooLarge { max_bytes: MESSAGE_BYTES as u64 });
    }
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(Error::invalid("message", "must be a JSON object")),
        Err(error) => Err(Error::invalid("message", format!("must be a JSON object: {error}"))),
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
            ("", "message"),
            ("[]", "message"),
            ("{\"type\":", "message"),
            // Half of a surrogate pair.
            (r#"{"type":"text","text":"\ud83d"}"#, "message"),
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
        let long = format!(r#"{{"type":"text","text":"{}"}}"#, "a".repeat(MESSAGE_BYTES));
        assert!(matches!(message(&long), Err(Error::RequestTooLarge { .. })));
        let start = |text: &str| object(text).and_then(start_of);
        assert_eq!(refusal(start(r#"{"type":"text","text":"a"}"#)), "type");
        assert_eq!(refusal(start(r#"{"type":"start","text":"a"}"#)), "text");
        assert_eq!(refusal(start(r#"{"type":"start"}"#)), "taken");
    }
}
