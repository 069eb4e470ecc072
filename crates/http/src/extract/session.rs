//! The signed-in owner, on the web application's routes: a session token as a bearer token, or in a
//! cookie that scripts cannot read.
//!
//! A browser sends the cookie with any page's request. So for a method that changes something, a
//! cookie counts only with two proofs that our own page sent the request: a header with a value
//! that only the session's pages know, and the browser's statement of the request's origin.

use std::sync::Arc;

use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, HeaderName, Method, header, request::Parts},
};
use lectern_store::sessions::SignedIn;
use lectern_types::ErrorCode;
use secrecy::{ExposeSecret as _, SecretString};

use super::{auth::limit_account, idempotency, json};
use crate::envelope::Failure;
use lectern_service::{app::App, base::Base, error::Result, services::accounts::sessions};

/// The name of the cookie. Its prefix makes browsers insist on `Secure`, `Path=/` and no `Domain`
/// (RFC 6265bis section 4.1.3).
pub const COOKIE: &str = "__Host-lectern_session";

/// The header that our own pages send, with the session's CSRF token.
const CSRF: HeaderName = HeaderName::from_static("x-lectern-csrf");

/// The header in which the browser says where the request comes from (Fetch Metadata).
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The session of the caller.
#[derive(Debug)]
pub struct Session(pub SignedIn);

impl FromRequestParts<Arc<App>> for Session {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Failure> {
        json::check_declared_length(&parts.headers, app.base.config.limits.body_bytes)?;
        let (signed_in, _) = find(parts, &app.base, &app.public_url).await?;
        limit_account(&app.request_limiter, parts, signed_in.account.id)?;
        idempotency::key(&parts.headers)?;
        Ok(Self(signed_in))
    }
}

/// Finds the session that the request carries, and its token.
///
/// # Errors
/// `invalid_credentials`, also where a page of another site would change something.
pub(super) async fn find(parts: &Parts, base: &Base, public_url: &str) -> Result<(SignedIn, SecretString)> {
    let carried = carried(&parts.headers).ok_or(ErrorCode::InvalidCredentials)?;
    let signed_in = sessions::find(base, carried.token).await?;
    let is_safe = matches!(parts.method, Method::GET | Method::HEAD | Method::OPTIONS);
    if carried.by_cookie && !is_safe {
        let said = one(&parts.headers, &CSRF).unwrap_or_default();
        let knows = sessions::is_csrf_token(&base.secrets, signed_in.session, said.as_bytes());
        if !knows || !is_from_here(&parts.headers, public_url) {
            return Err(ErrorCode::InvalidCredentials.into());
        }
    }
    Ok((signed_in, SecretString::from(carried.token)))
}

/// The `Set-Cookie` value with a session's token and its lifetime in seconds; without a token it
/// removes the cookie.
pub fn cookie(token: Option<&SecretString>, seconds: i64) -> String {
    let value = token.map_or("", |token| token.expose_secret());
    format!("{COOKIE}={value}; Path=/; Max-Age={seconds}; HttpOnly; Secure; SameSite=Lax")
}

/// A session's token as the request carries it.
#[derive(Debug, PartialEq, Eq)]
struct Carried<'a> {
    token: &'a str,
    by_cookie: bool,
}

/// The token that the request carries. A header takes precedence over a cookie.
fn carried(headers: &HeaderMap) -> Option<Carried<'_>> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    if let Some(value) = values.next() {
        let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
        let is_only_bearer = values.next().is_none() && scheme.eq_ignore_ascii_case("bearer");
        return is_only_bearer.then(|| Carried { token: token.trim_matches(' '), by_cookie: false });
    }
    let mut cookies = cookies(headers);
    let token = cookies.next()?;
    cookies.next().is_none().then_some(Carried { token, by_cookie: true })
}

/// The values of our cookie.
fn cookies(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(|(name, _)| *name == COOKIE).map(|(_, value)| value)
}

/// A header that was sent exactly once.
fn one<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    values.next().filter(|_| values.next().is_none()).and_then(|value| value.to_str().ok())
}

/// Whether the browser states that a page of this service sent the request. A client that is not a
/// browser states nothing, and sends only the cookies that it was given.
pub(super) fn is_from_here(headers: &HeaderMap, public_url: &str) -> bool {
    if headers.contains_key(&SEC_FETCH_SITE) {
        return one(headers, &SEC_FETCH_SITE) == Some("same-origin");
    }
    !headers.contains_key(header::ORIGIN) || one(headers, &header::ORIGIN) == Some(origin(public_url))
}

/// Scheme, host and port of a URL.
pub fn origin(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    url[host..].find('/').map_or(url, |end| &url[..host + end])
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn headers(lines: &[(HeaderName, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(name, HeaderValue::from_static(value));
        }
        headers
    }

    const COOKIES: (HeaderName, &str) = (header::COOKIE, "a=b; __Host-lectern_session=t; c=d");

    #[test]
    fn a_bearer_wins_over_a_cookie_and_a_bad_one_does_not_fall_back() {
        let of =
            |lines: &[_]| carried(&headers(lines)).map(|found| (found.token.to_owned(), found.by_cookie));
        let bearer = |value| of(&[(header::AUTHORIZATION, value), COOKIES]);
        assert_eq!(bearer("Bearer x"), Some(("x".to_owned(), false)));
        assert_eq!(bearer("bearer  x"), Some(("x".to_owned(), false)));
        assert_eq!(bearer("Basic x"), None);
        assert_eq!(bearer("Bearer"), None);
        assert_eq!(of(&[(header::AUTHORIZATION, "Bearer x"), (header::AUTHORIZATION, "Bearer x")]), None);
        assert_eq!(of(&[COOKIES]), Some(("t".to_owned(), true)));
        assert_eq!(of(&[COOKIES, COOKIES]), None, "which of the two?");
        assert_eq!(of(&[(header::COOKIE, "lectern_session=t")]), None);
    }

    #[test]
    fn what_a_browser_says_of_other_sites_is_believed() {
        let here = |lines: &[_]| is_from_here(&headers(lines), "https://speech.example.com/tts");
        let (site, from) = (|word| (SEC_FETCH_SITE, word), |url| (header::ORIGIN, url));
        let ours = from("https://speech.example.com");
        assert!(here(&[]) && here(std::slice::from_ref(&ours)) && here(&[site("same-origin")]));
        for bad in [
            &[from("https://evil.example")][..],
            &[from("https://speech.example.com.evil.example")],
            &[from("null")],
            &[ours.clone(), site("cross-site")],
            &[ours.clone(), site("same-site")],
            &[site("none")],
            &[ours.clone(), ours],
        ] {
            assert!(!here(bad), "{bad:?}");
        }
    }

    #[test]
    fn an_origin_is_a_url_without_its_path() {
        assert_eq!(origin("http://127.0.0.1:8080"), "http://127.0.0.1:8080");
        assert_eq!(origin("https://a.example/b/c"), "https://a.example");
    }
}
