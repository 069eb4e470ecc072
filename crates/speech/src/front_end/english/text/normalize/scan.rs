//! Numbers with their separators in English. [`crate::front_end::scan`] has what all languages
//! share.

use crate::front_end::clean::Clean;
pub(super) use crate::front_end::scan::*;

/// Writes a space that does not break, between the groups of one number, as `'`: `12 500` in one
/// piece. An ordinary space is no such sign, for two numbers may stand side by side.
pub(in crate::front_end::english::text) fn join_thousands(clean: &mut Clean) {
    let mut at = 0;
    while let Some(found) = tail(&clean.text, at).find(|c: char| c.is_ascii_digit()) {
        let start = at + found;
        let first = digits(&clean.text, start);
        let mut spaces = Vec::new();
        let mut end = first;
        while clean.is_wide_space(end) && digits(&clean.text, end + 1) == end + 4 {
            spaces.push(end);
            end += 4;
        }
        let head = slice(&clean.text, ..start);
        let goes_on = tail(&clean.text, end).starts_with(' ') && digit_at(&clean.text, end + 1);
        let alone = !goes_on && !head.ends_with(|c: char| c == '+' || c.is_alphanumeric());
        if alone && first - start <= 3 && !tail(&clean.text, start).starts_with('0') {
            for space in spaces {
                clean.text.replace_range(space..=space, "'");
            }
        }
        at = end;
    }
}

/// The number at `at`: `12`, `1,234,567.89`, `1 000 000`, `5'000`, `1,50,000`, `.5`.
pub(super) fn quantity(t: &str, at: usize) -> Option<Quantity<'_>> {
    let mut end = digits(t, at);
    let mut whole = slice(t, at..end).to_owned();
    let mut grouped = false;
    if (1..=3).contains(&(end - at)) && !whole.starts_with('0') {
        for separator in [',', ' ', '\''] {
            let (joined, stop) = groups(t, end, separator);
            let thousands = joined.len() / 3;
            if thousands > 1 || (thousands == 1 && (separator != ' ' || joined == "000")) {
                whole.push_str(&joined);
                (end, grouped) = (stop, true);
                break;
            }
        }
        if !grouped && let Some((joined, stop)) = lakhs(t, end) {
            whole.push_str(&joined);
            (end, grouped) = (stop, true);
        }
    }
    let mut fraction = "";
    if tail(t, end).starts_with('.') && digit_at(t, end + 1) {
        let stop = digits(t, end + 1);
        fraction = slice(t, end + 1..stop);
        end = stop;
    }
    (end > at).then_some(Quantity { start: at, end, whole, fraction, grouped })
}

/// The number at `at` whose thousands are set apart by plain spaces: `12 500`, `1 234 567`. Two numbers may stand side by side
/// as well, so callers use it only where what follows tells.
pub(super) fn spaced_thousands(t: &str, at: usize) -> Option<Quantity<'_>> {
    let first = digits(t, at);
    let (joined, end) = groups(t, first, ' ');
    let is_number = (1..=3).contains(&(first - at)) && !tail(t, at).starts_with('0') && !joined.is_empty();
    let goes_on = tail(t, end).starts_with(['.', ',', ' ']) && digit_at(t, end + 1);
    let is_apart = !slice(t, ..at).ends_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '+'));
    let follows_number =
        slice(t, ..at).strip_suffix(' ').is_some_and(|head| head.ends_with(|c: char| c.is_ascii_digit()));
    (is_number && !goes_on && is_apart && !follows_number).then(|| Quantity {
        start: at,
        end,
        whole: slice(t, at..first).to_owned() + &joined,
        fraction: "",
        grouped: true,
    })
}

/// The groups after a number as India writes them: two digits each, and three at the end.
fn lakhs(t: &str, at: usize) -> Option<(String, usize)> {
    let (mut joined, mut end) = (String::new(), at);
    while tail(t, end).starts_with(',') && digits(t, end + 1) == end + 3 {
        joined.push_str(slice(t, end + 1..end + 3));
        end += 3;
    }
    let last = digits(t, end + 1);
    let closed = !joined.is_empty() && tail(t, end).starts_with(',') && last == end + 4;
    closed.then(|| (joined + slice(t, end + 1..last), last))
}

/// The number at `at` as most of Europe writes it, with a decimal comma: `10,5`, `1.234,56`. It is
/// ambiguous, so callers use it only where a unit or a currency belongs to it.
pub(super) fn continental(t: &str, at: usize) -> Option<Quantity<'_>> {
    let mut end = digits(t, at);
    let mut whole = slice(t, at..end).to_owned();
    let mut grouped = false;
    if (1..=3).contains(&(end - at)) {
        let (joined, stop) = groups(t, end, '.');
        grouped = !joined.is_empty();
        whole.push_str(&joined);
        end = stop;
    }
    let stop = digits(t, end + 1);
    let decimals = tail(t, end).starts_with(',') && (end + 2..=end + 3).contains(&stop);
    let goes_on = tail(t, stop).starts_with([',', '.']) && digit_at(t, stop + 1);
    (end > at && decimals && !goes_on).then(|| Quantity {
        start: at,
        end: stop,
        whole,
        fraction: slice(t, end + 1..stop),
        grouped,
    })
}
