//! The OpenAPI 3.1 document. It completes the handlers' annotations with the parts that all routes
//! share and with the failures of each route. Handlers list their failures as codes in the
//! extension `x-errors`; [`failures`] adds the common ones, and statuses, envelope and examples
//! follow from those. [`share`] then moves repeated parts to one place.

mod bodies;
pub(crate) mod failures;
mod share;

use std::{io::Write as _, sync::LazyLock};

use axum::{
    Extension,
    http::{
        HeaderMap,
        header::{CONTENT_ENCODING, CONTENT_TYPE, VARY},
    },
    response::{IntoResponse as _, Response},
};
use lectern_types::{
    BookFormat, BookLoudness, CaptionFormat, ChunkCompleted, ChunkFailed, CreditsLow, ErrorBody, ErrorCode,
    ErrorEnvelope, EventType, Granularity, MaterialChanged, WebhookPayload, WebhookTest,
};
use serde::Serialize as _;
use serde_json::{Map, Value, json};
use utoipa::{
    Modify, OpenApi,
    openapi::{
        self as document,
        security::{ApiKey as SecurityApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme},
    },
};

use super::{
    envelope::Failure,
    extract::{idempotency, session},
    pages,
};

/// The failures of the document's own route.
const ERRORS: &[ErrorCode] = &[ErrorCode::InvalidIdempotencyKey];

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Lectern",
        description = "Text to natural speech. Every request to `/v1/saas` carries an API key as a bearer token; \
            its prefix selects the environment: `svc_live_` charges credits, `svc_test_` never does. Every \
            failure is the same envelope; match on `error.code`.",
        license(name = "Apache-2.0", identifier = "Apache-2.0"),
    ),
    servers((url = "/", description = "This service")),
    security(("api_key" = [])),
    components(schemas(ErrorEnvelope, ErrorBody, ErrorCode, BookFormat, BookLoudness, CaptionFormat, Granularity,
        ChunkCompleted, ChunkFailed, CreditsLow, MaterialChanged, WebhookPayload, WebhookTest)),
    modifiers(&ApiKey),
    tags(
        (name = "Speech", description = "Text to audio"),
        (name = "Materials", description = "Books and other long texts: chunks, conversion, whole-book audio"),
        (name = "E-readers", description = "Voices and their prices"),
        (name = "Credits", description = "Balance and ledger"),
        (name = "Account", description = "The account behind the key"),
        (name = "Keys", description = "API keys: make, list, revoke"),
        (name = "Lexicons", description = "Words, and how an account wants them said"),
        (name = "Webhooks", description = "Endpoints that are told of events, signed after Standard Webhooks, and their deliveries"),
        (name = "Web application", description = "What the pages at `/` talk to, for who is signed in. API keys are refused here"),
        (name = "Payments", description = "What payment providers tell"),
        (name = "Audio", description = "Signed URLs"),
        (name = "OpenAI", description = "The speech protocol of OpenAI's SDKs, on the same keys and prices"),
        (name = "ElevenLabs", description = "The text-to-speech part of ElevenLabs' API, on the same keys and prices. The key may \
            come as `xi-api-key`; failures have a `detail` as well"),
        (name = "Reference", description = "This document"),
    )
)]
struct Base;

struct ApiKey;

impl Modify for ApiKey {
    fn modify(&self, api: &mut document::OpenApi) {
        let mut scheme = Http::new(HttpAuthScheme::Bearer);
        scheme.description = Some("An API key: `svc_live_…` or `svc_test_…`".to_owned());
        let components = api.components.get_or_insert_default();
        components.add_security_scheme("api_key", SecurityScheme::Http(scheme));
        let mut session = Http::new(HttpAuthScheme::Bearer);
        session.description = Some("A session token, from `POST /v1/saas/auth/login`".to_owned());
        session.bearer_format = Some("JWT".to_owned());
        components.add_security_scheme("session", SecurityScheme::Http(session));
        let cookie = ApiKeyValue::with_description(
            session::COOKIE,
            "The same token, as `POST /v1/bff/auth/login` sets it. What changes something must carry that answer's \
             `csrf_token` as `X-Lectern-CSRF`",
        );
        components
            .add_security_scheme("session_cookie", SecurityScheme::ApiKey(SecurityApiKey::Cookie(cookie)));
    }
}

/// The parts that all routes share.
pub(super) fn base() -> document::OpenApi {
    Base::openapi()
}

/// The finished document as served.
pub(super) struct Document {
    text: String,
    /// The document compressed with gzip; empty if that failed.
    short: Vec<u8>,
}

impl Document {
    pub(super) fn new(text: String) -> Self {
        let short = gzip(text.as_bytes());
        Self { text, short }
    }
}

/// Get the API's document
///
/// This API as an OpenAPI 3.1 document.
#[utoipa::path(
    get,
    path = "/openapi.json",
    tag = "Reference",
    operation_id = "get_openapi",
    security(()),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The document", content_type = "application/json", body = Object))
)]
pub(super) async fn get_document(
    Extension(document): Extension<&'static LazyLock<Document>>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    idempotency::key(&headers)?;
    let always = [(CONTENT_TYPE, "application/json"), (VARY, "accept-encoding")];
    let Document { text, short } = &**document;
    Ok(if pages::encoding::takes_gzip(&headers) && !short.is_empty() {
        (always, [(CONTENT_ENCODING, "gzip")], short.as_slice()).into_response()
    } else {
        (always, text.as_str()).into_response()
    })
}

/// `bytes` compressed with gzip; empty if that failed.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    writer.write_all(bytes).and_then(|()| writer.finish()).unwrap_or_default()
}

/// The finished document as JSON.
pub(super) fn finish(api: document::OpenApi) -> String {
    let mut api = complete(api);
    share::share(&mut api);
    let mut text = Vec::new();
    // One space a level: with two, a fifth of the document is white space.
    let formatter = serde_json::ser::PrettyFormatter::with_indent(b" ");
    let mut serializer = serde_json::Serializer::with_formatter(&mut text, formatter);
    let _ = api.serialize(&mut serializer);
    text.push(b'\n');
    String::from_utf8(text).unwrap_or_default()
}

/// The document with every operation's failures, each written where it is used.
fn complete(api: document::OpenApi) -> Value {
    let mut api = serde_json::to_value(api).unwrap_or_default();
    if let Some(Value::Object(paths)) = api.get_mut("paths") {
        // Outside axum, its wildcard is a plain parameter.
        if let Some(media) = paths.remove("/media/{*object}") {
            paths.insert("/media/{object}".to_owned(), media);
        }
    }
    operations(&mut api["paths"]).for_each(describe);
    operations(&mut api["paths"]).for_each(bodies::name_bytes);
    bodies::require_nullable(&mut api);
    api["webhooks"] = bodies::webhooks();
    api
}

fn operations(paths: &mut Value) -> impl Iterator<Item = &mut Map<String, Value>> {
    let items = paths.as_object_mut().into_iter().flat_map(Map::values_mut);
    items.filter_map(Value::as_object_mut).flat_map(Map::values_mut).filter_map(Value::as_object_mut)
}

fn describe(operation: &mut Map<String, Value>) {
    let codes = failures::take(operation);
    for parameter in operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten() {
        forbid_null(&mut parameter["schema"]);
    }
    let Some(Value::Object(responses)) = operation.get_mut("responses") else { return };
    for response in responses.values_mut() {
        let headers = headers(response);
        headers.values_mut().for_each(|header| forbid_null(&mut header["schema"]));
        headers.insert("X-Request-Id".to_owned(), request_id());
    }
    for code in codes {
        let response = responses.entry(code.http_status().to_string()).or_insert_with(|| failure(code));
        if let Some(examples) = response.pointer_mut("/content/application~1json/examples") {
            examples[code.as_str()] = example(code);
        }
        if let Some(description) = response.get_mut("description") {
            let said = description.as_str().unwrap_or_default();
            *description = format!("{said}{}`{code}`", if said.is_empty() { "" } else { ", " }).into();
        }
    }
}

/// An optional parameter or header is absent, never null, unlike Rust's `Option`.
fn forbid_null(schema: &mut Value) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = &types[..] {
            schema["type"] = only.clone();
        }
    }
    if let Some(Value::Array(choices)) = schema.get_mut("oneOf") {
        choices.retain(|choice| choice["type"] != "null");
        if let [only] = &choices[..] {
            *schema = only.clone();
        }
    }
}

fn headers(response: &mut Value) -> &mut Map<String, Value> {
    if !response["headers"].is_object() {
        response["headers"] = json!({});
    }
    match &mut response["headers"] {
        Value::Object(headers) => headers,
        _ => unreachable!("made an object above"),
    }
}

/// The response of a status, without its codes.
fn failure(code: ErrorCode) -> Value {
    let mut response = json!({
        "description": "",
        "headers": { "X-Request-Id": request_id() },
        "content": { "application/json": {
            "schema": { "$ref": "#/components/schemas/ErrorEnvelope" },
            "examples": {},
        } },
    });
    let text = |about: &str| json!({ "description": about, "schema": { "type": "string" } });
    match code.http_status() {
        401 => response["headers"]["WWW-Authenticate"] = text("`Bearer`"),
        416 => response["headers"]["Content-Range"] = text("`bytes */` and the size"),
        429 | 503 => {
            response["headers"]["Retry-After"] = json!({
                "description": "Seconds until trying again may succeed",
                "schema": { "type": "integer", "minimum": 1 },
            });
        }
        _ => {}
    }
    response
}

fn request_id() -> Value {
    json!({
        "description": "The request's id, equal to `error.request_id`",
        "schema": { "type": "string", "pattern": "^req_[0-9a-f]{32}$" },
    })
}

fn example(code: ErrorCode) -> Value {
    let mut error = json!({
        "code": code,
        "message": code.default_message(),
        "request_id": "req_019aa4f6c0de7000800000000000c001",
    });
    let details = match code {
        ErrorCode::ConsentRequired => Some(json!({
            "owed": ["terms"], "terms_version": "2026-11-01", "privacy_version": "2026-05-01",
        })),
        ErrorCode::ValidationFailed => {
            Some(json!({ "fields": { "limit": "must be a whole number from 1 to 100" } }))
        }
        ErrorCode::InsufficientScope => Some(json!({ "required": "write" })),
        ErrorCode::ScopeEscalation => Some(json!({ "requested": ["read", "admin"], "held": ["admin"] })),
        ErrorCode::WeakPassword => Some(json!({ "requirements": ["min_length_12", "strength"] })),
        ErrorCode::RequestTooLarge => Some(json!({ "max_bytes": 1_048_576 })),
        ErrorCode::FileTooLarge => Some(json!({ "max_bytes": 52_428_800 })),
        ErrorCode::MaterialUnreadable => Some(json!({ "reason": "image_only" })),
        ErrorCode::MaterialNotReady => Some(json!({ "status": "processing" })),
        ErrorCode::LanguageNotSupported => Some(json!({ "language": "he", "supported": ["en-US"] })),
        ErrorCode::EreaderLocked => {
            Some(json!({ "locked_ereader_id": "erd_019aa4f6c0de7000800000000000a001" }))
        }
        ErrorCode::InvalidEventType => Some(json!({ "allowed": EventType::ALL })),
        ErrorCode::RangeNotSatisfiable => Some(json!({ "length": 25_200 })),
        _ => None,
    };
    if let Some(details) = details {
        error["details"] = details;
    }
    json!({ "summary": code.default_message(), "value": { "error": error } })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The document before its repeated parts are shared.
    fn document() -> Value {
        complete(super::super::router::described())
    }

    fn operations(document: &Value) -> Vec<&Value> {
        let paths = document["paths"].as_object().unwrap();
        paths.values().flat_map(|item| item.as_object().unwrap().values()).collect()
    }

    // Negative control: without the extension in one annotation, this fails and names the
    // operation.
    #[test]
    fn every_operation_lists_its_failures() {
        let document = serde_json::to_value(super::super::router::described()).unwrap();
        for operation in operations(&document) {
            assert!(operation["x-errors"].is_array(), "{}", operation["operationId"]);
        }
        let finished = self::document().to_string();
        assert!(!finished.contains("\"x-"), "the document still has an extension");
    }

    #[test]
    fn parameters_and_headers_are_never_null() {
        for operation in operations(&document()) {
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                assert!(!parameter.to_string().contains("null"), "{parameter}");
            }
            for response in operation["responses"].as_object().unwrap().values() {
                assert!(!response["headers"].to_string().contains("null"), "{response}");
            }
        }
    }

    #[test]
    fn every_response_is_described_and_every_reference_resolves() {
        for operation in operations(&document()) {
            for (status, response) in operation["responses"].as_object().unwrap() {
                assert!(!response["description"].as_str().unwrap().is_empty(), "{status} of {operation}");
            }
        }
        let document: Value = serde_json::from_str(&super::super::router::document()).unwrap();
        assert_eq!(document["openapi"], "3.1.0");
        let text = document.to_string();
        for reference in text.split("\"$ref\":\"#").skip(1) {
            let pointer = reference.split('"').next().unwrap();
            assert!(document.pointer(pointer).is_some(), "{pointer} dangles");
        }
    }
}
