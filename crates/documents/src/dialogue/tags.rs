//! Finds who speaks in the narration around a quote: `said Ines`, `the old man asked`,
//! `Ines put down the cup.`

use std::ops::Range;

use super::{
    lexicon::{Gender, Lexicon, Possessor},
    phrases::{Phrase, phrase, subject},
    words::Words,
};

/// How plainly the narration says who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// The subject of the sentence before, in a paragraph of its own.
    Hint,
    /// The subject of a sentence next to the quote: an action beat.
    Beat,
    /// A subject after a comma, without a verb of speech: `“No,” Ines put in.`
    Weak,
    /// A verb of speech.
    Tag,
}

/// What the narration says about a quote's speaker.
#[derive(Debug, Clone)]
pub(super) struct Tag {
    pub phrase: Phrase,
    pub strength: Strength,
    /// Whom the speaker addresses: `said Ines to Tom`.
    pub to: Option<Phrase>,
}

/// The tag after a quote. `last` is the last character inside the quote.
pub(super) fn after(words: &Words, last: Option<char>, lexicon: &Lexicon) -> Option<Tag> {
    let first = words.words.first()?;
    let starts_sentence =
        first.gap.contains(['.', '!', '?']) || (first.is_capitalized() && last == Some('.'));
    if starts_sentence {
        return None;
    }
    let end = clause_end(words, lexicon);
    if let Some(verb_end) = verb(words, 0, end, lexicon)
        && let Some((phrase, after)) = phrase(words, verb_end, end, lexicon)
    {
        let to = addressee(words, after, end, lexicon);
        return Some(Tag { phrase, strength: Strength::Tag, to });
    }
    // `was her only answer`
    if lexicon.copulas.contains(&*first.lower)
        && let Some(Possessor::Third(gender)) =
            words.words.get(1).and_then(|word| lexicon.possessives.get(&*word.lower).copied())
    {
        return Some(Tag { phrase: Phrase::Pronoun(gender), strength: Strength::Weak, to: None });
    }
    if let Some(phrase) = joined_pronoun(&first.lower, lexicon) {
        return Some(Tag { phrase, strength: Strength::Tag, to: None });
    }
    let (phrase, next) = phrase(words, 0, end, lexicon)?;
    let is_name = matches!(phrase, Phrase::Name(_) | Phrase::First);
    let continues = !first.is_capitalized() || is_name;
    if let Some(verb_end) = verb_after(words, next, end, lexicon)
        && (continues || last == Some(','))
        // `Ines replied that it was` tells what somebody else says.
        && !(first.is_capitalized()
            && words.words.get(verb_end).is_some_and(|word| lexicon.that.contains(&*word.lower)))
    {
        let to = addressee(words, verb_end, end, lexicon);
        return Some(Tag { phrase, strength: Strength::Tag, to });
    }
    let joined = first.follows_closely() && next < end && words.words[next].follows_closely();
    let weak = joined && (!first.is_capitalized() || last == Some(','));
    weak.then_some(Tag { phrase, strength: Strength::Weak, to: None })
}

/// The tag before a quote, in the last sentence of the narration before it.
pub(super) fn before(words: &Words, lexicon: &Lexicon) -> Option<Tag> {
    let tail = words.tail.trim();
    let introduces = tail.ends_with([',', ':', '—', '–', '-']);
    if !(introduces || tail.is_empty()) {
        return None;
    }
    let sentence = words.sentences(lexicon).pop()?;
    let found = with_verb(words, &sentence, lexicon).filter(|(_, verb_end)| {
        // Without a comma, only `He said “No”`.
        introduces || *verb_end == words.words.len()
    });
    if let Some((phrase, verb_end)) = found {
        let to = addressee(words, verb_end, sentence.end, lexicon);
        return Some(Tag { phrase, strength: Strength::Tag, to });
    }
    if tail.ends_with(':') {
        let (phrase, _) = subject(words, sentence.start, sentence.end, lexicon)?;
        return Some(Tag { phrase, strength: Strength::Beat, to: None });
    }
    None
}

/// The tag in a paragraph before the quote's own: `Ines went on.`, or `She cried—`.
pub(super) fn lead(words: &Words, lexicon: &Lexicon) -> Option<Tag> {
    let sentence = words.sentences(lexicon).pop()?;
    let introduces = words.tail.trim_end().ends_with([':', '—', '–', ',', ';']);
    if let Some((phrase, verb_end)) = with_verb(words, &sentence, lexicon)
        && (introduces || verb_end + 2 >= sentence.end)
    {
        let to = addressee(words, verb_end, sentence.end, lexicon);
        return Some(Tag { phrase, strength: Strength::Tag, to });
    }
    let (phrase, next) = subject(words, sentence.start, sentence.end, lexicon)?;
    let is_silent = words.words[next..sentence.end.min(next + 2)]
        .iter()
        .any(|word| lexicon.silent.contains(&*word.lower));
    (!is_silent).then_some(Tag { phrase, strength: Strength::Hint, to: None })
}

/// The subject of the sentence next to a quote in its paragraph.
pub(super) fn beat(words: &Words, sentence: &Range<usize>, lexicon: &Lexicon) -> Option<Tag> {
    let (phrase, _) = subject(words, sentence.start, sentence.end, lexicon)?;
    Some(Tag { phrase, strength: Strength::Beat, to: None })
}

/// The last verb of speech in a sentence, with its subject. Returns the index after the verb.
fn with_verb(words: &Words, sentence: &Range<usize>, lexicon: &Lexicon) -> Option<(Phrase, usize)> {
    // A verb far from the quote governs something else.
    let first = sentence.start.max(sentence.end.saturating_sub(20));
    for at in (first..sentence.end).rev() {
        let Some(verb_end) = verb(words, at, sentence.end, lexicon) else { continue };
        // `Said Ines: “…”`
        if at == sentence.start
            && let Some((phrase, _)) = phrase(words, verb_end, sentence.end, lexicon)
        {
            return Some((phrase, verb_end));
        }
        // The phrase right before the verb, the longest one.
        for start in at.saturating_sub(7).max(sentence.start)..at {
            if let Some((phrase, end)) = phrase(words, start, at, lexicon)
                && end <= at
                && (end..at).all(|index| is_between(words, index, lexicon))
                && (end..=at).all(|index| words.words[index].follows_closely())
            {
                let governed = start > sentence.start
                    && words.words[start].follows_closely()
                    && lexicon.prepositions.contains(&*words.words[start - 1].lower);
                if !governed {
                    return Some((phrase, verb_end));
                }
            }
        }
        if at > sentence.start
            && let Some(phrase) = bearer(words, sentence.start, at - 1, lexicon)
        {
            return Some((phrase, verb_end));
        }
        // `Ines, smiling at Tom, said`
        if let Some(phrase) = before_insertion(words, sentence.start, at, lexicon) {
            return Some((phrase, verb_end));
        }
        // A second predicate: `Ines nodded, and said`.
        let joined = (sentence.start + 1..=at).rev().find(|&index| !is_between(words, index - 1, lexicon));
        let joins = joined.is_some_and(|index| {
            lexicon.and.contains(&*words.words[index - 1].lower) || words.words[index].gap.starts_with(',')
        });
        if !joins {
            continue;
        }
        // The clause of the verb, then those before it.
        let clause = (sentence.start..at).rev().take(24).find_map(|index| {
            if let Some(phrase) = bearer(words, sentence.start, index, lexicon) {
                return Some((phrase, verb_end));
            }
            let starts = index == sentence.start || lexicon.clauses.contains(&*words.words[index - 1].lower);
            if starts { subject(words, index, at, lexicon) } else { None }
        });
        if let Some((phrase, _)) = clause.or_else(|| phrase(words, sentence.start, at, lexicon)) {
            return Some((phrase, verb_end));
        }
    }
    None
}

/// The subject before a few words between commas that end before a verb.
fn before_insertion(words: &Words, from: usize, verb: usize, lexicon: &Lexicon) -> Option<Phrase> {
    if verb == from || !words.words[verb].gap.starts_with(',') {
        return None;
    }
    let comma = (verb.saturating_sub(12).max(from + 1)..verb)
        .rev()
        .find(|&index| words.words[index].gap.starts_with(','))?;
    let is_adjunct = words.words[comma].lower.ends_with("ing");
    (comma.saturating_sub(5).max(from)..comma)
        .filter(|_| is_adjunct)
        .find_map(|start| phrase(words, start, comma, lexicon).filter(|(_, end)| *end == comma))
        .map(|(phrase, _)| phrase)
}

/// Whom a `who` is about: `the butler, who said`.
fn bearer(words: &Words, from: usize, who: usize, lexicon: &Lexicon) -> Option<Phrase> {
    if !lexicon.who.contains(&*words.words[who].lower) {
        return None;
    }
    (who.saturating_sub(6).max(from)..who)
        .find_map(|start| phrase(words, start, who, lexicon).filter(|(_, end)| *end == who))
        .map(|(phrase, _)| phrase)
}

/// Whether a word may stand between a subject and its verb.
fn is_between(words: &Words, index: usize, lexicon: &Lexicon) -> bool {
    lexicon.is_adverb(&words.words[index].lower) && !words.words[index].gap.contains(['.', '!', '?', ':'])
}

/// The index after a verb of speech that begins at a word.
fn verb(words: &Words, at: usize, limit: usize, lexicon: &Lexicon) -> Option<usize> {
    let word = words.words.get(at).filter(|_| at < limit)?;
    if let Some(particles) = lexicon.phrasal.get(&*word.lower)
        && at + 1 < limit
        && particles.contains(&*words.words[at + 1].lower)
    {
        return Some(at + 2);
    }
    lexicon.verbs.contains(&*word.lower).then_some(at + 1)
}

/// The index after a verb of speech, with adverbs before it allowed.
fn verb_after(words: &Words, at: usize, limit: usize, lexicon: &Lexicon) -> Option<usize> {
    (at..limit.min(at + 4))
        .take_while(|&index| index == at || is_between(words, index - 1, lexicon))
        .find_map(|index| verb(words, index, limit, lexicon))
}

/// Whom the speaker addresses, right after the verb: `said to Ines`, `said Tom to her`.
fn addressee(words: &Words, at: usize, limit: usize, lexicon: &Lexicon) -> Option<Phrase> {
    let limit = limit.min(words.words.len());
    (at..limit.min(at + 4))
        .take_while(|&index| index == at || words.words[index].follows_closely())
        .find(|&index| lexicon.to.contains(&*words.words[index].lower))
        .and_then(|index| phrase(words, index + 1, limit, lexicon))
        .map(|(phrase, _)| phrase)
}

/// The end of the first sentence.
fn clause_end(words: &Words, lexicon: &Lexicon) -> usize {
    (1..words.words.len()).find(|&index| words.starts_sentence(index, lexicon)).unwrap_or(words.words.len())
}

/// The subject in `dit-il`.
fn joined_pronoun(word: &str, lexicon: &Lexicon) -> Option<Phrase> {
    let (_, pronoun) = word.split_once('-').filter(|(verb, _)| lexicon.verbs.contains(verb))?;
    match pronoun.trim_start_matches("t-") {
        pronoun if lexicon.first.contains(pronoun) => Some(Phrase::First),
        pronoun if lexicon.male.contains(pronoun) => Some(Phrase::Pronoun(Gender::Male)),
        pronoun if lexicon.female.contains(pronoun) => Some(Phrase::Pronoun(Gender::Female)),
        pronoun if lexicon.group.contains(pronoun) => Some(Phrase::Group),
        _ => None,
    }
}

/// Whether a verb of speech with its subject begins the words: `dit Inès`.
pub(super) fn is_inverted(words: &Words, lexicon: &Lexicon) -> bool {
    let end = words.words.len();
    let has_subject = |after| phrase(words, after, end, lexicon).is_some();
    verb(words, 0, end, lexicon).is_some_and(has_subject)
        || words.words.first().is_some_and(|word| joined_pronoun(&word.lower, lexicon).is_some())
}
