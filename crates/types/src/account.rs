//! Accounts and keys as clients see them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{AccountId, KeyId, Timestamp, component_fields, request::word, text_enum};

text_enum! {
    /// A level of accounts and e-readers; each level includes the ones before it.
    #[derive(ToSchema)]
    Tier {
        /// The level of a new account.
        Free "free",
        /// The middle level.
        Standard "standard",
        /// The highest level.
        Premium "premium",
    }
}

text_enum! {
    /// The environment of a key, given by its prefix.
    #[derive(ToSchema)]
    Environment {
        /// The sandbox: the whole API without charges.
        Test "test",
        /// Production.
        Live "live",
    }
}

text_enum! {
    /// One permission of a key; none implies another.
    #[derive(ToSchema)]
    Scope {
        /// Reading.
        Read "read",
        /// Synthesis and materials.
        Write "write",
        /// Keys and webhooks.
        Admin "admin",
    }
}

component_fields! {
    Environment: word;
}

/// An account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Profile {
    pub id: AccountId,
    pub email: String,
    /// Whether the address was confirmed.
    pub email_confirmed: bool,
    /// The account's level.
    pub tier: Tier,
    /// Whether the account ever purchased credits.
    pub has_purchased_credits: bool,
    /// The accepted legal documents.
    pub consent: Consent,
    /// When it was created.
    pub created_at: Timestamp,
}

/// The account, and the key of the request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Me {
    pub id: AccountId,
    #[schema(example = "ada@example.com")]
    pub email: String,
    /// Whether the address was confirmed.
    pub email_confirmed: bool,
    /// The account's level.
    pub tier: Tier,
    /// Whether the account ever purchased credits.
    pub has_purchased_credits: bool,
    /// The environment of the key.
    pub environment: Environment,
    /// The key of the request.
    pub key: KeySummary,
    /// The accepted legal documents.
    pub consent: Consent,
    /// When the account was created.
    pub created_at: Timestamp,
}

/// A summary of a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct KeySummary {
    pub id: KeyId,
    pub name: String,
    pub scopes: Vec<Scope>,
}

/// The last accepted versions; null if none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Consent {
    /// The version of the terms.
    pub terms_accepted_version: Option<String>,
    /// The version of the privacy policy.
    pub privacy_accepted_version: Option<String>,
}
