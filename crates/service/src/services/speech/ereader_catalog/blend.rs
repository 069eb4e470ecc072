//! E-readers that speak with a weighted mix of one engine's voices.

use lectern_speech::engines::{self, LocalEngine, ResolvedVoice, VoiceError};
use lectern_store::{
    Tier,
    ereaders::{self, Ereader},
};
use lectern_types::Credits;

use super::{descriptions, formats};
use crate::base::Base;

/// A mix to make an e-reader of, and what is said of it. What is left out stays as it is, or is the
/// usual.
#[derive(Debug, Clone, Default)]
pub struct Blend {
    pub slug: String,
    /// The voices and their weights: `af_bella:2,af_sky:1`.
    pub of: String,
    pub name: Option<String>,
    pub description: Option<String>,
    pub tier: Option<Tier>,
    pub price: Option<Credits>,
}

/// Why no e-reader was made.
#[derive(Debug, thiserror::Error)]
pub enum BlendError {
    /// The parts are no voices, or cannot be mixed.
    #[error(transparent)]
    Voice(#[from] VoiceError),
    #[error(
        "{voice} is a voice of {engine}, and {other} of {other_engine}: a blend takes voices of one engine"
    )]
    TwoEngines { voice: String, engine: &'static str, other: String, other_engine: &'static str },
    #[error("{0} is one voice; a blend takes at least two, such as af_bella:2,af_sky:1")]
    OneVoice(String),
    #[error("the e-reader {0} is no blend; choose another slug")]
    SlugTaken(String),
    #[error("the store failed")]
    Store(#[from] lectern_store::Error),
}

/// Makes an e-reader of a mix, or gives a blended one another mix, and with it other samples.
///
/// # Errors
/// [`BlendError`].
pub async fn make(base: &Base, blend: Blend) -> Result<Ereader, BlendError> {
    let (engine, voice) = resolve(&blend.of)?;
    let known = ereaders::find_by_slug(&base.store, &blend.slug).await?;
    if known.as_ref().is_some_and(|known| !is_blend(known)) {
        return Err(BlendError::SlugTaken(blend.slug));
    }
    let description =
        known.as_ref().filter(|known| known.voice == voice.name).map(|known| known.description.clone());
    let description = blend.description.or(description).unwrap_or_else(|| descriptions::of_blend(&voice));
    let usual = known.unwrap_or_else(|| Ereader {
        id: base.ids.make(),
        slug: blend.slug.clone(),
        name: descriptions::first_name(&blend.slug),
        description: String::new(),
        languages: Vec::new(),
        gender: None,
        grade: None,
        preview: false,
        tier: Tier::Free,
        engine: String::new(),
        voice: String::new(),
        sample_rate_hz: engine.sample_rate_hz,
        price_per_character: base.config.voices.prices.of(engine.name, None),
        formats: formats(),
        active: true,
        sample_langs: Vec::new(),
        created_at: base.clock.now(),
    });
    let ereader = Ereader {
        name: blend.name.unwrap_or(usual.name),
        description,
        languages: voice.languages.iter().map(ToString::to_string).collect(),
        gender: voice.gender.map(str::to_owned),
        preview: voice.is_preview(),
        tier: blend.tier.unwrap_or(usual.tier),
        engine: engine.name.to_owned(),
        voice: voice.name,
        sample_rate_hz: engine.sample_rate_hz,
        price_per_character: blend.price.unwrap_or(usual.price_per_character),
        ..usual
    };
    Ok(ereaders::put(&base.store, &ereader, base.clock.now()).await?)
}

/// The engine and the mix, in the form in which it is stored.
fn resolve(of: &str) -> Result<(&'static LocalEngine, ResolvedVoice), BlendError> {
    let names = of.split(',').map(|part| part.split(':').next().unwrap_or_default().trim());
    let mut found = names.filter_map(|name| Some((name, engines::local_voice(name)?.0)));
    if let Some((voice, engine)) = found.next()
        && let Some((other, other_engine)) = found.find(|(_, other)| other.name != engine.name)
    {
        let (voice, other) = (voice.to_owned(), other.to_owned());
        return Err(BlendError::TwoEngines {
            voice,
            engine: engine.name,
            other,
            other_engine: other_engine.name,
        });
    }
    let (engine, voice) = engines::resolve_voice(of)?;
    if voice.is_blend() { Ok((engine, voice)) } else { Err(BlendError::OneVoice(voice.name)) }
}

fn is_blend(ereader: &Ereader) -> bool {
    let voice = engines::local(&ereader.engine).and_then(|engine| engine.resolve(&ereader.voice).ok());
    voice.is_some_and(|voice| voice.is_blend())
}
