//! The outermost layer of the HTTP surface: everything that applies to every request before routing
//! and to every response after it. That is request ids, path normalisation, the refusal of API keys
//! under `/v1/bff/`, panics, error envelopes, and the request's log line and metrics. Nothing here
//! depends on a route.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Instant};

use axum::{
    Router,
    body::Body,
    extract::{MatchedPath, Request},
    http::{
        HeaderName, HeaderValue, Uri,
        header::{self, HeaderMap},
    },
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use futures_util::FutureExt as _;
use lectern_types::{ErrorCode, RequestId};
use tower::ServiceExt as _;
use tracing::Instrument as _;

use super::{envelope, envelope::Failure, guide, pages, request::Context};
use lectern_service::{
    clock::{Clock, Ids},
    error::Error,
    services::limits::requests::Allowance,
};

/// The header that names the request.
const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The most bytes of a request's line and headers.
pub(super) const HEADER_BYTES: usize = 32 * 1024;

/// A router with the edge around it.
#[derive(Clone)]
pub struct Edge {
    router: Router,
    ids: Ids,
    clock: Clock,
}

impl Edge {
    /// Wraps `router`.
    pub fn new(router: Router, ids: Ids, clock: Clock) -> Self {
        Self { router: router.layer(axum::middleware::from_fn(remember_route)), ids, clock }
    }

    /// The answer, byte for byte, to a malformed request. The connection closes after it.
    pub fn bare(&self, code: ErrorCode) -> Vec<u8> {
        let request_id: RequestId = self.ids.make();
        let status = envelope::digits(code);
        metrics::counter!("lectern_http_requests_total", "route" => "none", "method" => "other", "status" => status)
            .increment(1);
        tracing::info!(request.id = %request_id, error.code = code.as_str(), "a malformed request was refused");
        let time = jiff::Timestamp::from_microsecond(self.clock.now().0).unwrap_or_default();
        let (reason, body) = (envelope::reason(code), envelope::text(code, request_id));
        let head = format!(
            "HTTP/1.1 {} {reason}\r\ncontent-type: application/json\r\nx-request-id: {request_id}\r\n\
             x-content-type-options: nosniff\r\nconnection: close\r\ncontent-length: {}\r\ndate: {}\r\n\r\n",
            envelope::digits(code),
            body.len(),
            time.strftime("%a, %d %b %Y %H:%M:%S GMT"),
        );
        [head.as_bytes(), body.as_bytes()].concat()
    }

    /// Answers one request; every failure, a panic included, is an envelope.
    pub async fn answer(&self, mut request: Request) -> Response {
        let started = Instant::now();
        let context = Context { request_id: self.ids.make(), caller: Arc::default() };
        let method = request.method().clone();
        let span =
            tracing::info_span!("http.request", request.id = %context.request_id, http.method = %method);
        if let Some(theirs) = request.headers().get(X_REQUEST_ID).and_then(|value| value.to_str().ok()) {
            let theirs: String = theirs.chars().filter(char::is_ascii_graphic).take(128).collect();
            span.in_scope(|| tracing::debug!(request.client_id = theirs, "the client named its request"));
        }
        give_path_its_one_spelling(&mut request);
        request.extensions_mut().insert(context.clone());
        let is_bff = is_on_bff(request.uri().path());
        let handled = async {
            let response = if has_large_headers(&request) {
                Failure::from(ErrorCode::HeadersTooLarge).into_response()
            } else if !has_its_hosts(&request) {
                Failure::from(ErrorCode::BadRequest).into_response()
            } else if is_key_on_bff(&request) {
                Failure::from(ErrorCode::ApiKeyNotAllowedOnBff).into_response()
            } else {
                self.route(request).await
            };
            let route = response.extensions().get::<MatchedPath>().cloned();
            let mut response = envelope::seal(response, context.request_id);
            finish_headers(response.headers_mut(), &context);
            if is_bff {
                // One person's answer must not be shown to the next one at the same browser.
                let headers = response.headers_mut();
                headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
            }
            let route = route.as_ref().map_or("none", MatchedPath::as_str);
            note(route, method.as_str(), &response, started, &context);
            response
        };
        handled.instrument(span).await
    }

    async fn route(&self, request: Request) -> Response {
        match AssertUnwindSafe(self.router.clone().oneshot(request)).catch_unwind().await {
            Ok(Ok(response)) => response,
            Ok(Err(never)) => match never {},
            Err(_) => Failure::from(Error::Internal("a handler panicked".to_owned())).into_response(),
        }
    }
}

/// Copies the matched route into the request's context.
async fn remember_route(request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().cloned();
    let mut response = next.run(request).await;
    if let Some(route) = route {
        response.extensions_mut().insert(route);
    }
    response
}

/// Decodes characters that clients percent-encode without need, such as the colon of
/// `/tts%3Asynthesize`. RFC 3986 section 6.2.2 allows decoding unreserved characters, and a colon
/// means the same in a path either way. `%2F`, `%00` and all others stay encoded.
fn give_path_its_one_spelling(request: &mut Request) {
    let uri = request.uri();
    if !uri.path().contains('%') {
        return;
    }
    let path = decode_harmless(uri.path());
    let whole = match uri.query() {
        Some(query) => format!("{path}?{query}"),
        None => path,
    };
    if let Ok(uri) = whole.parse::<Uri>() {
        *request.uri_mut() = uri;
    }
}

fn decode_harmless(path: &str) -> String {
    let mut decoded = String::with_capacity(path.len());
    let mut rest = path;
    while let Some(at) = rest.find('%') {
        decoded.push_str(&rest[..at]);
        let escape = rest.get(at..at + 3);
        let byte = escape
            .and_then(|e| u8::from_str_radix(&e[1..], 16).ok())
            .filter(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b':'));
        if let Some(byte) = byte {
            decoded.push(char::from(byte));
            rest = &rest[at + 3..];
        } else {
            decoded.push('%');
            rest = &rest[at + 1..];
        }
    }
    decoded.push_str(rest);
    decoded
}

/// Whether the headers exceed the limit. HTTP/1 requests that do never get this far.
fn has_large_headers(request: &Request) -> bool {
    let length = |(name, value): (&HeaderName, &HeaderValue)| name.as_str().len() + value.len() + 4;
    request.version() == axum::http::Version::HTTP_2
        && request.headers().iter().map(length).sum::<usize>() > HEADER_BYTES
}

/// Whether the number of `Host` headers is allowed: exactly one in HTTP/1.1 (RFC 9112 section 3.2),
/// whatever the form of the target; at most one before it. HTTP/2 has `:authority` instead.
fn has_its_hosts(request: &Request) -> bool {
    let hosts = request.headers().get_all(header::HOST).iter().count();
    match request.version() {
        axum::http::Version::HTTP_2 => true,
        axum::http::Version::HTTP_11 => hosts == 1,
        _ => hosts <= 1,
    }
}

/// Whether an API key was sent to a route of the web application.
fn is_key_on_bff(request: &Request) -> bool {
    let bearer = |value: &HeaderValue| {
        let value = value.as_bytes();
        value.get(..7).is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"bearer "))
            && value[7..].trim_ascii_start().starts_with(b"svc_")
    };
    is_on_bff(request.uri().path()) && request.headers().get_all(header::AUTHORIZATION).iter().any(bearer)
}

/// Whether a path belongs to the web application.
fn is_on_bff(path: &str) -> bool {
    path == "/v1/bff" || path.starts_with("/v1/bff/")
}

fn finish_headers(headers: &mut HeaderMap, context: &Context) {
    let mut put = |name: HeaderName, value: String| {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(name, value);
        }
    };
    put(X_REQUEST_ID, context.request_id.to_string());
    if let Some(seen) = context.caller.get() {
        let Allowance { limit, remaining, reset_seconds, window_seconds } = seen.allowance;
        put(HeaderName::from_static("ratelimit-policy"), format!("\"account\";q={limit};w={window_seconds}"));
        put(HeaderName::from_static("ratelimit"), format!("\"account\";r={remaining};t={reset_seconds}"));
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
}

fn note(route: &str, method: &str, response: &Response<Body>, started: Instant, context: &Context) {
    let status = response.status().as_u16();
    let elapsed = started.elapsed();
    let labels =
        [("route", route.to_owned()), ("method", known(method).to_owned()), ("status", status.to_string())];
    metrics::counter!("lectern_http_requests_total", &labels).increment(1);
    metrics::histogram!("lectern_http_request_seconds", &labels[..2]).record(elapsed.as_secs_f64());
    let took = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
    let account = context.caller.get().map(|seen| tracing::field::display(seen.account));
    // The level is fixed in the macro's output, so each level needs its own call.
    macro_rules! answered {
        ($level:ident) => {
            tracing::$level!(
                http.method = method,
                http.route = route,
                http.status = status,
                http.duration_ms = took,
                account.id = account,
                "answered"
            )
        };
    }
    if is_routine(route, method, status) {
        answered!(debug);
    } else {
        answered!(info);
    }
}

/// Whether a request is automatic and would bury the others in the log: a page's files, the
/// requests that an open page repeats, and health checks.
fn is_routine(route: &str, method: &str, status: u16) -> bool {
    if matches!(route, "/healthz" | "/readyz" | "/metrics") {
        return true;
    }
    let is_of_a_page = pages::PAGES.contains(&route)
        || pages::ROOT_FILES.contains(&route)
        || route == pages::SERVICE_WORKER
        || matches!(route, "/assets/{file}" | "/docs" | "/openapi.json")
        || guide::PATHS.contains(&route)
        || route.starts_with("/v1/bff/");
    status < 400 && matches!(method, "GET" | "HEAD") && is_of_a_page
}

/// The method as a metric label. Clients may send any method, and each would create a series.
fn known(method: &str) -> &str {
    match method {
        "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" => method,
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::{decode_harmless, is_routine, known};

    #[test]
    fn methods_that_clients_make_up_share_one_label() {
        assert_eq!((known("GET"), known("M123456"), known("get")), ("GET", "other", "other"));
    }

    #[test]
    fn what_comes_by_itself_is_logged_for_who_asks_for_it() {
        for (route, method, status, routine) in [
            ("/assets/{file}", "GET", 200, true),
            ("/assets/{file}", "GET", 404, false),
            ("/materials/{id}", "GET", 200, true),
            ("/v1/bff/overview", "GET", 200, true),
            ("/v1/bff/overview", "GET", 503, false),
            ("/v1/bff/keys", "POST", 201, false),
            ("/v1/saas/me", "GET", 200, false),
            ("/readyz", "GET", 503, true),
            ("none", "GET", 404, false),
        ] {
            assert_eq!(is_routine(route, method, status), routine, "{method} {route} {status}");
        }
    }

    // Negative control: decoding every escape turns `%2F` into a path separator, and the third line
    // fails.
    #[test]
    fn only_what_needs_no_encoding_is_decoded() {
        assert_eq!(decode_harmless("/v1/saas/tts%3Asynthesize"), "/v1/saas/tts:synthesize");
        assert_eq!(decode_harmless("/v1/saas/tts%3asynthesize"), "/v1/saas/tts:synthesize");
        assert_eq!(decode_harmless("/a%2Fb%00%25%61%ZZ%4"), "/a%2Fb%00%25a%ZZ%4");
        assert_eq!(decode_harmless("/%e2%82%ac%"), "/%e2%82%ac%");
        assert_eq!(decode_harmless("/%+1"), "/%+1");
    }
}
