//! Finds the ends of sentences around given places, and estimates the cost of finding sentence ends.
//! The library pairs quotation marks and looks back from each stop to the start of its word, so text
//! made only of either takes quadratic time.

use std::{borrow::Cow, ops::Range};

use super::stops::{is_closing, is_full_width_stop, is_stop};

/// How many bytes before and after a place are searched. A longer sentence is cut at the place.
const BEFORE_BYTES: usize = 600;
const AFTER_BYTES: usize = 4_000;

/// Allowed steps per character. Prose takes less than one; Chinese prose, which has no spaces,
/// about thirty.
const STEPS_PER_CHARACTER: usize = 50;

const FREE_STEPS: usize = 10_000;

/// The ends of the sentences that hold the places, without the white space after them. A place right
/// after a sentence belongs to it. The places are in order; `tag` is the language.
pub(crate) fn sentence_ends(text: &str, places: &[usize], tag: Option<&str>) -> Vec<usize> {
    let primary = tag.and_then(|tag| tag.split('-').next()).unwrap_or("en");
    let mut window = Window { range: 0..0, ends: Vec::new(), whole: false };
    let end_of = |&place: &usize| {
        if let Some(end) = window.end(place).filter(|_| window.range.contains(&place)) {
            return end;
        }
        window = Window::around(text, place, primary);
        window.end(place).unwrap_or(place)
    };
    places.iter().map(end_of).collect()
}

/// Where the first sentence of a text ends that may go on, with the white space after it; `None` while more may belong to
/// it. `is_settled` says that no more comes for now. `tag` is the language.
pub fn first_sentence(text: &str, tag: Option<&str>, is_settled: bool) -> Option<usize> {
    let begin = text.len() - text.trim_start().len();
    let part = &text[begin..text.floor_char_boundary((begin + AFTER_BYTES).min(text.len()))];
    // The end of a paragraph ends its sentence.
    let line = part.find('\n').map(|at| begin + at + 1);
    let part = &text[begin..line.unwrap_or(begin + part.len())];
    let is_end = |c: char| is_stop(c) || is_full_width_stop(c);
    if !part.contains(is_end) || would_be_slow(part) {
        return line;
    }
    let primary = tag.and_then(|tag| tag.split('-').next()).unwrap_or("en");
    let said = part.trim_end();
    let ends_in_stop = said.trim_end_matches(is_closing).ends_with(is_end);
    let is_over = said.len() < part.len() || is_settled || said.ends_with(is_full_width_stop);
    // What may be an abbreviation is one when a sentence that follows it would not begin a new one.
    let probe = (ends_in_stop && is_over).then(|| format!("{said} {PROBE}"));
    let judged = words_in_place(probe.as_deref().unwrap_or(part), primary);
    let found = sentencex::get_sentence_boundaries(primary, &judged);
    let first = found.first()?;
    let end = part.floor_char_boundary(first.end_byte.min(part.len()));
    let goes_on = found.len() > 1 && found[1..].iter().any(|next| !next.text.trim().is_empty());
    if !goes_on {
        return line;
    }
    let spaces = part[end..].len() - part[end..].trim_start().len();
    Some(begin + end + spaces)
}

/// A sentence that begins with a name: after an abbreviation it goes on with it.
const PROBE: &str = "Marsh went on.";

/// English words that the library takes for abbreviations of names, titles and months, which are written with a capital:
/// `me` for Maine.
const WORDS: &[&str] = &[
    "ala", "arc", "ark", "cal", "con", "fed", "gen", "id", "ill", "jun", "kan", "la", "man", "mar", "mass",
    "may", "me", "miss", "mo", "ore", "pa", "que", "rep", "reps", "rev", "sen", "tex", "va", "wash",
];

/// Those that are abbreviations before a number: `no. 5`.
const WORDS_WITHOUT_NUMBER: &[&str] = &["art", "fig", "no", "nos", "sec"];

/// The text with such words at stops made into ones that are no abbreviations; all places stay.
fn words_in_place<'a>(text: &'a str, language: &str) -> Cow<'a, str> {
    let mut changed = Cow::Borrowed(text);
    if language != "en" {
        return changed;
    }
    for (stop, _) in text.match_indices('.') {
        let word = text[..stop].rsplit(|c: char| !c.is_alphanumeric() && c != '.').next().unwrap_or_default();
        let has_number = || text[stop + 1..].trim_start().starts_with(|c: char| c.is_ascii_digit());
        if WORDS.contains(&word) || (WORDS_WITHOUT_NUMBER.contains(&word) && !has_number()) {
            changed.to_mut().replace_range(stop - word.len()..stop, &"x".repeat(word.len()));
        }
    }
    changed
}

/// The sentence ends of a part of a paragraph.
struct Window {
    range: Range<usize>,
    /// In order; the last one is the end of the part.
    ends: Vec<usize>,
    /// Whether the paragraph ends with the part.
    whole: bool,
}

impl Window {
    fn around(text: &str, place: usize, language: &str) -> Self {
        let first = text.floor_char_boundary(place.saturating_sub(BEFORE_BYTES));
        let before = &text[first..place];
        let start = match before.rfind("\n\n") {
            Some(gap) => first + gap + 2,
            // Start at a word.
            None if first > 0 => first + before.find(char::is_whitespace).unwrap_or(before.len()),
            None => 0,
        };
        let limit = text.floor_char_boundary((place + AFTER_BYTES).min(text.len()));
        let found = text[place..limit].find("\n\n").map(|gap| place + gap);
        let end = found.unwrap_or(limit);
        let part = &text[start..end];
        let trimmed = |end: usize| start + part[..end.min(part.len())].trim_end().len();
        let ends = if would_be_slow(part) {
            vec![trimmed(part.len())]
        } else {
            let judged = words_in_place(part, language);
            let sentences = sentencex::get_sentence_boundaries(language, &judged).into_iter();
            sentences.map(|sentence| trimmed(part.floor_char_boundary(sentence.end_byte))).collect()
        };
        Self { range: start..end.max(place + 1), ends, whole: found.is_some() || end == text.len() }
    }

    /// The first end at or after a place.
    fn end(&self, place: usize) -> Option<usize> {
        let at = self.ends.iter().position(|&end| end >= place)?;
        (self.whole || at + 1 < self.ends.len()).then(|| self.ends[at])
    }
}

/// Whether finding the sentence ends takes much more work than in prose.
pub(super) fn would_be_slow(text: &str) -> bool {
    let (mut characters, mut word, mut quotes, mut steps) = (0_usize, 0_usize, 0_usize, 0_usize);
    for c in text.chars() {
        characters += 1;
        word = if c.is_whitespace() { 0 } else { word + 1 };
        if is_stop(c) {
            steps += word;
        } else if is_quote(c) {
            quotes += 1;
            steps += quotes;
        }
    }
    steps > FREE_STEPS && steps > characters * STEPS_PER_CHARACTER
}

fn is_quote(c: char) -> bool {
    matches!(
        c,
        '"' | '\'' | '`' | '‘'..='‟' | '«' | '»' | '‹' | '›' | '「'..='』' | '《' | '》' | '〝'..='〟' | '＂' | '＇'
    )
}

#[cfg(test)]
mod tests {
    use super::first_sentence;

    #[test]
    fn a_sentence_ends_when_no_more_can_belong_to_it() {
        let end = |text: &'static str| first_sentence(text, Some("en"), false).map(|end| &text[..end]);
        assert_eq!(end(""), None);
        assert_eq!(end("Hello"), None);
        // More letters may follow the stop: a number, an address.
        assert_eq!(end("Hello."), None);
        assert_eq!(end("Hello. "), Some("Hello. "));
        assert_eq!(end("Hello. How"), Some("Hello. "));
        assert_eq!(end("Really?! Yes"), Some("Really?! "));
        assert_eq!(end("“Come in.” She"), Some("“Come in.” "));
        assert_eq!(end("I met Dr. "), None);
        assert_eq!(end("I met Dr. Marsh"), None);
        assert_eq!(end("It is 3.14 of"), None);
        assert_eq!(end("A heading\nand"), Some("A heading\n"));
        assert_eq!(end("  One. Two."), Some("  One. "));
        let end = |text: &'static str| first_sentence(text, Some("ja"), false).map(|end| &text[..end]);
        assert_eq!(end("雨が降る。"), Some("雨が降る。"));
        assert_eq!(end("雨が降る"), None);
    }

    #[test]
    fn when_no_more_comes_a_stop_ends_a_sentence() {
        let end = |text: &'static str| first_sentence(text, Some("en"), true).map(|end| &text[..end]);
        assert_eq!(end("Hello."), Some("Hello."));
        assert_eq!(end("Is it?"), Some("Is it?"));
        assert_eq!(end("I met Dr."), None);
        assert_eq!(end("Hello"), None);
    }

    #[test]
    fn words_are_no_abbreviations_of_names() {
        let end = |text: &'static str| first_sentence(text, Some("en"), false).map(|end| &text[..end]);
        assert_eq!(end("Let it walk over me. "), Some("Let it walk over me. "));
        assert_eq!(end("Let it walk over me. Then"), Some("Let it walk over me. "));
        assert_eq!(end("She said no. He"), Some("She said no. "));
        assert_eq!(end("It is no. 5 of"), None);
        assert_eq!(end("In Portland, Me. "), None);
        assert_eq!(end("a.m. "), None);
    }

    #[test]
    fn texts_of_nothing_but_stops_take_no_time() {
        let text = "a.".repeat(100_000);
        assert_eq!(first_sentence(&text, Some("en"), false), None);
    }
}
