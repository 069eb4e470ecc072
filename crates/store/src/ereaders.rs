//! E-readers (voices with a price) and their stored samples.

use lectern_types::{Credits, EreaderId, Timestamp};

use crate::{Result, Store, Tier};

/// An e-reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ereader {
    /// Its id.
    pub id: EreaderId,
    /// Its name in URLs.
    pub slug: String,
    /// Its name for people.
    pub name: String,
    /// What it sounds like.
    pub description: String,
    /// The languages it reads, BCP 47.
    pub languages: Vec<String>,
    /// The gender it sounds like, if any.
    pub gender: Option<String>,
    /// The level that may use it.
    pub tier: Tier,
    /// The engine's word.
    pub engine: String,
    /// The engine's own name of the voice.
    pub voice: String,
    /// The sample rate of its audio.
    pub sample_rate_hz: u32,
    /// The price of one character.
    pub price_per_character: Credits,
    /// The audio formats it serves.
    pub formats: Vec<String>,
    /// Whether it is listed and may be used.
    pub active: bool,
    /// The languages of its stored samples, sorted. Not written by [`put`].
    pub sample_langs: Vec<String>,
    /// When it was first stored.
    pub created_at: Timestamp,
}

/// Stores these e-readers if the store holds none at all; whether it did.
pub async fn seed(store: &Store, ereaders: &[Ereader]) -> Result<bool> {
    todo!()
}

/// Stores an e-reader: a new slug is added; a known one is changed, keeping its id, `created_at` and
/// samples. The e-reader as it now is.
pub async fn put(store: &Store, ereader: &Ereader) -> Result<Ereader> {
    todo!()
}

/// Which e-readers to list.
#[derive(Debug, Clone, Copy, Default)]
pub struct Filter<'a> {
    /// Only those that read this language or a narrower one (RFC 4647 basic filtering: `en` finds `en-GB`).
    pub language: Option<&'a str>,
    /// Only those of exactly this tier.
    pub tier: Option<Tier>,
    /// The inactive ones, too.
    pub include_inactive: bool,
}

/// The e-readers, oldest first.
pub async fn list(store: &Store, filter: Filter<'_>) -> Result<Vec<Ereader>> {
    todo!()
}

/// The e-reader with this id, active or not.
pub async fn find(store: &Store, ereader: EreaderId) -> Result<Option<Ereader>> {
    todo!()
}

/// The e-reader with this slug, active or not.
pub async fn find_by_slug(store: &Store, slug: &str) -> Result<Option<Ereader>> {
    todo!()
}

/// A stored sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// Its language, BCP 47.
    pub language: String,
    /// Where the audio lies in the object store.
    pub object_key: String,
    /// Its entity tag.
    pub etag: String,
    /// Its size.
    pub bytes: u64,
    /// When it was made.
    pub created_at: Timestamp,
}

/// Stores a sample in the place of the one before.
pub async fn put_sample(store: &Store, ereader: EreaderId, sample: &Sample) -> Result<()> {
    todo!()
}

/// The e-reader's sample in this language (compared without regard to case).
pub async fn sample(store: &Store, ereader: EreaderId, language: &str) -> Result<Option<Sample>> {
    todo!()
}

/// The e-reader's samples, sorted by language.
pub async fn samples(store: &Store, ereader: EreaderId) -> Result<Vec<Sample>> {
    todo!()
}
