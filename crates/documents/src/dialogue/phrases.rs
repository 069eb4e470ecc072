//! Noun phrases that may be the subject of a speech verb: `Ines`, `Mr. Smith`, `the old man`, `he`,
//! `her father`.

use super::{
    lexicon::{Gender, Lexicon, Possessor},
    words::Words,
};

/// The most words of a name or of a role.
const LONGEST: usize = 4;

/// Whom a phrase refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Phrase {
    /// The narrator.
    First,
    Pronoun(Gender),
    /// Several people.
    Group,
    /// A name as it is written, with its title.
    Name(String),
    /// `the old man`, without the article.
    Role(String),
    /// `her father`: the possessor and the noun.
    Kin(Possessor, String),
    /// `his faithful assistant`, without the possessive.
    Owned(String),
}

/// A phrase, and the index of the word after it.
pub(super) type Parsed = (Phrase, usize);

/// The phrase that begins at a word. `limit` is the end of what may belong to it.
pub(super) fn phrase(words: &Words, at: usize, limit: usize, lexicon: &Lexicon) -> Option<Parsed> {
    let parsed = single(words, at, limit, lexicon)?;
    // "Tom and Ines said" is nobody's.
    let end = parsed.1;
    if end + 1 < limit
        && words.words[end].follows_closely()
        && lexicon.and.contains(&*words.words[end].lower)
        && let Some((_, end)) = single(words, end + 1, limit, lexicon)
    {
        return Some((Phrase::Group, end));
    }
    Some(parsed)
}

fn single(words: &Words, at: usize, limit: usize, lexicon: &Lexicon) -> Option<Parsed> {
    if at >= limit {
        return None;
    }
    let lower = &*words.words[at].lower;
    if lexicon.first.contains(lower) {
        return Some((Phrase::First, at + 1));
    }
    if lexicon.male.contains(lower) {
        return Some((Phrase::Pronoun(Gender::Male), at + 1));
    }
    if lexicon.female.contains(lower) {
        return Some((Phrase::Pronoun(Gender::Female), at + 1));
    }
    if lexicon.group.contains(lower) {
        return Some((Phrase::Group, at + 1));
    }
    if lexicon.determiners.contains(lower) {
        return role(words, at + 1, limit, lexicon);
    }
    if let Some(&possessor) = lexicon.possessives.get(lower) {
        let (phrase, end) = role(words, at + 1, limit, lexicon)?;
        let Phrase::Role(role) = phrase else { return Some((phrase, end)) };
        let head = role.rsplit(' ').next().unwrap_or_default().to_lowercase();
        return Some(match possessor {
            Possessor::First => (Phrase::Role(role), end),
            Possessor::Third(_) if lexicon.kin.contains_key(head.as_str()) => {
                (Phrase::Kin(possessor, head), end)
            }
            Possessor::Third(_) => (Phrase::Owned(role), end),
        });
    }
    // `poor Gluck`
    let is_epithet = !words.words[at].is_capitalized() && lexicon.titles.contains_key(lower);
    if is_epithet && at + 1 < limit && words.words[at + 1].follows_closely() {
        return name(words, at + 1, limit, lexicon);
    }
    name(words, at, limit, lexicon)
}

fn role(words: &Words, at: usize, limit: usize, lexicon: &Lexicon) -> Option<Parsed> {
    let mut end = at;
    while end < limit && end < at + LONGEST {
        let word = &words.words[end];
        let lower = &*word.lower;
        if end > at && word.is_capitalized() && !words.words[end - 1].is_capitalized() {
            // `the imperturbable Bunger`, but `in a low voice Bunger`.
            let before = &*words.words[end - 1].lower;
            let is_noun = [&lexicon.things, &lexicon.crowds].iter().any(|nouns| nouns.contains(before))
                || [&lexicon.nouns, &lexicon.kin].iter().any(|nouns| nouns.contains_key(before));
            if !is_noun
                && word.follows_closely()
                && let Some(found) = name(words, end, limit, lexicon)
            {
                return Some(found);
            }
            break;
        }
        let stops = !word.follows_closely()
            || lexicon.is_function(lower)
            || (end > at && (lexicon.is_adverb(lower) || is_participle(lower)));
        if stops || (end > at && begins_predicate(words, end, limit, lexicon)) {
            break;
        }
        end += 1;
        if word.possessor().is_some() {
            // "the captain's voice" is no person that can be named.
            return Some((Phrase::Group, end));
        }
    }
    if end == at {
        return None;
    }
    let head = &*words.words[end - 1].lower;
    let is_plural = lexicon.plural_s
        && head.len() > 3
        && head.ends_with('s')
        && !head.ends_with("ss")
        && !head.ends_with("us")
        && !words.words[end - 1].is_capitalized();
    if is_plural || lexicon.crowds.contains(head) || lexicon.things.contains(head) {
        return Some((Phrase::Group, end));
    }
    let text: Vec<&str> = words.words[at..end].iter().map(|word| word.text).collect();
    Some((Phrase::Role(text.join(" ")), end))
}

/// Whether a word after a noun is the verb: `the old man put`, but `the tall bearded man`.
fn begins_predicate(words: &Words, at: usize, limit: usize, lexicon: &Lexicon) -> bool {
    let lower = &*words.words[at].lower;
    if lexicon.verbs.contains(lower) || lexicon.actions.contains(lower) {
        return true;
    }
    let looks_past = lexicon.plural_s && lower.ends_with("ed") && !lower.contains('-');
    let next = words.words.get(at + 1).filter(|next| at + 1 < limit && next.follows_closely());
    let noun_follows = next.is_some_and(|next| {
        lexicon.nouns.contains_key(&*next.lower) || lexicon.kin.contains_key(&*next.lower)
    });
    looks_past && !noun_follows && !words.words[at].is_capitalized()
}

/// `holding`, but not `king`.
fn is_participle(word: &str) -> bool {
    word.len() > 5 && word.ends_with("ing") && !matches!(word, "darling" | "viking" | "earthling")
}

/// A name with its title. The first word is capitalized and is no function word.
pub(super) fn name(words: &Words, at: usize, limit: usize, lexicon: &Lexicon) -> Option<Parsed> {
    let (text, end, owns) = name_words(words, at, limit, lexicon)?;
    if owns { owned_by(words, end, limit, lexicon) } else { Some((Phrase::Name(text), end)) }
}

/// The name at a word, also where it is a possessive: `Mr. Bennet’s return`.
pub(super) fn name_or_owner(words: &Words, at: usize, limit: usize, lexicon: &Lexicon) -> Option<Parsed> {
    let (text, end, _) = name_words(words, at, limit, lexicon)?;
    Some((Phrase::Name(text), end))
}

/// The text of a name, the index after it, and whether it is a possessive.
fn name_words(words: &Words, at: usize, limit: usize, lexicon: &Lexicon) -> Option<(String, usize, bool)> {
    let first = words.words.get(at)?;
    let lower = &*first.lower;
    if !first.is_capitalized() || (lexicon.is_function(lower) && !lexicon.titles.contains_key(lower)) {
        return None;
    }
    let mut end = at;
    let mut text = String::new();
    while end < limit && end < at + LONGEST {
        let word = &words.words[end];
        let mut abbreviates = false;
        if end > at {
            let before = &words.words[end - 1];
            let is_short = lexicon.titles.contains_key(&*before.lower) || before.text.chars().count() == 1;
            abbreviates = is_short && matches!(word.gap, ". " | ".\u{A0}" | "." | ".\u{202F}");
            if !word.follows_closely() && !abbreviates {
                break;
            }
            let joins = is_particle(&word.lower)
                && words
                    .words
                    .get(end + 1)
                    .is_some_and(|next| next.is_capitalized() && next.follows_closely());
            if !joins && (!word.is_capitalized() || lexicon.is_function(&word.lower)) {
                break;
            }
        }
        let stem = word.possessor();
        if word.is_shouted() && !word.text.contains('.') && word.text.chars().count() > 1 {
            break;
        }
        if !text.is_empty() {
            text.push_str(if abbreviates { ". " } else { " " });
        }
        text.push_str(stem.unwrap_or(word.text));
        end += 1;
        if stem.is_some() {
            return Some((text, end, true));
        }
    }
    (!text.is_empty()).then_some((text, end, false))
}

/// `Emma's aunt`: a relative of somebody with a name.
fn owned_by(words: &Words, at: usize, limit: usize, lexicon: &Lexicon) -> Option<Parsed> {
    let (phrase, end) = role(words, at, limit, lexicon)?;
    match phrase {
        Phrase::Role(role) => {
            let head = role.rsplit(' ').next().unwrap_or_default().to_lowercase();
            lexicon
                .kin
                .contains_key(head.as_str())
                .then_some((Phrase::Kin(Possessor::Third(Gender::Unknown), head), end))
        }
        _ => Some((Phrase::Group, end)),
    }
}

fn is_particle(word: &str) -> bool {
    matches!(
        word,
        "de" | "du" | "des" | "da" | "di" | "del" | "della" | "von" | "van" | "der" | "la" | "le" | "y"
    )
}

/// The subject of a sentence: the first phrase that no preposition governs and that a verb may
/// follow.
pub(super) fn subject(words: &Words, from: usize, to: usize, lexicon: &Lexicon) -> Option<Parsed> {
    let mut at = from;
    // `Recovering himself, she` begins with no name.
    let opens = words.words.get(at).filter(|_| at < to)?;
    let is_adjunct = ["ing", "ed", "ly"].iter().any(|end| opens.lower.ends_with(end));
    if lexicon.plural_s && is_adjunct && opens.is_capitalized() {
        at += 1;
    }
    while at < to.min(from + 14) {
        let word = &words.words[at];
        let governed =
            at > from && word.follows_closely() && lexicon.prepositions.contains(&*words.words[at - 1].lower);
        match phrase(words, at, to, lexicon) {
            Some((_, end)) if governed => at = end.max(at + 1),
            Some((phrase, end)) => {
                let follows = words.words.get(end).filter(|_| end < to);
                let has_verb = follows.is_some_and(|next| {
                    let lower = &*next.lower;
                    (next.follows_closely() || next.gap.starts_with(','))
                        && (!lexicon.prepositions.contains(lower) || next.gap.starts_with(','))
                        && !next.is_capitalized()
                });
                if has_verb {
                    return Some((phrase, end));
                }
                at = end.max(at + 1);
            }
            None => at += 1,
        }
    }
    None
}
