//! What each language does with a hyphen at the end of a line: which first and second parts of words
//! keep it, because it is the author's, and which marks need no space after them.

/// The rules of a language.
#[derive(Debug, Default)]
pub(super) struct HyphenRules {
    /// First parts of compounds whose hyphen is nearly always the author's.
    pub first: &'static [&'static str],
    /// Second parts that follow a hyphen and never end a word: "dit-il", "segunda-feira".
    pub second: &'static [&'static str],
    /// Second parts that may also be the end of a word: "disse-me", but "for-me". The first part
    /// decides: it must be a word by itself elsewhere in the document.
    pub clitics: &'static [&'static str],
    /// Words after a suspended hyphen, which takes a space: "Vor- und Nachteile".
    pub suspended: &'static [&'static str],
    /// Whether an apostrophe at the end of a line is an elision: "dell'" and "acqua".
    pub elides: bool,
}

/// The rules of a language, by its primary subtag. Those of English serve where the language is not
/// known.
pub(super) fn of(primary: Option<&str>) -> HyphenRules {
    match primary {
        None | Some("en") => HyphenRules { first: ENGLISH, ..HyphenRules::default() },
        Some("fr") => HyphenRules {
            first: FRENCH,
            second: FRENCH_SECOND,
            clitics: FRENCH_CLITICS,
            elides: true,
            ..HyphenRules::default()
        },
        Some("it") => HyphenRules { elides: true, ..HyphenRules::default() },
        Some("pt") => HyphenRules {
            first: PORTUGUESE,
            second: PORTUGUESE_SECOND,
            clitics: PORTUGUESE_CLITICS,
            ..HyphenRules::default()
        },
        Some("de") => HyphenRules { suspended: &["und", "oder", "bzw", "sowie"], ..HyphenRules::default() },
        Some(_) => HyphenRules::default(),
    }
}

#[rustfmt::skip]
const ENGLISH: &[&str] = &[
    "self", "well", "ill", "half", "all", "cross", "ex", "high", "low", "long", "short", "old", "new", "full", "part",
    "first", "second", "third", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twenty",
    "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "north", "south", "east", "west", "mid", "non",
    "so", "good", "bad", "great",
];

#[rustfmt::skip]
const FRENCH: &[&str] = &[
    "peut", "quelques", "celui", "celle", "ceux", "celles", "demi", "semi", "ex", "vice", "après", "arrière", "sous",
    "grand", "nord", "est", "lui", "elle", "elles", "eux", "moi", "toi", "soi", "nous", "vous", "dix", "vingt", "trente",
    "quarante", "cinquante", "soixante", "quatre", "là", "chef", "petit", "petite", "belle", "beau", "jusque", "avant",
    "au-delà", "nouveau", "rendez", "c'est", "qu'est", "n'est",
];

/// Pronouns after a verb, and the second parts of adverbs.
#[rustfmt::skip]
const FRENCH_SECOND: &[&str] = &[
    "il", "ils", "elle", "elles", "on", "je", "nous", "vous", "moi", "toi", "en", "y", "là", "même", "mêmes", "uns",
    "unes", "dessus", "dessous", "delà", "dedans", "dehors", "devant", "midi", "propos",
];

const FRENCH_CLITICS: &[&str] = &["tu", "ce", "le", "la", "les", "lui", "leur", "ci", "bas", "haut"];

#[rustfmt::skip]
const PORTUGUESE: &[&str] = &[
    "guarda", "recém", "pós", "pré", "pró", "ex", "vice", "além", "aquém", "bem", "segunda", "terça", "norte", "sul",
];

const PORTUGUESE_SECOND: &[&str] = &["lhe", "lhes", "feira", "feiras"];

#[rustfmt::skip]
const PORTUGUESE_CLITICS: &[&str] = &[
    "me", "te", "se", "nos", "vos", "o", "a", "os", "as", "lo", "la", "los", "las", "no", "na", "nas", "mo", "ma", "lho",
    "lha", "ei", "ia", "ás", "á",
];
