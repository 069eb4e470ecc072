//! Numbers with their separators in English. [`crate::front_end::scan`] has what all languages
//! share.

pub(super) use crate::front_end::scan::*;

/// The number at `at`: `12`, `1,234,567.89`, `1 000 000`, `.5`.
pub(super) fn quantity(t: &str, at: usize) -> Option<Quantity<'_>> {
    let mut end = digits(t, at);
    let mut whole = slice(t, at..end).to_owned();
    let mut grouped = false;
    if (1..=3).contains(&(end - at)) && !whole.starts_with('0') {
        for separator in [',', ' '] {
            let (joined, stop) = groups(t, end, separator);
            let thousands = joined.len() / 3;
            if thousands > 1 || (thousands == 1 && (separator == ',' || joined == "000")) {
                whole.push_str(&joined);
                (end, grouped) = (stop, true);
                break;
            }
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
