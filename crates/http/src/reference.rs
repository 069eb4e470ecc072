//! `/docs`: the API's document as a page to read and to try calls on. `RapiDoc` renders it (ADR
//! 18). It is built and embedded like the other pages and loads nothing from elsewhere.

use std::sync::Arc;

use axum::{
    Router,
    extract::State,
    http::{
        HeaderMap, HeaderValue,
        header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY},
    },
    response::{Redirect, Response},
    routing::get,
};

use super::{envelope::Failure, extract::idempotency, pages};
use lectern_service::app::App;

/// The built page.
const PAGE: &str = "docs.html";

/// Only scripts of this service may run, and no page may frame it. `RapiDoc` sets inline styles,
/// and plays a call's audio from memory.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; font-src 'self'; media-src 'self' blob:; connect-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// The routes. They are not part of the API or its document.
pub(super) fn routes() -> Router<Arc<App>> {
    Router::new().route("/docs", get(page)).route("/docs/", get(with_slash))
}

async fn with_slash(headers: HeaderMap) -> Result<Redirect, Failure> {
    idempotency::key(&headers)?;
    Ok(Redirect::permanent("../docs"))
}

async fn page(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Response, Failure> {
    idempotency::key(&headers)?;
    let mut response = pages::built(&app, PAGE, &headers);
    for (name, value) in
        [(CONTENT_SECURITY_POLICY, POLICY), (REFERRER_POLICY, "no-referrer"), (CACHE_CONTROL, "no-cache")]
    {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    Ok(response)
}
