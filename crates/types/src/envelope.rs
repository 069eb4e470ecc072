//! The body of every error response.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::{ErrorCode, RequestId};

/// The body of every 4xx and 5xx response.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ErrorEnvelope {
    /// What went wrong.
    pub error: ErrorBody,
    /// The same once more, where ElevenLabs' SDKs look for it; only on the routes of its interface.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub detail: Option<ErrorDetail>,
}

/// What went wrong, in ElevenLabs' form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ErrorDetail {
    /// The same as `error.code`.
    pub status: ErrorCode,
    /// The same as `error.message`.
    pub message: String,
}

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ErrorBody {
    /// The stable identifier to match on.
    pub code: ErrorCode,
    /// A message for people, which may change.
    pub message: String,
    /// Details that depend on the code; absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>, nullable = false)]
    pub details: Option<Map<String, Value>>,
    /// The same as the header `X-Request-Id`.
    pub request_id: RequestId,
}
