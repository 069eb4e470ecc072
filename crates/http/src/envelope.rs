//! The error envelope: the one place where a failure becomes a response.
//!
//! A handler's failure travels as [`Failure`] in the extensions of an empty response.
//! [`crate::edge`] renders it with the request's id, and also wraps axum's own refusals.

use std::sync::Arc;

use axum::{
    body::Body,
    http::{
        HeaderName, HeaderValue, StatusCode,
        header::{ALLOW, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE},
    },
    response::{IntoResponse, Response},
};
use lectern_types::{ErrorBody, ErrorCode, ErrorDetail, ErrorEnvelope, EventType, RequestId};
use serde_json::{Value, json};

use lectern_service::{error::Error, objects::s3_error};

/// `Retry-After` in seconds when object storage is down.
const STORAGE_RETRY_SECONDS: &str = "5";

/// Marks an error response that is complete, such as an HTML page. It gets no envelope.
#[derive(Debug, Clone, Copy)]
pub(super) struct Whole;

/// Marks a response whose envelope says the error once more, as ElevenLabs' SDKs read it.
#[derive(Debug, Clone, Copy)]
pub(super) struct WithDetail;

/// A failure on its way to the edge.
#[derive(Debug, Clone)]
pub struct Failure(Arc<Error>);

impl<E: Into<Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(Arc::new(error.into()))
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = status(shape(&self.0).code).into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// The client's view of a failure.
struct Shape {
    code: ErrorCode,
    message: String,
    details: Option<Value>,
    header: Option<(HeaderName, String)>,
}

impl Shape {
    fn of(code: ErrorCode) -> Self {
        Self { code, message: code.default_message().to_owned(), details: None, header: None }
    }

    fn body(self, request_id: RequestId) -> ErrorBody {
        let details = match self.details {
            Some(Value::Object(details)) => Some(details),
            _ => None,
        };
        ErrorBody { code: self.code, message: self.message, details, request_id }
    }
}

/// The error that a client on a socket receives.
pub(super) fn on_socket(error: &Error, request_id: RequestId) -> ErrorBody {
    let shape = shape(error);
    log(error, shape.code);
    shape.body(request_id)
}

fn shape(error: &Error) -> Shape {
    match error {
        Error::Refused(code) => Shape::of(*code),
        Error::Invalid(fields) => {
            Shape { details: Some(json!({ "fields": fields.0 })), ..Shape::of(ErrorCode::ValidationFailed) }
        }
        Error::ConsentRequired { owed, terms_version, privacy_version } => Shape {
            details: Some(json!({
                "owed": owed, "terms_version": terms_version, "privacy_version": privacy_version,
            })),
            ..Shape::of(ErrorCode::ConsentRequired)
        },
        Error::InsufficientScope { required } => Shape {
            details: Some(json!({ "required": required })),
            ..Shape::of(ErrorCode::InsufficientScope)
        },
        Error::ScopeEscalation { requested, held, environment } => {
            let mut details = json!({ "requested": requested, "held": held });
            if let Some(environment) = environment {
                details["environment"] = json!(environment);
            }
            Shape { details: Some(details), ..Shape::of(ErrorCode::ScopeEscalation) }
        }
        Error::WeakPassword { requirements } => Shape {
            details: Some(json!({ "requirements": requirements })),
            ..Shape::of(ErrorCode::WeakPassword)
        },
        Error::RequestTooLarge { max_bytes } => Shape {
            details: Some(json!({ "max_bytes": max_bytes })),
            ..Shape::of(ErrorCode::RequestTooLarge)
        },
        Error::FileTooLarge { max_bytes } => {
            Shape { details: Some(json!({ "max_bytes": max_bytes })), ..Shape::of(ErrorCode::FileTooLarge) }
        }
        Error::Unreadable { reason, message } => Shape {
            message: message.clone(),
            details: Some(json!({ "reason": reason })),
            ..Shape::of(ErrorCode::MaterialUnreadable)
        },
        Error::MaterialNotReady { status } => {
            Shape { details: Some(json!({ "status": status })), ..Shape::of(ErrorCode::MaterialNotReady) }
        }
        Error::LanguageNotSupported { language, supported } => {
            language_not_supported(language.as_deref(), supported)
        }
        Error::EreaderLocked { ereader } => Shape {
            details: Some(json!({ "locked_ereader_id": ereader })),
            ..Shape::of(ErrorCode::EreaderLocked)
        },
        Error::ChunksNotReady { indexes, count } => chunks_not_ready(indexes, *count),
        Error::NoChapterIncluded => Shape {
            message: "No chapter of the material is included, so there is nothing to hear.".to_owned(),
            ..chunks_not_ready(&[], 0)
        },
        Error::InvalidEventType => Shape {
            details: Some(json!({ "allowed": EventType::ALL })),
            ..Shape::of(ErrorCode::InvalidEventType)
        },
        Error::OriginNotAllowed { own } => Shape {
            message: format!("Signing in is for the page of this service, at its own address: {own}."),
            details: Some(json!({ "origin": own })),
            ..Shape::of(ErrorCode::OriginNotAllowed)
        },
        Error::RangeNotSatisfiable { length } => Shape {
            details: Some(json!({ "length": length })),
            header: Some((CONTENT_RANGE, format!("bytes */{length}"))),
            ..Shape::of(ErrorCode::RangeNotSatisfiable)
        },
        Error::RateLimited { limit, retry_after_seconds } => Shape {
            message: format!("Too many requests: {limit}."),
            header: Some((RETRY_AFTER, retry_after_seconds.to_string())),
            ..Shape::of(ErrorCode::RateLimited)
        },
        Error::Unavailable { what, retry_after_seconds } => Shape {
            message: format!("The service cannot answer now: {what}."),
            header: Some((RETRY_AFTER, retry_after_seconds.to_string())),
            ..Shape::of(ErrorCode::ServiceUnavailable)
        },
        Error::NotReady(missing) => Shape {
            message: format!("Not ready: {}.", missing.join(", ")),
            details: Some(json!({ "missing": missing })),
            header: Some((RETRY_AFTER, "1".to_owned())),
            ..Shape::of(ErrorCode::ServiceUnavailable)
        },
        Error::Engine(_) => Shape::of(ErrorCode::TtsProviderError),
        Error::Store(source) if source.is_transient() => {
            Shape { header: Some((RETRY_AFTER, "1".to_owned())), ..Shape::of(ErrorCode::ServiceUnavailable) }
        }
        // Remote storage may recover soon.
        Error::Objects(source) if s3_error::of(source).is_some() => Shape {
            message: "The service cannot answer now: object storage does not answer.".to_owned(),
            header: Some((RETRY_AFTER, STORAGE_RETRY_SECONDS.to_owned())),
            ..Shape::of(ErrorCode::ServiceUnavailable)
        },
        Error::Objects(source) if s3_error::is_disk_full(source) => Shape {
            message: "The service cannot answer now: object storage has no room left.".to_owned(),
            header: Some((RETRY_AFTER, STORAGE_RETRY_SECONDS.to_owned())),
            ..Shape::of(ErrorCode::ServiceUnavailable)
        },
        Error::Store(_) | Error::Objects(_) | Error::Internal(_) => Shape::of(ErrorCode::InternalError),
    }
}

fn chunks_not_ready(indexes: &[u32], count: u32) -> Shape {
    Shape {
        message: match count {
            0 => "The material has no chunks yet.".to_owned(),
            _ => format!("{count} of the material's chunks have no audio yet."),
        },
        details: Some(json!({ "indexes": indexes, "count": count })),
        ..Shape::of(ErrorCode::ChunkNotReady)
    }
}

fn language_not_supported(language: Option<&str>, supported: &[String]) -> Shape {
    let text = match language {
        Some(language) => {
            format!("The text is in a language that this e-reader does not speak ({language}).")
        }
        None => "The text is in a script that this e-reader does not speak.".to_owned(),
    };
    Shape {
        message: format!("{text} It speaks: {}.", supported.join(", ")),
        details: Some(json!({ "language": language, "supported": supported })),
        ..Shape::of(ErrorCode::LanguageNotSupported)
    }
}

/// The code and the message of an error, for clients that do not speak HTTP. What the client cannot fix is logged.
pub fn tell(error: &Error) -> (ErrorCode, String) {
    let Shape { code, message, details, .. } = shape(error);
    log(error, code);
    let fields = details.as_ref().and_then(|details| details.get("fields")?.as_object());
    let fields = fields
        .into_iter()
        .flatten()
        .map(|(field, sentence)| format!(" `{field}` {}.", sentence.as_str().unwrap_or_default()));
    let said = fields.collect::<String>();
    (code, message + &said)
}

fn status(code: ErrorCode) -> StatusCode {
    StatusCode::from_u16(code.http_status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// Gives a failure its envelope; any other response stays as it is.
pub(super) fn seal(response: Response, request_id: RequestId) -> Response {
    let code = code(&response);
    let (mut parts, body) = response.into_parts();
    let failure = parts.extensions.remove::<Failure>();
    let shape = match (code, &failure) {
        (None, _) => return Response::from_parts(parts, body),
        (Some(_), Some(Failure(error))) => shape(error),
        (Some(code), None) => Shape::of(code),
    };
    if let Some(Failure(error)) = &failure {
        log(error, shape.code);
    }
    let detail = parts.extensions.remove::<WithDetail>();
    let detail = detail.map(|_| ErrorDetail { status: shape.code, message: shape.message.clone() });
    parts.status = status(shape.code);
    let header = shape.header.clone();
    let text =
        serde_json::to_string(&ErrorEnvelope { error: shape.body(request_id), detail }).unwrap_or_default();
    // The body headers of axum's own refusals no longer apply; `Allow` of a 405 stays.
    parts.headers.remove(CONTENT_LENGTH);
    parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Some((name, value)) = header
        && let Ok(value) = HeaderValue::from_str(&value)
    {
        parts.headers.insert(name, value);
    }
    if parts.status == StatusCode::UNAUTHORIZED {
        parts.headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    if matches!(parts.status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS) {
        parts.headers.entry(RETRY_AFTER).or_insert(HeaderValue::from_static("1"));
    }
    if parts.status == StatusCode::METHOD_NOT_ALLOWED {
        parts.headers.entry(ALLOW).or_insert(HeaderValue::from_static("GET"));
    }
    Response::from_parts(parts, Body::from(text))
}

/// The envelope of a code without details.
pub(super) fn text(code: ErrorCode, request_id: RequestId) -> String {
    let message = code.default_message().to_owned();
    let error = ErrorBody { code, message, details: None, request_id };
    let envelope = ErrorEnvelope { error, detail: None };
    serde_json::to_string(&envelope).unwrap_or_default()
}

/// The status of a code as digits.
pub(super) fn digits(code: ErrorCode) -> String {
    code.http_status().to_string()
}

/// The reason phrase that HTTP/1 puts after the status.
pub(super) fn reason(code: ErrorCode) -> &'static str {
    status(code).canonical_reason().unwrap_or_default()
}

/// The code of a response that is a failure.
pub(super) fn code(response: &Response) -> Option<ErrorCode> {
    let status = response.status();
    if response.extensions().get::<Whole>().is_some() {
        return None;
    }
    match response.extensions().get::<Failure>() {
        Some(Failure(error)) => Some(shape(error).code),
        None => (status.is_client_error() || status.is_server_error()).then(|| code_of(status)),
    }
}

/// The code of a refusal that did not come from our own code.
fn code_of(status: StatusCode) -> ErrorCode {
    match status {
        StatusCode::NOT_FOUND => ErrorCode::NotFound,
        StatusCode::METHOD_NOT_ALLOWED => ErrorCode::MethodNotAllowed,
        StatusCode::PAYLOAD_TOO_LARGE => ErrorCode::RequestTooLarge,
        StatusCode::SERVICE_UNAVAILABLE => ErrorCode::ServiceUnavailable,
        status if status.is_client_error() => ErrorCode::ValidationFailed,
        _ => ErrorCode::InternalError,
    }
}

/// Logs, with the whole chain, failures that the client cannot fix.
fn log(error: &Error, code: ErrorCode) {
    // A process that is not ready has already logged the reason, and probes ask it every few
    // seconds.
    if code.http_status() < 500 || matches!(error, Error::NotReady(_)) {
        return;
    }
    let mut chain = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        chain.push_str(": ");
        chain.push_str(&cause.to_string());
        source = cause.source();
    }
    tracing::error!(error.code = code.as_str(), error.chain = chain, "request failed");
}

#[cfg(test)]
mod tests {
    use super::*;
    use lectern_service::clock::{Clock, Ids};

    #[test]
    fn a_foreign_refusal_keeps_its_allow_and_gets_the_envelope() {
        let foreign = (StatusCode::METHOD_NOT_ALLOWED, [(ALLOW, "GET,HEAD")], "plain").into_response();
        let sealed = seal(foreign, Ids::new(Clock::system()).make());
        assert_eq!(sealed.headers()[ALLOW], "GET,HEAD");
        assert_eq!(sealed.headers()[CONTENT_TYPE], "application/json");
    }

    #[test]
    fn details_are_always_an_object() {
        for error in [
            Error::invalid("text", "must be a text"),
            Error::InsufficientScope { required: lectern_store::Scope::Write },
            Error::WeakPassword { requirements: vec!["strength"] },
            Error::RequestTooLarge { max_bytes: 1 },
            Error::RangeNotSatisfiable { length: 1 },
            Error::OriginNotAllowed { own: "https://speech.example.com".to_owned() },
            Error::InvalidEventType,
            Error::FileTooLarge { max_bytes: 1 },
            Error::Unreadable { reason: "empty", message: "The file is empty.".to_owned() },
            Error::MaterialNotReady { status: lectern_types::MaterialStatus::Processing },
            Error::ChunksNotReady { indexes: vec![0], count: 1 },
            Error::NoChapterIncluded,
            Error::ConsentRequired { owed: vec!["terms"], terms_version: None, privacy_version: None },
        ] {
            assert!(shape(&error).details.as_ref().is_some_and(Value::is_object), "{error}");
        }
    }
}
