//! `GET /v1/models` and `GET /v1/models/{model}`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{RawPathParams, State, rejection::RawPathParamsRejection},
    http::{HeaderMap, Uri},
};
use lectern_service::app::App;
use lectern_types::{ErrorCode, Model, Models, SpeechModel, elevenlabs::ModelList};

use crate::{
    elevenlabs,
    envelope::Failure,
    extract::{
        auth::{AnyKey, Caller, XI_API_KEY},
        page::Parameters,
        path,
    },
};

/// The failures of the list besides those that every route with a key has.
pub const LIST_ERRORS: &[ErrorCode] = &[ErrorCode::ValidationFailed];

/// The failures of one model besides those that every route with a key has.
pub const GET_ERRORS: &[ErrorCode] = &[ErrorCode::ValidationFailed, ErrorCode::NotFound];

/// The engine's creation date, in seconds since 1970: 2026-11-01.
const CREATED: i64 = 1_793_491_200;

/// List models
///
/// The names of the one engine: its own, and those of OpenAI's models that stand for it. A request whose key is in
/// `xi-api-key` gets them in ElevenLabs' form.
#[utoipa::path(
    get,
    path = "/v1/models",
    tag = "OpenAI",
    operation_id = "list_models",
    extensions(("x-errors" = json!(LIST_ERRORS))),
    responses((status = 200, description = "The models", body = ModelList))
)]
pub async fn list_models(
    State(app): State<Arc<App>>,
    _caller: Caller<AnyKey>,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Json<ModelList>, Failure> {
    Parameters::of(&uri).finish()?;
    if headers.contains_key(XI_API_KEY) {
        return Ok(Json(ModelList::ElevenLabs(elevenlabs::models::list(&app).await?)));
    }
    Ok(Json(ModelList::OpenAi(Models {
        object: "list".to_owned(),
        data: SpeechModel::ALL.iter().copied().map(model).collect(),
    })))
}

/// Get a model
///
/// One of the names of the one engine.
#[utoipa::path(
    get,
    path = "/v1/models/{model}",
    tag = "OpenAI",
    operation_id = "get_model",
    params(("model" = String, Path, description = "The model's name", example = "lectern")),
    extensions(("x-errors" = json!(GET_ERRORS))),
    responses((status = 200, description = "The model", body = Model))
)]
pub async fn get_model(
    _caller: Caller<AnyKey>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    uri: Uri,
) -> Result<Json<Model>, Failure> {
    Parameters::of(&uri).finish()?;
    let name = path::text(path, "model").ok_or(ErrorCode::NotFound)?;
    let found = SpeechModel::parse(&name).ok_or(ErrorCode::NotFound)?;
    Ok(Json(model(found)))
}

fn model(model: SpeechModel) -> Model {
    Model {
        id: model.as_str().to_owned(),
        object: "model".to_owned(),
        created: CREATED,
        owned_by: "lectern".to_owned(),
    }
}
