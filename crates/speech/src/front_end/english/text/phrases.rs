//! Where a very long sentence without punctuation may be cut: before a conjunction, a relative
//! clause or a prepositional phrase, by part-of-speech tags; never between words that belong
//! together, such as an adjective and its noun.

use super::{tagger::Tagger, tokenize::Tokenizer};
use crate::front_end::split::WISHED;

/// The bonus of a place that makes the pieces even.
const EVENNESS: f32 = 30.0;

/// Tags of words that belong to the next word, so that no cut comes between the two.
const LEANS_ON_NEXT: [&str; 24] = [
    "DT", "PDT", "PRP$", "JJ", "JJR", "JJS", "CD", "IN", "TO", "CC", "MD", "WDT", "WP", "WP$", "WRB", "RB",
    "RBR", "RBS", "EX", "POS", "HYPH", "$", "``", "-LRB-",
];

/// Words that join a clause to the previous one.
const SUBORDINATORS: [&str; 13] = [
    "although", "because", "before", "after", "if", "once", "since", "though", "unless", "until", "whereas",
    "while", "whether",
];

/// The most characters of a text that are counted to make its pieces even. The pieces of a longer
/// text are as long as possible.
const COUNTED: usize = 8 * WISHED;

/// The best byte, at most `most`, at which to cut the front of a long text because a phrase begins
/// there. `None` when no place is good.
pub(super) fn boundary(text: &str, most: usize, tokenizer: &Tokenizer, tagger: &Tagger) -> Option<usize> {
    let characters = text.chars().take(COUNTED).count();
    let near = &text[..text.floor_char_boundary(most)];
    let reach = near.chars().count().max(1);
    // A little of the following text, because tags depend on the next words.
    let seen = &text[..text.floor_char_boundary((near.len() + 60).min(text.len()))];
    let ranges = tokenizer.cut(seen);
    let words: Vec<&str> = ranges.iter().map(|range| &seen[range.clone()]).collect();
    let tags = tagger.tag(&words);
    // The rest is cut again when it is too long: pieces are as even as their number allows.
    let wanted = characters as f32 / characters.div_ceil((reach * 9 / 10).max(1)).max(2) as f32;
    let mut best: Option<(f32, usize)> = None;
    for (at, range) in ranges.iter().enumerate().skip(1) {
        let start = range.start;
        let position = seen[..start].chars().count() as f32;
        if start > near.len()
            || position < reach as f32 / 3.0
            || !seen[..start].ends_with(char::is_whitespace)
        {
            continue;
        }
        let Some(worth) = start_score(&words, &tags, at) else { continue };
        let score = worth - EVENNESS * (position - wanted).abs() / wanted;
        if best.is_none_or(|(highest, _)| score > highest) {
            best = Some((score, start));
        }
    }
    best.map(|(_, start)| start)
}

/// The score of a cut before the word at `at`; `None` if no phrase begins there.
pub(crate) fn start_score(words: &[&str], tags: &[&'static str], at: usize) -> Option<f32> {
    let (before, tag) = (tags[at.checked_sub(1)?], tags[at]);
    let word = words[at].to_ascii_lowercase();
    let next = tags.get(at + 1).copied().unwrap_or_default();
    let prefixed = matches!(next, "WDT" | "WP" | "WP$");
    if LEANS_ON_NEXT.contains(&before) || words[at - 1].eq_ignore_ascii_case("as") {
        return None;
    }
    match tag {
        // As in "in which".
        "IN" if prefixed => Some(90.0),
        "WDT" | "WP" | "WRB" => Some(85.0),
        "IN" if SUBORDINATORS.contains(&word.as_str()) => Some(85.0),
        // As in "the fact that" and "said that".
        "IN" if word == "that" => Some(60.0),
        "CC" => Some(conjunction_score(words, tags, at)),
        // Part of a comparison or of a name.
        "IN" if matches!(word.as_str(), "than" | "as" | "of" | "'s") => None,
        "IN" if before.starts_with("VB") => Some(15.0),
        "IN" => Some(40.0),
        "TO" if next == "VB" && before.starts_with("NN") => Some(45.0),
        "TO" if next == "VB" => Some(20.0),
        _ => None,
    }
}

/// The score of a cut before a conjunction: high between clauses, lower between two words of the
/// same kind.
fn conjunction_score(words: &[&str], tags: &[&'static str], at: usize) -> f32 {
    let (before, next) = (tags[at - 1], tags.get(at + 1).copied().unwrap_or_default());
    let subject =
        matches!(next, "PRP" | "EX" | "WP" | "WDT") || words.get(at + 1).is_some_and(|word| *word == "then");
    let family = |tag: &'static str| tag.get(..2).unwrap_or(tag);
    if subject {
        80.0
    } else if next.starts_with("VB") || next == "DT" || next == "IN" || next == "RB" {
        60.0
    } else if family(before) == family(next) {
        25.0
    } else {
        45.0
    }
}
