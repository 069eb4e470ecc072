//! Notes and references to them, collected while a text is written. They may come in any order.

use std::collections::HashMap;

use super::Note;
use crate::characters;

#[derive(Debug, Default)]
pub(crate) struct CollectedNotes {
    /// The notes by the reader's keys, and where each would be in the text.
    notes: HashMap<usize, (String, usize)>,
    /// Where notes are referred to first.
    references: HashMap<usize, usize>,
    /// References before the first word of a block.
    waiting: Vec<usize>,
}

impl CollectedNotes {
    pub(crate) fn refer(&mut self, key: usize, at: usize) {
        self.references.entry(key).or_insert(at);
    }

    /// Refers to a note where the next block begins.
    pub(crate) fn wait(&mut self, key: usize) {
        self.waiting.push(key);
    }

    pub(crate) fn place_waiting(&mut self, at: usize) {
        for key in std::mem::take(&mut self.waiting) {
            self.refer(key, at);
        }
    }

    /// Adds a note. Its paragraphs become one.
    pub(crate) fn add(&mut self, key: usize, text: &str, at: usize) {
        if !characters::is_speakable(text) {
            return;
        }
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let line = without_number(&line).to_owned();
        match self.notes.get_mut(&key) {
            Some((known, _)) => {
                known.push(' ');
                known.push_str(&line);
            }
            None => drop(self.notes.insert(key, (line, at))),
        }
    }

    /// Whether a note is referred to.
    pub(crate) fn is_referred_to(&self, key: usize) -> bool {
        self.references.contains_key(&key) || self.waiting.contains(&key)
    }

    /// The notes in the order of their references. A note without one stands where it was.
    pub(crate) fn finish(mut self, end: usize) -> Vec<Note> {
        self.place_waiting(end);
        let mut placed: Vec<(usize, usize, String)> = Vec::with_capacity(self.notes.len());
        for (key, (text, own)) in self.notes {
            let at = self.references.get(&key).copied().unwrap_or(own).min(end);
            placed.push((at, key, text));
        }
        placed.sort_unstable();
        placed.into_iter().map(|(at, _, text)| Note { at, text }).collect()
    }
}

/// A note without its number or sign: "12. Of oil." is "Of oil.". Where the number was a link, it is
/// gone already, and the stop after it is left.
fn without_number(line: &str) -> &str {
    let line = line.strip_prefix(". ").unwrap_or(line);
    let Some((mark, rest)) = line.split_once(' ') else { return line };
    let bare = mark.trim_start_matches(['[', '(']).trim_end_matches(['.', ')', ']', ':']);
    let is_number = bare.len() < mark.len()
        && (1..=3).contains(&bare.len())
        && bare.bytes().all(|byte| byte.is_ascii_digit());
    let is_sign = !bare.is_empty() && bare.chars().all(|c| matches!(c, '*' | '†' | '‡' | '§'));
    if (is_number || is_sign) && characters::is_speakable(rest) { rest } else { line }
}

#[cfg(test)]
mod tests {
    use super::without_number;

    #[test]
    fn a_note_loses_its_number_and_nothing_else() {
        for (line, text) in [
            ("1. Oil.", "Oil."),
            ("[12] Oil.", "Oil."),
            ("* Oil.", "Oil."),
            ("3) Oil", "Oil"),
            (". Oil.", "Oil."),
        ] {
            assert_eq!(without_number(line), text);
        }
        for line in ["1914. It began.", "12 lamps.", "Oil.", "1.", "* *"] {
            assert_eq!(without_number(line), line);
        }
    }
}
