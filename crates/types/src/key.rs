//! API keys in requests and responses.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{
    ToSchema,
    openapi::{
        ObjectBuilder, RefOr, Schema,
        schema::{ArrayBuilder, Type},
    },
};

use crate::{
    Environment, Field, KeyId, Name, Scope, Timestamp, Wrong, request,
    request::{Components, component, distinct, reference, whole, word, words},
};

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

/// A set of scopes, in the order of the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeSet(pub Vec<Scope>);

impl Field for ScopeSet {
    fn property() -> RefOr<Schema> {
        let list = ArrayBuilder::new().items(reference::<Scope>()).min_items(Some(1));
        list.max_items(Some(Scope::ALL.len())).unique_items(true).into()
    }

    fn components(all: &mut Components) {
        component::<Scope>(all);
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        let no_list = format!("must be a list of at least one of: {}", words::<Scope>());
        distinct(value, &no_list, word).map(Self)
    }
}

request! {
    /// The parameters of a new key.
    #[example({ "name": "nightly import", "scopes": ["read", "write"], "environment": "test" })]
    pub struct CreateKeyRequest {
        /// A display name of 1 to 100 characters: not only white space, no control characters.
        pub name: Name<100>,
        /// The permissions: at least one, none twice, and only those of the calling key.
        pub scopes: ScopeSet,
        /// The environment; by default that of the calling key. A test key can only create test keys.
        pub environment: Option<Environment>,
        /// When the key expires: in the future, and not after the calling key. By default it expires
        /// with the calling key.
        pub expires_at: Option<Timestamp>,
    }
}

request! {
    /// Changes to a key. Absent fields do not change.
    #[example({ "name": "nightly import" })]
    pub struct UpdateKeyRequest {
        /// A display name of 1 to 100 characters: not only white space, no control characters.
        pub name: Option<Name<100>>,
    }
}

/// For how many seconds a rolled key goes on working; at most a week.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GraceSeconds(pub u32);

impl GraceSeconds {
    const MOST: u32 = 604_800;
}

impl Field for GraceSeconds {
    fn property() -> RefOr<Schema> {
        let number = ObjectBuilder::new().schema_type(Type::Integer);
        number.minimum(Some(0)).maximum(Some(Self::MOST)).into()
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        whole(&value, 0..=Self::MOST).map(Self)
    }
}

request! {
    /// When a key that is replaced by a new one ends.
    #[example({ "previous_ends_in_seconds": 86_400 })]
    pub struct RollKeyRequest {
        /// For how many seconds the previous key goes on working: at most 604,800, which is a week. It
        /// is revoked at once with 0, which is the default.
        pub previous_ends_in_seconds: Option<GraceSeconds>,
    }
}

/// The key that replaces another one, with its secret, which is shown only once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RolledApiKey {
    /// The new key.
    #[serde(flatten)]
    pub new: NewApiKey,
    /// The key that it replaces: revoked, or with the time at which it ends.
    pub previous: ApiKey,
}
