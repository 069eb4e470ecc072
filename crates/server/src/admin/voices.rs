//! `lectern admin voices list|add|sync|blend|samples`.

mod blend;
mod sync;

use clap::{Subcommand, builder::PossibleValuesParser};
use lectern_speech::engines::{self, LocalEngine, ResolvedVoice, VoiceError, piper};
use lectern_store::{
    Tier,
    ereaders::{self, Ereader},
};
use lectern_types::{Credits, language::find_same};

use super::{Operator, invite};
use crate::{error::CommandError, numbers, output};
use lectern_http::shapes;
use lectern_service::{
    config::{HIGHEST_PRICE, is_slug},
    services::speech::{ereader_catalog, samples, voices},
};

#[derive(Debug, Subcommand)]
pub(super) enum Voices {
    /// List the e-readers, including inactive ones.
    List,
    /// Add an e-reader, or change the one with the same slug.
    Add(Box<Add>),
    /// Make an e-reader for each installed voice that has none, and print the new ones. Others stay
    /// as they are.
    Sync,
    /// Make an e-reader of a weighted mix of one engine's voices, or change the mix of one.
    Blend(blend::Blend),
    /// Synthesize and store the e-readers' samples ahead. Without this, each is made when it is
    /// first asked for.
    Samples {
        /// Only the samples of this e-reader.
        #[arg(long)]
        slug: Option<String>,
    },
}

#[derive(Debug, clap::Args)]
pub(super) struct Add {
    /// The name in URLs: a-z, 0-9 and -.
    #[arg(long, value_parser = slug)]
    slug: String,
    /// The name for people.
    #[arg(long)]
    name: String,
    /// A description of how it sounds. A known e-reader keeps its own by default.
    #[arg(long)]
    description: Option<String>,
    /// The engine that speaks.
    #[arg(long, value_parser = engine_names())]
    engine: String,
    /// The engine's own name of the voice.
    #[arg(long)]
    voice: String,
    /// free, standard or premium.
    #[arg(long, value_parser = invite::tier)]
    tier: Tier,
    /// The price of a character, in credits.
    #[arg(long, allow_negative_numbers = true, value_parser = numbers::whole::<i64>(0, HIGHEST_PRICE.into()))]
    price: i64,
    /// A language that it reads, such as en-US; may be repeated.
    #[arg(long, required = true, value_delimiter = ',')]
    language: Vec<String>,
    /// The gender that it sounds like; by default as before, or the voice's own.
    #[arg(long)]
    gender: Option<String>,
    /// Samples a second of its audio; by default the voice's own.
    #[arg(long, allow_negative_numbers = true, value_parser = numbers::whole::<u32>(8_000, 48_000))]
    sample_rate: Option<u32>,
    /// Store the e-reader without listing it.
    #[arg(long)]
    inactive: bool,
}

fn engine_names() -> PossibleValuesParser {
    PossibleValuesParser::new(ereader_catalog::engine_names())
}

fn slug(text: &str) -> Result<String, String> {
    let wrong = || "must have 1 to 64 characters of a-z, 0-9 and -".to_owned();
    is_slug(text).then(|| text.to_owned()).ok_or_else(wrong)
}

pub(super) async fn run(operator: &Operator, command: Voices) -> Result<(), CommandError> {
    match command {
        Voices::List => list(operator).await,
        Voices::Add(add) => self::add(operator, *add).await,
        Voices::Blend(blend) => blend::run(operator, blend).await,
        Voices::Sync => sync::run(operator).await,
        Voices::Samples { slug } => make_samples(operator, slug.as_deref()).await,
    }
}

async fn all(operator: &Operator) -> Result<Vec<Ereader>, CommandError> {
    let filter = ereaders::Filter { include_inactive: true, ..ereaders::Filter::default() };
    Ok(ereaders::list(&operator.base.store, filter).await?)
}

async fn list(operator: &Operator) -> Result<(), CommandError> {
    let all = all(operator).await?;
    operator.print(&all.into_iter().map(shapes::ereader).collect::<Vec<_>>());
    Ok(())
}

/// The voice of an engine of this process, or a mix of its voices.
fn known_voice(engine: &LocalEngine, voice: &str) -> Result<ResolvedVoice, CommandError> {
    engine.resolve(voice).map_err(|error| match error {
        VoiceError::Unknown { name, known } => CommandError::Refused(format!(
            "the {} engine has no voice {name}; it has: {}",
            engine.name,
            known.join(", ")
        )),
        other => CommandError::Refused(other.to_string()),
    })
}

/// A voice that a user brought, and its sample rate.
fn brought_voice(operator: &Operator, voice: &str) -> Result<(ResolvedVoice, u32), CommandError> {
    let brought = voices::brought(&operator.base.config);
    let found = brought.resolve(voice).map(|found| (found.voice, found.sample_rate_hz));
    found.ok_or_else(|| {
        let known: Vec<String> = brought.list().into_iter().map(|one| one.voice.name).collect();
        let known = if known.is_empty() {
            "none; add one with `lectern voices add`".to_owned()
        } else {
            known.join(", ")
        };
        CommandError::Refused(format!("no voice {voice} was added here; there are: {known}"))
    })
}

/// The languages of an e-reader, as its voice calls them: it reads no others, whatever it is said to
/// read.
fn voice_languages(voice: &ResolvedVoice, wanted: &[String]) -> Result<Vec<String>, CommandError> {
    let own: Vec<String> = voice.languages.iter().map(ToString::to_string).collect();
    let mut languages: Vec<String> = Vec::new();
    for tag in wanted {
        let Some(spoken) = find_same(&own, tag) else {
            let refusal =
                format!("the voice {} does not speak {tag}; it speaks: {}", voice.name, own.join(", "));
            return Err(CommandError::Refused(refusal));
        };
        if !languages.contains(spoken) {
            languages.push(spoken.clone());
        }
    }
    Ok(languages)
}

async fn add(operator: &Operator, mut add: Add) -> Result<(), CommandError> {
    let known = ereaders::find_by_slug(&operator.base.store, &add.slug).await?;
    let (known_description, known_gender) =
        known.map_or_else(Default::default, |known| (known.description, known.gender));
    let (mut grade, mut own_gender, mut own_rate_hz) = (None, None, engines::DEFAULT.sample_rate_hz);
    let mut preview = false;
    let voice = match engines::local(&add.engine) {
        Some(engine) => Some((known_voice(engine, &add.voice)?, engine.sample_rate_hz)),
        None if add.engine == piper::NAME => Some(brought_voice(operator, &add.voice)?),
        None => None,
    };
    if let Some((voice, sample_rate_hz)) = voice {
        own_rate_hz = sample_rate_hz;
        add.language = voice_languages(&voice, &add.language)?;
        grade = ereader_catalog::grade(voice.grade);
        preview = voice.is_preview();
        own_gender = voice.gender.map(str::to_owned);
        add.voice = voice.name;
    }
    let ereader = Ereader {
        id: operator.base.ids.make(),
        slug: add.slug,
        name: add.name,
        description: add.description.unwrap_or(known_description),
        languages: add.language,
        gender: add.gender.or(known_gender).or(own_gender),
        grade,
        preview,
        tier: add.tier,
        engine: add.engine,
        voice: add.voice,
        sample_rate_hz: add.sample_rate.unwrap_or(own_rate_hz),
        price_per_character: Credits(add.price),
        formats: ereader_catalog::formats(),
        active: !add.inactive,
        sample_langs: Vec::new(),
        created_at: operator.base.clock.now(),
    };
    let stored = ereaders::put(&operator.base.store, &ereader, operator.base.clock.now()).await?;
    operator.print(&shapes::ereader(stored));
    Ok(())
}

async fn make_samples(operator: &Operator, slug: Option<&str>) -> Result<(), CommandError> {
    let wanted: Vec<Ereader> =
        all(operator).await?.into_iter().filter(|e| slug.is_none_or(|slug| e.slug == slug)).collect();
    if let (Some(slug), true) = (slug, wanted.is_empty()) {
        return Err(CommandError::Refused(format!("there is no e-reader {slug}")));
    }
    let config = std::sync::Arc::clone(&operator.base.config);
    let loading = tokio::task::spawn_blocking(move || voices::load(&config)).await;
    let speech = loading.map_err(|error| CommandError::Refused(error.to_string()))??;
    // One voice that fails must not prevent the samples of the others.
    let mut failed = Vec::new();
    for ereader in wanted.iter().filter(|ereader| ereader.active) {
        if let Err(error) = samples::make(&operator.base, &speech, ereader).await {
            failed.push(format!("{}: {}", ereader.slug, output::chain(&error)));
        }
    }
    let done = all(operator).await?.into_iter().filter(|e| wanted.iter().any(|w| w.id == e.id));
    operator.print(&done.map(shapes::ereader).collect::<Vec<_>>());
    if failed.is_empty() { Ok(()) } else { Err(CommandError::Refused(failed.join("; "))) }
}
