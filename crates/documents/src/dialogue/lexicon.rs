//! The words that rules of a language look for. Lists are small and our own: the grammar of a
//! speech tag, not a dictionary.

mod english;
mod french;
mod german;
mod italian;
mod spanish;

use std::collections::{HashMap, HashSet};

use lectern_types::language::primary;

/// What a name or noun says about its bearer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub(super) enum Gender {
    Male,
    Female,
    #[default]
    Unknown,
}

impl Gender {
    pub(super) fn contradicts(self, other: Self) -> bool {
        self != other && self != Self::Unknown && other != Self::Unknown
    }
}

type Set = HashSet<&'static str>;

/// How a language marks speech.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Dashes {
    /// Only quotation marks.
    #[default]
    None,
    /// `—Sí —dijo Inés—, pero no.`
    Enclosing,
    /// `— Oui, dit Inès, mais non.`
    Opening,
}

/// The words of one language, in lower case.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    /// Opening marks, each with its closing ones.
    pub marks: &'static [(char, &'static [char])],
    /// Whether single quotation marks may be the outer ones.
    pub single: bool,
    pub dashes: Dashes,
    /// Verbs that say that somebody speaks: in tags before and after a quote.
    pub verbs: Set,
    /// Verbs of tags of two words (`went on`), with the second words.
    pub phrasal: HashMap<&'static str, Set>,
    /// Words that may stand between a subject and its verb.
    pub adverbs: Set,
    pub first: Set,
    pub male: Set,
    pub female: Set,
    /// Pronouns for several people.
    pub group: Set,
    pub determiners: Set,
    pub possessives: HashMap<&'static str, Possessor>,
    /// Pronouns that show the gender of whom a sentence is about.
    pub his: Set,
    pub hers: Set,
    /// Titles and forms of address before a name.
    pub titles: HashMap<&'static str, Gender>,
    /// Nouns for relatives, and for men and women in general.
    pub kin: HashMap<&'static str, Gender>,
    /// Nouns for a husband or wife, and the titles of couples.
    pub spouses: Set,
    pub couples: &'static [(&'static str, &'static str)],
    /// Nouns for parents: people with a title, more often than not.
    pub parents: Set,
    pub nouns: HashMap<&'static str, Gender>,
    /// Nouns that mean another person each time.
    pub generic: Set,
    /// Irregular nouns for several people.
    pub crowds: Set,
    /// Nouns that stand for no speaker, although a verb of speech may follow: `his voice said`.
    pub things: Set,
    /// Words that end a noun phrase and begin no name.
    pub function: Set,
    pub prepositions: Set,
    pub given: HashMap<&'static str, Gender>,
    /// Short forms, with the full given name.
    pub nicknames: HashMap<&'static str, &'static str>,
    /// Verbs of actions that do not look like verbs.
    pub actions: Set,
    /// Verbs that say that somebody answers without words.
    pub silent: Set,
    /// `Dear`, at the start of a letter or an address.
    pub dear: Set,
    /// The word that joins two people.
    pub and: Set,
    /// `Who`, and the words that begin a clause with a subject of its own.
    pub who: Set,
    /// Words that begin indirect speech.
    pub that: Set,
    pub clauses: Set,
    /// `was` in `was her answer`.
    pub copulas: Set,
    /// The word before whom one speaks to.
    pub to: Set,
    /// Whether a regular plural ends with s.
    pub plural_s: bool,
}

/// Whose relative somebody is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Possessor {
    First,
    Third(Gender),
}

impl Lexicon {
    /// `None` for languages without rules.
    pub(super) fn of(language: &str) -> Option<Self> {
        match primary(language).as_str() {
            "en" => Some(english::lexicon()),
            "fr" => Some(french::lexicon()),
            "de" => Some(german::lexicon()),
            "es" => Some(spanish::lexicon()),
            "it" => Some(italian::lexicon()),
            _ => None,
        }
    }

    pub(super) fn is_function(&self, word: &str) -> bool {
        self.function.contains(word)
            || self.prepositions.contains(word)
            || self.determiners.contains(word)
            || self.possessives.contains_key(word)
            || self.male.contains(word)
            || self.female.contains(word)
            || self.group.contains(word)
            || self.first.contains(word)
    }

    pub(super) fn is_adverb(&self, word: &str) -> bool {
        self.adverbs.contains(word) || (word.len() > 4 && word.ends_with("ly"))
    }
}

fn set(words: &'static str) -> Set {
    words.split_whitespace().collect()
}

fn genders(male: &'static str, female: &'static str, unknown: &'static str) -> HashMap<&'static str, Gender> {
    let each = |words: &'static str, gender| words.split_whitespace().map(move |word| (word, gender));
    each(male, Gender::Male)
        .chain(each(female, Gender::Female))
        .chain(each(unknown, Gender::Unknown))
        .collect()
}
