//! API keys in requests and responses.

use serde::{Deserialize, Serialize};
use utoipa::{
    ToSchema,
    openapi::{
        Ref,
        schema::{Array, ArrayBuilder},
    },
};

use crate::{Environment, KeyId, Scope, Timestamp};

/// The most characters (Unicode scalar values) of a key's name.
pub const MAX_KEY_NAME: usize = 100;

/// The status of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeyStatus {
    /// The key is accepted.
    Active,
    /// The key was permanently revoked.
    Revoked,
    /// The key is past its `expires_at`.
    Expired,
}

/// An API key, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ApiKey {
    pub id: KeyId,
    /// A display name.
    #[schema(example = "nightly import")]
    pub name: String,
    pub scopes: Vec<Scope>,
    pub environment: Environment,
    pub status: KeyStatus,
    /// The last four characters of the key.
    #[schema(example = "f9Qa", min_length = 4, max_length = 4)]
    pub key_hint: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// When the key expires; null if never.
    pub expires_at: Option<Timestamp>,
    /// When the key was last used, to the minute; null if never.
    pub last_used_at: Option<Timestamp>,
    /// When the key was revoked; null if it was not.
    pub revoked_at: Option<Timestamp>,
}

/// A new key with its secret, which is shown only once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewApiKey {
    /// The fields that lists show.
    #[serde(flatten)]
    pub about: ApiKey,
    /// The key itself. It cannot be retrieved later.
    #[schema(pattern = "^svc_(live|test)_[0-9A-Za-z]{49}$")]
    pub key: String,
}

/// A list of distinct scopes.
fn scope_set() -> Array {
    ArrayBuilder::new()
        .items(Ref::from_schema_name("Scope"))
        .min_items(Some(1))
        .max_items(Some(3))
        .unique_items(true)
        .description(Some("The permissions: at least one, none twice, and only those of the calling key."))
        .build()
}

/// The parameters of a new key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "name": "nightly import", "scopes": ["read", "write"], "environment": "test" }))]
pub struct CreateKeyRequest {
    /// A display name of 1 to 100 characters: not only white space, no control characters.
    #[schema(
        min_length = 1,
        max_length = 100,
        pattern = r"^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$"
    )]
    pub name: String,
    /// The permissions: at least one, none twice, and only those of the calling key.
    #[schema(schema_with = scope_set)]
    pub scopes: Vec<Scope>,
    /// The environment; by default that of the calling key. A test key can only create test keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub environment: Option<Environment>,
    /// When the key expires: in the future, and not after the calling key. By default it expires
    /// with the calling key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub expires_at: Option<Timestamp>,
}
