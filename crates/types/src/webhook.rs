//! Webhooks in requests and responses: endpoints, deliveries, attempts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{
    ToSchema,
    openapi::{RefOr, Schema, schema::ArrayBuilder},
};

use crate::{
    DeliveryId, Environment, EventId, EventType, Field, OrNull, Timestamp, WebhookId, Wrong,
    component_fields, request,
    request::{Components, Nullable, component, entries, reference, text_schema, word},
    text_enum, text_fields,
};

/// The largest number of characters (Unicode scalar values) of an endpoint's description.
const MAX_NOTE: usize = 500;

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

text_fields! {
    /// An endpoint's URL. The service decides whether it may be called.
    WebhookUrl: text_schema().pattern(Some("^[Hh][Tt][Tt][Pp][Ss]://")).max_length(Some(2048)), |_: &str| None;
    /// A note for people.
    WebhookNote: text_schema().max_length(Some(MAX_NOTE)), |text: &str| {
        let is_wrong = text.chars().count() > MAX_NOTE || text.chars().any(char::is_control);
        is_wrong.then(|| format!("must be at most {MAX_NOTE} characters, none of them a control character"))
    };
}

impl Nullable for WebhookNote {}

/// The names of event types. The service checks them. An empty list counts as an absent one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventNames(pub Vec<String>);

impl Field for EventNames {
    fn property() -> RefOr<Schema> {
        ArrayBuilder::new().items(reference::<EventType>()).min_items(Some(1)).into()
    }

    fn components(all: &mut Components) {
        component::<EventType>(all);
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        entries(value, "must be a list of event types", String::read).map(Self)
    }

    fn absent() -> Result<Self, Wrong> {
        Ok(Self(Vec::new()))
    }
}

request! {
    /// A new endpoint.
    #[example({ "url": "https://example.com/lectern", "events": ["chunk.completed", "material.completed"] })]
    pub struct CreateWebhookRequest {
        /// The URL to which events are posted: `https`, without user info and fragment, on a host with
        /// only public addresses.
        pub url: WebhookUrl,
        /// The event types it receives: at least one, none twice.
        pub events: EventNames,
        /// A description for people: at most 500 characters, no control characters; null for none.
        pub description: Option<OrNull<WebhookNote>>,
    }
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

component_fields! {
    WebhookSwitch: word;
}

request! {
    /// Changes to an endpoint. Absent fields do not change.
    #[example({ "status": "disabled" })]
    pub struct UpdateWebhookRequest {
        /// The URL to which events are posted, under the rules of registration.
        pub url: Option<WebhookUrl>,
        /// The event types it receives: at least one, none twice.
        pub events: Option<EventNames>,
        /// A description for people: at most 500 characters, no control characters; null removes it.
        pub description: Option<OrNull<WebhookNote>>,
        /// Whether it receives events.
        pub status: Option<WebhookSwitch>,
    }
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
    /// The headers that Lectern sent, without `webhook-signature`, which is not kept; null if there
    /// was no response, because nobody knows then what was sent.
    pub request_headers: Option<BTreeMap<String, String>>,
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
    /// The body that is posted, exactly as each attempt sends it: a `WebhookPayload` as JSON.
    pub request_body: String,
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
