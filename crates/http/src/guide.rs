//! `/docs/guide/`: the documentation site, built from `docs` (ADR 53) and embedded like the web
//! application. A build without it says how to build it.

use std::sync::Arc;

use axum::{
    Router,
    extract::{Path, rejection::PathRejection},
    http::{
        HeaderMap, HeaderValue, StatusCode,
        header::{
            CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH, REFERRER_POLICY, VARY,
        },
    },
    response::{IntoResponse as _, Redirect, Response},
    routing::get,
};
use lectern_types::ErrorCode;

use super::{
    envelope::{Failure, Whole},
    extract::idempotency,
    pages::{self, files},
};
use lectern_service::app::App;

/// Only scripts of this service may run, and no page may frame the site. The generator writes
/// styles into its pages.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// The page of a folder.
const INDEX: &str = "index.html";

/// The page for addresses that do not exist.
const MISSING: &str = "404.html";

/// The page of a build without the site.
const ABSENT: &str = "This build of Lectern has no guide. Build it, then Lectern:\n\n  \
    cd docs/site && npm ci && npm run build\n\n./run does both. The pages are in docs/ of the sources.\n";

/// The paths in the router.
pub(super) const PATHS: [&str; 3] = ["/docs/guide", "/docs/guide/", "/docs/guide/{*path}"];

/// The routes. They are not part of the API or its document.
pub(super) fn routes() -> Router<Arc<App>> {
    let [bare, index, rest] = PATHS;
    Router::new().route(bare, get(without_slash)).route(index, get(front)).route(rest, get(page))
}

async fn without_slash(headers: HeaderMap) -> Result<Redirect, Failure> {
    idempotency::key(&headers)?;
    Ok(Redirect::permanent("guide/"))
}

async fn front(headers: HeaderMap) -> Result<Response, Failure> {
    idempotency::key(&headers)?;
    let absent = || ([(CONTENT_TYPE, "text/plain; charset=utf-8")], ABSENT).into_response();
    Ok(file(INDEX, &headers).unwrap_or_else(absent))
}

async fn page(headers: HeaderMap, path: Result<Path<String>, PathRejection>) -> Result<Response, Failure> {
    idempotency::key(&headers)?;
    let Ok(Path(path)) = path else { return missing(headers) };
    // Nothing above the site, and nothing that its build keeps for itself.
    if path.split('/').any(|part| part.starts_with('.')) {
        return missing(headers);
    }
    let name = if path.ends_with('/') { format!("{path}{INDEX}") } else { path };
    if let Some(found) = file(&name, &headers) {
        return Ok(found);
    }
    if files::is_there(&embedded(&format!("{name}/{INDEX}"))) {
        // Links of the page are relative to its folder.
        let folder = name.rsplit('/').next().unwrap_or_default();
        return Ok(Redirect::permanent(&format!("{folder}/")).into_response());
    }
    missing(headers)
}

/// Answers an address that does not exist: browsers get a page, programs an envelope.
fn missing(mut headers: HeaderMap) -> Result<Response, Failure> {
    // Not a cached copy: a browser may hold the page of another address.
    headers.remove(IF_NONE_MATCH);
    let page = if pages::asks_for_a_page(&headers) { file(MISSING, &headers) } else { None };
    let Some(mut response) = page else { return Err(ErrorCode::NotFound.into()) };
    response.headers_mut().remove(ETAG);
    response.headers_mut().append(VARY, HeaderValue::from_static("accept"));
    *response.status_mut() = StatusCode::NOT_FOUND;
    response.extensions_mut().insert(Whole);
    Ok(response)
}

fn embedded(name: &str) -> String {
    format!("guide/{name}")
}

/// A built file of the site.
fn file(name: &str, headers: &HeaderMap) -> Option<Response> {
    let mut response = files::answer(&embedded(name), headers)?;
    let cache =
        if name.starts_with("assets/") { files::FOREVER } else { HeaderValue::from_static("no-cache") };
    let answered = response.headers_mut();
    answered.insert(CACHE_CONTROL, cache);
    answered.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    answered.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    Some(response)
}
