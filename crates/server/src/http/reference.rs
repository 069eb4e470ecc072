//! `/docs`: the API's document as a page to read and to try calls on. Swagger UI draws it, from files that its crate
//! carries; nothing is loaded from elsewhere. Links are relative, so that the page works behind a proxy's prefix.

use std::sync::{Arc, LazyLock};

use axum::{
    Router,
    body::Body,
    extract::{Path, rejection::PathRejection},
    http::{
        HeaderMap, HeaderName, HeaderValue,
        header::{
            CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY,
            X_CONTENT_TYPE_OPTIONS,
        },
    },
    response::{IntoResponse as _, Redirect, Response},
    routing::get,
};
use lectern_types::ErrorCode;
use utoipa_swagger_ui::Config;

use super::{envelope::Failure, extract::idempotency};
use crate::{app::App, error::Error};

const PAGE: &str = include_str!("reference/index.html");

/// The name and text of our own script.
const SCRIPT: (&str, &str) = ("reference.js", include_str!("reference/reference.js"));

/// Only what this service serves may run, and nobody may frame it. Swagger UI sets styles on its elements and holds
/// its icons in its style sheet.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; font-src 'self' data:; media-src *; connect-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// The routes. They are no part of the API and so not of its document.
pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/docs", get(page))
        // The page's links are relative to the path without the slash.
        .route("/docs/", get(with_slash))
        .route("/docs/{file}", get(file))
}

async fn with_slash(headers: HeaderMap) -> Result<Redirect, Failure> {
    idempotency::key(&headers)?;
    Ok(Redirect::permanent("../docs"))
}

async fn page(headers: HeaderMap) -> Result<Response, Failure> {
    idempotency::key(&headers)?;
    let mut response = PAGE.into_response();
    for (name, value) in [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_SECURITY_POLICY, POLICY),
        (REFERRER_POLICY, "no-referrer"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (CACHE_CONTROL, "no-cache"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    Ok(response)
}

async fn file(headers: HeaderMap, file: Result<Path<String>, PathRejection>) -> Result<Response, Failure> {
    static CONFIG: LazyLock<Arc<Config<'static>>> = LazyLock::new(|| Arc::new(Config::new(["openapi.json"])));
    idempotency::key(&headers)?;
    let Ok(Path(name)) = file else { return Err(ErrorCode::NotFound.into()) };
    let mut response = if name == SCRIPT.0 {
        ([(CONTENT_TYPE, "text/javascript")], SCRIPT.1).into_response()
    } else {
        let found = utoipa_swagger_ui::serve(&name, Arc::clone(&CONFIG))
            .map_err(|error| Error::Internal(format!("the reference's files cannot be read: {error}")))?
            // Its own page and script are not used.
            .filter(|_| !matches!(name.as_str(), "index.html" | "swagger-initializer.js"))
            .ok_or(ErrorCode::NotFound)?;
        let mut response = Body::from(found.bytes.into_owned()).into_response();
        let mut set = |name: HeaderName, value: &str| {
            if let Ok(value) = HeaderValue::from_str(value) {
                response.headers_mut().insert(name, value);
            }
        };
        set(CONTENT_TYPE, &found.content_type);
        if found.gzpipped {
            set(CONTENT_ENCODING, "gzip");
        }
        response
    };
    let headers = response.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600"));
    Ok(response)
}
