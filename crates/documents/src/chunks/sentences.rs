//! What finding the ends of sentences would cost, before it is done: the library that finds them pairs quotation marks,
//! and looks from each stop back to the start of its word, so that a stretch made of either costs the square of its
//! length.

use super::cut::is_stop;

/// Steps for each character that are allowed. Prose takes less than one, Chinese prose, which has no spaces, some
/// thirty.
const STEPS: usize = 50;

/// Steps that are always allowed.
const FEW: usize = 10_000;

/// Whether the ends of sentences in a text are found only with much more work than prose takes.
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
    steps > FEW && steps > characters * STEPS
}

fn is_quote(c: char) -> bool {
    matches!(
        c,
        '"' | '\'' | '`' | '‘'..='‟' | '«' | '»' | '‹' | '›' | '「'..='』' | '《' | '》' | '〝'..='〟' | '＂' | '＇'
    )
}
