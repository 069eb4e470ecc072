//! Events, as webhooks and event streams report them. These types are the `data`; the envelope of a
//! webhook is in `webhook`.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    AudioFormat, Credits, EreaderId, EventId, MaterialFailure, MaterialId, MaterialStatus, Timestamp,
    WebhookId,
};

/// The type of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
pub enum EventType {
    /// A chunk has audio.
    #[serde(rename = "chunk.completed")]
    ChunkCompleted,
    /// A chunk could not be converted.
    #[serde(rename = "chunk.failed")]
    ChunkFailed,
    /// The available credits fell below the account's threshold.
    #[serde(rename = "credits.low")]
    CreditsLow,
    /// Every chunk of a material has audio.
    #[serde(rename = "material.completed")]
    MaterialCompleted,
    /// A material could not be read, or a conversion ended with failed chunks; `status` tells
    /// which.
    #[serde(rename = "material.failed")]
    MaterialFailed,
    /// A material was extracted and can be converted.
    #[serde(rename = "material.ready")]
    MaterialReady,
    /// A test event that was requested for an endpoint.
    #[serde(rename = "webhook.test")]
    WebhookTest,
}

impl EventType {
    /// All types, sorted by name.
    pub const ALL: &'static [Self] = &[
        Self::ChunkCompleted,
        Self::ChunkFailed,
        Self::CreditsLow,
        Self::MaterialCompleted,
        Self::MaterialFailed,
        Self::MaterialReady,
        Self::WebhookTest,
    ];

    /// The type with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == name)
    }

    /// The name in the API.
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
    /// The number of the event among those of the material, from 1.
    pub sequence: u64,
    /// The index of the chunk.
    pub chunk_index: u32,
    /// The e-reader that was used.
    pub ereader_id: EreaderId,
    /// The length of the text in Unicode scalar values.
    pub characters: u32,
    /// The length of its audio.
    pub duration_ms: u64,
    /// The format of the audio.
    pub format: AudioFormat,
}

/// The data of `chunk.failed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChunkFailed {
    /// The material.
    pub material_id: MaterialId,
    /// The number of the event among those of the material, from 1.
    pub sequence: u64,
    /// The index of the chunk.
    pub chunk_index: u32,
    /// The e-reader of the conversion.
    pub ereader_id: EreaderId,
    /// The length of the text in Unicode scalar values.
    pub characters: u32,
    /// Always null: there is no audio.
    pub duration_ms: Option<u64>,
    /// The requested format.
    pub format: AudioFormat,
    /// Why it failed.
    pub error: MaterialFailure,
}

/// The data of `material.ready`, `material.failed` and `material.completed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MaterialChanged {
    /// The material.
    pub material_id: MaterialId,
    /// The current status.
    pub status: MaterialStatus,
    /// The number of the event among those of the material, from 1.
    pub sequence: u64,
    /// The number of chunks; null if the material was never extracted.
    pub chunk_count: Option<u32>,
    /// The number of chunks with audio.
    pub chunks_completed: u32,
    /// The number of failed chunks.
    pub chunks_failed: u32,
    /// The length of the whole audio; null until every chunk has audio.
    pub duration_ms: Option<u64>,
}

/// One server-sent event of a material's stream. This is only a schema: the stream itself is text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StreamedEvent {
    /// The event's `sequence`, for `Last-Event-ID`; absent for `material.deleted`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, pattern = "^[1-9][0-9]*$")]
    pub id: Option<String>,
    /// An event type, or `material.deleted`.
    #[schema(pattern = r"^[a-z]+\.[a-z]+$")]
    pub event: String,
    /// The `data` of the webhook: [`ChunkCompleted`], [`ChunkFailed`] or [`MaterialChanged`].
    #[schema(content_media_type = "application/json")]
    pub data: String,
}

/// The data of `credits.low`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CreditsLow {
    /// The available credits.
    pub available: Credits,
    /// The threshold that the credits fell below.
    pub threshold: Credits,
}

/// The data of `webhook.test`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WebhookTest {
    /// The tested endpoint.
    pub webhook_id: WebhookId,
}

/// An event in the list of events. A webhook sends the same without the id, which is in its
/// `webhook-id` header.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Event {
    pub id: EventId,
    /// The type of the event.
    #[serde(rename = "type")]
    pub kind: EventType,
    /// When it happened.
    pub timestamp: Timestamp,
    /// The `data` of the webhook, whose fields depend on `type`.
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
