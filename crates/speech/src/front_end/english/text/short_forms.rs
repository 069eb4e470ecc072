//! Whether a short word before a period numbers what follows, for both who cut sentences and who read them.

/// Whether what follows `ref.` makes it a reference: "Ref. no. 4471", "(ref. 12)". A referee ends a sentence.
pub(super) fn is_reference(head: &str, next: &str) -> bool {
    let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit() || c == '#');
    let numbered = ["no. ", "No. ", "nos. ", "Nos. "].iter().find_map(|word| next.strip_prefix(word));
    let head = head.trim_end();
    let is_apart = head.is_empty() || head.ends_with(['(', '[', ',', ';', ':']);
    numbered.is_some_and(is_number) || (is_apart && is_number(next))
}

/// Whether a text starts with the letter of a schedule or a figure, which is no article.
pub(super) fn is_lettered(text: &str) -> bool {
    let mut letters = text.chars();
    let is_capital = letters.next().is_some_and(|letter| matches!(letter, 'A'..='H'));
    let after = letters.as_str();
    is_capital
        && !after.starts_with(char::is_alphanumeric)
        && !(text.starts_with('A') && after.trim_start().starts_with(char::is_lowercase))
}
