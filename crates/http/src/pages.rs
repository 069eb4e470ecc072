//! The web application: one page and its files, built from `web/` and embedded in the binary. Every
//! path of the application answers with the same page, whose script reads the address. An unknown
//! path answers a browser with that page and 404, for people who mistype an address; programs get
//! an error envelope. A build without `web/dist/app` says how to build it.

mod brand;
pub(super) mod encoding;
pub(super) mod files;
mod policy;

use std::sync::Arc;

use axum::{
    Router,
    extract::{Path, State, rejection::PathRejection},
    http::{
        HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri,
        header::{
            ACCEPT, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH,
            REFERRER_POLICY, VARY,
        },
    },
    response::{IntoResponse as _, Response},
    routing::get,
};
use lectern_types::ErrorCode;

use super::{
    envelope::{Failure, Whole},
    extract::idempotency,
};
use lectern_service::app::App;

/// The page itself.
const INDEX: &str = "index.html";

/// The page of a build without the web application.
const ABSENT: &str = "This build of Lectern has no web application. Build it, then Lectern:\n\n  \
    cd web && npm ci && npm run build\n\n./run does both. The API is all there: /docs\n";

/// The paths of pages.
pub const PAGES: &[&str] = &[
    "/",
    "/sign-in",
    "/register",
    "/confirm",
    "/forgot",
    "/reset",
    "/agree",
    "/try",
    "/books",
    "/books/{id}",
    "/listen/{token}",
    "/voices",
    "/speak",
    "/history",
    "/developers",
    "/gallery",
    // Addresses of before, which the application leads on from.
    "/e-readers",
    "/materials",
    "/materials/{id}",
    "/pronunciation",
    "/pronunciation/{id}",
    "/keys",
    "/webhooks",
    "/webhooks/{id}",
    "/credits",
    "/settings",
];

/// The files that browsers look for outside `/assets`: the icons, and what makes the pages
/// installable.
pub const ROOT_FILES: &[&str] = &[
    "/icon.svg",
    "/icon-192.png",
    "/icon-512.png",
    "/icon-maskable-512.png",
    "/apple-touch-icon.png",
    MANIFEST,
];

/// What makes the pages installable.
const MANIFEST: &str = "/manifest.webmanifest";

/// The script that serves the pages offline.
pub const SERVICE_WORKER: &str = "/sw.js";

/// The routes. They are not part of the API or its document.
pub(super) fn routes() -> Router<Arc<App>> {
    let pages = PAGES.iter().fold(Router::new(), |router, path| router.route(path, get(page)));
    let files = ROOT_FILES.iter().fold(pages, |router, path| router.route(path, get(root_file)));
    files
        .route("/assets/{file}", get(asset))
        .route(SERVICE_WORKER, get(service_worker))
        .merge(brand::routes())
}

async fn page(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Response, Failure> {
    idempotency::key(&headers)?;
    Ok(index(&app, &headers))
}

/// Answers a path that no route matches.
pub(super) async fn unknown(
    State(app): State<Arc<App>>,
    method: Method,
    uri: Uri,
    mut headers: HeaderMap,
) -> Response {
    let is_read = matches!(method, Method::GET | Method::HEAD);
    if !is_read || is_for_programs(uri.path()) || !asks_for_a_page(&headers) {
        let mut response = Failure::from(ErrorCode::NotFound).into_response();
        response.headers_mut().append(VARY, HeaderValue::from_static("accept"));
        return response;
    }
    // Not a cached copy: a browser may hold the page of another address.
    headers.remove(IF_NONE_MATCH);
    let mut response = index(&app, &headers);
    response.headers_mut().remove(ETAG);
    response.headers_mut().append(VARY, HeaderValue::from_static("accept"));
    *response.status_mut() = StatusCode::NOT_FOUND;
    response.extensions_mut().insert(Whole);
    response
}

/// Whether only programs request this path.
fn is_for_programs(path: &str) -> bool {
    ["/v1", "/media", "/assets", "/brand", "/docs", "/openapi.json"]
        .iter()
        .any(|root| path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}

/// Whether a browser asks for a page to show.
pub(super) fn asks_for_a_page(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(ACCEPT).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).any(|part| {
        let kind = part.split(';').next().unwrap_or_default().trim();
        kind.eq_ignore_ascii_case("text/html")
    })
}

/// A built page under the operator's brand, or the page of a build without them.
pub(super) fn built(app: &App, name: &str, headers: &HeaderMap) -> Response {
    let branded = app.branding.as_ref().and_then(|brand| {
        let page = brand::page(name, brand)?;
        Some(([(CONTENT_TYPE, "text/html; charset=utf-8")], page).into_response())
    });
    branded
        .or_else(|| file(name, headers))
        .unwrap_or_else(|| ([(CONTENT_TYPE, "text/plain; charset=utf-8")], ABSENT).into_response())
}

/// The page of the web application.
fn index(app: &App, headers: &HeaderMap) -> Response {
    let mut response = built(app, INDEX, headers);
    let policy = policy::policy(&app.public_url, &app.base.config.storage);
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, policy.as_str()),
        // The address of some pages holds a secret.
        (REFERRER_POLICY, "no-referrer"),
        // So that the back button checks the session again.
        (CACHE_CONTROL, "no-store"),
    ] {
        if let Ok(value) = HeaderValue::from_str(value) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

async fn asset(headers: HeaderMap, file: Result<Path<String>, PathRejection>) -> Result<Response, Failure> {
    idempotency::key(&headers)?;
    let Ok(Path(name)) = file else { return Err(ErrorCode::NotFound.into()) };
    let mut response = self::file(&format!("assets/{name}"), &headers).ok_or(ErrorCode::NotFound)?;
    response.headers_mut().insert(CACHE_CONTROL, files::FOREVER);
    Ok(response)
}

async fn root_file(State(app): State<Arc<App>>, uri: Uri, headers: HeaderMap) -> Result<Response, Failure> {
    idempotency::key(&headers)?;
    if let (MANIFEST, Some(brand)) = (uri.path(), &app.branding)
        && let Some(manifest) = brand::manifest(MANIFEST, brand)
    {
        let headers = [(CONTENT_TYPE, "application/manifest+json"), (CACHE_CONTROL, "public, max-age=86400")];
        return Ok((headers, manifest).into_response());
    }
    let mut response = file(uri.path().trim_start_matches('/'), &headers).ok_or(ErrorCode::NotFound)?;
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=86400"));
    Ok(response)
}

/// Under the policy of the pages, which does not cover the requests of a worker.
async fn service_worker(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Response, Failure> {
    idempotency::key(&headers)?;
    let mut response = file("sw.js", &headers).ok_or(ErrorCode::NotFound)?;
    let policy = policy::policy(&app.public_url, &app.base.config.storage);
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    }
    let answered = response.headers_mut();
    // A new version of the pages is noticed at the next visit.
    answered.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    answered.insert(HeaderName::from_static("service-worker-allowed"), HeaderValue::from_static("/"));
    Ok(response)
}

/// A file of the application.
fn file(name: &str, headers: &HeaderMap) -> Option<Response> {
    files::answer(&format!("app/{name}"), headers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_browser_that_wants_a_page_is_shown_one() {
        for (accept, page) in [
            ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true),
            ("application/json, Text/HTML;q=0.1", true),
            ("*/*", false),
            ("application/json", false),
            ("", false),
        ] {
            let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(accept))]);
            assert_eq!(asks_for_a_page(&headers), page, "{accept}");
        }
        for (path, programs) in [
            ("/v1", true),
            ("/v1/saas/nothing", true),
            ("/media/x", true),
            ("/openapi.json", true),
            ("/v12", false),
            ("/nothing-here", false),
            ("/", false),
        ] {
            assert_eq!(is_for_programs(path), programs, "{path}");
        }
    }
}
