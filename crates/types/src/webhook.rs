//! Webhooks as clients make and see them: endpoints, deliveries, attempts.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{DeliveryId, Environment, EventId, EventType, Timestamp, WebhookId};

/// The most characters (Unicode scalar values) of an endpoint's description.
pub const MAX_WEBHOOK_DESCRIPTION: usize = 500;

/// Whether an endpoint is told of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WebhookStatus {
    /// It is.
    Active,
    /// It is not, until it is enabled again.
    Disabled,
    /// It was deleted.
    Deleted,
}

/// Why the service itself disabled an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WebhookDisabledReason {
    /// It answered 410.
    Gone,
    /// For five days every attempt failed.
    Failing,
}

/// An endpoint that is told of events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Webhook {
    /// Its id.
    pub id: WebhookId,
    /// Where events are posted.
    #[schema(example = "https://example.com/lectern")]
    pub url: String,
    /// The types it is told of.
    pub events: Vec<EventType>,
    /// For people; null when there is none.
    pub description: Option<String>,
    /// Whether it is told.
    pub status: WebhookStatus,
    /// Its environment: it is told of what happens there.
    pub environment: Environment,
    /// When it was registered.
    pub created_at: Timestamp,
    /// Why the service disabled it; null when it did not.
    pub disabled_reason: Option<WebhookDisabledReason>,
}

/// An endpoint with its secret, which is shown this once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewWebhook {
    /// What any list shows of it.
    #[serde(flatten)]
    pub about: Webhook,
    /// What its events are signed with, as Standard Webhooks writes it. It cannot be had again.
    #[schema(pattern = "^whsec_[A-Za-z0-9+/]+=*$")]
    pub secret: String,
}

/// An endpoint with its new secret, which is shown this once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RotatedWebhook {
    /// What any list shows of it.
    #[serde(flatten)]
    pub about: Webhook,
    /// What its events are signed with from now on. It cannot be had again.
    #[schema(pattern = "^whsec_[A-Za-z0-9+/]+=*$")]
    pub secret: String,
    /// Until when events are signed with the secret before it as well.
    pub previous_secret_expires_at: Timestamp,
}

/// An endpoint to be registered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "url": "https://example.com/lectern", "events": ["chunk.completed", "material.completed"] }))]
pub struct CreateWebhookRequest {
    /// Where events are posted: `https`, without user info and fragment, and its host has public addresses only.
    #[schema(pattern = "^[Hh][Tt][Tt][Pp][Ss]://", max_length = 2048)]
    pub url: String,
    /// The types it is told of: at least one, none twice.
    #[schema(min_items = 1)]
    pub events: Vec<EventType>,
    /// For people: at most 500 characters, none of them a control character; null: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 500)]
    pub description: Option<String>,
}

/// What an endpoint can be changed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WebhookSwitch {
    /// It is told of events.
    Active,
    /// It is not.
    Disabled,
}

/// What is to change of an endpoint; what is absent stays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "status": "disabled" }))]
pub struct UpdateWebhookRequest {
    /// Where events are posted, as in its registration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, pattern = "^[Hh][Tt][Tt][Pp][Ss]://", max_length = 2048)]
    pub url: Option<String>,
    /// The types it is told of: at least one, none twice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, min_items = 1)]
    pub events: Option<Vec<EventType>>,
    /// For people: at most 500 characters, none of them a control character; null takes it away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 500)]
    pub description: Option<String>,
    /// Whether it is told of events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub status: Option<WebhookSwitch>,
}

/// Where a delivery is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryStatus {
    /// It waits for its first attempt, or for one that was asked for.
    Pending,
    /// It is being posted.
    InFlight,
    /// It is delivered.
    Succeeded,
    /// The last attempt failed; `next_attempt_at` says when it is tried again, if it is.
    Failed,
}

/// An event on its way to an endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Delivery {
    /// Its id.
    pub id: DeliveryId,
    /// The event: `webhook-id` of every attempt.
    pub event_id: EventId,
    /// What that tells of.
    pub event_type: EventType,
    /// Where it is.
    pub status: DeliveryStatus,
    /// Attempts that have ended.
    pub attempt_count: u32,
    /// What the last attempt was answered; null when it was not, or there was none.
    pub last_status_code: Option<u16>,
    /// Why the last attempt was not answered; null when it was, or there was none.
    pub last_error: Option<String>,
    /// When it is tried next; null when it is not.
    pub next_attempt_at: Option<Timestamp>,
    /// When it came about.
    pub created_at: Timestamp,
}

/// One attempt at a delivery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DeliveryAttempt {
    /// Its place, from 1.
    pub number: u32,
    /// When it began.
    pub started_at: Timestamp,
    /// How long it took.
    pub duration_ms: u64,
    /// What it was answered; null when it was not.
    pub status_code: Option<u16>,
    /// Why it was not answered; null when it was.
    pub error: Option<String>,
    /// The first 1,024 bytes of the answer's body; null when there was no answer. What is no UTF-8 is replaced.
    pub response_body: Option<String>,
}

/// A delivery with its attempts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DeliveryDetail {
    /// What any list shows of it.
    #[serde(flatten)]
    pub about: Delivery,
    /// Its attempts, the first one first.
    pub attempts: Vec<DeliveryAttempt>,
}

/// What is posted to an endpoint. Its id is in the header `webhook-id`, its signature in `webhook-signature`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WebhookPayload {
    /// What it tells of.
    #[serde(rename = "type")]
    pub kind: EventType,
    /// When it happened.
    pub timestamp: Timestamp,
    /// Its fields depend on `type`.
    #[schema(value_type = Object)]
    pub data: serde_json::Value,
}
