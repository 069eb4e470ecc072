//! Whether a short word before a period numbers what follows, for both who cut sentences and who read them.

use super::words;

/// Whether what follows `ref.` makes it a reference: "Ref. no. 4471", "(ref. 12)". A referee ends a sentence.
pub(super) fn is_reference(head: &str, next: &str) -> bool {
    let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit() || c == '#');
    let numbered = ["no. ", "No. ", "nos. ", "Nos. "].iter().find_map(|word| next.strip_prefix(word));
    let head = head.trim_end();
    if head.ends_with("grid") || head.ends_with("Grid") {
        let letters = next.bytes().take_while(u8::is_ascii_uppercase).count();
        return letters == 2
            && next[letters..].starts_with([' ', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
    }
    let is_apart = head.is_empty() || head.ends_with(['(', '[', ',', ';', ':']);
    numbered.is_some_and(is_number) || (is_apart && is_number(next))
}

/// Whether `no.` after a text numbers what follows, whatever it is: "VAT reg. no. GB 123 4567 89".
pub(super) fn is_of_register(head: &str) -> bool {
    ["reg.", "Reg.", "VAT"].iter().any(|word| head.trim_end().ends_with(word))
}

/// Whether `ex.` between two texts takes a day out: "departs at 23:10, ex. Sun."
pub(super) fn is_exception(head: &str, next: &str) -> bool {
    let next = &next[..next.len() - next.trim_start_matches(char::is_alphabetic).len()];
    head.trim_end().ends_with([',', '('])
        && (words::weekday(next).is_some() || words::weekday(next.trim_end_matches('s')).is_some())
}

/// Whether `apt.` after a text and before the next one is a home: "a 1-BR apt.", "12 Main St, apt. 5".
pub(super) fn is_home(head: &str, next: &str) -> bool {
    let head = head.trim_end();
    let is_numbered = next.starts_with(|c: char| c.is_ascii_digit() || c == '#');
    ["BR", "bedroom", "bdrm"].iter().any(|word| head.ends_with(word)) || (head.ends_with(',') && is_numbered)
}

/// Whether a text starts with a month, in digits with its year or in letters: `03/27`, `March 2027`.
pub(super) fn is_month(text: &str) -> bool {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let in_digits = text[..digits].parse().is_ok_and(|month: u8| (1..=12).contains(&month));
    let word = &text[..text.len() - text.trim_start_matches(char::is_alphabetic).len()];
    (in_digits && text[digits..].starts_with('/')) || words::month(word).is_some()
}

/// Whether `word.` after a text, before a year, tells of a life: "(d. 1399)", "Chaucer, b. 1343", "Jane Doe b. 1450 d. 1510". "1812
/// b. 1815" are answers to choose from.
pub(super) fn is_of_life(head: &str, word: &str) -> bool {
    let after_name = head.strip_suffix(' ').is_some_and(|head| {
        let last = &head[head.rfind(char::is_whitespace).map_or(0, |at| at + 1)..];
        let is_year = (3..=4).contains(&last.len()) && last.bytes().all(|byte| byte.is_ascii_digit());
        let is_name = last.len() > 2
            && last.starts_with(char::is_uppercase)
            && last.ends_with(char::is_lowercase)
            && !["Appendix", "Exhibit", "Figure", "Option", "Part", "Plan", "Section"].contains(&last);
        is_name || (is_year && word == "d" && head.contains(" b. ") && !head.contains(" c. "))
    });
    head.ends_with(['(', '[']) || head.ends_with(", ") || after_name
}

/// Whether a text speaks of the bars of a piece.
pub(super) fn is_of_bars(text: &str) -> bool {
    ["bars", "coda", "measures"].iter().any(|word| text.contains(word))
}

/// Whether `10s.` before `6d.` are shillings.
pub(super) fn are_shillings(word: &str, next: &str) -> bool {
    let counts =
        |digits: &str| (1..=2).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let pence = &next[..next.len() - next.trim_start_matches(|c: char| c.is_ascii_digit()).len()];
    let after = next[pence.len()..].strip_prefix('d');
    word.strip_suffix('s').is_some_and(counts)
        && counts(pence)
        && after.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

/// Whether `Ex.` between two texts is an exhibit: "Plaintiff's Ex. A", "see Ex. B".
pub(super) fn is_exhibit(head: &str, next: &str) -> bool {
    let mut letters = next.chars();
    let is_letter = letters.next().is_some_and(|letter| letter.is_ascii_uppercase())
        && !letters.as_str().starts_with(char::is_alphanumeric);
    is_letter && (head.trim_end().ends_with("'s") || is_lettered(next))
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

/// Whether `c.` after `head` and before `next` is "circa": a share, or a number with thousands, after a word. In a list of answers
/// (`b. 50% c. 90%`) and after a century (`18th c.`) it is not.
pub(super) fn is_about(head: &str, next: &str) -> bool {
    let before = last_word(head);
    let is_decade = before.ends_with("0s") && before.starts_with(|c: char| c.is_ascii_digit());
    let is_word = !before.is_empty() && before.chars().all(char::is_lowercase);
    let after_word = (is_word || is_decade) && !head.contains("b. ");
    after_word && is_amount(next)
}

/// Whether `c.` after `head` is "century" and `next` goes on with the sentence: "In the late 18th c. 90% of people farmed."
pub(super) fn is_century_before_amount(head: &str, next: &str) -> bool {
    const PREPOSITIONS: [&str; 6] = ["By", "During", "In", "Since", "Throughout", "Until"];
    let century = last_word(head);
    let head = head.trim_end().strip_suffix(century).unwrap_or_default();
    let head = head.trim_end().trim_end_matches(" late").trim_end_matches(" early");
    let opens = head.strip_suffix(" the").is_some_and(|head| PREPOSITIONS.contains(&last_word(head)));
    opens && is_ordinal(century) && is_amount(next)
}

/// Whether a word is an ordinal in digits: `52nd`.
pub(super) fn is_ordinal(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
        && ["st", "nd", "rd", "th"].iter().any(|ending| word.ends_with(ending))
}

fn last_word(head: &str) -> &str {
    head.trim_end().rsplit(char::is_whitespace).next().unwrap_or_default()
}

/// `90%` or `5,000`.
fn is_amount(next: &str) -> bool {
    let rest = next.trim_start_matches(|c: char| c.is_ascii_digit());
    let has_thousands =
        rest.strip_prefix(',').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    rest.len() < next.len() && (rest.starts_with('%') || has_thousands)
}
