//! One client: its events, one after the other.

use std::{io, net::SocketAddr, time::Duration};

use lectern_http::envelope;
use lectern_service::error::Error;
use lectern_types::ErrorCode;
use serde_json::{Map, Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::{
        TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    time::{Instant, timeout},
};

use super::{
    Server,
    event::{self, Unreadable},
    info, pieces,
    speech::{Audio, Ended, Wanted},
};

/// How long a client may say nothing. Home Assistant makes a connection for each text.
const IDLE: Duration = Duration::from_mins(1);

/// How long, and how many bytes of, what a refused client still sends is read. Closing at once would make its system
/// discard the refusal.
const LINGER: Duration = Duration::from_secs(2);
const LINGER_BYTES: u64 = 1024 * 1024;

/// Why a connection ended.
enum Left {
    /// The client closed it.
    Client,
    /// The client was told of an error.
    Refused,
    /// The service was asked to stop.
    Stopping,
}

struct Connection<'a> {
    server: &'a Server,
    input: BufReader<OwnedReadHalf>,
    output: OwnedWriteHalf,
}

/// Answers a client until it leaves, does wrong or stays away, or the service stops.
pub(super) async fn answer(server: &Server, stream: TcpStream, peer: SocketAddr) {
    let (input, output) = stream.into_split();
    let mut connection = Connection { server, input: BufReader::new(input), output };
    let ended = connection.run().await;
    let _ = connection.output.shutdown().await;
    if matches!(ended, Ok(Left::Refused)) {
        let mut rest = connection.input.take(LINGER_BYTES);
        let _ = timeout(LINGER, tokio::io::copy(&mut rest, &mut tokio::io::sink())).await;
    }
    let why = match ended {
        Ok(Left::Client) => "the client left".to_owned(),
        Ok(Left::Refused) => "the client was refused".to_owned(),
        Ok(Left::Stopping) => "the service stops".to_owned(),
        Err(error) => error.to_string(),
    };
    tracing::debug!(client.address = %peer, why, "a Wyoming connection ended");
}

impl Connection<'_> {
    async fn run(&mut self) -> io::Result<Left> {
        let stop = self.server.app.stop.clone();
        loop {
            let event = tokio::select! {
                biased;
                () = stop.cancelled() => return Ok(Left::Stopping),
                event = event::next(&mut self.input, IDLE) => event,
            };
            let event = match event {
                Ok(Some(event)) => event,
                Ok(None) => return Ok(Left::Client),
                Err(Unreadable::Gone(error)) => return Err(error),
                Err(Unreadable::Malformed(what)) => {
                    self.tell(ErrorCode::BadRequest, &what).await?;
                    return Ok(Left::Refused);
                }
            };
            let Some(kind) = known(&event.kind) else { continue };
            let begun = Instant::now();
            let answered = self.take(kind, event.data).await;
            let code = match answered {
                Ok(()) => None,
                Err(Ended::Gone(error)) => return Err(error),
                Err(Ended::Refused(error)) => Some(envelope::tell(&error)),
            };
            note(kind, code.as_ref().map(|(code, _)| *code), begun);
            if let Some((code, message)) = code {
                // A client that waits for audio notices the end only when the connection closes.
                self.tell(code, &message).await?;
                return Ok(Left::Refused);
            }
        }
    }

    async fn take(&mut self, kind: &'static str, data: Map<String, Value>) -> Result<(), Ended> {
        match kind {
            "describe" => {
                let info = info::describe(self.server).await?;
                self.send("info", &info).await
            }
            "ping" => {
                let text = data.get("text").and_then(Value::as_str);
                self.send("pong", &text.map_or_else(|| json!({}), |text| json!({ "text": text }))).await
            }
            "synthesize" => {
                let (wanted, text) = (Wanted::of(&data)?, pieces::text(&data)?);
                Audio::new(&mut self.output).say(self.server, &wanted, text).await
            }
            "synthesize-start" => {
                let wanted = Wanted::of(&data)?;
                Box::pin(pieces::speak(self.server, &wanted, &mut self.input, &mut self.output)).await
            }
            _ => Err(Error::invalid("type", "must come after synthesize-start").into()),
        }
    }

    async fn tell(&mut self, code: ErrorCode, message: &str) -> io::Result<()> {
        let sent = self.send("error", &json!({ "text": message, "code": code.as_str() })).await;
        match sent {
            Err(Ended::Gone(error)) => Err(error),
            Ok(()) | Err(Ended::Refused(_)) => Ok(()),
        }
    }

    async fn send(&mut self, kind: &str, data: &Value) -> Result<(), Ended> {
        Audio::new(&mut self.output).send(kind, data, b"").await
    }
}

/// The types that are answered; others are none of ours, and clients expect them to be passed over.
fn known(kind: &str) -> Option<&'static str> {
    const KNOWN: &[&str] =
        &["describe", "ping", "synthesize", "synthesize-start", "synthesize-chunk", "synthesize-stop"];
    KNOWN.iter().copied().find(|known| *known == kind)
}

fn note(kind: &'static str, code: Option<ErrorCode>, begun: Instant) {
    let code = code.map_or("ok", ErrorCode::as_str);
    metrics::counter!("lectern_wyoming_requests_total", "type" => kind, "code" => code).increment(1);
    let took = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    if matches!((kind, code), ("describe" | "ping", "ok")) {
        tracing::debug!(wyoming.kind = kind, wyoming.code = code, wyoming.duration_ms = took, "answered");
    } else {
        tracing::info!(wyoming.kind = kind, wyoming.code = code, wyoming.duration_ms = took, "answered");
    }
}
