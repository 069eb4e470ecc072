//! Webhooks in requests and responses: endpoints, deliveries, attempts.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{DeliveryId, Environment, EventId, EventType, Timestamp, WebhookId, text_enum};

/// The most characters (Unicode scalar values) of an endpoint's description.
pub const MAX_WEBHOOK_DESCRIPTION: usize = 500;

text_enum! {
    /// The status of an endpoint.
    #[derive(ToSchema)]
    WebhookStatus {
        /// The endpoint receives events.
        Active "active",
        /// The endpoint receives no events until it is enabled again.
        Disabled "disabled",
        /// The endpoint was deleted.
        Deleted "deleted",
    }
}

text_enum! {
    /// Why the service itself disabled an endpoint.
    #[derive(ToSchema)]
    WebhookDisabledReason {
        /// The endpoint answered 410 Gone.
        Gone "gone",
        /// Every attempt failed for five days.
        Failing "failing",
    }
}

/// A webhook endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Webhook {
    pub id: WebhookId,
    /// The URL to which events are posted.
    #[schema(example = "https://example.com/lectern")]
    pub url: String,
    /// The event types it receives.
    pub events: Vec<EventType>,
    /// A description for people; null if there is none.
    pub description: Option<String>,
    pub status: WebhookStatus,
    /// The environment whose events it receives.
    pub environment: Environment,
    /// When it was registered.
    pub created_at: Timestamp,
    /// Why the service disabled it; null if it did not.
    pub disabled_reason: Option<WebhookDisabledReason>,
}

/// An endpoint with its secret, which is shown only once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewWebhook {
    /// The fields that lists show.
    #[serde(flatten)]
    pub about: Webhook,
    /// The signing secret in the form of Standard Webhooks. It cannot be retrieved later.
    #[schema(pattern = "^whsec_[A-Za-z0-9+/]+=*$")]
    pub secret: String,
}

/// An endpoint with its new secret, which is shown only once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RotatedWebhook {
    /// The fields that lists show.
    #[serde(flatten)]
    pub about: Webhook,
    /// The new signing secret. It cannot be retrieved later.
    #[schema(pattern = "^whsec_[A-Za-z0-9+/]+=*$")]
    pub secret: String,
    /// Until when events are also signed with the previous secret.
    pub previous_secret_expires_at: Timestamp,
}

/// A new endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "url": "https://example.com/lectern", "events": ["chunk.completed", "material.completed"] }))]
pub struct CreateWebhookRequest {
    /// The URL to which events are posted: `https`, without user info and fragment, on a host with
    /// only public addresses.
    #[schema(pattern = "^[Hh][Tt][Tt][Pp][Ss]://", max_length = 2048)]
    pub url: String,
    /// The event types it receives: at least one, none twice.
    #[schema(min_items = 1)]
    pub events: Vec<EventType>,
    /// A description for people: at most 500 characters, no control characters; null for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 500)]
    pub description: Option<String>,
}

/// A status that an endpoint can be set to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WebhookSwitch {
    /// The endpoint receives events.
    Active,
    /// The endpoint receives no events.
    Disabled,
}

/// Changes to an endpoint. Absent fields do not change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "status": "disabled" }))]
pub struct UpdateWebhookRequest {
    /// The URL to which events are posted, under the rules of registration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, pattern = "^[Hh][Tt][Tt][Pp][Ss]://", max_length = 2048)]
    pub url: Option<String>,
    /// The event types it receives: at least one, none twice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, min_items = 1)]
    pub events: Option<Vec<EventType>>,
    /// A description for people: at most 500 characters, no control characters; null removes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 500)]
    pub description: Option<String>,
    /// Whether it receives events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub status: Option<WebhookSwitch>,
}

text_enum! {
    /// The status of a delivery.
    #[derive(ToSchema)]
    DeliveryStatus {
        /// It waits for its first attempt, or for a requested one.
        Pending "pending",
        /// An attempt is in progress.
        InFlight "in_flight",
        /// The event is delivered.
        Succeeded "succeeded",
        /// The last attempt failed; `next_attempt_at` is the time of the next one, if any.
        Failed "failed",
    }
}

/// The delivery of an event to an endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Delivery {
    pub id: DeliveryId,
    /// The event, sent as `webhook-id` with each attempt.
    pub event_id: EventId,
    /// The type of the event.
    pub event_type: EventType,
    pub status: DeliveryStatus,
    /// The number of finished attempts.
    pub attempt_count: u32,
    /// The status of the last response; null if there was none.
    pub last_status_code: Option<u16>,
    /// Why the last attempt got no response; null if it got one or there was none.
    pub last_error: Option<String>,
    /// When the next attempt is due; null if there is none.
    pub next_attempt_at: Option<Timestamp>,
    /// When it was created.
    pub created_at: Timestamp,
}

/// One attempt at a delivery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DeliveryAttempt {
    /// The number of the attempt, from 1.
    pub number: u32,
    /// When it started.
    pub started_at: Timestamp,
    /// The duration.
    pub duration_ms: u64,
    /// The status of the response; null if there was none.
    pub status_code: Option<u16>,
    /// Why there was no response; null if there was one.
    pub error: Option<String>,
    /// The first 1,024 bytes of the response body; null if there was no response. Invalid UTF-8 is
    /// replaced.
    pub response_body: Option<String>,
}

/// A delivery with its attempts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DeliveryDetail {
    /// The fields that lists show.
    #[serde(flatten)]
    pub about: Delivery,
    /// The attempts in order.
    pub attempts: Vec<DeliveryAttempt>,
}

/// The body that is posted to an endpoint. The id is in the header `webhook-id`, the signature in
/// `webhook-signature`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WebhookPayload {
    /// The type of the event.
    #[serde(rename = "type")]
    pub kind: EventType,
    /// When it happened.
    pub timestamp: Timestamp,
    /// The fields depend on `type`.
    #[schema(value_type = Object)]
    pub data: serde_json::Value,
}
