//! `/docs`: the API's document as a page to read and to try calls on. `RapiDoc` draws it (ADR 18), built with the other
//! pages and carried in the binary as they are; nothing is loaded from elsewhere.

use axum::{
    Router,
    http::{
        HeaderMap, HeaderValue,
        header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY},
    },
    response::{Redirect, Response},
    routing::get,
};

use super::{envelope::Failure, extract::idempotency, pages};
use crate::app::App;

/// The built page.
const PAGE: &str = "docs.html";

/// Only what this service serves may run, and nobody may frame it. `RapiDoc` sets styles on its elements, and plays the
/// audio that a call answered from memory.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; font-src 'self'; media-src 'self' blob:; connect-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// The routes. They are no part of the API and so not of its document.
pub(super) fn routes() -> Router<App> {
    Router::new().route("/docs", get(page)).route("/docs/", get(with_slash))
}

async fn with_slash(headers: HeaderMap) -> Result<Redirect, Failure> {
    idempotency::key(&headers)?;
    Ok(Redirect::permanent("../docs"))
}

async fn page(headers: HeaderMap) -> Result<Response, Failure> {
    idempotency::key(&headers)?;
    let mut response = pages::built(PAGE, &headers);
    for (name, value) in
        [(CONTENT_SECURITY_POLICY, POLICY), (REFERRER_POLICY, "no-referrer"), (CACHE_CONTROL, "no-cache")]
    {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    Ok(response)
}
