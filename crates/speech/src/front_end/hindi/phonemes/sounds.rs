//! The sounds of a word before they are written as symbols, and what the rules ask about them.

/// One sound of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sound {
    /// Its symbols in the alphabet of the voices.
    pub(super) symbols: &'static str,
    pub(super) kind: Kind,
}

/// What a sound is, as far as stress and the silent a ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The a that a letter has without being written. It may be silent.
    Schwa,
    /// An a that is always heard and never stressed strongly.
    Murmur,
    /// A vowel whose syllable is light.
    Short,
    /// A vowel whose syllable is heavy.
    Long,
    /// The long i: short where it is not stressed.
    LongI,
    /// A consonant that stops the breath.
    Stop,
    /// The h, after which no a is silent.
    H,
    /// The r, which rolls before some consonants.
    R,
    /// Any other consonant.
    Consonant,
    /// The length of the consonant before it.
    Length,
}

impl Sound {
    pub(super) const SCHWA: Self = Self::new("ə", Kind::Schwa);
    pub(super) const MURMUR: Self = Self::new("ə", Kind::Murmur);
    pub(super) const LENGTH: Self = Self::new("ː", Kind::Length);

    pub(super) const fn new(symbols: &'static str, kind: Kind) -> Self {
        Self { symbols, kind }
    }

    pub(super) const fn short(symbols: &'static str) -> Self {
        Self::new(symbols, Kind::Short)
    }

    pub(super) const fn long(symbols: &'static str) -> Self {
        Self::new(symbols, Kind::Long)
    }

    pub(super) const fn consonant(symbols: &'static str) -> Self {
        Self::new(symbols, Kind::Consonant)
    }

    pub(super) const fn is_vowel(self) -> bool {
        matches!(self.kind, Kind::Schwa | Kind::Murmur | Kind::Short | Kind::Long | Kind::LongI)
    }

    /// Whether it is an a, heard or not.
    pub(super) const fn is_a(self) -> bool {
        matches!(self.kind, Kind::Schwa | Kind::Murmur)
    }

    pub(super) const fn is_long(self) -> bool {
        matches!(self.kind, Kind::Long | Kind::LongI)
    }
}
