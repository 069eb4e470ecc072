//! The common part of every POST with a JSON body and a key: the body is read under its limit, the
//! `Idempotency-Key` decides whether the request runs, and the response says whether it is a
//! replay.

use std::time::Duration;

use axum::{
    body::{Body, Bytes},
    extract::Request,
    http::{
        HeaderName, HeaderValue, StatusCode, Uri,
        header::{CACHE_CONTROL, CONTENT_TYPE},
        request::Parts,
    },
    response::Response,
};
use lectern_store::idempotency::Response as Stored;
use lectern_types::Fields;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{auth::Caller, json, page::Parameters};
use crate::envelope::Failure;
use lectern_service::{
    base::Base,
    config::Config,
    error::{Error, Result},
    services::idempotency::{self, IdempotentRequest, IdempotentResponse},
};

/// Marks a response that is a replay of an earlier one.
pub const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// How a route's responses are stored for replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplayStorage {
    /// As they are sent.
    Plain,
    /// Sealed, because they hold a secret.
    Sealed,
}

/// A request on its way to a service.
#[derive(Debug)]
pub enum Received {
    /// The request must run: the body's fields, and the key under which to record the response.
    Fresh(Map<String, Value>, Option<IdempotentRequest>),
    /// The request ran before: its response, and the body's fields.
    Replay(Stored, Map<String, Value>),
}

/// Reads a request and resolves its `Idempotency-Key`.
///
/// # Errors
/// An error of the body as a whole, `idempotency_key_reuse`, the error for a request that is still
/// running, or an unknown parameter.
pub async fn receive<A>(
    base: &Base,
    caller: &Caller<A>,
    request: Request,
    storage: ReplayStorage,
) -> Result<Received> {
    let (parts, bytes) = read(&base.config, request).await?;
    let object = json::parse_object(&parts.headers, &bytes)?;
    settle(base, caller, &parts, object, storage).await
}

/// Like [`receive`], for a route that takes parameters, which count for the `Idempotency-Key` as the
/// body does.
///
/// # Errors
/// Those of [`receive`], but for unknown parameters: the route finishes them.
pub async fn receive_with_parameters<A>(
    base: &Base,
    caller: &Caller<A>,
    request: Request,
) -> Result<(Received, Parameters)> {
    let (parts, bytes) = read(&base.config, request).await?;
    let body = json::parse_object(&parts.headers, &bytes)?;
    let parameters = Parameters::of(&parts.uri);
    let Some(key) = caller.idempotency_key.clone() else {
        return Ok((Received::Fresh(body, None), parameters));
    };
    let both = Map::from_iter([
        ("body".to_owned(), body.clone().into()),
        ("parameters".to_owned(), parameters.to_object().into()),
    ]);
    let path = parts.uri.path().to_owned();
    let idempotent = IdempotentRequest::post(&caller.authenticated, path, key, json::fingerprint(&both));
    let received = match idempotency::settle(base, &idempotent).await? {
        Some(response) => Received::Replay(response, body),
        None => Received::Fresh(body, Some(idempotent)),
    };
    Ok((received, parameters))
}

/// Parses the body of a request to a route that takes no `Idempotency-Key`.
///
/// # Errors
/// An error of the body as a whole or of its fields, or an unknown parameter.
pub async fn parse<T: lectern_types::Request>(base: &Base, request: Request) -> Result<T> {
    Ok(T::parse(fields(base, request).await?)?)
}

/// The fields of the body of a request to a route that takes no `Idempotency-Key`.
///
/// # Errors
/// An error of the body as a whole, or an unknown parameter.
pub async fn fields(base: &Base, request: Request) -> Result<Map<String, Value>> {
    let (parts, bytes) = read(&base.config, request).await?;
    let object = json::parse_object(&parts.headers, &bytes)?;
    Parameters::of(&parts.uri).finish()?;
    Ok(object)
}

/// Refuses a body with fields, on a route that needs none and takes no `Idempotency-Key`, and every parameter.
///
/// # Errors
/// An error of the body as a whole, a field of it, or an unknown parameter.
pub async fn nothing(base: &Base, request: Request) -> Result<()> {
    let (parts, bytes) = read(&base.config, request).await?;
    let object = if bytes.is_empty() { Map::new() } else { json::parse_object(&parts.headers, &bytes)? };
    Fields::of(object).finish(Some(()))?;
    Parameters::of(&parts.uri).finish()?;
    Ok(())
}

async fn read(config: &Config, request: Request) -> Result<(Parts, Bytes)> {
    let (parts, body) = request.into_parts();
    let (cap, patience) = (config.limits.body_bytes, config.http.body_seconds);
    Ok((parts, json::read(body, cap, Duration::from_secs(patience)).await?))
}

/// Resolves the `Idempotency-Key` of a parsed request.
async fn settle<A>(
    base: &Base,
    caller: &Caller<A>,
    parts: &Parts,
    object: Map<String, Value>,
    storage: ReplayStorage,
) -> Result<Received> {
    let idempotent = caller.idempotency_key.clone().map(|key| {
        let path = parts.uri.path().to_owned();
        let idempotent =
            IdempotentRequest::post(&caller.authenticated, path, key, json::fingerprint(&object));
        match storage {
            ReplayStorage::Plain => idempotent,
            ReplayStorage::Sealed => idempotent.sealed(&base.secrets, &caller.presented),
        }
    });
    if let Some(idempotent) = &idempotent
        && let Some(response) = idempotency::settle(base, idempotent).await?
    {
        return Ok(Received::Replay(response, object));
    }
    Parameters::of(&parts.uri).finish()?;
    Ok(Received::Fresh(object, idempotent))
}

/// Answers a request with the result of `run` on its body's fields, or with the replay of an
/// earlier result.
///
/// # Errors
/// Those of [`receive`] and `run`.
pub async fn answer<A>(
    base: &Base,
    caller: &Caller<A>,
    request: Request,
    storage: ReplayStorage,
    run: impl AsyncFnOnce(Map<String, Value>, Option<IdempotentRequest>) -> Result<IdempotentResponse>,
) -> Result<Response, Failure> {
    finish(receive(base, caller, request, storage).await?, storage, run).await
}

/// Like [`answer`], for a body that the route reads itself, because it is not always JSON.
///
/// # Errors
/// `idempotency_key_reuse`, the error for a request that is still running, or those of `run`.
pub async fn answer_read<A>(
    base: &Base,
    caller: &Caller<A>,
    uri: &Uri,
    fingerprint: [u8; 32],
    run: impl AsyncFnOnce(Option<IdempotentRequest>) -> Result<IdempotentResponse>,
) -> Result<Response, Failure> {
    let idempotent = caller
        .idempotency_key
        .clone()
        .map(|key| IdempotentRequest::post(&caller.authenticated, uri.path().to_owned(), key, fingerprint));
    if let Some(idempotent) = &idempotent
        && let Some(response) = idempotency::settle(base, idempotent).await?
    {
        return Ok(render(IdempotentResponse { response, replayed: true })?);
    }
    Ok(render(run(idempotent).await?)?)
}

/// Like [`answer`], for a request without parameters: its body may be absent or have no fields.
///
/// # Errors
/// Those of [`answer`].
pub async fn answer_bare<A>(
    base: &Base,
    caller: &Caller<A>,
    request: Request,
    storage: ReplayStorage,
    run: impl AsyncFnOnce(Option<IdempotentRequest>) -> Result<IdempotentResponse>,
) -> Result<Response, Failure> {
    let (parts, bytes) = read(&base.config, request).await?;
    let object = if bytes.is_empty() { Map::new() } else { json::parse_object(&parts.headers, &bytes)? };
    let received = settle(base, caller, &parts, object, storage).await?;
    let run = async |object, idempotent| {
        Fields::of(object).finish(Some(()))?;
        run(idempotent).await
    };
    finish(received, storage, run).await
}

async fn finish(
    received: Received,
    storage: ReplayStorage,
    run: impl AsyncFnOnce(Map<String, Value>, Option<IdempotentRequest>) -> Result<IdempotentResponse>,
) -> Result<Response, Failure> {
    let answer = match received {
        Received::Fresh(object, idempotent) => run(object, idempotent).await?,
        Received::Replay(response, _) => IdempotentResponse { response, replayed: true },
    };
    let mut response = render(answer)?;
    if storage == ReplayStorage::Sealed {
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    Ok(response)
}

/// A response with a JSON body, to be recorded and sent.
///
/// # Errors
/// [`Error::Store`] when the body is not JSON.
pub fn json(status: u16, body: &impl Serialize) -> Result<Stored> {
    Ok(Stored::json(status, body)?)
}

/// Renders the response.
///
/// # Errors
/// [`Error::Internal`] when the stored row is not a response.
pub fn render(IdempotentResponse { response: stored, replayed }: IdempotentResponse) -> Result<Response> {
    let internal = |what: &str| Error::Internal(format!("a stored response has a bad {what}"));
    let mut response = Response::new(Body::from(stored.body));
    *response.status_mut() = StatusCode::from_u16(stored.status).map_err(|_| internal("status"))?;
    let content_type = HeaderValue::from_str(&stored.content_type).map_err(|_| internal("media type"))?;
    response.headers_mut().insert(CONTENT_TYPE, content_type);
    if replayed {
        response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    }
    Ok(response)
}
