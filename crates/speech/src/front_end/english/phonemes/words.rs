//! Looks up one word: case, lexicons by part of speech, stems, letters. `None` means that the word
//! is unknown.
//!
//! `pieces` has already decided where words begin and end; unknown words go to `unknown`.

use crate::pack::{Pack, PackError};

use super::{
    Accent,
    alphabet::{PRIMARY, is_consonant, is_pause, is_vowel},
    dictionary::{Dictionary, Reading, Readings},
    endings, letters,
    stress::Stress,
};

/// The following sounds, as far as they change a word's pronunciation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Context {
    /// Whether a vowel comes next; `None` before a pause and at the end.
    pub(super) next_vowel: Option<bool>,
    /// Whether the word "to" comes next.
    pub(super) next_is_to: bool,
}

impl Context {
    /// The context for the word before a word with these phonemes.
    pub(super) fn before(self, word: &str, tag: &str, phonemes: &str) -> Self {
        let sound = phonemes.chars().find(|&c| is_vowel(c) || is_consonant(c) || is_pause(c));
        let next_vowel = match sound {
            None => self.next_vowel,
            Some(c) if is_pause(c) => None,
            Some(c) => Some(is_vowel(c)),
        };
        let next_is_to = matches!(word, "to" | "To") || (word == "TO" && matches!(tag, "TO" | "IN"));
        Self { next_vowel, next_is_to }
    }
}

/// The class of a Penn tag, by which the lexicons distinguish readings.
pub(super) fn class(tag: &str) -> &str {
    match tag {
        _ if tag.starts_with("VB") => "VERB",
        _ if tag.starts_with("NN") => "NOUN",
        _ if tag.starts_with("RB") || tag.starts_with("ADV") => "ADV",
        _ if tag.starts_with("JJ") || tag.starts_with("ADJ") => "ADJ",
        _ => tag,
    }
}

/// The known words of one accent.
#[derive(Debug)]
pub(super) struct Words {
    dictionary: Dictionary,
    accent: Accent,
}

impl Words {
    pub(super) fn load(pack: &Pack, accent: Accent) -> Result<Self, PackError> {
        Ok(Self { dictionary: Dictionary::load(pack, accent)?, accent })
    }

    pub(super) fn accent(&self) -> Accent {
        self.accent
    }

    pub(super) fn entries(&self) -> usize {
        self.dictionary.len()
    }

    /// The phonemes of a word written with ASCII apostrophes, by its Penn tag and the context after
    /// it.
    pub(super) fn pronounce(&self, word: &str, tag: &str, context: Context) -> Option<String> {
        let stress = Stress::of_capitals(word);
        if let Some(phonemes) = self.function_word(word, tag, stress == Stress::Raised, context) {
            return Some(phonemes);
        }
        let lower;
        let word = if self.is_capitalized_common_word(word, tag, stress, context) {
            lower = word.to_lowercase();
            lower.as_str()
        } else {
            word
        };
        if self.knows(word) {
            return self.look_up(word, tag, stress, context);
        }
        // "the dogs'", "rock 'n'": an apostrophe at the end is silent.
        if let Some(bare) = word.strip_suffix('\'') {
            let sung = bare.ends_with('s').then(|| format!("{}'s", &bare[..bare.len() - 1]));
            for candidate in sung.as_deref().into_iter().chain([bare]) {
                if self.knows(candidate) {
                    return self.look_up(candidate, tag, stress, context);
                }
            }
        }
        self.stemmed(word, tag, stress, context)
    }

    /// The default reading of a word that the gold lexicon has.
    pub(super) fn plain(&self, word: &str) -> Option<String> {
        Some(self.dictionary.gold(word)?.plain().to_owned())
    }

    /// The reading of a gold word for a tag, or its default reading.
    pub(super) fn tagged(&self, word: &str, tag: &str) -> Option<String> {
        let readings = self.dictionary.gold(word)?;
        let told = match readings.of(tag) {
            Reading::Said(phonemes) => phonemes,
            Reading::Untold | Reading::Denied => readings.plain(),
        };
        Some(told.to_owned())
    }

    /// Whether the gold lexicon has several readings of a word, distinguished by part of speech.
    pub(super) fn has_several_readings(&self, word: &str) -> bool {
        matches!(self.dictionary.gold(word), Some(Readings::BySense(_)))
    }

    /// The word, spelled out.
    pub(super) fn spelled(&self, word: &str) -> Option<String> {
        letters::spelled(word, &self.dictionary)
    }

    /// Whether a word with capitals is the common word: `Running`, `STOP`. Short proper names keep
    /// their capitals, because a short common word and a name are often different words.
    fn is_capitalized_common_word(&self, word: &str, tag: &str, stress: Stress, context: Context) -> bool {
        let mut letters = word.chars();
        letters.next();
        let plain_case = stress == Stress::Raised || !letters.as_str().chars().any(char::is_uppercase);
        if stress == Stress::Kept
            || !plain_case
            || letters.as_str().is_empty()
            || !word.chars().all(|c| c == '\'' || c.is_alphabetic())
            || (tag == "NNP" && word.chars().count() <= 7)
            || self.dictionary.has(word)
        {
            return false;
        }
        let lower = word.to_lowercase();
        self.dictionary.has(&lower) || self.stemmed(&lower, tag, stress, context).is_some()
    }

    /// Whether [`Self::look_up`] finds the word: in a lexicon, as a letter, or as letters to spell.
    fn knows(&self, word: &str) -> bool {
        if self.dictionary.has(word) {
            return true;
        }
        let Some(rest) = word.get(1..).filter(|_| word.bytes().all(|b| b.is_ascii_alphabetic())) else {
            return false;
        };
        rest.bytes().all(|b| b.is_ascii_uppercase())
            || (word.bytes().all(|b| b.is_ascii_uppercase())
                && self.dictionary.gold(&word.to_lowercase()).is_some())
    }

    fn look_up(&self, word: &str, tag: &str, stress: Stress, context: Context) -> Option<String> {
        let shouted = !word.chars().any(char::is_lowercase) && self.dictionary.gold(word).is_none();
        let name = shouted && tag == "NNP";
        let lower;
        let word = if shouted {
            lower = word.to_lowercase();
            lower.as_str()
        } else {
            word
        };
        let silver = || if name { None } else { self.dictionary.silver(word) };
        let reading =
            self.dictionary.gold(word).or_else(silver).and_then(|readings| by_tag(readings, tag, context));
        match reading {
            Some(phonemes) if !name || phonemes.contains(PRIMARY) => Some(stress.apply(phonemes)),
            other => self.spelled(word).or_else(|| Some(stress.apply(other?))),
        }
    }

    fn stemmed(&self, word: &str, tag: &str, stress: Stress, context: Context) -> Option<String> {
        self.plural(word, tag, stress, context).or_else(|| self.past(word, tag, stress, context)).or_else(
            || {
                let stress = if stress == Stress::Kept { Stress::Hinted } else { stress };
                self.progressive(word, tag, stress, context)
            },
        )
    }

    fn plural(&self, word: &str, tag: &str, stress: Stress, context: Context) -> Option<String> {
        let bare = word.strip_suffix('s').filter(|bare| bare.len() > 1)?;
        let stem = if !bare.ends_with('s') && self.knows(bare) {
            bare.to_owned()
        } else {
            let long = word.chars().count() > 4;
            let without_e = bare.strip_suffix('e').filter(|_| long && !bare.ends_with("ie"));
            let whole = bare.strip_suffix('\'').or(without_e).filter(|stem| self.knows(stem));
            let in_y = || bare.strip_suffix("ie").filter(|_| long).map(|root| format!("{root}y"));
            whole.map(str::to_owned).or_else(|| in_y().filter(|stem| self.knows(stem)))?
        };
        endings::plural(&self.look_up(&stem, tag, stress, context)?, self.accent)
    }

    fn past(&self, word: &str, tag: &str, stress: Stress, context: Context) -> Option<String> {
        let bare = word.strip_suffix('d').filter(|bare| bare.len() > 2)?;
        let without_e = || bare.strip_suffix('e').filter(|stem| stem.len() > 2 && !stem.ends_with('e'));
        let stem = if !bare.ends_with('d') && self.knows(bare) {
            bare
        } else {
            without_e().filter(|stem| self.knows(stem))?
        };
        endings::past(&self.look_up(stem, tag, stress, context)?, self.accent)
    }

    fn progressive(&self, word: &str, tag: &str, stress: Stress, context: Context) -> Option<String> {
        let bare = word.strip_suffix("ing").filter(|bare| bare.len() > 1)?;
        let long = bare.len() > 2;
        let stem = if long && self.knows(bare) {
            bare.to_owned()
        } else if let Some(stem) = Some(format!("{bare}e")).filter(|stem| self.knows(stem)) {
            stem
        } else {
            undoubled(bare).filter(|stem| long && self.knows(stem))?.to_owned()
        };
        endings::progressive(&self.look_up(&stem, tag, stress, context)?, self.accent)
    }
}

/// `run` for `runn`, `panic` for `panick`.
fn undoubled(stem: &str) -> Option<&str> {
    let (rest, last) = stem.split_at_checked(stem.len().checked_sub(1)?)?;
    let doubled = rest.ends_with(last) && "bcdgklmnprstvxz".contains(last);
    (doubled || stem.ends_with("ck")).then_some(rest)
}

fn by_tag<'a>(readings: Readings<'a>, tag: &str, context: Context) -> Option<&'a str> {
    if let Readings::One(phonemes) = readings {
        return Some(phonemes);
    }
    let at_the_end = if context.next_vowel.is_none() { readings.of("None") } else { Reading::Untold };
    for reading in [at_the_end, readings.of(tag), readings.of(class(tag))] {
        match reading {
            Reading::Untold => {}
            Reading::Denied => return None,
            Reading::Said(phonemes) => return Some(phonemes),
        }
    }
    Some(readings.plain())
}
