//! The two pages that mails' links open, until the web application has its own: confirming an address and setting a
//! new password. Each is one file whose script sends the link's token when its button is pressed: mail programs that
//! open links by themselves change nothing.

use std::sync::LazyLock;

use axum::{
    Router,
    http::{
        HeaderMap, HeaderValue,
        header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY},
    },
    response::{IntoResponse as _, Response},
    routing::get,
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest as _, Sha256};

use super::{envelope::Failure, extract::idempotency};
use crate::app::App;

static CONFIRM: LazyLock<Page> = LazyLock::new(|| Page::new(include_str!("pages/confirm.html")));
static RESET: LazyLock<Page> = LazyLock::new(|| Page::new(include_str!("pages/reset.html")));

/// The routes. They are no part of the API and so not of its document.
pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/confirm", get(async |headers: HeaderMap| CONFIRM.answer(&headers)))
        .route("/reset", get(async |headers: HeaderMap| RESET.answer(&headers)))
}

/// A page and what it may do.
struct Page {
    html: &'static str,
    policy: String,
}

impl Page {
    /// A page that may run its own script, show its own style and talk to this service.
    fn new(html: &'static str) -> Self {
        let hash = |tag: &str| {
            let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
            let inside = html.split_once(&open).and_then(|(_, rest)| rest.split_once(&close));
            STANDARD.encode(Sha256::digest(inside.map_or("", |(inside, _)| inside)))
        };
        let policy = format!(
            "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; connect-src 'self'; base-uri 'none'; \
             form-action 'none'; frame-ancestors 'none'",
            hash("script"),
            hash("style")
        );
        Self { html, policy }
    }

    fn answer(&self, headers: &HeaderMap) -> Result<Response, Failure> {
        idempotency::key(headers)?;
        let mut response = self.html.into_response();
        for (name, value) in [
            (CONTENT_TYPE, "text/html; charset=utf-8"),
            (CONTENT_SECURITY_POLICY, &self.policy),
            // The address of this page holds a secret.
            (REFERRER_POLICY, "no-referrer"),
            (CACHE_CONTROL, "no-store"),
        ] {
            if let Ok(value) = HeaderValue::from_str(value) {
                response.headers_mut().insert(name, value);
            }
        }
        Ok(response)
    }
}
