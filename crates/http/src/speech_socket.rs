//! Sockets on which text comes piece by piece and speech goes back. `lectern_service::services::speech::socket` speaks; a
//! [`Protocol`] says what its clients send and are sent.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{
        FromRequestParts as _,
        ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code},
    },
    http::request::Parts,
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
        speech::socket::{Input, Output, Session},
    },
};
use lectern_types::{ErrorBody, ErrorCode, RequestId, SynthesizeRequest};
use serde_json::{Map, Value};
use tokio::{
    sync::mpsc,
    time::{Instant, interval_at, sleep, timeout},
};
use tokio_tungstenite::tungstenite;
use tokio_util::sync::CancellationToken;

use crate::{
    envelope,
    extract::{
        auth::{Caller, Write},
        json,
    },
    request::Context,
};

/// The largest message of a client.
const MESSAGE_BYTES: usize = 64 << 10;

/// The largest message that is read at all. One between the two limits gets an error that says so.
const READ_BYTES: usize = 2 << 20;

/// How long a client may take to answer a ping, and to take what it is sent.
const PATIENCE: Duration = Duration::from_mins(1);

/// How often a ping is sent, so that proxies between do not close a quiet socket.
const PING_EVERY: Duration = Duration::from_secs(20);

/// How long a socket stays open after a message that could not be read. Closed at once, with data unread, the connection would
/// be reset, and the client could lose the error and the close code.
const LINGER: Duration = Duration::from_secs(1);

/// Messages that may wait while a sentence is spoken. A client that sends more waits for its own socket.
const INPUTS_AHEAD: usize = 256;

/// What a client's first message asks for.
pub(crate) struct Opening {
    pub caller: Caller<Write>,
    pub request: SynthesizeRequest,
    /// What the message says besides.
    pub inputs: Vec<Input>,
    /// How long the session may be silent, if the client has a wish.
    pub idle: Option<Duration>,
    /// Whether the client waits when it is far ahead of the speech, instead of being refused.
    pub holds_back: bool,
    /// The place among the account's sockets, held until the end.
    pub place: Permit,
}

/// The report of a failure to a client.
pub(crate) struct Told {
    pub message: Value,
    /// What the closing frame says.
    pub reason: String,
}

/// How clients speak on a socket.
pub(crate) trait Protocol: Send + Sync + 'static {
    /// How long a client may take to send its first message.
    fn patience(&self) -> Duration {
        PATIENCE
    }

    /// What the first message asks for.
    fn open(&mut self, app: &App, first: Map<String, Value>) -> impl Future<Output = Result<Opening>> + Send;

    /// What a later message asks for.
    ///
    /// # Errors
    /// What is wrong with it.
    fn inputs(&self, message: Map<String, Value>) -> Result<Vec<Input>>;

    /// What a client is sent for an output; nothing for audio that is not wanted any more.
    fn message(&self, output: &Output) -> Option<Message>;

    /// A failure in the words of this protocol.
    fn worded(&self, error: Error) -> Error {
        error
    }

    /// Words the report of a failure.
    fn tell(&self, body: ErrorBody, close: u16) -> Told;
}

/// The upgrade that a request asks for.
///
/// # Errors
/// `bad_request` when it asks for none.
pub(crate) async fn upgrade(parts: &mut Parts) -> Result<WebSocketUpgrade> {
    let upgrade = WebSocketUpgrade::from_request_parts(parts, &()).await;
    upgrade.map_err(|_| ErrorCode::BadRequest.into())
}

/// The id under which a request was answered, for what is told after the upgrade.
pub(crate) fn request_id(parts: &Parts, app: &App) -> RequestId {
    let context = parts.extensions.get::<Context>();
    context.map_or_else(|| app.base.ids.make(), |context| context.request_id)
}

/// Answers the upgrade of a request, and serves the client after it.
pub(crate) fn answer(
    upgrade: WebSocketUpgrade,
    app: Arc<App>,
    request_id: RequestId,
    protocol: impl Protocol,
) -> Response {
    let tasks = app.tasks.clone();
    let upgrade = upgrade.max_message_size(READ_BYTES).max_frame_size(READ_BYTES);
    upgrade.on_upgrade(move |socket| tasks.track_future(serve(app, protocol, socket, request_id)))
}

async fn serve(app: Arc<App>, mut protocol: impl Protocol, socket: WebSocket, request_id: RequestId) {
    metrics::gauge!("lectern_sockets").increment(1.0);
    let (sink, mut stream) = socket.split();
    let (sink, outcome) = converse(&app, &mut protocol, sink, &mut stream).await;
    metrics::gauge!("lectern_sockets").decrement(1.0);
    let ended = match &outcome {
        Ok(()) => "done",
        Err(End::Left) => "left",
        Err(End::Failed(_) | End::Unread(..)) => "failed",
    };
    metrics::counter!("lectern_sockets_total", "ended" => ended).increment(1);
    let Some(mut sink) = sink else { return };
    let own_code = if let Err(End::Unread(_, code)) = &outcome { Some(*code) } else { None };
    let goodbye = async {
        let close = match outcome {
            Ok(()) => CloseFrame { code: close_code::NORMAL, reason: Utf8Bytes::default() },
            Err(End::Left) => return Ok(()),
            Err(End::Failed(error) | End::Unread(error, _)) => {
                let body = envelope::on_socket(&protocol.worded(error), request_id);
                let code = own_code.unwrap_or(match body.code.http_status() {
                    429 | 500.. => close_code::AGAIN,
                    _ => close_code::POLICY,
                });
                let Told { message, reason } = protocol.tell(body, code);
                sink.send(text(&message)).await?;
                CloseFrame { code, reason: short(&reason).into() }
            }
        };
        sink.send(Message::Close(Some(close))).await?;
        if own_code.is_some() {
            // Nothing can be read any more, not even the client's own close.
            sleep(LINGER).await;
            return Ok(());
        }
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

/// The beginning of a reason, which a closing frame has 123 bytes for.
fn short(reason: &str) -> &str {
    &reason[..reason.floor_char_boundary(123)]
}

/// Why a conversation ended early.
enum End {
    /// The client has left.
    Left,
    Failed(Error),
    /// A message could not be read, for which WebSocket has close codes of its own.
    Unread(Error, u16),
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
    protocol: &mut impl Protocol,
    sink: Sink,
    stream: &mut SplitStream<WebSocket>,
) -> (Option<Sink>, Result<(), End>) {
    let opened = async {
        // A socket that has not begun does not delay a shutdown.
        let first = tokio::select! {
            biased;
            () = app.stop.cancelled() => return Err(stopping().into()),
            // No pings are sent before it, so that only this limit counts, and is told.
            first = timeout(protocol.patience(), next(stream, Duration::MAX)) => first,
        };
        let first = first.map_err(|_| Error::from(ErrorCode::RequestTimeout))??;
        let opening = Box::pin(protocol.open(app, first)).await?;
        let Opening { caller, request, inputs, idle, holds_back, place } = opening;
        let (key, stop) = (caller.presented, app.stop.clone());
        let (mut session, outputs) =
            Session::open(app.speech.clone(), caller.authenticated, key, request, stop).await?;
        if let Some(idle) = idle {
            session = session.idle_after(idle);
        }
        if holds_back {
            session = session.hold_back();
        }
        Ok::<_, End>((session, outputs, inputs, place))
    };
    let (session, outputs, first, _place) = match opened.await {
        Ok(opened) => opened,
        Err(end) => return (Some(sink), Err(end)),
    };
    let protocol = &*protocol;
    let (inputs, received) = mpsc::channel(INPUTS_AHEAD);
    let ended = CancellationToken::new();
    let speaking = async {
        let outcome = session.run(received).await;
        ended.cancel();
        outcome
    };
    let reading = ended.run_until_cancelled(read(protocol, stream, first, inputs));
    let (spoken, read, sink) = tokio::join!(speaking, reading, write(protocol, sink, outputs));
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
async fn read(
    protocol: &impl Protocol,
    stream: &mut SplitStream<WebSocket>,
    first: Vec<Input>,
    inputs: mpsc::Sender<Input>,
) -> Result<(), End> {
    let mut asked = first;
    loop {
        for input in asked {
            // The session has ended; its result says why.
            if inputs.send(input).await.is_err() {
                return Ok(());
            }
        }
        asked = protocol.inputs(next(stream, PATIENCE).await?)?;
    }
}

/// Writes what a session has; `None` when the client does not read any more.
async fn write(
    protocol: &impl Protocol,
    mut sink: Sink,
    mut outputs: mpsc::Receiver<Output>,
) -> Option<Sink> {
    let mut pings = interval_at(Instant::now() + PING_EVERY, PING_EVERY);
    loop {
        let output = tokio::select! {
            output = outputs.recv() => output,
            _ = pings.tick() => {
                send(&mut sink, Message::Ping(axum::body::Bytes::new())).await?;
                continue;
            }
        };
        let Some(output) = output else { return Some(sink) };
        let Some(message) = protocol.message(&output) else { continue };
        send(&mut sink, message).await?;
        if let Output::Audio(frame) = output {
            frame.delivered();
        }
    }
}

async fn send(sink: &mut Sink, message: Message) -> Option<()> {
    timeout(PATIENCE, sink.send(message)).await.ok()?.ok()
}

/// A message in JSON.
pub(crate) fn text(value: &Value) -> Message {
    Message::Text(value.to_string().into())
}

/// The next message of the client, which has left if it sends nothing for `silence`: it answers pings if nothing else.
async fn next(stream: &mut SplitStream<WebSocket>, silence: Duration) -> Result<Map<String, Value>, End> {
    loop {
        let message = timeout(silence, stream.next()).await.map_err(|_| End::Left)?;
        match message {
            None | Some(Ok(Message::Close(_))) => return Err(End::Left),
            Some(Err(error)) => return Err(unread(error)),
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

/// Why a message was not read: it is wrong itself, or the connection has ended.
fn unread(error: axum::Error) -> End {
    let cause = error.into_inner();
    match cause.downcast_ref() {
        Some(tungstenite::Error::Utf8(_)) => {
            End::Unread(Error::invalid("message", "must be UTF-8"), close_code::INVALID)
        }
        Some(tungstenite::Error::Capacity(_)) => {
            End::Unread(Error::RequestTooLarge { max_bytes: MESSAGE_BYTES as u64 }, close_code::SIZE)
        }
        _ => End::Left,
    }
}

/// A message as an object.
pub(crate) fn object(text: &str) -> Result<Map<String, Value>> {
    if text.len() > MESSAGE_BYTES {
        return Err(Error::RequestTooLarge { max_bytes: MESSAGE_BYTES as u64 });
    }
    json::object("message", text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_an_object_of_limited_size() {
        let refused = |text: &str| match object(text) {
            Ok(_) => "taken".to_owned(),
            Err(Error::Invalid(fields)) => fields.0.into_keys().collect::<Vec<_>>().join(","),
            Err(error) => error.to_string(),
        };
        // The last one has half of a surrogate pair.
        for wrong in
            ["", "[]", r#"{"text":"a","text":"b"}"#, "{\"type\":", r#"{"type":"text","text":"\ud83d"}"#]
        {
            assert_eq!(refused(wrong), "message", "{wrong}");
        }
        let long = format!(r#"{{"text":"{}"}}"#, "a".repeat(MESSAGE_BYTES));
        assert!(matches!(object(&long), Err(Error::RequestTooLarge { .. })));
        assert_eq!(refused(r#"{"text":"a"}"#), "taken");
    }

    #[test]
    fn a_reason_fits_its_frame() {
        assert_eq!(short("brief"), "brief");
        assert_eq!(short(&"é".repeat(100)).len(), 122);
    }
}
