//! `lectern admin voices list|add|samples`.

use clap::{Subcommand, builder::PossibleValuesParser};
use lectern_speech::engines::{self, LocalEngine};
use lectern_store::{
    Tier,
    ereaders::{self, Ereader},
};
use lectern_types::{AudioFormat, Credits, language::find_same};

use super::{Operator, invite};
use crate::{error::CommandError, numbers, output};
use lectern_http::shapes;
use lectern_service::services::speech::{ereader_catalog, samples, voices};

/// The highest price of a character, in credits.
const HIGHEST_PRICE: i64 = 1_000_000;

#[derive(Debug, Subcommand)]
pub(super) enum Voices {
    /// List the e-readers, including inactive ones.
    List,
    /// Add an e-reader, or change the one with the same slug.
    Add(Box<Add>),
    /// Synthesize and store the e-readers' samples.
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
    /// A description of how it sounds.
    #[arg(long, default_value = "")]
    description: String,
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
    /// The gender that it sounds like.
    #[arg(long)]
    gender: Option<String>,
    /// Samples a second of its audio.
    #[arg(long, default_value_t = engines::DEFAULT.sample_rate_hz, allow_negative_numbers = true, value_parser = numbers::whole::<u32>(8_000, 48_000))]
    sample_rate: u32,
    /// Store the e-reader without listing it.
    #[arg(long)]
    inactive: bool,
}

fn engine_names() -> PossibleValuesParser {
    PossibleValuesParser::new(
        engines::LOCAL.iter().map(|engine| engine.name).chain([ereader_catalog::UPSTREAM]),
    )
}

fn slug(text: &str) -> Result<String, String> {
    let plain = text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    if plain && (1..=64).contains(&text.len()) {
        Ok(text.to_owned())
    } else {
        Err("must have 1 to 64 characters of a-z, 0-9 and -".to_owned())
    }
}

pub(super) async fn run(operator: &Operator, command: Voices) -> Result<(), CommandError> {
    match command {
        Voices::List => list(operator).await,
        Voices::Add(add) => self::add(operator, *add).await,
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

/// The languages of an e-reader on an engine of this process, as its voice calls them: it reads no others, whatever it is
/// said to read.
fn voice_languages(
    engine: &LocalEngine,
    voice: &str,
    wanted: &[String],
) -> Result<Vec<String>, CommandError> {
    let Some(known) = engine.voice(voice) else {
        let known: Vec<&str> = engine.voices.iter().map(|voice| voice.name).collect();
        let refusal =
            format!("the {} engine has no voice {voice}; it has: {}", engine.name, known.join(", "));
        return Err(CommandError::Refused(refusal));
    };
    let own: Vec<String> = known.languages.iter().map(ToString::to_string).collect();
    let mut languages: Vec<String> = Vec::new();
    for tag in wanted {
        let Some(spoken) = find_same(&own, tag) else {
            let refusal = format!("the voice {voice} does not speak {tag}; it speaks: {}", own.join(", "));
            return Err(CommandError::Refused(refusal));
        };
        if !languages.contains(spoken) {
            languages.push(spoken.clone());
        }
    }
    Ok(languages)
}

async fn add(operator: &Operator, mut add: Add) -> Result<(), CommandError> {
    if let Some(engine) = engines::local(&add.engine) {
        add.language = voice_languages(engine, &add.voice, &add.language)?;
    }
    let ereader = Ereader {
        id: operator.base.ids.make(),
        slug: add.slug,
        name: add.name,
        description: add.description,
        languages: add.language,
        gender: add.gender,
        tier: add.tier,
        engine: add.engine,
        voice: add.voice,
        sample_rate_hz: add.sample_rate,
        price_per_character: Credits(add.price),
        formats: AudioFormat::ALL.iter().map(|format| format.as_str().to_owned()).collect(),
        active: !add.inactive,
        sample_langs: Vec::new(),
        created_at: operator.base.clock.now(),
    };
    let stored = ereaders::put(&operator.base.store, &ereader).await?;
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
