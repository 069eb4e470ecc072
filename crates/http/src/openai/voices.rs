//! `GET /v1/audio/voices`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_store::ereaders;
use lectern_types::{ErrorCode, Voice, Voices};

use crate::{
    envelope::Failure,
    extract::{
        auth::{AnyKey, Caller},
        page::Parameters,
    },
};
use lectern_service::app::App;

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::ValidationFailed];

/// List voices
///
/// The active e-readers as voices, newest first. OpenAI's own names (`alloy`, …) are taken as well and stand for the
/// first free one.
#[utoipa::path(
    get,
    path = "/v1/audio/voices",
    tag = "OpenAI",
    operation_id = "list_voices",
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The voices", body = Voices))
)]
pub async fn list_voices(
    State(app): State<Arc<App>>,
    _caller: Caller<AnyKey>,
    uri: Uri,
) -> Result<Json<Voices>, Failure> {
    Parameters::of(&uri).finish()?;
    let mut active = ereaders::list(&app.base.store, ereaders::Filter::default()).await?;
    active.sort_by_key(|ereader| std::cmp::Reverse(ereader.id));
    let data: Vec<Voice> = active
        .into_iter()
        .map(|ereader| Voice {
            id: ereader.slug,
            object: "voice".to_owned(),
            name: ereader.name,
            ereader_id: ereader.id,
            languages: ereader.languages,
            tier: ereader.tier,
            price_per_character: ereader.price_per_character,
        })
        .collect();
    Ok(Json(Voices { object: "list".to_owned(), voices: data.clone(), data }))
}
