//! Closed sets whose values have one text each: as stored, as clients see it, and as operators type it.

/// The error for a text that names no value of a closed set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not one of the known words")]
pub struct UnknownName;

/// An enum of which each value has a text: `as_str`, `ALL`, `Display` and `FromStr`. In JSON it is the value's name in snake case,
/// so the texts must be the same.
#[macro_export]
macro_rules! text_enum {
    ($(#[$meta:meta])* $name:ident { $($(#[$value_meta:meta])* $value:ident $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$value_meta])* $value,)* }

        impl $name {
            /// Every value, in order.
            pub const ALL: &'static [Self] = &[$(Self::$value),*];

            /// The text as stored and as clients see it.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$value => $text),* }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::UnknownName;
            fn from_str(text: &str) -> Result<Self, $crate::UnknownName> {
                Self::ALL.iter().copied().find(|value| value.as_str() == text).ok_or($crate::UnknownName)
            }
        }
    };
}
