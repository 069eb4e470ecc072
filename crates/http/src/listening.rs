//! Streams as responses: audio in pieces while it is synthesized or, for a replayed request, as a
//! whole. In lines of JSON each piece comes with its words.

use axum::{
    body::{Body, Bytes},
    http::{
        HeaderMap, HeaderName, HeaderValue,
        header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE},
    },
    response::Response,
};
use futures_util::StreamExt as _;
use lectern_types::{SpokenTimestamp, StreamLine};

use super::{base64_stream, extract::post::REPLAYED};
use lectern_service::{
    error::{Error, Result},
    objects::{Objects, Pieces},
    services::speech::streaming::{Head, Stream},
};

/// The media type of lines.
pub const LINES: &str = "application/x-ndjson";

/// Bytes of stored audio in a line: a multiple of three, so that only the last is padded.
pub const LINE_BYTES: usize = 48 * 1024;

/// The id of the synthesis, as in the ledger.
const SYNTHESIS_ID: HeaderName = HeaderName::from_static("lectern-synthesis-id");

/// Characters of the whole text.
const CHARACTERS: HeaderName = HeaderName::from_static("lectern-characters");

/// The price of the whole text.
const CREDITS: HeaderName = HeaderName::from_static("lectern-credits");

/// Asks the reverse proxy in front to pass on each piece of the answer as it comes. nginx collects
/// pieces otherwise, which can hold back a second of speech.
pub fn unbuffered(headers: &mut HeaderMap) {
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
}

/// A stream as a response.
///
/// # Errors
/// The storage's errors.
pub async fn render(objects: &Objects, stream: Stream) -> Result<Response> {
    match stream {
        Stream::Live(head, pieces) => {
            let mut response = with_head(&head, Body::from_stream(pieces.audio()))?;
            unbuffered(response.headers_mut());
            Ok(response)
        }
        Stream::Stored(head) => {
            let (pieces, bytes) = stored(objects, &head).await?;
            let mut response = with_head(&head, Body::from_stream(pieces))?;
            response.headers_mut().insert(CONTENT_LENGTH, bytes.into());
            mark_replayed(&mut response);
            Ok(response)
        }
    }
}

/// A stream as a response in lines, each a [`StreamLine`]. A replay has no words.
///
/// # Errors
/// The storage's errors.
pub async fn render_lines(objects: &Objects, stream: Stream) -> Result<Response> {
    let mut response = match stream {
        Stream::Live(head, pieces) => {
            let lines = pieces.map(|part| part.and_then(|part| line(&part.bytes, part.words)));
            let mut response = with_head(&head, Body::from_stream(lines))?;
            unbuffered(response.headers_mut());
            response
        }
        Stream::Stored(head) => {
            let (pieces, _) = stored(objects, &head).await?;
            let pieces = base64_stream::regroup(pieces, LINE_BYTES);
            let lines = pieces.map(|piece| piece.and_then(|bytes| line(&bytes, Vec::new())));
            let mut response = with_head(&head, Body::from_stream(lines))?;
            mark_replayed(&mut response);
            response
        }
    };
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(LINES));
    Ok(response)
}

fn line(bytes: &[u8], timestamps: Vec<SpokenTimestamp>) -> Result<Bytes, std::io::Error> {
    let line = StreamLine { audio_base64: base64_stream::text(bytes), timestamps };
    Ok(format!("{}\n", serde_json::to_string(&line)?).into())
}

/// The stored audio of a stream, and its length in bytes.
async fn stored(objects: &Objects, head: &Head) -> Result<(Pieces, u64)> {
    let gone = || Error::Internal("the audio of a stored stream is not there".to_owned());
    let object = head.object.as_deref().ok_or_else(gone)?;
    let bytes = objects.head(object).await?.ok_or_else(gone)?.bytes;
    Ok((objects.read(object, 0..bytes).await?.ok_or_else(gone)?, bytes))
}

fn mark_replayed(response: &mut Response) {
    response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
}

fn with_head(head: &Head, body: Body) -> Result<Response> {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    let mut put = |name: HeaderName, value: &str| {
        let value = HeaderValue::from_str(value);
        value.map(|value| headers.insert(name, value)).map_err(|error| Error::Internal(error.to_string()))
    };
    put(CONTENT_TYPE, &head.media_type)?;
    put(CACHE_CONTROL, "no-store")?;
    put(SYNTHESIS_ID, &head.synthesis.to_string())?;
    put(CHARACTERS, &head.characters.to_string())?;
    put(CREDITS, &head.credits.0.to_string())?;
    Ok(response)
}
