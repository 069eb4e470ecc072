//! What happened, as webhooks and event streams tell it. The envelope of a webhook is not here; these are the `data`.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    AudioFormat, Credits, EreaderId, EventId, MaterialFailure, MaterialId, MaterialStatus, Timestamp,
    WebhookId,
};

/// What an event tells of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
pub enum EventType {
    /// A chunk has audio.
    #[serde(rename = "chunk.completed")]
    ChunkCompleted,
    /// A chunk could not be spoken.
    #[serde(rename = "chunk.failed")]
    ChunkFailed,
    /// What is available fell below the account's threshold.
    #[serde(rename = "credits.low")]
    CreditsLow,
    /// Every chunk of a material has audio.
    #[serde(rename = "material.completed")]
    MaterialCompleted,
    /// A material could not be read, or a conversion ended with chunks that failed; `status` says which.
    #[serde(rename = "material.failed")]
    MaterialFailed,
    /// A material was extracted and can be converted.
    #[serde(rename = "material.ready")]
    MaterialReady,
    /// Somebody asked for it, to try an endpoint.
    #[serde(rename = "webhook.test")]
    WebhookTest,
}

impl EventType {
    /// Every type, sorted by its word.
    pub const ALL: &'static [Self] = &[
        Self::ChunkCompleted,
        Self::ChunkFailed,
        Self::CreditsLow,
        Self::MaterialCompleted,
        Self::MaterialFailed,
        Self::MaterialReady,
        Self::WebhookTest,
    ];

    /// The type that clients call `word`.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == word)
    }

    /// The word clients see.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ChunkCompleted => "chunk.completed",
            Self::ChunkFailed => "chunk.failed",
            Self::CreditsLow => "credits.low",
            Self::MaterialCompleted => "material.completed",
            Self::MaterialFailed => "material.failed",
            Self::MaterialReady => "material.ready",
            Self::WebhookTest => "webhook.test",
        }
    }
}

/// The data of `chunk.completed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChunkCompleted {
    /// The material.
    pub material_id: MaterialId,
    /// The event's place among the material's, from 1.
    pub sequence: u64,
    /// The chunk's place.
    pub chunk_index: u32,
    /// The e-reader that spoke.
    pub ereader_id: EreaderId,
    /// Unicode scalar values of its text.
    pub characters: u32,
    /// The length of its audio.
    pub duration_ms: u64,
    /// The form of its audio.
    pub format: AudioFormat,
}

/// The data of `chunk.failed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChunkFailed {
    /// The material.
    pub material_id: MaterialId,
    /// The event's place among the material's, from 1.
    pub sequence: u64,
    /// The chunk's place.
    pub chunk_index: u32,
    /// The e-reader that should have spoken.
    pub ereader_id: EreaderId,
    /// Unicode scalar values of its text.
    pub characters: u32,
    /// Always null: there is no audio.
    pub duration_ms: Option<u64>,
    /// The form that was asked for.
    pub format: AudioFormat,
    /// Why it failed.
    pub error: MaterialFailure,
}

/// The data of `material.ready`, `material.failed` and `material.completed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MaterialChanged {
    /// The material.
    pub material_id: MaterialId,
    /// Where it is now.
    pub status: MaterialStatus,
    /// The event's place among the material's, from 1.
    pub sequence: u64,
    /// How many chunks it has; null when it was never extracted.
    pub chunk_count: Option<u32>,
    /// Chunks that have audio.
    pub chunks_completed: u32,
    /// Chunks that failed.
    pub chunks_failed: u32,
    /// The length of the whole audio; null until every chunk has audio.
    pub duration_ms: Option<u64>,
}

/// One server-sent event of a material's stream. Its schema only: the stream itself is text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StreamedEvent {
    /// The event's `sequence`, which `Last-Event-ID` takes; absent of `material.deleted`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, pattern = "^[1-9][0-9]*$")]
    pub id: Option<String>,
    /// An event type, or `material.deleted`.
    #[schema(pattern = r"^[a-z]+\.[a-z]+$")]
    pub event: String,
    /// What a webhook carries as `data`: [`ChunkCompleted`], [`ChunkFailed`] or [`MaterialChanged`].
    #[schema(content_media_type = "application/json")]
    pub data: String,
}

/// The data of `credits.low`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CreditsLow {
    /// What is available now.
    pub available: Credits,
    /// The threshold that it fell below.
    pub threshold: Credits,
}

/// The data of `webhook.test`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WebhookTest {
    /// The endpoint that is tried.
    pub webhook_id: WebhookId,
}

/// Something that happened, as a list of events shows it. A webhook carries the same without the id, which is in its
/// header `webhook-id`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Event {
    /// Its id.
    pub id: EventId,
    /// What it tells of.
    #[serde(rename = "type")]
    pub kind: EventType,
    /// When it happened.
    pub timestamp: Timestamp,
    /// What a webhook carries as `data`; its fields depend on `type`.
    #[schema(value_type = Object)]
    pub data: serde_json::Value,
}

#[cfg(test)]
mod tests {
    use super::EventType;

    #[test]
    fn the_names_in_json_are_the_types() {
        for &event in EventType::ALL {
            assert_eq!(serde_json::to_value(event).ok(), Some(event.as_str().into()));
        }
    }
}
