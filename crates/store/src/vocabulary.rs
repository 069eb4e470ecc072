//! The words that rows use for closed sets: environments, tiers and scopes, with the one spelling that the
//! database and the API share.

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$vdoc])* $variant,)* }

        impl $name {
            /// Every value, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The word as stored and as clients see it.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }
        }

        impl $crate::db::Bound for $name {
            const NULL: $crate::db::Bind = $crate::db::Bind::Text(None);
            fn bind(self) -> $crate::db::Bind {
                $crate::db::Bound::bind(self.as_str())
            }
        }

        impl $crate::db::Column for $name {
            fn read(row: &$crate::db::Row, at: usize) -> $crate::Result<Option<Self>> {
                $crate::db::read_word(row, at)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::vocabulary::UnknownWord;
            fn from_str(text: &str) -> Result<Self, $crate::vocabulary::UnknownWord> {
                Self::ALL.iter().copied().find(|value| value.as_str() == text).ok_or($crate::vocabulary::UnknownWord)
            }
        }
    };
}
pub(crate) use words;

/// A text that is not one of the words of a closed set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not one of the known words")]
pub struct UnknownWord;

words! {
    /// What a key's prefix selects; rows made in one are not seen in the other.
    Environment {
        /// The sandbox: the whole API, nothing charged.
        Test "test",
        /// Production: synthesis charges credits.
        Live "live",
    }
}

words! {
    /// A level of account and of e-reader. Cumulative, and ordered so: an account may use every e-reader
    /// whose tier is not above its own.
    Tier {
        /// The level of every new account.
        Free "free",
        /// The middle level.
        Standard "standard",
        /// The highest level.
        Premium "premium",
    }
}

words! {
    /// One permission of an API key. None implies another.
    Scope {
        /// Reads of what is not the key's own profile.
        Read "read",
        /// Synthesis and materials.
        Write "write",
        /// Keys and webhooks.
        Admin "admin",
    }
}

/// The set of permissions of an API key.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Scopes {
    /// Holds [`Scope::Read`].
    pub read: bool,
    /// Holds [`Scope::Write`].
    pub write: bool,
    /// Holds [`Scope::Admin`].
    pub admin: bool,
}

impl Scopes {
    /// All three.
    pub const ALL: Self = Self { read: true, write: true, admin: true };

    /// Whether the set holds this scope.
    pub const fn contains(self, scope: Scope) -> bool {
        match scope {
            Scope::Read => self.read,
            Scope::Write => self.write,
            Scope::Admin => self.admin,
        }
    }

    /// Whether every scope of this set is in the other.
    pub fn is_subset_of(self, other: Self) -> bool {
        self.iter().all(|scope| other.contains(scope))
    }

    /// The scopes of the set, in the order read, write, admin.
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL.iter().copied().filter(move |&scope| self.contains(scope))
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        let mut set = Self::default();
        for scope in scopes {
            match scope {
                Scope::Read => set.read = true,
                Scope::Write => set.write = true,
                Scope::Admin => set.admin = true,
            }
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::{Scope, Scopes, Tier};

    #[test]
    fn a_tier_reaches_all_below_it_and_none_above() {
        assert!(Tier::Free < Tier::Standard && Tier::Standard < Tier::Premium);
        assert_eq!("standard".parse(), Ok(Tier::Standard));
        assert!("Standard".parse::<Tier>().is_err());
    }

    #[test]
    fn no_scope_implies_another() {
        let admin: Scopes = [Scope::Admin].into_iter().collect();
        assert!(!admin.contains(Scope::Read) && !admin.contains(Scope::Write));
        assert!(admin.is_subset_of(Scopes::ALL) && !Scopes::ALL.is_subset_of(admin));
    }
}
