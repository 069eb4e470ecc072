//! The kinds of abbreviations, and the books of the Bible.

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

/// A book of the Bible.
#[derive(Debug, Clone, Copy)]
pub(in crate::front_end) struct BibleBook {
    /// A form in which it is cited, which may be its name.
    pub(super) short: &'static str,
    pub(super) name: &'static str,
    pub(super) chapters: u64,
    /// Whether the short form means something else in everyday texts: an example, a flat.
    pub(super) is_everyday: bool,
}

impl BibleBook {
    pub(in crate::front_end) const fn new(short: &'static str, name: &'static str, chapters: u64) -> Self {
        Self { short, name, chapters, is_everyday: false }
    }

    pub(in crate::front_end) const fn everyday(
        short: &'static str,
        name: &'static str,
        chapters: u64,
    ) -> Self {
        Self { short, name, chapters, is_everyday: true }
    }

    /// The same book as it is named and cited in another variety of the language.
    pub(in crate::front_end) fn renamed(self, name: impl Fn(&'static str) -> &'static str) -> Self {
        Self { short: name(self.short), name: name(self.name), ..self }
    }
}
