//! The kinds of abbreviations.

/// Where an abbreviation can occur.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::front_end) enum Kind {
    /// Before a name: `Sr.`; it never ends a sentence.
    BeforeName,
    /// Before a number: `pág. 5`. Elsewhere it is read as written, unless that is not a word.
    BeforeNumber,
    /// Anywhere: `etc.`
    Anywhere,
}

/// An abbreviation as written, how it is said, and where.
pub(in crate::front_end) type Abbreviation = (&'static str, &'static str, Kind);

/// The length of the longest abbreviation of several parts in bytes, with a space after each stop.
pub(super) const LONGEST_JOINED: usize = 16;
