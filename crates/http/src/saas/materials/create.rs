//! `POST /v1/saas/materials`.

mod form;

use std::{sync::Arc, time::Duration};

use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, Uri, request::Parts},
    response::Response,
};
use lectern_types::{CreateMaterialRequest, ErrorCode, Material, Request as _, UploadMaterialForm};
use serde_json::Value;
use tracing::Instrument as _;

use self::form::Form;
use super::shown;
use crate::{
    envelope::Failure,
    extract::{
        auth::{Access, Caller, Write},
        form_data::{self, Caps, FormData},
        json,
        page::Parameters,
        post,
    },
};
use lectern_service::{
    app::App,
    base::Base,
    config::Limits,
    error::{Error, Result},
    services::{
        idempotency::{self, IdempotentRequest, IdempotentResponse},
        limits::concurrency::Permit,
        materials::{
            import::{self, Import},
            intake::Intake,
            upload::{self, Upload},
        },
    },
};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::RequestTooLarge,
    ErrorCode::FileTooLarge,
    ErrorCode::RequestTimeout,
    ErrorCode::IdempotencyKeyReuse,
    ErrorCode::ValidationFailed,
    ErrorCode::TextEmpty,
    ErrorCode::MaterialUnreadable,
    ErrorCode::UrlMustBeHttps,
    ErrorCode::UrlHostNotAllowed,
];

/// Largest body in JSON.
const JSON_BYTES: u64 = 16 * 1024 * 1024;

/// The limit on the size of a form besides its file.
const BESIDES_BYTES: u64 = 1024 * 1024;

/// Bytes of a JSON text that are stored at a time.
const PIECE_BYTES: usize = 256 * 1024;

/// A key with the scope `write`, for a body of this route.
#[derive(Debug)]
pub struct Uploading;

impl Access for Uploading {
    const SCOPE: Option<lectern_store::Scope> = Write::SCOPE;

    fn check_length(limits: &Limits, headers: &HeaderMap) -> Result<()> {
        if !form_data::is_form(headers) {
            return json::check_declared_length(headers, JSON_BYTES);
        }
        let max_bytes = limits.file_bytes;
        json::check_declared_length(headers, max_bytes.saturating_add(BESIDES_BYTES))
            .map_err(|_| Error::FileTooLarge { max_bytes })
    }
}

/// Upload a material
///
/// Takes a book or another long text: a file as `multipart/form-data`, or as JSON a text or the address of a document,
/// which is fetched before the call returns. The type of a file is recognized by its content: plain text, Markdown, HTML,
/// EPUB, Kindle (MOBI, AZW3), FictionBook 2, PDF, DOCX, ODT or RTF; where the service recognizes text, also pictures of
/// pages (PNG, JPEG, TIFF, or a ZIP of them). The material is `processing` until its text is
/// extracted and cut into chunks, and then
/// `ready` to be converted, or `failed` with a reason. With an `Idempotency-Key`, repeating the
/// call returns the same response for 24 hours.
#[utoipa::path(
    post,
    path = "/v1/saas/materials",
    tag = "Materials",
    operation_id = "create_material",
    params(
        crate::extract::idempotency::Header,
    ),
    request_body(content(
        (UploadMaterialForm = "multipart/form-data"),
        (CreateMaterialRequest = "application/json"),
    )),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 202, description = "The material is being read", body = Material, headers(
        ("Idempotent-Replayed" = Option<String>, description = "`true` when an earlier call made this response"),
    ), example = json!({
        "id": "mat_019aa4f6c0de7000800000000000f001",
        "title": "The Harbour",
        "status": "processing",
        "language": null,
        "language_source": null,
        "source": { "filename": "the-harbour.epub", "media_type": "application/epub+zip", "bytes": 412_345 },
        "characters": null,
        "chunk_count": null,
        "chunks_completed": 0,
        "chunks_failed": 0,
        "duration_ms": null,
        "ereader_id": null,
        "failure": null,
        "warnings": [],
        "created_at": "2026-11-21T07:08:11.524Z",
        "updated_at": "2026-11-21T07:08:11.524Z",
    })))
)]
pub async fn create_material(
    State(app): State<Arc<App>>,
    caller: Caller<Uploading>,
    request: Request,
) -> Result<Response, Failure> {
    let turn = upload::turn(&app.uploads, caller.authenticated.account).await?;
    let (parts, body) = request.into_parts();
    // Runs in its own task: when the client disconnects, the request's future is dropped, but the
    // stored file must still be deleted.
    let tasks = app.tasks.clone();
    let work = async move { receive(&app, &caller, &parts, body, turn).await };
    let answer = tasks.spawn(work.in_current_span()).await;
    let answer = answer.map_err(|_| Error::Internal("an upload panicked".to_owned()))?;
    Ok(post::render(answer?)?)
}

/// `turn` is the place among the uploads.
async fn receive(
    app: &App,
    caller: &Caller<Uploading>,
    parts: &Parts,
    body: Body,
    turn: Permit,
) -> Result<IdempotentResponse> {
    let base = &app.base;
    if form_data::is_form(&parts.headers) {
        let patience = Duration::from_secs(base.config.http.body_seconds);
        let file_bytes = base.config.limits.file_bytes;
        let caps = Caps { file_bytes, body_bytes: file_bytes.saturating_add(BESIDES_BYTES), patience };
        let mut form = Form::default();
        let whole = match FormData::new(&parts.headers, body, caps) {
            Ok(data) => form.read(base, data, file_bytes).await,
            Err(error) => Err(error),
        };
        return match whole {
            Ok(()) => form.answer(base, caller, &parts.uri).await,
            Err(error) => {
                form.abort().await;
                Err(error)
            }
        };
    }
    let patience = Duration::from_secs(base.config.http.body_seconds);
    let bytes = json::read(body, JSON_BYTES, patience).await?;
    let object = json::parse_object(&parts.headers, &bytes)?;
    drop(bytes);
    let idempotent = idempotent(caller, &parts.uri, || json::fingerprint(&object));
    if let Some(answer) = settle(base, idempotent.as_ref()).await? {
        return Ok(answer);
    }
    Parameters::of(&parts.uri).finish()?;
    // A text of only white space is reported before any other wrong field.
    if object.get("text").and_then(Value::as_str).is_some_and(|text| text.chars().all(char::is_whitespace)) {
        return Err(ErrorCode::TextEmpty.into());
    }
    let CreateMaterialRequest { title, text, url, language } = CreateMaterialRequest::parse(object)?;
    let upload = match (text, url) {
        (Some(text), None) => {
            let intake = take_in(base, text.0).await?;
            Upload { intake, is_text: true, title, language, filename: None, url: None }
        }
        (None, Some(url)) => {
            // Waiting for another server takes no place from those who upload.
            drop(turn);
            let _turn = import::turn(&app.imports, caller.authenticated.account).await?;
            let Import { intake, filename, url } = import::fetch(base, &url.0, &app.stop).await?;
            Upload { intake, is_text: false, title, language, filename, url: Some(url) }
        }
        (None, None) => return Err(Error::invalid("text", "is required, or url")),
        (Some(_), Some(_)) => return Err(Error::invalid("url", "cannot be combined with text")),
    };
    upload::create(base, &caller.authenticated, upload, idempotent, shown).await
}

/// Stores a text.
async fn take_in(base: &Base, text: String) -> Result<Intake> {
    let mut intake = Intake::begin(base).await?;
    let mut text = axum::body::Bytes::from(text);
    while !text.is_empty() {
        let piece = text.split_to(text.len().min(PIECE_BYTES));
        if let Err(error) = intake.write(piece).await {
            intake.abort().await;
            return Err(error);
        }
    }
    Ok(intake)
}

fn idempotent(
    caller: &Caller<Uploading>,
    uri: &Uri,
    fingerprint: impl FnOnce() -> [u8; 32],
) -> Option<IdempotentRequest> {
    let key = caller.idempotency_key.clone()?;
    Some(IdempotentRequest::post(&caller.authenticated, uri.path().to_owned(), key, fingerprint()))
}

/// The response to an earlier call under the same `Idempotency-Key`.
async fn settle(base: &Base, idempotent: Option<&IdempotentRequest>) -> Result<Option<IdempotentResponse>> {
    let Some(idempotent) = idempotent else { return Ok(None) };
    let kept = idempotency::settle(base, idempotent).await?;
    Ok(kept.map(|response| IdempotentResponse { response, replayed: true }))
}
