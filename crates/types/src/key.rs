//! API keys as clients make and see them.

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

/// What a key can do now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeyStatus {
    /// It is accepted.
    Active,
    /// It was revoked, for good.
    Revoked,
    /// Its `expires_at` has come.
    Expired,
}

/// An API key, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ApiKey {
    /// Its id.
    pub id: KeyId,
    /// Its name, for people.
    #[schema(example = "nightly import")]
    pub name: String,
    /// Its permissions.
    pub scopes: Vec<Scope>,
    /// Its environment.
    pub environment: Environment,
    /// What it can do now.
    pub status: KeyStatus,
    /// Its last four characters.
    #[schema(example = "f9Qa", min_length = 4, max_length = 4)]
    pub key_hint: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends; null when never.
    pub expires_at: Option<Timestamp>,
    /// When it was last used, to the minute; null when never.
    pub last_used_at: Option<Timestamp>,
    /// When it was revoked; null when it was not.
    pub revoked_at: Option<Timestamp>,
}

/// A key just made, with its secret, which is shown this once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewApiKey {
    /// What any list shows of it.
    #[serde(flatten)]
    pub about: ApiKey,
    /// The key itself. It cannot be had again.
    #[schema(pattern = "^svc_(live|test)_[0-9A-Za-z]{49}$")]
    pub key: String,
}

/// A list of scopes without repeats.
fn scope_set() -> Array {
    ArrayBuilder::new()
        .items(Ref::from_schema_name("Scope"))
        .min_items(Some(1))
        .max_items(Some(3))
        .unique_items(true)
        .description(Some(
            "Its permissions: at least one, none twice, all of them the calling key's as well.",
        ))
        .build()
}

/// A key to be made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "name": "nightly import", "scopes": ["read", "write"], "environment": "test" }))]
pub struct CreateKeyRequest {
    /// Its name, for people: 1 to 100 characters, not only white space and none of them a control character.
    #[schema(
        min_length = 1,
        max_length = 100,
        pattern = r"^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$"
    )]
    pub name: String,
    /// Its permissions: at least one, none twice, all of them the calling key's as well.
    #[schema(schema_with = scope_set)]
    pub scopes: Vec<Scope>,
    /// Its environment; the calling key's when absent. A test key makes test keys only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub environment: Option<Environment>,
    /// When it ends: in the future, and not after the calling key. When absent, it ends when the calling key ends, if
    /// ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub expires_at: Option<Timestamp>,
}
