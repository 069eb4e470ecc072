//! Streams as responses: audio in pieces while it is synthesized or, for a replayed request, as a
//! whole.

use axum::{
    body::Body,
    http::{
        HeaderName, HeaderValue,
        header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE},
    },
    response::Response,
};

use super::extract::post::REPLAYED;
use lectern_service::{
    error::{Error, Result},
    objects::Objects,
    services::speech::streaming::{Head, Stream},
};

/// The id of the synthesis, as in the ledger.
const SYNTHESIS_ID: HeaderName = HeaderName::from_static("lectern-synthesis-id");

/// Characters of the whole text.
const CHARACTERS: HeaderName = HeaderName::from_static("lectern-characters");

/// The price of the whole text.
const CREDITS: HeaderName = HeaderName::from_static("lectern-credits");

/// A stream as a response.
///
/// # Errors
/// The storage's errors.
pub async fn render(objects: &Objects, stream: Stream) -> Result<Response> {
    match stream {
        Stream::Live(head, pieces) => with_head(&head, Body::from_stream(pieces.audio())),
        Stream::Stored(head) => {
            let gone = || Error::Internal("the audio of a stored stream is not there".to_owned());
            let object = head.object.as_deref().ok_or_else(gone)?;
            let about = objects.head(object).await?.ok_or_else(gone)?;
            let pieces = objects.read(object, 0..about.bytes).await?.ok_or_else(gone)?;
            let mut response = with_head(&head, Body::from_stream(pieces))?;
            response.headers_mut().insert(CONTENT_LENGTH, about.bytes.into());
            response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
            Ok(response)
        }
    }
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
