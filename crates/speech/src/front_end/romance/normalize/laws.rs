//! Two numbers with a slash between them that are no fraction: those of laws with their year, and
//! marks.

use super::{Reader, quantity::Number, reading::reading};
use crate::front_end::{romance::figures::Form, scan};

/// `8.112/1990`, `104/1992`: the number of a law and its year.
pub(super) fn read(r: &mut Reader<'_>, number: &Number<'_>) -> bool {
    let slash = number.quantity.end;
    let end = scan::digits(r.t, slash + 1);
    let year = scan::slice(r.t, slash + 1..end);
    let named = names_a_law(r);
    let is_year = match year.len() {
        4 => matches!(year.as_bytes(), [b'1', b'8' | b'9', ..] | [b'2', b'0', ..]),
        2 => named || number.quantity.grouped,
        _ => false,
    };
    let is_number = number.quantity.fraction.is_empty()
        && (number.quantity.grouped || number.quantity.whole.len() > 1 || named);
    let goes_on = scan::tail(r.t, end).starts_with(['/', '.', ',']) && scan::digit_at(r.t, end + 1);
    if !scan::tail(r.t, slash).starts_with('/') || !is_year || !is_number || goes_on || !scan::edge(r.t, end)
    {
        return false;
    }
    // `12/2024` without a number before it is a month.
    if !named && !number.quantity.grouped && number.quantity.whole.parse().is_ok_and(|month: u32| month <= 12)
    {
        return false;
    }
    let season =
        year.parse().is_ok_and(|year: u64| number.quantity.whole.parse() == Ok(year.saturating_sub(1)));
    if season && !named {
        return false;
    }
    let words = reading(r.grammar(), number, Form::Alone);
    r.say(&words, slash);
    r.skip(slash + 1);
    let year = match year.len() {
        2 if year < "50" => format!("20{year}"),
        2 => format!("19{year}"),
        _ => year.to_owned(),
    };
    let words = r.grammar().of_year(&r.cardinal(&year, Form::Alone));
    r.say(&words, end);
    true
}

/// Whether the word before a number is that of a law, as far as it is said: "lei número".
fn names_a_law(r: &Reader<'_>) -> bool {
    const LAWS: [&str; 31] = [
        "ley",
        "lei",
        "loi",
        "legge",
        "decreto",
        "décret",
        "decreto-ley",
        "orgánica",
        "legislativo",
        "directiva",
        "diretiva",
        "directive",
        "direttiva",
        "reglamento",
        "regulamento",
        "règlement",
        "regolamento",
        "orden",
        "sentencia",
        "sentenza",
        "resolución",
        "resolução",
        "portaria",
        "circular",
        "circolare",
        "pl",
        "pec",
        "mp",
        "rd",
        "lo",
        "rdl",
    ];
    let last = |text: &str| {
        let word = text.trim_end().rsplit(' ').next().unwrap_or("").to_lowercase();
        LAWS.contains(&word.as_str())
    };
    let said = r.out.text.trim_end();
    let named = said.strip_suffix(r.signs().number).map(|head| head.trim_end_matches([' ', ',']));
    last(said) || last(scan::slice(r.t, ..r.at)) || named.is_some_and(last)
}

/// `7,25/10`: a mark.
pub(super) fn mark(r: &mut Reader<'_>, number: &Number<'_>) -> bool {
    let slash = number.quantity.end;
    let end = scan::digits(r.t, slash + 1);
    let best = scan::slice(r.t, slash + 1..end);
    let is_mark = !number.quantity.fraction.is_empty() && scan::tail(r.t, slash).starts_with('/');
    if !is_mark || !["5", "10", "20", "30", "100"].contains(&best) || !scan::edge(r.t, end) {
        return false;
    }
    let words = reading(r.grammar(), number, Form::Alone);
    r.say(&words, slash);
    r.say(r.amounts().out_of, slash + 1);
    let words = r.cardinal(best, Form::Alone);
    r.say(&words, end);
    true
}
