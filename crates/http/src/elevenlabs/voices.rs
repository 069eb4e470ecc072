//! `GET /v1/voices`, `GET /v1/voices/{voice_id}` and `GET /v2/voices`: the active e-readers as
//! ElevenLabs describes voices.

use std::sync::Arc;

use axum::{
    Json,
    extract::{RawPathParams, State, rejection::RawPathParamsRejection},
    http::Uri,
};
use lectern_service::{app::App, error::Result, services::speech::ereader_catalog::openai_voices::Catalogue};
use lectern_store::{Tier, ereaders::Ereader};
use lectern_types::{
    EreaderId, ErrorCode, Page,
    elevenlabs::{LabelledVoice, LabelledVoices, LabelledVoicesPage, VerifiedLanguage, VoiceLabels},
    language,
};

use super::models::OWN;
use crate::{
    envelope::Failure,
    extract::{
        auth::{AnyKey, Caller},
        page::{CursorScope, Parameters},
        path,
    },
};

/// The failures of the lists besides those that every route with a key has.
pub const LIST_ERRORS: &[ErrorCode] = &[ErrorCode::ValidationFailed];

/// The failures of one voice besides those that every route with a key has.
pub const GET_ERRORS: &[ErrorCode] = &[ErrorCode::ValidationFailed, ErrorCode::EreaderNotFound];

/// The page size when the request names none, and the largest, as ElevenLabs has them.
const USUAL: u32 = 10;
const MOST: u32 = 100;

/// The most voices that a request may look up by their ids, as ElevenLabs has it.
const MOST_IDS: usize = 100;

/// The longest text that is searched for, in characters.
const LONGEST_SEARCH: usize = 200;

/// List voices in ElevenLabs' form
///
/// The active e-readers, newest first.
#[utoipa::path(
    get,
    path = "/v1/voices",
    tag = "ElevenLabs",
    operation_id = "list_labelled_voices",
    params(("show_legacy" = Option<bool>, Query, description = "Accepted but ignored")),
    extensions(("x-errors" = json!(LIST_ERRORS))),
    responses((status = 200, description = "The voices", body = LabelledVoices))
)]
pub async fn list_labelled_voices(
    State(app): State<Arc<App>>,
    _caller: Caller<AnyKey>,
    uri: Uri,
) -> Result<Json<LabelledVoices>, Failure> {
    let mut parameters = Parameters::of(&uri);
    parameters.switch("show_legacy");
    parameters.finish()?;
    let catalogue = catalogue(&app).await?;
    Ok(Json(LabelledVoices { voices: catalogue.newest_first().into_iter().map(labelled).collect() }))
}

/// Get a voice in ElevenLabs' form
///
/// An e-reader by its id, its slug or another name that stands for it.
#[utoipa::path(
    get,
    path = "/v1/voices/{voice_id}",
    tag = "ElevenLabs",
    operation_id = "get_labelled_voice",
    params(
        ("voice_id" = String, Path, description = "An e-reader's id or slug, or another name of a voice",
            example = "heart"),
        ("with_settings" = Option<bool>, Query, description = "Accepted but ignored: voices have no settings"),
    ),
    extensions(("x-errors" = json!(GET_ERRORS))),
    responses((status = 200, description = "The voice", body = LabelledVoice))
)]
pub async fn get_labelled_voice(
    State(app): State<Arc<App>>,
    _caller: Caller<AnyKey>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    uri: Uri,
) -> Result<Json<LabelledVoice>, Failure> {
    let mut parameters = Parameters::of(&uri);
    parameters.switch("with_settings");
    parameters.finish()?;
    let catalogue = catalogue(&app).await?;
    let name = path::text(path, "voice_id").ok_or(ErrorCode::EreaderNotFound)?;
    let id = catalogue.find(&name).ok_or(ErrorCode::EreaderNotFound)?;
    let all = catalogue.newest_first();
    let found = all.into_iter().find(|ereader| ereader.id == id).ok_or(ErrorCode::EreaderNotFound)?;
    Ok(Json(labelled(found)))
}

/// Search voices in ElevenLabs' form
///
/// The active e-readers, newest first, a page at a time.
#[utoipa::path(
    get,
    path = "/v2/voices",
    tag = "ElevenLabs",
    operation_id = "search_labelled_voices",
    params(
        ("search" = Option<String>, Query, description = "Only those in whose name, slug or description this stands",
            max_length = 200),
        ("gender" = Option<String>, Query, description = "Only those of this gender", max_length = 200),
        ("language" = Option<Vec<String>>, Query, description = "Only those that read one of these languages"),
        ("voice_ids" = Option<Vec<String>>, Query, description = "Only these, at most 100", max_items = 100),
        ("include_total_count" = Option<bool>, Query, description = "Accepted but ignored: the count is always there"),
        ("page_size" = Option<u32>, Query, description = "Voices on a page; 10 if absent", minimum = 1, maximum = 100),
        ("next_page_token" = Option<String>, Query, description = "`next_page_token` of the page before"),
    ),
    extensions(("x-errors" = json!(LIST_ERRORS))),
    responses((status = 200, description = "A page of voices", body = LabelledVoicesPage))
)]
pub async fn search_labelled_voices(
    State(app): State<Arc<App>>,
    caller: Caller<AnyKey>,
    uri: Uri,
) -> Result<Json<LabelledVoicesPage>, Failure> {
    let scope = CursorScope::new(&app.base.secrets.cursors, "labelled voices", caller.authenticated.account);
    let mut parameters = Parameters::of(&uri);
    let wanted = Wanted::take(&mut parameters);
    parameters.switch("include_total_count");
    let limit = parameters.size("page_size", USUAL, MOST);
    let before: Option<EreaderId> = parameters.before("next_page_token", &scope);
    parameters.finish()?;
    let catalogue = catalogue(&app).await?;
    let mut found = catalogue.newest_first();
    found.retain(|ereader| wanted.fits(ereader));
    let total_count = found.len() as u32;
    found.retain(|ereader| before.is_none_or(|before| ereader.id < before));
    let Page { data, next_cursor } = scope.page(found, limit, |ereader| ereader.id);
    Ok(Json(LabelledVoicesPage {
        voices: data.into_iter().map(labelled).collect(),
        has_more: next_cursor.is_some(),
        total_count,
        next_page_token: next_cursor,
    }))
}

/// Which voices are searched for.
struct Wanted {
    text: Option<String>,
    gender: Option<String>,
    languages: Vec<String>,
    ids: Vec<String>,
}

impl Wanted {
    fn take(parameters: &mut Parameters) -> Self {
        let short = |text: &str| {
            let is_short = text.chars().nth(LONGEST_SEARCH).is_none();
            is_short
                .then(|| text.to_lowercase())
                .ok_or_else(|| format!("must be at most {LONGEST_SEARCH} characters"))
        };
        let wanted = Self {
            text: parameters.read("search", short),
            gender: parameters.read("gender", short),
            languages: parameters.all("language"),
            ids: parameters.all("voice_ids"),
        };
        if wanted.ids.len() > MOST_IDS {
            parameters.wrong("voice_ids", format!("must be at most {MOST_IDS}"));
        }
        wanted
    }

    fn fits(&self, ereader: &Ereader) -> bool {
        let has = |text: &str| {
            [&ereader.name, &ereader.slug, &ereader.description]
                .iter()
                .any(|own| own.to_lowercase().contains(text))
        };
        self.text.as_deref().is_none_or(has)
            && self.gender.as_deref().is_none_or(|gender| ereader.gender.as_deref() == Some(gender))
            && (self.languages.is_empty()
                || self.languages.iter().any(|tag| language::find_same(&ereader.languages, tag).is_some()))
            && (self.ids.is_empty() || self.ids.contains(&ereader.id.to_string()))
    }
}

async fn catalogue(app: &App) -> Result<Catalogue> {
    Catalogue::read(&app.base.store, &app.base.config.voices.openai).await
}

/// An e-reader as a voice.
fn labelled(ereader: &Ereader) -> LabelledVoice {
    let language = |tag: &String| VerifiedLanguage {
        language: language::primary(tag),
        model_id: OWN.to_owned(),
        locale: tag.clone(),
    };
    LabelledVoice {
        voice_id: ereader.id,
        name: ereader.name.clone(),
        category: "premade".to_owned(),
        description: ereader.description.clone(),
        labels: VoiceLabels {
            language: ereader.languages.first().cloned().unwrap_or_default(),
            gender: ereader.gender.clone(),
            slug: ereader.slug.clone(),
            price_per_character: ereader.price_per_character.0.to_string(),
        },
        preview_url: None,
        available_for_tiers: Tier::ALL
            .iter()
            .filter(|tier| **tier >= ereader.tier)
            .map(ToString::to_string)
            .collect(),
        samples: Vec::new(),
        verified_languages: ereader.languages.iter().map(language).collect(),
        high_quality_base_model_ids: vec![OWN.to_owned()],
        is_owner: false,
        created_at_unix: ereader.created_at.unix_seconds(),
    }
}
