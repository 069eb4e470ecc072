//! E-readers as clients see them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{AudioFormat, Credits, EreaderId, Tier};

/// A voice with a price.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Ereader {
    /// Its id, which synthesis asks for.
    pub id: EreaderId,
    /// Its name in URLs.
    #[schema(example = "heart")]
    pub slug: String,
    /// Its name for people.
    #[schema(example = "Heart")]
    pub name: String,
    /// What it sounds like.
    pub description: String,
    /// The languages it reads, BCP 47.
    #[schema(example = json!(["en-US"]))]
    pub languages: Vec<String>,
    /// The gender it sounds like; null when it is none.
    pub gender: Option<String>,
    /// The level of account that may use it.
    pub tier: Tier,
    /// The engine behind it.
    #[schema(example = "hibari")]
    pub engine: String,
    /// Samples a second of its audio.
    #[schema(example = 24000)]
    pub sample_rate_hz: u32,
    /// Credits a character.
    pub price_per_character: Credits,
    /// The languages it has sample audio in; empty: there is none.
    #[schema(example = json!(["en-US"]))]
    pub sample_langs: Vec<String>,
    /// The formats it can be had in.
    pub formats: Vec<AudioFormat>,
    /// Whether it can be used; inactive ones are not listed.
    pub active: bool,
}
