//! The unit of account.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A whole number of credits, never a fraction. Signed, because ledger rows are.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(transparent)]
pub struct Credits(pub i64);

impl Credits {
    pub const ZERO: Self = Self(0);

    /// The sum, or `None` past the range of an `i64`.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// The difference, or `None` past the range of an `i64`.
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }

    /// The price of `characters` at this price per character, or `None` past the range of an `i64`.
    pub fn times(self, characters: usize) -> Option<Self> {
        i64::try_from(characters).ok().and_then(|n| self.0.checked_mul(n)).map(Self)
    }
}

impl std::ops::Neg for Credits {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl std::fmt::Display for Credits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}
