//! Rejoins words that were hyphenated at the end of a line.

use std::collections::HashSet;

/// The keyboard's hyphen, Unicode's hyphen, and the soft hyphen.
pub(super) const HYPHENS: [char; 3] = ['-', '\u{2010}', '\u{AD}'];

/// First parts of compounds whose hyphen is nearly always the author's.
const COMPOUND_PREFIXES: [&str; 46] = [
    "self", "well", "ill", "half", "all", "cross", "ex", "high", "low", "long", "short", "old", "new",
    "full", "part", "first", "second", "third", "one", "two", "three", "four", "five", "six", "seven",
    "eight", "nine", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
    "north", "south", "east", "west", "mid", "non", "so", "good", "bad", "great",
];

/// A longer word is never rejoined and not read any further.
const MAX_WORD_CHARACTERS: usize = 100;

/// The words of a document, as evidence of how they are written.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    whole: HashSet<String>,
    hyphenated: HashSet<String>,
}

impl Vocabulary {
    /// Adds the words of a line, without the first and last, which may be parts of words.
    pub(super) fn learn(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let inner = words.get(1..words.len().saturating_sub(1)).unwrap_or_default();
        for word in inner {
            let word = bare(word).to_lowercase();
            if word.contains('-') {
                self.hyphenated.insert(word);
            } else if !word.is_empty() {
                self.whole.insert(word);
            }
        }
    }

    /// Appends the next line to `text`.
    pub(super) fn append(&self, text: &mut String, line: &str) {
        let line = line.trim();
        let kept = text.trim_end().len();
        text.truncate(kept);
        match text.chars().next_back() {
            Some(hyphen) if HYPHENS.contains(&hyphen) => {
                let before = &text[..text.len() - hyphen.len_utf8()];
                let first = last_word(before);
                let second = line.split_whitespace().next().unwrap_or_default();
                let cut = first.chars().next_back().is_some_and(char::is_alphabetic)
                    && second.chars().next().is_some_and(char::is_lowercase);
                if cut && (hyphen == '\u{AD}' || self.is_one_word(bare(first), bare(second))) {
                    text.truncate(text.len() - hyphen.len_utf8());
                } else if !first.chars().next_back().is_some_and(char::is_alphanumeric) {
                    text.push(' ');
                } else if hyphen != '-' {
                    text.truncate(text.len() - hyphen.len_utf8());
                    text.push('-');
                }
            }
            Some(_) => text.push(' '),
            None => {}
        }
        text.push_str(line);
    }

    /// Whether two parts were one word before the line break.
    fn is_one_word(&self, first: &str, second: &str) -> bool {
        if [first, second].iter().any(|part| part.chars().nth(MAX_WORD_CHARACTERS).is_some()) {
            return false;
        }
        let (first, second) = (first.to_lowercase(), second.to_lowercase());
        if self.hyphenated.contains(&format!("{first}-{second}")) {
            return false;
        }
        if self.whole.contains(&format!("{first}{second}")) {
            return true;
        }
        // `mother-in-` keeps its hyphens.
        !first.contains('-') && !second.contains('-') && !COMPOUND_PREFIXES.contains(&first.as_str())
    }
}

/// The last word of a text. If the word is too long to be rejoined, only its end, which is still
/// too long.
fn last_word(text: &str) -> &str {
    let letters = text.char_indices().rev().take(MAX_WORD_CHARACTERS + 1);
    let start = letters.take_while(|(_, c)| !c.is_whitespace()).last().map_or(text.len(), |(at, _)| at);
    &text[start..]
}

/// A word without surrounding punctuation.
fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::Vocabulary;

    fn joined(learned: &str, lines: &[&str]) -> String {
        let mut words = Vocabulary::default();
        words.learn(learned);
        let mut text = String::new();
        for line in lines {
            words.append(&mut text, line);
        }
        text
    }

    #[test]
    fn a_word_that_the_line_cut_is_whole_again_and_a_compound_stays() {
        for (lines, whole) in [
            (["the water was colder under-", "stood the trout"], "the water was colder understood the trout"),
            (["a well-", "known gauge"], "a well-known gauge"),
            (["her mother-in-", "law came"], "her mother-in-law came"),
            (["the North-", "American plate"], "the North-American plate"),
            (["in 1914-", "18 it was"], "in 1914-18 it was"),
            (["quite tempera\u{AD}", "ture"], "quite temperature"),
            (["he said -", "and left"], "he said - and left"),
            (["plain", "lines"], "plain lines"),
        ] {
            assert_eq!(joined("", &lines), whole);
        }
    }

    /// Negative control: with the whole word copied for each line this took over a minute.
    #[test]
    fn a_word_over_very_many_lines_is_joined_line_by_line() {
        let words = Vocabulary::default();
        let (mut text, line) = (String::from("a\u{AD}"), format!("{}\u{AD}", "b".repeat(60)));
        let began = std::time::Instant::now();
        for _ in 0..40_000 {
            words.append(&mut text, &line);
        }
        assert!(began.elapsed().as_secs() < 30, "it took {:?}", began.elapsed());
        assert_eq!(text.len(), 1 + 40_000 * 60 + 2);
        let long = "b".repeat(101);
        assert_eq!(joined("", &[&format!("{long}-"), "c"]), format!("{long}-c"));
    }

    #[test]
    fn the_rest_of_the_document_knows_best() {
        let lines = ["a light-", "house stands"];
        assert_eq!(joined("", &lines), "a lighthouse stands");
        assert_eq!(joined("no light-house there", &lines), "a light-house stands");
        let lines = ["a half-", "penny more"];
        assert_eq!(joined("one halfpenny piece", &lines), "a halfpenny more");
    }
}
