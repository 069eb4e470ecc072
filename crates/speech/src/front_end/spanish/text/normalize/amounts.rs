//! Numbers of things: money, percentages, measures, ranges, fractions, dimensions, and plain
//! numbers.

use super::{
    Reader, counting,
    currencies::{Currency, currency, currency_after},
    quantity::{self, Number},
    reading::{self, reading},
    units,
};
use crate::front_end::{
    normalize::numbers::vulgar as vulgar_fraction,
    scan,
    spanish::{
        Accent,
        text::figures::{self, Form},
    },
};

/// Reads `$5`, `€ 20`, `US$ 3,5 millones`.
pub(super) fn signed_money(r: &mut Reader<'_>) -> bool {
    let Some((found, end)) = currency(r.t, r.at) else { return false };
    let at = scan::past_space(r.t, end);
    if !scan::digit_at(r.t, at) {
        return false;
    }
    let Some(number) = quantity::at(r, at) else { return false };
    let from = r.at;
    let stop = number.quantity.end;
    let mexican =
        r.language.accent == Accent::American && found.one == "dólar" && scan::slice(r.t, from..end) == "$";
    let (one, many) = if mexican { ("peso", "pesos") } else { (found.one, found.many) };
    money(r, &number, found, (one, many), stop);
    // "$5 dólares"
    let next = scan::past_space(r.t, r.at);
    if [one, many].contains(&scan::word(r.t, next)) {
        r.skip(next + scan::word(r.t, next).len());
    }
    true
}

/// The start and end of the word thousand, million… after a number that ends at `at`.
fn multiplier(t: &str, at: usize) -> Option<(usize, usize)> {
    const WORDS: [&str; 7] = ["mil", "millón", "millones", "billón", "billones", "millardo", "millardos"];
    let start = scan::past_space(t, at);
    let word = scan::word(t, start);
    (start > at && WORDS.contains(&word)).then_some((start, start + word.len()))
}

/// Says an amount of money that is written up to `end`.
fn money(r: &mut Reader<'_>, number: &Number<'_>, currency: &Currency, names: (&str, &str), end: usize) {
    let quantity = &number.quantity;
    let (one, many) = names;
    // "$3 millones": the currency goes after the word.
    if let Some((start, stop)) = multiplier(r.t, end).filter(|_| end == quantity.end) {
        let words = reading(number, Form::Masculine);
        r.say(&words, end);
        r.space(start);
        r.copy(stop);
        let thousand = scan::slice(r.t, start..stop) == "mil";
        r.out.say(&if thousand { many.to_owned() } else { format!("de {many}") }, start..stop);
        return;
    }
    let cents: Option<u64> = (quantity.fraction.len() == 2).then(|| quantity.fraction.parse().ok()).flatten();
    let words = match (cents, currency.cents) {
        (Some(cents), Some((cent, all_cents))) => {
            let part = format!(
                "{} {}",
                figures::number(cents, Form::Masculine),
                if cents == 1 { cent } else { all_cents }
            );
            let whole = figures::cardinal(&quantity.whole, currency.form);
            match (quantity.whole.trim_start_matches('0'), cents) {
                ("", _) => part,
                ("1", 0) => format!("{whole} {one}"),
                (_, 0) => format!("{whole} {}{many}", de(&quantity.whole)),
                ("1", _) => format!("{whole} {one} con {part}"),
                _ => format!("{whole} {}{many} con {part}", de(&quantity.whole)),
            }
        }
        _ if !quantity.fraction.is_empty() => format!("{} {many}", reading(number, currency.form)),
        _ => {
            let name = if quantity.whole == "1" { one } else { many };
            format!("{} {}{name}", figures::cardinal(&quantity.whole, currency.form), de(&quantity.whole))
        }
    };
    r.say(&words, end);
}

fn de(whole: &str) -> &'static str {
    if figures::takes_de(whole) { "de " } else { "" }
}

/// Reads a number that is neither a date, a time, a code nor a telephone's.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    if fraction(r) {
        return true;
    }
    let Some(number) = quantity::at(r, r.at) else { return false };
    if range(r, &number) || dimensions(r, &number) || mixed(r, &number) {
        return true;
    }
    if let Some((currency, _, end)) = currency_after(r, number.quantity.end) {
        money(r, &number, currency, (currency.one, currency.many), end);
        return true;
    }
    one(r, &number);
    true
}

/// Says a number and what is counted with a sign after it.
fn one(r: &mut Reader<'_>, number: &Number<'_>) {
    let quantity = &number.quantity;
    let singular = quantity.whole == "1" && quantity.fraction.is_empty();
    let end = quantity.end;
    let measured = units::at(r.t, end);
    let scaled = multiplier(r.t, end);
    let form = match (&measured, percent(r.t, end), scaled) {
        (Some(measure), ..) => measure.form,
        (_, Some(_), _) => Form::Alone,
        // "mil" takes the gender of what follows it in its hundreds only.
        (.., Some((_, stop))) if scan::slice(r.t, ..stop).ends_with(" mil") => {
            match counting::form(r, None, stop) {
                Form::Feminine => Form::Feminine,
                _ => Form::Masculine,
            }
        }
        (.., Some(_)) => Form::Masculine,
        _ => reading::form(r, quantity),
    };
    let mut words = reading(number, form);
    // "21 mil personas": "veintiún mil".
    if scaled.is_some() && form == Form::Feminine && words.ends_with("una") {
        words = figures::cardinal(&quantity.whole, Form::Masculine);
    }
    let counts = quantity.grouped && form != Form::Alone && measured.is_none();
    if counts && figures::takes_de(&quantity.whole) {
        words.push_str(" de");
    }
    r.say(&words, end);
    if let Some((start, stop)) = scaled {
        r.space(start);
        r.copy(stop);
        // `millones de €`
        let gap = if scan::tail(r.t, stop).starts_with(" de ") { stop + " de".len() } else { stop };
        if let Some((currency, _, end)) = currency_after(r, gap) {
            r.space(stop + 1);
            let de = if scan::slice(r.t, ..stop).ends_with("mil") { "" } else { "de " };
            r.say(&format!("{de}{}", currency.many), end);
        }
        return;
    }
    tail(r, singular);
}

/// Says what is counted by the number before: a measure or a percentage.
pub(super) fn tail(r: &mut Reader<'_>, singular: bool) {
    if let Some((name, end)) = percent(r.t, r.at) {
        r.skip(scan::past_space(r.t, r.at));
        r.say(name, end);
    } else if let Some(measure) = units::at(r.t, r.at) {
        r.skip(measure.start);
        let name = if singular { &measure.one } else { &measure.many };
        r.say(name, measure.end);
        // The stop of an abbreviation in a sentence.
        let stop = scan::tail(r.t, r.at).starts_with(". ")
            && scan::char_at(r.t, r.at + 2).is_some_and(char::is_lowercase);
        if stop {
            r.skip(r.at + 1);
        }
    } else if scan::tail(r.t, r.at).starts_with('-')
        && scan::char_at(r.t, r.at + 1).is_some_and(char::is_alphabetic)
    {
        r.space(r.at + 1);
    }
}

/// `%` or `‰` after a number, and where it ends.
fn percent(t: &str, at: usize) -> Option<(&'static str, usize)> {
    let start = scan::past_space(t, at);
    match scan::char_at(t, start)? {
        '%' => Some(("por ciento", start + 1)),
        '‰' => Some(("por mil", start + '‰'.len_utf8())),
        _ => None,
    }
}

/// `3-5`, `1990–95`, `5-10 km`, `10 %-15 %`, `10-20 €`.
fn range(r: &mut Reader<'_>, first: &Number<'_>) -> bool {
    let t = r.t;
    let first_end = percent(t, first.quantity.end)
        .filter(|(_, end)| scan::tail(t, *end).starts_with(['-', '–']))
        .map_or(first.quantity.end, |(_, end)| end);
    let dash = scan::past_space(t, first_end);
    let Some(sign) = scan::char_at(t, dash).filter(|c| matches!(c, '-' | '–' | '—' | '−')) else {
        return false;
    };
    let spaced = dash > first_end;
    let start = dash + sign.len_utf8();
    let start = if spaced { scan::past_space(t, start) } else { start };
    if (spaced && (start == dash + sign.len_utf8() || sign == '—' || r.sum)) || !scan::digit_at(t, start) {
        return false;
    }
    let Some(second) = quantity::at(r, start) else { return false };
    let end = second.quantity.end;
    // A third part makes it a code; a letter right after it may be a unit.
    let goes_on = scan::tail(t, end).starts_with(['-', '–', '/', ':']) && scan::digit_at(t, end + 1);
    if goes_on || (!scan::edge(t, end) && units::at(t, end).is_none()) {
        return false;
    }
    let currency = currency_after(r, end);
    let form = match (units::at(t, end), &currency) {
        (Some(measure), _) => measure.form,
        (None, Some((currency, ..))) => currency.form,
        (None, None) if percent(t, end).is_some() => Form::Alone,
        (None, None) => counting::form(r, None, end),
    };
    let words = reading(first, if form == Form::Masculine { Form::Alone } else { form });
    r.say(&words, first.quantity.end);
    if first_end > first.quantity.end {
        tail(r, false);
    }
    r.skip(dash);
    r.say("a", start);
    if let Some((currency, _, stop)) = currency {
        money(r, &second, currency, (currency.one, currency.many), stop);
        return true;
    }
    let words = reading(&second, form);
    r.say(&words, end);
    tail(r, false);
    true
}

/// `1920x1080`, `3 × 4 m`: "por".
fn dimensions(r: &mut Reader<'_>, first: &Number<'_>) -> bool {
    let t = r.t;
    let at = scan::past_space(t, first.quantity.end);
    let Some(sign) = scan::char_at(t, at).filter(|c| matches!(c, 'x' | '×')) else { return false };
    let start = scan::past_space(t, at + sign.len_utf8());
    if !scan::digit_at(t, start) || (at > first.quantity.end) != (start > at + sign.len_utf8()) {
        return false;
    }
    let words = reading(first, Form::Alone);
    r.say(&words, first.quantity.end);
    r.skip(at);
    r.say("por", start);
    let Some(second) = quantity::at(r, start) else { return true };
    if !dimensions(r, &second) {
        one(r, &second);
    }
    true
}

/// `1/2`, `3/4`, `22/7`, `24/7`.
fn fraction(r: &mut Reader<'_>) -> bool {
    let Some((top, bottom, end)) = simple_fraction(r.t, r.at) else { return false };
    let words = if (top, bottom) == (24, 7) {
        "veinticuatro siete".to_owned()
    } else if (1900..2100).contains(&top) && (top + 1) % 100 == bottom {
        // A season.
        format!("{} {}", figures::number(top, Form::Alone), figures::number(bottom, Form::Alone))
    } else {
        fraction_words(r, top, bottom, end)
    };
    r.say(&words, end);
    part_tail(r);
    true
}

/// The two numbers of a fraction and its end.
fn simple_fraction(t: &str, at: usize) -> Option<(u64, u64, usize)> {
    let slash = scan::digits(t, at);
    let end = scan::digits(t, slash + 1);
    if !scan::tail(t, slash).starts_with('/') || end == slash + 1 || slash == at {
        return None;
    }
    let goes_on = scan::tail(t, end).starts_with(['/', '.', ',']) && scan::digit_at(t, end + 1);
    if goes_on || slash - at > 4 || end - slash > 5 || (!scan::edge(t, end) && units::at(t, end).is_none()) {
        return None;
    }
    Some((scan::slice(t, at..slash).parse().ok()?, scan::slice(t, slash + 1..end).parse().ok()?, end))
}

fn fraction_words(r: &Reader<'_>, top: u64, bottom: u64, end: usize) -> String {
    if (top, bottom) == (1, 2) {
        return half(r, end).to_owned();
    }
    let top_words = figures::number(top, Form::Masculine);
    match figures::part(bottom, top != 1).filter(|_| top > 0 && (top < bottom || top <= 30)) {
        Some(part) => format!("{top_words} {part}"),
        None => {
            format!("{} entre {}", figures::number(top, Form::Alone), figures::number(bottom, Form::Alone))
        }
    }
}

/// A half: "medio" or "media" before what there is half of, else "un medio".
fn half(r: &Reader<'_>, end: usize) -> &'static str {
    let measured = units::at(r.t, end).map(|measure| measure.form == Form::Feminine);
    let noun = || counting::noun(r, true, end).map(crate::front_end::spanish::text::genders::is_feminine);
    match measured.or_else(noun) {
        Some(true) => "media",
        Some(false) => "medio",
        None => "un medio",
    }
}

/// What a fraction measures: one of it, with "de" where the fraction is a noun (`3/4 l`).
fn part_tail(r: &mut Reader<'_>) {
    let Some(measure) = units::at(r.t, r.at) else { return };
    let noun = !(r.out.text.ends_with("medio") || r.out.text.ends_with("media"));
    r.skip(measure.start);
    r.say(&if noun { format!("de {}", measure.one) } else { measure.one }, measure.end);
}

/// `3 1/2`, `3½`: "tres y medio".
fn mixed(r: &mut Reader<'_>, whole: &Number<'_>) -> bool {
    let quantity = &whole.quantity;
    if !quantity.is_plain() || quantity.whole.len() > 4 {
        return false;
    }
    let start = scan::past_space(r.t, quantity.end);
    let written = simple_fraction(r.t, start)
        .filter(|&(top, bottom, _)| start > quantity.end && 0 < top && top < bottom && bottom <= 100);
    let sign = scan::char_at(r.t, start)
        .and_then(|c| vulgar_fraction(c).map(|(top, bottom)| (top, bottom, start + c.len_utf8())));
    let Some((top, bottom, end)) = written.or(sign) else { return false };
    let measure = units::at(r.t, end);
    let form = measure.as_ref().map_or_else(|| counting::form(r, None, end), |measure| measure.form);
    let words = figures::cardinal(&quantity.whole, form);
    let feminine = form == Form::Feminine;
    let part = match (top, bottom) {
        (1, 2) => (if feminine { "media" } else { "medio" }).to_owned(),
        _ => fraction_words(r, top, bottom, end),
    };
    // "dos kilos y medio": the measure stands between.
    if let Some(measure) = measure {
        let name = if quantity.whole == "1" { measure.one } else { measure.many };
        r.say(&format!("{words} {name} y {part}"), measure.end);
        return true;
    }
    r.say(&words, quantity.end);
    r.say(&format!("y {part}"), end);
    true
}

/// `½` and its like, alone.
pub(super) fn vulgar(r: &mut Reader<'_>) -> bool {
    let Some(c) = r.char() else { return false };
    let Some((top, bottom)) = vulgar_fraction(c) else { return false };
    let end = r.at + c.len_utf8();
    let words = fraction_words(r, top, bottom, end);
    r.say(&words, end);
    part_tail(r);
    true
}
