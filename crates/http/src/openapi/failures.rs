//! The failures of an operation: those that its handler lists, and those of its extractors. A debug
//! build checks every failing response against them, so each test of a route also tests its list.

use std::sync::Arc;

use axum::{
    extract::{MatchedPath, Request, State},
    http::Method,
    middleware::Next,
    response::Response,
};
use lectern_types::ErrorCode;
use serde_json::{Map, Value};
use utoipa::openapi::{OpenApi, path::Operation};

use crate::envelope;

/// The extension of an annotation in which a handler lists its codes.
pub(crate) const LIST: &str = "x-errors";

/// The extension that says whether an operation is open to accounts that owe consent.
const CONSENT_EXEMPT: &str = "x-consent-exempt";

/// The failures of every route that takes a key.
pub(super) const KEYED: &[ErrorCode] = &[
    ErrorCode::MissingApiKey,
    ErrorCode::InvalidApiKey,
    ErrorCode::ApiKeyRevoked,
    ErrorCode::ApiKeyExpired,
    ErrorCode::BearerNotAllowedOnSaas,
    ErrorCode::ConsentRequired,
    ErrorCode::RateLimited,
    ErrorCode::InvalidIdempotencyKey,
    ErrorCode::RequestTooLarge,
];

/// The failures of every route that takes a session.
const SIGNED_IN: &[ErrorCode] = &[
    ErrorCode::InvalidCredentials,
    ErrorCode::ApiKeyNotAllowedOnBff,
    ErrorCode::RateLimited,
    ErrorCode::InvalidIdempotencyKey,
    ErrorCode::RequestTooLarge,
];

/// The failures of every route.
const ALL: &[ErrorCode] = &[ErrorCode::InternalError, ErrorCode::ServiceUnavailable];

/// The failures of an operation in alphabetical order. Removes the extensions that listed them.
pub(super) fn take(operation: &mut Map<String, Value>) -> Vec<ErrorCode> {
    let mut codes: Vec<ErrorCode> =
        operation.remove(LIST).and_then(|list| serde_json::from_value(list).ok()).unwrap_or_default();
    let is_consent_exempt = operation.remove(CONSENT_EXEMPT) == Some(true.into());
    let security = operation.get("security").map(Value::to_string);
    let by_session = security.as_deref().is_some_and(|text| text.contains("\"session\""));
    codes.extend(match &security {
        None => KEYED,
        Some(_) if by_session => SIGNED_IN,
        Some(_) => &[],
    });
    codes.extend(ALL);
    // A session has every scope.
    codes.retain(|code| !(by_session && *code == ErrorCode::InsufficientScope));
    codes.retain(|code| !(is_consent_exempt && *code == ErrorCode::ConsentRequired));
    codes.sort_by_key(|code| code.as_str());
    codes.dedup();
    codes
}

/// Panics when a handler answers with a code that its operation does not list. For debug builds:
/// the panic becomes a 500, at which the test of the route fails.
pub(crate) async fn check(State(api): State<Arc<OpenApi>>, request: Request, next: Next) -> Response {
    let operation = operation(&api, &request).cloned();
    let response = next.run(request).await;
    if let (Some(operation), Some(code)) = (operation, envelope::code(&response)) {
        let id = operation.operation_id.clone().unwrap_or_default();
        let mut operation = serde_json::to_value(operation).unwrap_or_default();
        let listed = operation.as_object_mut().map(take).unwrap_or_default();
        assert!(listed.contains(&code), "`{id}` answers `{code}`, which is not in its list of errors");
    }
    response
}

/// The operation that a request is for.
fn operation<'a>(api: &'a OpenApi, request: &Request) -> Option<&'a Operation> {
    let path = request.extensions().get::<MatchedPath>()?;
    let item = api.paths.paths.get(path.as_str())?;
    let operation = match *request.method() {
        Method::GET | Method::HEAD => &item.get,
        Method::POST => &item.post,
        Method::PUT => &item.put,
        Method::PATCH => &item.patch,
        Method::DELETE => &item.delete,
        _ => return None,
    };
    operation.as_ref()
}

#[cfg(test)]
mod tests {
    use axum::{Router, body::Body, middleware, routing::get};
    use tower::ServiceExt as _;

    use super::*;
    use crate::{envelope::Failure, router};

    async fn answer(code: ErrorCode) -> Response {
        let checked = middleware::from_fn_with_state(Arc::new(router::described()), check);
        let handler = move || async move { Failure::from(code) };
        let router: Router = Router::new().route("/v1/saas/me", get(handler)).layer(checked);
        let request = Request::builder().uri("/v1/saas/me").body(Body::empty()).unwrap();
        router.oneshot(request).await.unwrap()
    }

    #[tokio::test]
    #[should_panic(expected = "`get_me` answers `not_found`")]
    async fn a_code_that_is_not_listed_is_noticed() {
        answer(ErrorCode::NotFound).await;
    }

    #[tokio::test]
    async fn a_code_that_is_listed_by_the_handler_or_for_all_routes_passes() {
        for code in [ErrorCode::ValidationFailed, ErrorCode::ApiKeyExpired, ErrorCode::InternalError] {
            assert_eq!(answer(code).await.status().as_u16(), code.http_status());
        }
    }
}
