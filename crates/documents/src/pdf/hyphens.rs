//! Rejoins words that were hyphenated at the end of a line, and lines of scripts without spaces.

use std::collections::HashSet;

mod rules;

use crate::characters::is_unspaced;
use rules::HyphenRules;

/// The keyboard's hyphen, Unicode's hyphen, and the soft hyphen.
pub(super) const HYPHENS: [char; 3] = ['-', '\u{2010}', '\u{AD}'];

/// A longer word is never rejoined and not read any further.
const MAX_WORD_CHARACTERS: usize = 100;

/// The words of a document, as evidence of how they are written.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    whole: HashSet<String>,
    hyphenated: HashSet<String>,
    rules: HyphenRules,
}

impl Vocabulary {
    /// No words yet, and the rules of a language, a primary subtag.
    pub(super) fn new(language: Option<&str>) -> Self {
        Self { rules: rules::of(language), ..Self::default() }
    }

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
                // In Portuguese a compound's hyphen may be repeated on the next line: "disse-" "-lhe".
                let repeated = second.starts_with(HYPHENS) && !second.starts_with("--");
                let cut = first.chars().next_back().is_some_and(char::is_alphabetic)
                    && second.chars().next().is_some_and(char::is_lowercase);
                if repeated && first.chars().next_back().is_some_and(char::is_alphabetic) {
                    text.truncate(text.len() - hyphen.len_utf8());
                } else if cut && self.rules.suspended.contains(&bare(second)) {
                    text.push(' ');
                } else if cut && (hyphen == '\u{AD}' || self.is_one_word(bare(first), bare(second))) {
                    text.truncate(text.len() - hyphen.len_utf8());
                } else if !first.chars().next_back().is_some_and(char::is_alphanumeric) {
                    text.push(' ');
                } else if hyphen != '-' {
                    text.truncate(text.len() - hyphen.len_utf8());
                    text.push('-');
                }
            }
            Some('\'' | '’') if self.rules.elides && is_elision(text, line) => {}
            Some(last) if is_unspaced(last) && line.starts_with(is_unspaced) => {}
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
        let (one, two) = (first.as_str(), second.as_str());
        let clitic = self.rules.clitics.contains(&two) && self.whole.contains(one);
        // `mother-in-` keeps its hyphens, and so do `a-t-` and `-t-il`.
        !first.contains('-')
            && !second.contains('-')
            && !self.rules.first.contains(&one)
            && !self.rules.second.contains(&two)
            && !clitic
    }
}

/// Whether an apostrophe ends an elided word, and the next line begins with the rest.
fn is_elision(text: &str, line: &str) -> bool {
    let before = text.trim_end_matches(['\'', '’']);
    before.ends_with(char::is_alphabetic) && line.starts_with(|c: char| c.is_alphabetic())
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
        joined_in("en", learned, lines)
    }

    fn joined_in(language: &str, learned: &str, lines: &[&str]) -> String {
        let mut words = Vocabulary::new(Some(language));
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

    #[test]
    fn each_language_keeps_its_own_hyphens() {
        for (language, lines, whole) in [
            ("fr", ["Où va-t-", "il donc ?"], "Où va-t-il donc ?"),
            ("fr", ["Où va-", "t-il donc ?"], "Où va-t-il donc ?"),
            ("fr", ["« Venez », dit-", "elle"], "« Venez », dit-elle"),
            ("fr", ["Il viendra peut-", "être"], "Il viendra peut-être"),
            ("fr", ["lui-", "même et"], "lui-même et"),
            ("fr", ["une lumière vacil-", "lante"], "une lumière vacillante"),
            ("fr", ["la cou-", "leur du ciel"], "la couleur du ciel"),
            ("fr", ["avec l’", "homme"], "avec l’homme"),
            ("it", ["sulla superficie dell’", "acqua"], "sulla superficie dell’acqua"),
            ("it", ["il non-", "no di Pinocchio"], "il nonno di Pinocchio"),
            ("it", ["un pezzo di le-", "gno"], "un pezzo di legno"),
            ("pt", ["disse-", "lhe o velho"], "disse-lhe o velho"),
            ("pt", ["disse-", "-lhe o velho"], "disse-lhe o velho"),
            ("pt", ["na segunda-", "feira"], "na segunda-feira"),
            ("pt", ["toda a noi-", "te"], "toda a noite"),
            ("es", ["un hombre ex-", "tremo"], "un hombre extremo"),
            ("es", ["so-", "bre la mesa"], "sobre la mesa"),
            ("es", ["el hidal-", "go"], "el hidalgo"),
            ("de", ["die Vor-", "und Nachteile"], "die Vor- und Nachteile"),
            ("de", ["das Kind war so-", "gar fröhlich"], "das Kind war sogar fröhlich"),
            ("hi", ["राम-", "लक्ष्मण"], "राम-लक्ष्मण"),
            ("en", ["the boys’", "house"], "the boys’ house"),
        ] {
            assert_eq!(joined_in(language, "", &lines), whole, "{language}");
        }
        // A pronoun follows a verb that is a word by itself.
        assert_eq!(joined_in("pt", "ele disse que sim", &["disse-", "me tudo"]), "disse-me tudo");
        assert_eq!(joined_in("pt", "ele disse que sim", &["a for-", "me mão"]), "a forme mão");
    }

    #[test]
    fn lines_of_scripts_without_spaces_are_joined_without_one() {
        for (lines, whole) in [
            (["吾輩は猫で", "ある。名前は"], "吾輩は猫である。名前は"),
            (["我冒了严寒，", "回到故乡去。"], "我冒了严寒，回到故乡去。"),
            (["version 2 of", "the 灯台"], "version 2 of the 灯台"),
            (["나는 고양이", "이다"], "나는 고양이 이다"),
            (["वह नदी के", "किनारे गया"], "वह नदी के किनारे गया"),
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
