//! A paragraph taken apart: its quotes, and the narration before, between and after them.

use std::ops::Range;

use super::{
    dashes,
    lexicon::{Dashes, Lexicon},
    marks::{self, Span, is_stop},
    phrases::{Phrase, name},
    tags::{self, Strength, Tag},
    words::Words,
};

/// One paragraph.
#[derive(Debug)]
pub(super) struct Layout<'a> {
    pub quotes: Vec<Quoted<'a>>,
    /// One more than quotes: before the first, between them, after the last.
    pub narration: Vec<Words<'a>>,
}

/// A quoted stretch, and what the narration next to it says.
#[derive(Debug)]
pub(super) struct Quoted<'a> {
    /// Its bytes in the paragraph.
    pub range: Range<usize>,
    pub closed: bool,
    /// Without marks.
    pub inner: &'a str,
    pub before: Option<Tag>,
    pub after: Option<Tag>,
    pub is_speech: bool,
}

impl<'a> Layout<'a> {
    pub(super) fn of(text: &'a str, lexicon: &Lexicon, single: bool) -> Self {
        let mut spans = marks::spans(text, lexicon, single);
        if spans.is_empty() && lexicon.dashes != Dashes::None {
            spans = dashes::spans(text, lexicon);
        } else if lexicon.dashes == Dashes::Opening {
            spans = spans.into_iter().flat_map(|span| dashes::without_tags(text, span, lexicon)).collect();
        }
        let mut narration = Vec::with_capacity(spans.len() + 1);
        let mut from = 0;
        for span in &spans {
            narration.push(Words::of(&text[from..span.range.start]));
            from = span.range.end;
        }
        narration.push(Words::of(&text[from..]));
        let mut quotes: Vec<Quoted> = Vec::with_capacity(spans.len());
        for (index, Span { range, closed }) in spans.into_iter().enumerate() {
            let inner = text[range.clone()].trim_matches(is_mark).trim();
            let (before, after) = (&narration[index], &narration[index + 1]);
            // `said Ines, to whom he spoke, “…”`: the tag of the first half covers the second.
            let is_covered = index > 0
                && quotes[index - 1].after.as_ref().is_some_and(|tag| tag.strength == Strength::Tag)
                && before.sentences(lexicon).len() == 1;
            let mut own = Quoted {
                closed,
                inner,
                after: tags::after(after, inner.chars().next_back(), lexicon),
                before: if is_covered { None } else { tags::before(before, lexicon) },
                is_speech: false,
                range,
            };
            let interrupted = index > 0 && quotes[index - 1].is_speech && quotes[index - 1].after.is_some();
            own.is_speech = is_speech(&own, before, after, interrupted);
            quotes.push(own);
        }
        Self { quotes, narration }
    }
}

/// Whether a quoted stretch is spoken, and no title, quoted word or `so-called “expert”`.
fn is_speech(quoted: &Quoted, before: &Words, after: &Words, interrupted: bool) -> bool {
    let Some(last) = quoted.inner.chars().next_back() else { return false };
    if !quoted.inner.contains(char::is_alphanumeric) {
        return false;
    }
    let has_tag = |tag: &Option<Tag>| tag.as_ref().is_some_and(|tag| tag.strength == Strength::Tag);
    if has_tag(&quoted.after) || has_tag(&quoted.before) {
        return true;
    }
    let before_text = before.tail.trim_end();
    let follows_word = !before.words.is_empty() && before_text.is_empty();
    if follows_word {
        return false;
    }
    let stands_alone = before.words.is_empty() && after.words.is_empty();
    if stands_alone {
        return true;
    }
    let after_gap = after.words.first().map_or(after.tail, |word| word.gap).trim_start();
    if !is_stop(last) && !after_gap.starts_with([',', '—', '–']) && quoted.closed {
        return false;
    }
    // A stretch in the middle of a sentence.
    let goes_on = after.words.first().is_some_and(|word| !word.is_capitalized());
    let inside = before_text.ends_with(',') && last == ',' && goes_on;
    let starts_inside = before.words.is_empty() && last == ',' && goes_on && quoted.after.is_none();
    interrupted || !(inside || starts_inside)
}

fn is_mark(c: char) -> bool {
    c.is_whitespace() || matches!(c, '“' | '”' | '"' | '‘' | '’' | '\'' | '«' | '»' | '„' | '‚' | '‹' | '›')
}

/// The names that a speaker calls out to: `Come, Watson,`. Each with whether it stands inside a
/// sentence, where a capital letter is sure to be a name's.
pub(super) fn vocatives(inner: &str, lexicon: &Lexicon) -> Vec<(Phrase, bool)> {
    let words = Words::of(inner);
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.words.len() {
        let word = &words.words[at];
        if !word.is_capitalized() {
            at += 1;
            continue;
        }
        let Some((phrase, end)) = name(&words, at, words.words.len(), lexicon) else {
            at += 1;
            continue;
        };
        let starts = words.starts_sentence(at, lexicon);
        let dear = at > 0 && word.follows_closely() && lexicon.dear.contains(&*words.words[at - 1].lower);
        let after_comma = word.gap.trim().ends_with([',', '—', '–', ';']);
        let gap = words.after(end - 1).trim_start();
        let next_is_name = name(&words, end, words.words.len(), lexicon).is_some()
            || words.words.get(end).is_some_and(|next| lexicon.and.contains(&*next.lower));
        let closes =
            gap.starts_with([',', '.', '!', '?', ';', '—', '–', '…', ':']) || end == words.words.len();
        let calls = if starts {
            gap.starts_with([',', '!', '—', '–']) && !next_is_name
        } else {
            (dear || after_comma) && closes && !(gap.starts_with(',') && next_is_name)
        };
        if calls && matches!(phrase, Phrase::Name(_)) {
            found.push((phrase, !starts || dear));
        }
        at = end.max(at + 1);
    }
    found
}
