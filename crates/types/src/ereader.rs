//! E-readers as clients see them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{AudioFormat, Credits, EreaderId, Tier, text_enum};

text_enum! {
    /// How good a voice was judged to be; A is the best.
    #[derive(ToSchema)]
    Grade {
        /// The best.
        #[serde(rename = "A")]
        A "A",
        /// Good.
        #[serde(rename = "B")]
        B "B",
        /// Usable.
        #[serde(rename = "C")]
        C "C",
        /// Below that.
        #[serde(rename = "D")]
        D "D",
    }
}

/// A voice with a price.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Ereader {
    /// The id to use in synthesis requests.
    pub id: EreaderId,
    /// The name in URLs.
    #[schema(example = "heart")]
    pub slug: String,
    /// The display name.
    #[schema(example = "Heart")]
    pub name: String,
    /// A description of the voice.
    pub description: String,
    /// The languages it reads, BCP 47.
    #[schema(example = json!(["en-US"]))]
    pub languages: Vec<String>,
    /// The gender of the voice; null if it has none.
    pub gender: Option<String>,
    /// How good the voice was judged to be; null if nobody judged it.
    pub grade: Option<Grade>,
    /// Whether its language is offered on trial.
    pub preview: bool,
    /// The level of account that may use it.
    pub tier: Tier,
    /// The engine that speaks.
    #[schema(example = "hibari")]
    pub engine: String,
    /// The sample rate of its audio.
    #[schema(example = 24000)]
    pub sample_rate_hz: u32,
    /// The price per character in credits.
    pub price_per_character: Credits,
    /// The languages of its samples; empty if there are none. A sample is made when it is first asked for.
    #[schema(example = json!(["en-US"]))]
    pub sample_langs: Vec<String>,
    /// The available audio formats.
    pub formats: Vec<AudioFormat>,
    /// Whether it can be used. Inactive e-readers are not listed.
    pub active: bool,
}

/// A voice with a price, as the web application shows it to an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WebEreader {
    /// The e-reader.
    #[serde(flatten)]
    pub ereader: Ereader,
    /// Whether the account marked it as a favorite.
    pub favorite: bool,
}
