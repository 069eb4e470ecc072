//! `/v1/text-to-speech`, `/v1/voices`, `/v2/voices` and `/v1/user`: the text-to-speech part of
//! ElevenLabs' API, with Lectern's keys, voices, prices and errors. The key may come as
//! `xi-api-key`, and the envelope of a failure has a `detail` for ElevenLabs' SDKs.

pub mod alignment;
mod markup;
pub mod models;
pub mod request;
pub mod speech;
pub mod stream_input;
pub mod timestamps;
pub mod user;
pub mod voices;

use axum::{extract::Request, middleware::Next, response::Response};

use crate::{
    envelope::WithDetail,
    extract::{auth::XI_API_KEY, surface::Surface},
};

/// Lets a route take the key as `xi-api-key`, and marks its answer.
pub async fn mark(mut request: Request, next: Next) -> Response {
    request.extensions_mut().insert(Surface::ElevenLabs);
    let mut response = next.run(request).await;
    response.extensions_mut().insert(WithDetail);
    response
}

/// Does the same on a route that OpenAI's clients share, for requests whose key is in `xi-api-key`.
pub async fn mark_its_clients(request: Request, next: Next) -> Response {
    if request.headers().contains_key(XI_API_KEY) {
        return mark(request, next).await;
    }
    next.run(request).await
}
