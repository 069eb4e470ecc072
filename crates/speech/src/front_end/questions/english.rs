//! Kinds of English questions, by their first words, their last ones, and the commas between.

use std::ops::Range;

use super::{Kind, Verdict, scan::Word, segments};

/// Words before a question that do not change it.
const OPENERS: &[&str] = &[
    "and",
    "but",
    "so",
    "or",
    "well",
    "oh",
    "ah",
    "now",
    "then",
    "okay",
    "ok",
    "hey",
    "hi",
    "hello",
    "please",
    "um",
    "uh",
    "er",
    "hmm",
    "say",
    "look",
    "listen",
    "yes",
    "yeah",
    "no",
    "nope",
    "anyway",
    "sorry",
    "actually",
    "honestly",
    "seriously",
    "just",
    "also",
    "still",
    "yet",
    "because",
    "tell",
    "me",
    "sir",
    "madam",
];

const AUXILIARIES: &[&str] = &[
    "am",
    "is",
    "are",
    "was",
    "were",
    "do",
    "does",
    "did",
    "have",
    "has",
    "had",
    "can",
    "could",
    "will",
    "would",
    "shall",
    "should",
    "may",
    "might",
    "must",
    "ought",
    "need",
    "dare",
    "ain't",
    "isn't",
    "aren't",
    "wasn't",
    "weren't",
    "don't",
    "doesn't",
    "didn't",
    "haven't",
    "hasn't",
    "hadn't",
    "can't",
    "cannot",
    "couldn't",
    "won't",
    "wouldn't",
    "shan't",
    "shouldn't",
    "mightn't",
    "mustn't",
    "needn't",
    "oughtn't",
    "daren't",
    "dunno",
];

const PRONOUNS: &[&str] =
    &["i", "you", "he", "she", "it", "we", "they", "there", "this", "that", "these", "those", "one"];

/// Words a subject may begin with, after an auxiliary.
const DETERMINERS: &[&str] = &[
    "the",
    "a",
    "an",
    "my",
    "your",
    "his",
    "her",
    "its",
    "our",
    "their",
    "any",
    "anyone",
    "anybody",
    "everyone",
    "everybody",
];

const QUESTION_WORDS: &[&str] = &[
    "who",
    "whom",
    "whose",
    "what",
    "which",
    "when",
    "where",
    "why",
    "how",
    "whatever",
    "whoever",
    "wherever",
    "whence",
    "whither",
    "whatcha",
    "wherefore",
];

const PREPOSITIONS: &[&str] = &[
    "in", "on", "at", "to", "for", "with", "from", "by", "of", "about", "since", "until", "till", "under",
    "over", "through", "after", "before", "during", "into", "against", "between", "among", "behind", "up",
    "around", "without", "within", "like", "than", "as",
];

/// Words that begin a clause which is not the question itself.
const SUBORDINATORS: &[&str] = &[
    "if",
    "when",
    "while",
    "whenever",
    "where",
    "wherever",
    "since",
    "because",
    "although",
    "though",
    "as",
    "unless",
    "until",
    "once",
    "given",
    "after",
    "before",
    "whether",
    "suppose",
    "considering",
];

/// What asks for a yes after a statement, and rises.
const RISING_TAGS: &[&str] = &[
    "right",
    "alright",
    "all right",
    "okay",
    "ok",
    "huh",
    "eh",
    "yes",
    "yeah",
    "no",
    "correct",
    "hm",
    "hmm",
    "see",
    "you see",
    "you know",
    "understood",
    "understand",
    "got it",
    "am i right",
    "is that right",
    "is that so",
    "is that it",
    "is that all",
    "is that clear",
    "really",
    "agreed",
    "true",
    "deal",
    "don't you agree",
];

/// What expects a yes after a statement, and falls.
const FALLING_TAGS: &[&str] = &[
    "isn't that right",
    "isn't that so",
    "don't you think",
    "wouldn't you say",
    "innit",
    "wouldn't you agree",
];

/// What may stand before "or" or after it without making two answers of it.
const VAGUE: &[&str] = &[
    "so",
    "something",
    "anything",
    "whatever",
    "somewhere",
    "anywhere",
    "someone",
    "anyone",
    "somebody",
    "anybody",
    "other",
    "else",
    "more",
    "less",
    "later",
    "ever",
    "any",
    "some",
    "never",
    "two",
    "twice",
    "somehow",
    "another",
    "thereabouts",
];

/// Words in a question that make what follows "or" a part of it: "if he is ill or tired".
const EMBEDDING: &[&str] = &[
    "if", "whether", "because", "that", "who", "which", "when", "while", "ever", "any", "anyone", "anything",
    "anybody",
];

/// What may be put into any question: "Who, do you think, will win?"
const INSERTED: &[&str] =
    &["do you think", "do you suppose", "do you reckon", "would you say", "do you know"];

const NEGATIONS: &[&str] = &[
    "not", "never", "no", "nobody", "nothing", "none", "nowhere", "hardly", "scarcely", "barely", "neither",
];

/// What the words of a question, which are not empty, make of it.
pub(super) fn judge(words: &[Word]) -> Verdict {
    let segments = segments(words);
    if let Some(tag) = tag(words, &segments) {
        return tag;
    }
    let start = question_start(words, &segments);
    match start {
        Some((at, Kind::Wh)) => wh_or_choice(words, &segments, at),
        Some((at, kind)) => choice(words, at).unwrap_or_else(|| Verdict::from(kind, at, words)),
        None => choice(words, 0).unwrap_or_else(|| Verdict::from(asked(words), 0, words)),
    }
}

fn text(words: &[Word], at: usize) -> &str {
    words.get(at).map_or("", |word| word.text.as_str())
}

fn is_in(list: &[&str], word: &str) -> bool {
    list.contains(&word)
}

/// The position after words that only introduce what follows; not after the last word.
fn past_openers(words: &[Word], segment: &Range<usize>) -> usize {
    let mut at = segment.start;
    while at + 1 < segment.end && is_in(OPENERS, text(words, at)) && text(words, at + 1) != "or" {
        at += 1;
    }
    at
}

/// Whether an auxiliary begins the segment at `at`, before a subject.
fn is_inverted(words: &[Word], at: usize, end: usize) -> bool {
    let starts = is_in(AUXILIARIES, text(words, at)) && at + 1 < end;
    // "Do come in", "Have a seat": commands.
    let commands = matches!(text(words, at), "do" | "have" | "need" | "dare")
        && !is_in(PRONOUNS, text(words, at + 1))
        && matches!(text(words, at + 1), "come" | "sit" | "a" | "go" | "not" | "to");
    starts && !commands
}

/// Whether a question word begins the segment at `at`, alone or after a preposition.
fn is_asking(words: &[Word], at: usize, end: usize) -> bool {
    let is_question_word = |at: usize| at < end && is_in(QUESTION_WORDS, stem(text(words, at)));
    // "Which means you knew?"
    let relative = text(words, at) == "which"
        && (text(words, at + 1) == "means" || (text(words, at + 1) == "is" && text(words, at + 2) == "why"));
    let after_preposition = is_in(PREPOSITIONS, text(words, at))
        && matches!(
            stem(text(words, at + 1)),
            "what" | "which" | "whom" | "whose" | "who" | "how" | "when" | "where"
        );
    !relative && (is_question_word(at) || (after_preposition && is_question_word(at + 1)))
}

/// "what" of "what's".
fn stem(word: &str) -> &str {
    word.split_once('\'').map_or(word, |(stem, _)| stem)
}

/// Where the question begins, and its kind by that alone; `None` when nothing of it is a question's form.
fn question_start(words: &[Word], segments: &[Range<usize>]) -> Option<(usize, Kind)> {
    let first = segments.first()?;
    let at = past_openers(words, first);
    if is_inverted(words, at, first.end) {
        return Some((at, Kind::YesNo));
    }
    let is_inserted = |segment: &Range<usize>| is_in(INSERTED, &joined(words, segment));
    let inverted = segments.iter().skip(1).find_map(|segment| {
        let at = past_openers(words, segment);
        is_inverted(words, at, segment.end).then_some((at, Kind::YesNo))
    });
    let has_inserted = segments.iter().any(is_inserted);
    let inverted = inverted.filter(|_| !has_inserted);
    if is_asking(words, at, first.end) {
        let alone = at + 1 == first.end && segments.len() > 1 && !has_inserted;
        let subordinate =
            is_in(SUBORDINATORS, stem(text(words, at))) && !is_in(AUXILIARIES, text(words, at + 1));
        return match inverted {
            // "When you arrive, will you call?"; "What, are you mad?"
            Some(found) if alone || subordinate => Some(found),
            _ if alone && text(words, at) != "why" => Some((0, Kind::Echo)),
            // "Why, you are crying?"
            _ if alone && words.len() - first.end > 2 => None,
            _ => Some((at, Kind::Wh)),
        };
    }
    let asking = segments.iter().enumerate().skip(1).rev().find_map(|(index, segment)| {
        let at = past_openers(words, segment);
        let before = &segments[index - 1];
        let introduced = at > segment.start
            || (before.len() <= 2 && !is_in(DETERMINERS, text(words, before.start)))
            || is_in(SUBORDINATORS, text(words, first.start))
            || is_in(PREPOSITIONS, text(words, first.start));
        let word = at + usize::from(is_in(PREPOSITIONS, text(words, at)));
        let subject = text(words, word + 2);
        let inverted = is_in(AUXILIARIES, text(words, word + 1))
            && (is_in(PRONOUNS, subject) || is_in(DETERMINERS, subject));
        (is_asking(words, at, segment.end) && (introduced || inverted)).then_some((at, Kind::Wh))
    });
    match (inverted, asking) {
        (Some(yes_no), Some(wh)) if yes_no.0 < wh.0 => Some(yes_no),
        (yes_no, wh) => wh.or(yes_no),
    }
}

fn joined(words: &[Word], segment: &Range<usize>) -> String {
    let texts: Vec<&str> = words[segment.clone()].iter().map(|word| word.text.as_str()).collect();
    texts.join(" ")
}

/// A question that is a statement followed by a tag.
fn tag(words: &[Word], segments: &[Range<usize>]) -> Option<Verdict> {
    let last = segments.last()?;
    // Without a comma only what can be nothing else: "It's cold isn't it?"
    let length = words.len();
    let bare = length >= 4
        && segments.len() == 1
        && (text(words, length - 2).ends_with("n't") && is_in(AUXILIARIES, text(words, length - 2)))
        && is_in(PRONOUNS, text(words, length - 1));
    let start = if bare { length - 2 } else { last.start };
    if start == 0 || (!bare && segments.len() < 2) {
        return None;
    }
    let main = &words[..start];
    let at = past_openers(words, &segments[0]);
    if is_asking(words, at, start) {
        return None;
    }
    let said = joined(words, &(start..length));
    if is_in(RISING_TAGS, &said) {
        // "Yes, really?" and "Tom, right?" ask for themselves.
        return Some(Verdict::from(Kind::RisingTag, start, words));
    }
    if is_inverted(words, at, segments[0].end.min(start)) {
        return None;
    }
    if is_in(FALLING_TAGS, &said) {
        return Some(Verdict::from(Kind::Tag, start, words));
    }
    let (auxiliary, pronoun) = (text(words, start), text(words, start + 1));
    let is_tag = is_in(AUXILIARIES, auxiliary) && is_in(PRONOUNS, pronoun);
    let has_not = text(words, start + 2) == "not";
    if !is_tag || length - start > 2 + usize::from(has_not) {
        return None;
    }
    let is_negative = auxiliary.ends_with("n't") || has_not;
    let main_is_negative = main.iter().any(|word| word.text.ends_with("n't") || is_in(NEGATIONS, &word.text));
    let kind = if is_negative == main_is_negative { Kind::RisingTag } else { Kind::Tag };
    // A greeting or a name is no statement: "John, can you?"
    let states = bare || main.len() >= 2;
    states.then(|| Verdict::from(kind, start, words))
}

/// A question with a question word: with answers to choose from after a comma, or without.
fn wh_or_choice(words: &[Word], segments: &[Range<usize>], at: usize) -> Verdict {
    let list = segments.iter().find(|segment| segment.start > at);
    let plain = || Verdict::from(Kind::Wh, at, words);
    match list {
        Some(list) => choice(words, list.start).unwrap_or_else(plain),
        None => plain(),
    }
}

/// A question whose words from `start` on name answers to choose from.
fn choice(words: &[Word], start: usize) -> Option<Verdict> {
    let or = words.iter().enumerate().skip(start + 1).rev().find(|(_, word)| word.text == "or")?.0;
    if or + 1 >= words.len() {
        return None;
    }
    let (before, after) = (text(words, or - 1), text(words, or + 1));
    // "Are you coming or not?" rises once.
    let or_not = after == "not" && or + 2 == words.len();
    let embedded = words[start..or].iter().any(|word| is_in(EMBEDDING, &word.text));
    // "Could you or your wife come?"
    let subject = or <= start + 2 && is_in(AUXILIARIES, text(words, start));
    let is_number = |word: &str| {
        word.chars().all(|c| c.is_ascii_digit())
            || is_in(&["one", "two", "three", "four", "five", "six"], word)
    };
    let denied = text(words, start).ends_with("n't");
    let vague = is_in(VAGUE, before) || is_in(VAGUE, after) || (is_number(before) && is_number(after));
    // "A day or two", "sooner or later".
    if embedded || subject || denied || (vague && !or_not) || (after == "not" && !or_not) {
        return None;
    }
    let mut ends: Vec<usize> = (start + 1..or).filter(|&at| words[at].after_break).collect();
    if ends.last() != Some(&or) {
        ends.push(or);
    }
    let mut from = start;
    let rises = ends.into_iter().map(|end| std::mem::replace(&mut from, end)..end).collect();
    Some(Verdict { kind: Kind::Alternative, rises })
}

/// The kind of what has not the form of a question.
fn asked(words: &[Word]) -> Kind {
    let spoken = joined(words, &(0..words.len()));
    if matches!(spoken.as_str(), "guess what" | "you know what" | "no matter what" | "so what" | "or what") {
        return Kind::Wh;
    }
    // In its place in the statement: "He paid how much?"
    let last = words.len().saturating_sub(3);
    let asks = words.iter().enumerate().skip(last.max(1)).any(|(at, word)| {
        let rest = words.len() - at;
        is_in(QUESTION_WORDS, &word.text)
            && (rest == 1 || matches!(word.text.as_str(), "how" | "what" | "which" | "whose") && rest == 2)
    });
    if asks { Kind::Echo } else { Kind::Declarative }
}
