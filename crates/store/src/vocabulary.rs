//! Closed sets that rows name by a text, with the one spelling that the database and the API share.
//! How they are bound and read is in `db`.

use lectern_types::{
    AudioFormat, ChapterRole, ChunkStatus, DeliveryStatus, DocumentKind, Environment, ErrorCode, EventType,
    Grade, LanguageSource, MaterialStatus, NotesMode, PageLanguage, PaymentProvider, PurchaseStatus, Scope,
    StatementKind, TextType, Tier, TransactionKind, WebhookDisabledReason, WebhookStatus,
};

/// An enum whose values are stored as texts.
pub(crate) trait TextEnum: Copy + 'static {
    const VALUES: &'static [Self];

    fn text(self) -> &'static str;
}

/// An enum of this crate whose values are stored as texts.
macro_rules! text_enum {
    ($(#[$meta:meta])* $name:ident { $($values:tt)* }) => {
        lectern_types::text_enum! { $(#[$meta])* $name { $($values)* } }

        impl $crate::vocabulary::TextEnum for $name {
            const VALUES: &'static [Self] = Self::ALL;

            fn text(self) -> &'static str {
                self.as_str()
            }
        }
    };
}
pub(crate) use text_enum;

/// The closed sets that `lectern_types` defines.
macro_rules! enums_of_types {
    ($($type:ty)*) => { $(
        impl TextEnum for $type {
            const VALUES: &'static [Self] = Self::ALL;

            fn text(self) -> &'static str {
                self.as_str()
            }
        }
    )* };
}
enums_of_types!(
    AudioFormat ChapterRole ChunkStatus DeliveryStatus DocumentKind Environment ErrorCode EventType Grade
    LanguageSource MaterialStatus NotesMode PageLanguage PaymentProvider PurchaseStatus Scope StatementKind TextType Tier TransactionKind WebhookDisabledReason
    WebhookStatus
);

text_enum! {
    /// The kind of a job.
    JobKind {
        /// Extract a material's text and cut it into chunks.
        Extract "extract",
        /// Speak a chunk.
        ConvertChunk "convert_chunk",
        /// Make a whole book of its chunks' audio.
        Assemble "assemble",
    }
}

impl JobKind {
    /// Whether a worker needs the engine of a voice for it.
    pub const fn needs_engine(self) -> bool {
        matches!(self, Self::ConvertChunk)
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
