//! Where a very long sentence without punctuation may be cut: before a word that begins a clause or
//! a phrase, by lists of such words.

use super::grammar::Words;

/// The bonus of a place that makes the pieces even.
const EVENNESS: f32 = 30.0;

/// The best byte, at most `most`, at which to cut the front of a long text because a phrase begins
/// there. `None` when no place is good.
pub(super) fn boundary(words: &Words, text: &str, most: usize) -> Option<usize> {
    let near = &text[..text.floor_char_boundary(most)];
    let total = text.len().min(8 * most) as f32;
    // The rest is cut again when it is too long: pieces are as even as their number allows.
    let wanted = total / (total / (near.len() as f32 * 0.9)).ceil().max(2.0);
    let mut best: Option<(f32, usize)> = None;
    let mut before = "";
    let mut start = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let at = start;
        start += word.len();
        if at > near.len() {
            break;
        }
        let plain = word.trim();
        if at > near.len() / 3
            && let Some(worth) = worth(words, before, plain)
        {
            let score = worth - EVENNESS * (at as f32 - wanted).abs() / wanted;
            if best.is_none_or(|(highest, _)| score > highest) {
                best = Some((score, at));
            }
        }
        before = plain;
    }
    best.map(|(_, start)| start)
}

/// Whether a phrase begins with `word` after `before`.
pub(super) fn starts(words: &Words, before: &str, word: &str) -> bool {
    worth(words, before, word).is_some()
}

fn worth(words: &Words, before: &str, word: &str) -> Option<f32> {
    if words.leaning.contains(&before) {
        return None;
    }
    if words.clauses.contains(&word) {
        return Some(80.0);
    }
    words.phrases.contains(&word).then_some(40.0)
}
