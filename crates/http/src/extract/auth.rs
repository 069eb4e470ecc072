//! The checks that come before a request's body, in the contract's order: declared length, key,
//! request limit, consent, scope, form of the idempotency header. A handler asks for [`Caller`]
//! with the access that it needs; it does not run when one of the checks fails.

use std::marker::PhantomData;

use axum::http::{HeaderMap, HeaderName, HeaderValue, header, request::Parts};
use lectern_store::{Scope, keys::Authenticated};
use lectern_types::{AccountId, ErrorCode};
use secrecy::SecretString;

use super::{idempotency, json};
use crate::request::{Context, Seen};
use lectern_service::{
    app::App,
    config::Limits,
    error::{Error, Result},
    services::{accounts::authentication, limits::requests::RequestLimiter},
};

/// The header in which ElevenLabs' SDKs send a key.
pub const XI_API_KEY: HeaderName = HeaderName::from_static("xi-api-key");

/// A route's requirements of a key.
pub trait Access: Send + Sync + 'static {
    /// The scope that the route needs; `None` accepts any valid key.
    const SCOPE: Option<Scope>;
    /// Whether the route is open to accounts that owe consent.
    const CONSENT_EXEMPT: bool = false;

    /// Refuses a body whose declared length exceeds the route's limit.
    ///
    /// # Errors
    /// `request_too_large`, or the route's own code for it.
    fn check_length(limits: &Limits, headers: &HeaderMap) -> Result<()> {
        json::check_declared_length(headers, limits.body_bytes)
    }
}

/// Any valid key.
#[derive(Debug)]
pub struct AnyKey;
/// A key with the scope `read`.
#[derive(Debug)]
pub struct Read;
/// A key with the scope `write`.
#[derive(Debug)]
pub struct Write;

/// A key with the scope `admin`.
#[derive(Debug)]
pub struct Admin;
/// A key with the scope `admin`, of an account that may owe consent.
#[derive(Debug)]
pub struct AdminOwingConsent;

impl Access for AnyKey {
    const SCOPE: Option<Scope> = None;
}
impl Access for Read {
    const SCOPE: Option<Scope> = Some(Scope::Read);
}
impl Access for Write {
    const SCOPE: Option<Scope> = Some(Scope::Write);
}
impl Access for Admin {
    const SCOPE: Option<Scope> = Some(Scope::Admin);
}
impl Access for AdminOwingConsent {
    const SCOPE: Option<Scope> = Some(Scope::Admin);
    const CONSENT_EXEMPT: bool = true;
}

/// The headers in which a route takes a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyHeaders {
    /// `Authorization`.
    Authorization,
    /// `Authorization`, or the header of ElevenLabs' SDKs.
    XiApiKeyToo,
}

/// The key that calls, with the access `A`. On the web application's surface it is the account's
/// internal key, under which the session acts.
#[derive(Debug)]
pub struct Caller<A> {
    /// The key and its account.
    pub authenticated: Authenticated,
    /// The `Idempotency-Key`, when one was sent.
    pub idempotency_key: Option<String>,
    /// The API key as the client sent it. Secrets in stored responses are sealed under it.
    pub presented: SecretString,
    access: PhantomData<A>,
}

impl<A> Caller<A> {
    /// A caller whose access has been checked.
    pub(super) fn new(
        authenticated: Authenticated,
        idempotency_key: Option<String>,
        presented: SecretString,
    ) -> Self {
        Self { authenticated, idempotency_key, presented, access: PhantomData }
    }
}

impl<A: Access> Caller<A> {
    /// The caller whose key the request carries.
    ///
    /// # Errors
    /// The error of the first check that fails.
    pub(super) async fn by_key(parts: &Parts, app: &App, headers: KeyHeaders) -> Result<Self> {
        A::check_length(&app.base.config.limits, &parts.headers)?;
        let presented = match headers {
            KeyHeaders::XiApiKeyToo => key_of_either_header(&parts.headers)?,
            KeyHeaders::Authorization => bearer(&parts.headers)?,
        };
        let authenticated = authentication::authenticate(&app.base, &app.tasks, presented).await?;
        let presented = SecretString::from(presented);
        limit_account(&app.request_limiter, parts, authenticated.account)?;
        if !A::CONSENT_EXEMPT {
            authentication::check_consent(&authenticated)?;
        }
        if let Some(required) = A::SCOPE
            && !authenticated.key.scopes.contains(required)
        {
            return Err(Error::InsufficientScope { required });
        }
        let idempotency_key = idempotency::key(&parts.headers)?;
        Ok(Self::new(authenticated, idempotency_key, presented))
    }
}

impl<A: Access> Caller<A> {
    /// The caller of a socket. Browsers cannot set headers there, so the key may be a subprotocol as well.
    ///
    /// # Errors
    /// As [`Caller::by_key`].
    pub(crate) async fn by_socket(parts: &Parts, app: &App) -> Result<Self> {
        let offered = parts.headers.get_all(header::SEC_WEBSOCKET_PROTOCOL).iter();
        let mut offered = offered.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
        let key = offered.find_map(|one| one.trim().strip_prefix(KEY_PROTOCOL));
        let Some(key) = key.filter(|_| !parts.headers.contains_key(header::AUTHORIZATION)) else {
            return Self::by_key(parts, app, KeyHeaders::Authorization).await;
        };
        let value = HeaderValue::from_str(&format!("Bearer {key}")).map_err(|_| ErrorCode::InvalidApiKey)?;
        let mut with_key = parts.clone();
        with_key.headers.insert(header::AUTHORIZATION, value);
        Self::by_key(&with_key, app, KeyHeaders::Authorization).await
    }

    /// The caller of a socket of ElevenLabs' interface, whose first message may have the key.
    ///
    /// # Errors
    /// As [`Caller::by_key`].
    pub(crate) async fn by_first_message(parts: &Parts, app: &App, key: Option<&str>) -> Result<Self> {
        let Some(key) = key else { return Self::by_key(parts, app, KeyHeaders::XiApiKeyToo).await };
        let value = HeaderValue::from_str(key).map_err(|_| ErrorCode::InvalidApiKey)?;
        let mut with_key = parts.clone();
        // Two keys in one request are refused, wherever they stand.
        with_key.headers.append(XI_API_KEY, value);
        Self::by_key(&with_key, app, KeyHeaders::XiApiKeyToo).await
    }
}

/// The subprotocol that carries a key.
const KEY_PROTOCOL: &str = "lectern.key.";

/// The token of the one `Authorization: Bearer` header.
fn bearer(headers: &HeaderMap) -> Result<&str> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let value = values.next().ok_or(ErrorCode::MissingApiKey)?;
    if values.next().is_some() {
        return Err(ErrorCode::InvalidApiKey.into());
    }
    let text = value.to_str().map_err(|_| ErrorCode::InvalidApiKey)?;
    let (scheme, token) = text.split_once(' ').ok_or(ErrorCode::InvalidApiKey)?;
    let token = token.trim_matches(' ');
    if !scheme.eq_ignore_ascii_case("bearer") || token.is_empty() {
        return Err(ErrorCode::InvalidApiKey.into());
    }
    Ok(token)
}

/// The key in `xi-api-key`, or the token where that is absent. A request with both has two keys.
fn key_of_either_header(headers: &HeaderMap) -> Result<&str> {
    let mut values = headers.get_all(XI_API_KEY).iter();
    let Some(value) = values.next() else { return bearer(headers) };
    if values.next().is_some() || headers.contains_key(header::AUTHORIZATION) {
        return Err(ErrorCode::InvalidApiKey.into());
    }
    let key = value.to_str().map_err(|_| ErrorCode::InvalidApiKey)?.trim_matches(' ');
    if key.is_empty() { Err(ErrorCode::InvalidApiKey.into()) } else { Ok(key) }
}

/// Counts a request of the account, and passes the result to the edge.
pub(super) fn limit_account(limiter: &RequestLimiter, parts: &Parts, account: AccountId) -> Result<()> {
    let taken = limiter.take(account);
    let allowance = taken.unwrap_or_else(|over| over.allowance);
    if let Some(context) = parts.extensions.get::<Context>() {
        // A request authenticates once, so the cell is still empty.
        let _ = context.caller.set(Seen { account, allowance });
    }
    taken.map(drop).map_err(|over| Error::RateLimited {
        limit: "the account's requests a minute",
        retry_after_seconds: over.retry_after_seconds,
    })
}

#[cfg(test)]
mod tests {
    use axum::http::header::AUTHORIZATION;

    use super::*;

    #[test]
    fn there_is_exactly_one_bearer_with_a_value() {
        let one = |value: &'static str| {
            let headers = HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_static(value))]);
            bearer(&headers).map(str::to_owned).map_err(|error| error.to_string())
        };
        assert_eq!(one("Bearer x"), Ok("x".to_owned()));
        assert_eq!(one("bEARER  x"), Ok("x".to_owned()));
        for bad in ["", "Bearer", "Bearer ", "Basic x", "x", "Bearerx"] {
            assert_eq!(one(bad), Err("invalid_api_key".to_owned()), "{bad}");
        }
        assert_eq!(bearer(&HeaderMap::new()).map_err(|e| e.to_string()), Err("missing_api_key".to_owned()));
        let mut twice = HeaderMap::new();
        twice.append(AUTHORIZATION, HeaderValue::from_static("Bearer x"));
        twice.append(AUTHORIZATION, HeaderValue::from_static("Bearer x"));
        assert!(bearer(&twice).is_err());
    }

    // Not seen to fail yet: without the check of `Authorization`, a request with two keys is taken.
    #[test]
    fn either_header_has_the_key_but_not_both() {
        let key = |pairs: &[(HeaderName, &'static str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in pairs {
                headers.append(name, HeaderValue::from_static(value));
            }
            key_of_either_header(&headers).map(str::to_owned).map_err(|error| error.to_string())
        };
        assert_eq!(key(&[(XI_API_KEY, "x")]), Ok("x".to_owned()));
        assert_eq!(key(&[(AUTHORIZATION, "Bearer x")]), Ok("x".to_owned()));
        assert_eq!(key(&[]), Err("missing_api_key".to_owned()));
        for bad in [
            &[(XI_API_KEY, "")][..],
            &[(XI_API_KEY, " ")],
            &[(XI_API_KEY, "x"), (XI_API_KEY, "x")],
            &[(XI_API_KEY, "x"), (AUTHORIZATION, "Bearer x")],
        ] {
            assert_eq!(key(bad), Err("invalid_api_key".to_owned()), "{bad:?}");
        }
    }
}
