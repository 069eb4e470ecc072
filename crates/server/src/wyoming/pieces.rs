//! A text that comes in pieces, as Home Assistant sends what a language model writes: events in and out of a session of
//! the socket, which speaks each sentence when it ends.

use std::{io, time::Duration};

use lectern_service::{
    error::Error,
    services::speech::socket::{Input, Output, Session, placeholder},
};
use lectern_store::Scope;
use lectern_types::ErrorCode;
use secrecy::SecretString;
use serde_json::{Map, Value, json};
use tokio::{
    io::{AsyncWrite, BufReader},
    net::tcp::OwnedReadHalf,
    sync::mpsc,
};
use tokio_util::sync::CancellationToken;

use super::{
    Server,
    event::{self, Unreadable},
    speech::{Audio, Ended, Wanted},
};

/// How long the next piece may take to come: a language model may be busy elsewhere meanwhile.
const IDLE: Duration = Duration::from_mins(5);

/// Pieces that may wait while a sentence is spoken. A client that sends more waits.
const AHEAD: usize = 256;

/// Speaks until the client has sent the end of the text and has all of its audio.
pub(super) async fn speak(
    server: &Server,
    wanted: &Wanted,
    input: &mut BufReader<OwnedReadHalf>,
    output: &mut (impl AsyncWrite + Unpin),
) -> Result<(), Ended> {
    let caller = server.authorize(Some(Scope::Write)).await?;
    let ereader = wanted.ereader(server, caller.tier).await?;
    let rate_hz = ereader.sample_rate_hz;
    let request = wanted.request(&ereader, placeholder(Some(wanted.text_type())).to_owned());
    let _place = server.app.sockets.place(caller.account).await?;
    let (key, stop) = (SecretString::clone(&server.key), server.app.stop.clone());
    let (session, outputs) = Session::open(server.app.speech.clone(), caller, key, request, stop).await?;
    let (inputs, received) = mpsc::channel(AHEAD);
    let ended = CancellationToken::new();
    let speaking = async {
        let outcome = session.run(received).await;
        ended.cancel();
        outcome
    };
    let mut audio = Audio::new(output);
    let (spoken, read, written) = tokio::join!(
        speaking,
        ended.run_until_cancelled(read(input, inputs)),
        write(&mut audio, rate_hz, outputs)
    );
    // What was wrong with an event, or with the connection, is the cause of all else.
    if let Some(Err(why)) = read {
        return Err(why);
    }
    match (written, spoken) {
        (Err(gone @ Ended::Gone(_)), _) => Err(gone),
        (_, Err(error)) => Err(error.into()),
        (written, Ok(())) => written,
    }
}

/// Reads events to the end of the text. Dropping `inputs` ends the session, so they are kept until it is over.
async fn read(input: &mut BufReader<OwnedReadHalf>, inputs: mpsc::Sender<Input>) -> Result<(), Ended> {
    loop {
        let event = match event::next(input, IDLE).await {
            Ok(Some(event)) => event,
            Ok(None) => return Err(Ended::Gone(io::ErrorKind::UnexpectedEof.into())),
            Err(Unreadable::Gone(error)) => return Err(Ended::Gone(error)),
            Err(Unreadable::Malformed(what)) => return Err(Error::invalid("event", what).into()),
        };
        let is_end = event.kind == "synthesize-stop";
        let next = match event.kind.as_str() {
            "synthesize-chunk" => Input::Text(text(&event.data)?),
            "synthesize-stop" => Input::End,
            // Clients send the text once more as a whole, for servers that take no pieces.
            _ => continue,
        };
        // When the session has ended, its result says why.
        if inputs.send(next).await.is_err() || is_end {
            inputs.closed().await;
            return Ok(());
        }
    }
}

/// The text of an event.
///
/// # Errors
/// `validation_failed` when it has none.
pub(super) fn text(data: &Map<String, Value>) -> Result<String, Error> {
    let text = data.get("text").and_then(Value::as_str);
    text.map(str::to_owned).ok_or_else(|| Error::invalid("text", "must be a text"))
}

/// Writes what the session has.
async fn write<W: AsyncWrite + Unpin>(
    audio: &mut Audio<'_, W>,
    rate_hz: u32,
    mut outputs: mpsc::Receiver<Output>,
) -> Result<(), Ended> {
    while let Some(output) = outputs.recv().await {
        match output {
            Output::Audio(frame) => {
                if let Some(bytes) = frame.bytes() {
                    audio.chunk(rate_hz, &bytes).await?;
                    frame.delivered();
                }
            }
            Output::Done { .. } => {
                if !audio.has_begun() {
                    return Err(ErrorCode::TextEmpty.into());
                }
                audio.stop().await?;
                audio.send("synthesize-stopped", &json!({}), b"").await?;
            }
            Output::Words(_) | Output::Flushed => {}
        }
    }
    Ok(())
}
