//! Opaque, time-sortable ids with a prefix: `syn_` and 32 lower-case hexadecimal digits of a
//! `UUIDv7`.
//!
//! The kind is part of the type, so an account's id cannot be passed where a key's is expected.
//! Creating an id takes a clock and randomness and is done by the server; this module only formats
//! and parses ids.

use std::{marker::PhantomData, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::Value;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};
use uuid::Uuid;

use crate::{
    Field, Wrong,
    request::{Components, component, reference},
};

/// The kind of an id, which gives its prefix.
pub trait Kind: Copy + Eq + Ord + std::hash::Hash + std::fmt::Debug + Send + Sync + 'static {
    /// The prefix, without the underscore.
    const PREFIX: &'static str;
}

/// The id of something of kind `K`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id<K: Kind>(Uuid, PhantomData<K>);

/// Text that is not an id of the expected kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an id of this kind")]
pub struct IdError;

impl<K: Kind> Id<K> {
    /// Wraps a UUID, which should be of version 7.
    pub const fn from_uuid(uuid: Uuid) -> Self {
        Self(uuid, PhantomData)
    }

    /// The UUID.
    pub const fn uuid(self) -> Uuid {
        self.0
    }
}

impl<K: Kind> std::fmt::Display for Id<K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}_{}", K::PREFIX, self.0.as_simple())
    }
}

impl<K: Kind> FromStr for Id<K> {
    type Err = IdError;
    fn from_str(text: &str) -> Result<Self, IdError> {
        let hex = text.strip_prefix(K::PREFIX).and_then(|rest| rest.strip_prefix('_')).ok_or(IdError)?;
        // Each id has one spelling, but `Uuid::try_parse` also accepts upper case, braces and
        // hyphens.
        if hex.len() != 32 || !hex.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(IdError);
        }
        Uuid::try_parse(hex).map(Self::from_uuid).map_err(|_| IdError)
    }
}

impl<K: Kind> Serialize for Id<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de, K: Kind> Deserialize<'de> for Id<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl<K: Kind> PartialSchema for Id<K> {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some(format!("^{}_[0-9a-f]{{32}}$", K::PREFIX)))
            .into()
    }
}

impl<K: Kind> ToSchema for Id<K> {
    fn name() -> std::borrow::Cow<'static, str> {
        format!("Id_{}", K::PREFIX).into()
    }
}

/// The id by which a request names something. A malformed id names nothing and is answered like an
/// unknown one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Named<K: Kind>(pub Option<Id<K>>);

impl<K: Kind> Field for Named<K> {
    fn property() -> RefOr<Schema> {
        reference::<Id<K>>()
    }

    fn components(all: &mut Components) {
        component::<Id<K>>(all);
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        String::read(value).map(|text| Self(text.parse().ok()))
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident $alias:ident $prefix:literal;)*) => {
        /// The marker types of the kinds of [`Id`].
        pub mod kinds {
            $($(#[$doc])* #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub struct $kind;
            impl super::Kind for $kind { const PREFIX: &'static str = $prefix; })*
        }
        $($(#[$doc])* pub type $alias = Id<kinds::$kind>;)*
    };
}

kinds! {
    /// An account.
    Account AccountId "acc";
    /// An API key.
    Key KeyId "key";
    /// An e-reader: a voice with a price.
    Ereader EreaderId "erd";
    /// One synthesis.
    Synthesis SynthesisId "syn";
    /// A material: a book or another long text.
    Material MaterialId "mat";
    /// A place that a listener marked.
    Bookmark BookmarkId "bmk";
    /// A link under which others listen to a material.
    Share ShareId "shr";
    /// A background job.
    Job JobId "job";
    /// A lexicon.
    Lexicon LexiconId "lex";
    /// A webhook endpoint.
    Webhook WebhookId "whk";
    /// An event.
    Event EventId "evt";
    /// A webhook delivery.
    Delivery DeliveryId "dlv";
    /// A request, as `X-Request-Id` names it.
    Request RequestId "req";
    /// A session.
    Session SessionId "ses";
    /// An email to an account's owner.
    Mail MailId "eml";
    /// A purchase of credits.
    Purchase PurchaseId "pur";
    /// One row of an account's ledger.
    Transaction TransactionId "txn";
}

#[cfg(test)]
mod tests {
    use super::{AccountId, KeyId};
    use uuid::Uuid;

    #[test]
    fn an_id_has_one_spelling() {
        let id = AccountId::from_uuid(Uuid::from_u128(0x0192_f00d_cafe_7000_8000_0000_0000_0001));
        let text = "acc_0192f00dcafe70008000000000000001";
        assert_eq!(id.to_string(), text);
        assert_eq!(text.parse(), Ok(id));
        for bad in [
            "key_0192f00dcafe70008000000000000001",
            "acc_0192F00DCAFE70008000000000000001",
            "acc_0192f00d-cafe-7000-8000-000000000001",
            "acc_0192f00dcafe7000800000000000000",
            "acc_",
            "",
            "acc0192f00dcafe70008000000000000001",
        ] {
            assert!(bad.parse::<AccountId>().is_err(), "{bad} was taken");
        }
        assert!(text.parse::<KeyId>().is_err());
    }
}
