//! `GET /v1/audio/voices`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_store::ereaders::Ereader;
use lectern_types::{ErrorCode, Voice, Voices};

use crate::{
    envelope::Failure,
    extract::{
        auth::{AnyKey, Caller},
        page::Parameters,
    },
};
use lectern_service::{app::App, services::speech::ereader_catalog::openai_voices::Catalogue};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::ValidationFailed];

/// List voices
///
/// What `voice` takes. `data` has the active e-readers, newest first; `voices`, which clients of other servers look for,
/// also has OpenAI's own names (`alloy`, …) with the e-readers that they stand for.
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
    let catalogue = Catalogue::read(&app.base.store, &app.base.config.voices.openai).await?;
    let data: Vec<Voice> = catalogue
        .newest_first()
        .into_iter()
        .map(|ereader| voice(&ereader.slug, ereader.name.clone(), ereader))
        .collect();
    let mut voices = data.clone();
    for (name, ereader) in catalogue.other_names() {
        voices.push(voice(name, format!("{name} ({})", ereader.name), ereader));
    }
    Ok(Json(Voices { object: "list".to_owned(), data, voices }))
}

fn voice(id: &str, name: String, ereader: &Ereader) -> Voice {
    Voice {
        id: id.to_owned(),
        object: "voice".to_owned(),
        name,
        ereader_id: ereader.id,
        languages: ereader.languages.clone(),
        tier: ereader.tier,
        price_per_character: ereader.price_per_character,
    }
}
