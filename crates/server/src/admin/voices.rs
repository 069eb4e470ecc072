//! `lectern admin voices list|add|samples`.

use clap::{Subcommand, ValueEnum};
use lectern_speech::engines::hibari;
use lectern_store::{
    Tier,
    ereaders::{self, Ereader},
};
use lectern_types::{AudioFormat, Credits, language::find_same};

use super::{Operator, invite};
use crate::{
    commands::{CommandError, numbers, output},
    http::shapes,
    services::{catalogue, samples, voices},
};

/// The highest price of a character.
const HIGHEST_PRICE: i64 = 1_000_000;

#[derive(Debug, Subcommand)]
pub(super) enum Voices {
    /// Lists the e-readers, the inactive ones as well.
    List,
    /// Adds an e-reader, or changes the one of the same slug.
    Add(Box<Add>),
    /// Synthesizes and stores the samples of the e-readers.
    Samples {
        /// Only of this one.
        #[arg(long)]
        slug: Option<String>,
    },
}

#[derive(Debug, clap::Args)]
pub(super) struct Add {
    /// Its name in URLs: a-z, 0-9 and -.
    #[arg(long, value_parser = slug)]
    slug: String,
    /// Its name for people.
    #[arg(long)]
    name: String,
    /// What it sounds like.
    #[arg(long, default_value = "")]
    description: String,
    /// The engine that speaks.
    #[arg(long)]
    engine: EngineName,
    /// The engine's own name of the voice.
    #[arg(long)]
    voice: String,
    /// free, standard or premium.
    #[arg(long, value_parser = invite::tier)]
    tier: Tier,
    /// Credits a character.
    #[arg(long, allow_negative_numbers = true, value_parser = numbers::whole::<i64>(0, HIGHEST_PRICE.into()))]
    price: i64,
    /// A language it reads, such as en-US; may be given several times.
    #[arg(long, required = true, value_delimiter = ',')]
    language: Vec<String>,
    /// The gender it sounds like.
    #[arg(long)]
    gender: Option<String>,
    /// Samples a second of its audio.
    #[arg(long, default_value_t = catalogue::HIBARI_HZ, allow_negative_numbers = true, value_parser = numbers::whole::<u32>(8_000, 48_000))]
    sample_rate: u32,
    /// Stores it without listing it.
    #[arg(long)]
    inactive: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum EngineName {
    Hibari,
    Upstream,
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

/// The languages of an e-reader on the embedded engine, as its voice calls them: it reads no others, whatever it is said to
/// read.
fn hibari_languages(voice: &str, wanted: &[String]) -> Result<Vec<String>, CommandError> {
    let Some(known) = hibari::voice(voice) else {
        let known: Vec<&str> = hibari::VOICES.iter().map(|voice| voice.name).collect();
        let refusal = format!("the hibari engine has no voice {voice}; it has: {}", known.join(", "));
        return Err(CommandError::Refused(refusal));
    };
    let own: Vec<String> = known.languages.iter().map(|&tag| tag.to_owned()).collect();
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
    if matches!(add.engine, EngineName::Hibari) {
        add.language = hibari_languages(&add.voice, &add.language)?;
    }
    let ereader = Ereader {
        id: operator.base.ids.make(),
        slug: add.slug,
        name: add.name,
        description: add.description,
        languages: add.language,
        gender: add.gender,
        tier: add.tier,
        engine: match add.engine {
            EngineName::Hibari => catalogue::HIBARI.to_owned(),
            EngineName::Upstream => catalogue::UPSTREAM.to_owned(),
        },
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
    // One voice that cannot speak must not cost the others theirs.
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
