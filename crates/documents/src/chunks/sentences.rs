//! Estimates the cost of finding sentence ends. The library pairs quotation marks and looks back
//! from each stop to the start of its word, so text made only of either takes quadratic time.

use super::stops::is_stop;

/// Allowed steps per character. Prose takes less than one; Chinese prose, which has no spaces,
/// about thirty.
const STEPS_PER_CHARACTER: usize = 50;

const FREE_STEPS: usize = 10_000;

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
