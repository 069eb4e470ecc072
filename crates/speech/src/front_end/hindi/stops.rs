//! Which full stops end a sentence. A danda always does; a point is as often that of an
//! abbreviation or an initial.

use super::{script, words};

/// Whether a single point after `word` ends its sentence when `next` follows. `head` is the sentence
/// before the word.
pub(super) fn ends_after(head: &str, word: &str, next: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit() || ('\u{966}'..='\u{96F}').contains(&c);
    // The number of a list item or a heading.
    let is_item =
        head.trim_start_matches(['#', '>', ' ']).is_empty() && word.len() <= 9 && word.chars().all(is_digit);
    let composed = compose(word);
    // "20°से." and "5कि.मी." touch their numbers.
    let composed = composed.rsplit(|c| !script::is_hindi(c) && c != '.').next().unwrap_or_default();
    // "ले." and "जन." are words, too.
    if words::BEFORE_A_NUMBER.contains(&composed) {
        let goes_on = next.starts_with(is_digit) || next.starts_with("सन");
        return !(goes_on || head.trim_end().ends_with(is_digit));
    }
    let initials = composed.split('.').all(words::is_initial);
    // Inside of an abbreviation of which a table has only the whole.
    let begins = !composed.is_empty()
        && words::ABBREVIATIONS
            .iter()
            .any(|(own, _)| own.strip_prefix(composed).is_some_and(|rest| rest.starts_with('.')));
    let unit = words::UNITS.iter().any(|(own, _)| own.strip_suffix('.') == Some(composed));
    let latin = word.len() <= 3 && word.starts_with(|c: char| c.is_ascii_uppercase()) || word == "Rs";
    !(is_item || initials || begins || unit || latin || words::abbreviation(composed).is_some())
}

/// A word with its dots below joined to their letters, as the tables have it.
fn compose(word: &str) -> String {
    const PAIRS: [(&str, &str); 3] =
        [("फ\u{93C}", "\u{95E}"), ("ज\u{93C}", "\u{95B}"), ("ड\u{93C}", "\u{95C}")];
    let mut composed = word.to_owned();
    for (pair, letter) in PAIRS {
        if composed.contains(pair) {
            composed = composed.replace(pair, letter);
        }
    }
    composed
}
