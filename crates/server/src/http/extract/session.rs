//! Who is signed in, on the web application's routes: a session token as a bearer, or in a cookie that scripts cannot
//! read.
//!
//! A browser sends a cookie with whatever page makes it send a request. So a cookie counts on a method that changes
//! something only with two proofs that our own page asked: a header that other origins may not set without being let,
//! and the browser's own word on where the request came from.

use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, HeaderName, Method, header, request::Parts},
};
use lectern_store::sessions::SignedIn;
use lectern_types::ErrorCode;

use super::{auth::limit_account, idempotency, json};
use crate::{app::App, error::Result, http::envelope::Failure, services::sessions};

/// The cookie. The prefix makes browsers insist on `Secure`, `Path=/` and no `Domain` (RFC 6265bis section 4.1.3).
pub const COOKIE: &str = "__Host-lectern_session";

/// The header that our own pages send; its value is not looked at.
const CSRF: HeaderName = HeaderName::from_static("x-lectern-csrf");

/// Where the browser says the request comes from (Fetch Metadata).
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The session of the caller.
#[derive(Debug)]
pub struct Session(pub SignedIn);

impl FromRequestParts<App> for Session {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        json::check_declared_length(&parts.headers, app.config.limits.body_bytes)?;
        let token = token(&parts.method, &parts.headers, &app.public_url);
        let signed_in = sessions::find(app, token.ok_or(ErrorCode::InvalidCredentials)?).await?;
        limit_account(app, parts, signed_in.account.id)?;
        idempotency::key(&parts.headers)?;
        Ok(Self(signed_in))
    }
}

/// The token that the request carries; a header wins over a cookie.
fn token<'a>(method: &Method, headers: &'a HeaderMap, public_url: &str) -> Option<&'a str> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    if let Some(value) = values.next() {
        let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
        let is_only_bearer = values.next().is_none() && scheme.eq_ignore_ascii_case("bearer");
        return is_only_bearer.then(|| token.trim_matches(' '));
    }
    let mut cookies = cookies(headers);
    let token = cookies.next()?;
    let is_safe = matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
    (cookies.next().is_none() && (is_safe || is_our_own_page(headers, public_url))).then_some(token)
}

/// The values of our cookie.
fn cookies(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(|(name, _)| *name == COOKIE).map(|(_, value)| value)
}

/// Whether a page of this very service sent the request.
fn is_our_own_page(headers: &HeaderMap, public_url: &str) -> bool {
    let one = |name: &HeaderName| {
        let mut values = headers.get_all(name).iter();
        values.next().filter(|_| values.next().is_none()).and_then(|value| value.to_str().ok())
    };
    let from_here = match (one(&SEC_FETCH_SITE), one(&header::ORIGIN)) {
        (Some(site), _) => site == "same-origin",
        (None, Some(from)) => from == origin(public_url),
        (None, None) => false,
    };
    from_here && headers.contains_key(CSRF)
}

/// Scheme, host and port of a URL.
fn origin(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    url[host..].find('/').map_or(url, |end| &url[..host + end])
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn of(method: &Method, lines: &[(HeaderName, &'static str)]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(name, HeaderValue::from_static(value));
        }
        token(method, &headers, "https://speech.example.com/tts").map(str::to_owned)
    }

    const HERE: (HeaderName, &str) = (header::ORIGIN, "https://speech.example.com");
    const OURS: (HeaderName, &str) = (CSRF, "1");
    const COOKIES: (HeaderName, &str) = (header::COOKIE, "a=b; __Host-lectern_session=t; c=d");

    #[test]
    fn a_bearer_wins_over_a_cookie_and_a_bad_one_does_not_fall_back() {
        let bearer = |value| of(&Method::POST, &[(header::AUTHORIZATION, value), COOKIES, HERE, OURS]);
        assert_eq!(bearer("Bearer x").as_deref(), Some("x"));
        assert_eq!(bearer("bearer  x").as_deref(), Some("x"));
        assert_eq!(bearer("Basic x"), None);
        assert_eq!(bearer("Bearer"), None);
        let twice = [(header::AUTHORIZATION, "Bearer x"), (header::AUTHORIZATION, "Bearer x")];
        assert_eq!(of(&Method::GET, &twice), None);
    }

    // Negative control: each of the two proofs was taken out in turn; the cases without it were then taken.
    #[test]
    fn a_cookie_changes_something_only_for_our_own_page() {
        let site = |word| (SEC_FETCH_SITE, word);
        for good in [&[COOKIES, HERE, OURS][..], &[COOKIES, OURS, site("same-origin")]] {
            assert_eq!(of(&Method::POST, good).as_deref(), Some("t"), "{good:?}");
        }
        for bad in [
            &[COOKIES][..],
            &[COOKIES, OURS],
            &[COOKIES, HERE],
            &[COOKIES, site("same-origin")],
            &[COOKIES, OURS, (header::ORIGIN, "https://evil.example")],
            &[COOKIES, OURS, (header::ORIGIN, "https://speech.example.com.evil.example")],
            &[COOKIES, OURS, (header::ORIGIN, "null")],
            &[COOKIES, OURS, HERE, site("cross-site")],
            &[COOKIES, OURS, HERE, site("same-site")],
            &[COOKIES, OURS, HERE, HERE],
        ] {
            for method in [Method::POST, Method::DELETE, Method::PATCH, Method::PUT] {
                assert_eq!(of(&method, bad), None, "{method} {bad:?}");
            }
        }
        assert_eq!(of(&Method::GET, &[COOKIES]).as_deref(), Some("t"));
        assert_eq!(of(&Method::GET, &[COOKIES, COOKIES]), None, "which of the two?");
        assert_eq!(of(&Method::GET, &[(header::COOKIE, "lectern_session=t")]), None);
    }

    #[test]
    fn an_origin_is_a_url_without_its_path() {
        assert_eq!(origin("http://127.0.0.1:8080"), "http://127.0.0.1:8080");
        assert_eq!(origin("https://a.example/b/c"), "https://a.example");
    }
}
