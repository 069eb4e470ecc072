//! The models in ElevenLabs' form. All are the same engine.

use std::collections::BTreeMap;

use lectern_service::{app::App, error::Result, services::speech::ereader_catalog::openai_voices::Catalogue};
use lectern_types::{
    MAX_CHARACTERS,
    elevenlabs::{ModelLanguage, TextToSpeechModel},
    language,
};

/// The engine's own name.
pub(super) const OWN: &str = "lectern";

/// The listed names: our own, and those that programs ask the list for.
const MODELS: &[(&str, &str)] = &[
    (OWN, "Lectern"),
    ("eleven_multilingual_v2", "Lectern, as Eleven Multilingual v2"),
    ("eleven_turbo_v2_5", "Lectern, as Eleven Turbo v2.5"),
    ("eleven_flash_v2_5", "Lectern, as Eleven Flash v2.5"),
];

/// The models.
///
/// # Errors
/// The store's.
pub async fn list(app: &App) -> Result<Vec<TextToSpeechModel>> {
    let catalogue = Catalogue::read(&app.base.store, &app.base.config.voices.openai).await?;
    let mut languages = BTreeMap::new();
    for tag in catalogue.newest_first().into_iter().flat_map(|ereader| &ereader.languages) {
        languages.entry(language::primary(tag)).or_insert_with(|| tag.clone());
    }
    let languages: Vec<ModelLanguage> =
        languages.into_iter().map(|(language_id, name)| ModelLanguage { language_id, name }).collect();
    let model = |&(id, name): &(&str, &str)| TextToSpeechModel {
        model_id: id.to_owned(),
        name: name.to_owned(),
        description: "The voices of this service.".to_owned(),
        can_do_text_to_speech: true,
        can_do_voice_conversion: false,
        can_be_finetuned: false,
        can_use_style: false,
        can_use_speaker_boost: false,
        serves_pro_voices: false,
        requires_alpha_access: false,
        token_cost_factor: 1.0,
        maximum_text_length_per_request: MAX_CHARACTERS as u32,
        languages: languages.clone(),
    };
    Ok(MODELS.iter().map(model).collect())
}
