//! Accounts and keys as clients see them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{AccountId, KeyId, Timestamp};

/// A level of account and of e-reader; each holds those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// The level of a new account.
    Free,
    /// The middle level.
    Standard,
    /// The highest level.
    Premium,
}

/// What a key's prefix selects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Environment {
    /// The sandbox: the whole API, nothing charged.
    Test,
    /// Production.
    Live,
}

/// One permission of a key; none implies another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Reading.
    Read,
    /// Synthesis and materials.
    Write,
    /// Keys and webhooks.
    Admin,
}

/// An account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Profile {
    /// Its id.
    pub id: AccountId,
    /// Its address.
    pub email: String,
    /// Whether the address was confirmed.
    pub email_confirmed: bool,
    /// Its level.
    pub tier: Tier,
    /// Whether it ever purchased credits.
    pub has_purchased_credits: bool,
    /// What it accepted.
    pub consent: Consent,
    /// When it was made.
    pub created_at: Timestamp,
}

/// The account and the key that asks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Me {
    /// The account's id.
    pub id: AccountId,
    /// Its address.
    #[schema(example = "ada@example.com")]
    pub email: String,
    /// Whether the address was confirmed.
    pub email_confirmed: bool,
    /// Its level.
    pub tier: Tier,
    /// Whether it ever purchased credits.
    pub has_purchased_credits: bool,
    /// The environment of the key that asks.
    pub environment: Environment,
    /// The key that asks.
    pub key: KeySummary,
    /// What the account accepted.
    pub consent: Consent,
    /// When the account was made.
    pub created_at: Timestamp,
}

/// A key, in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct KeySummary {
    /// Its id.
    pub id: KeyId,
    /// Its name.
    pub name: String,
    /// Its permissions.
    pub scopes: Vec<Scope>,
}

/// The versions an account accepted last; null when none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Consent {
    /// Of the terms.
    pub terms_accepted_version: Option<String>,
    /// Of the privacy policy.
    pub privacy_accepted_version: Option<String>,
}
