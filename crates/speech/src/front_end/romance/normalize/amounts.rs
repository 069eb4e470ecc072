//! Numbers of things: money, percentages, measures, ranges, dimensions, and plain numbers.

use super::{
    Reader, counting,
    currencies::{currency, currency_after},
    measured::{percent, tail},
    quantity::{self, Number},
    reading::{self, reading},
    units,
};
use crate::front_end::{
    romance::{
        figures::{self, Form},
        grammar::Currency,
    },
    scan::{self, Quantity},
};

/// `Euro 1.250,00`: the name of a currency before a number with hundredths, and where it ends.
fn named_currency(r: &Reader<'_>) -> Option<(&'static Currency, usize)> {
    let word = scan::word(r.t, r.at);
    let named = |currency: &&Currency| {
        [currency.one, currency.many].iter().any(|name| name.eq_ignore_ascii_case(word))
    };
    let found = r.amounts().currencies.iter().find(named)?;
    let end = r.at + word.len();
    let number = quantity::at(r, scan::past_space(r.t, end))?;
    let alone = currency_after(r, number.quantity.end).is_none() && number.quantity.fraction.len() == 2;
    (alone && scan::tail(r.t, end).starts_with(' ')).then_some((found, end))
}

/// Reads `$5`, `€ 20`, `US$ 3,5 millones`.
pub(super) fn signed_money(r: &mut Reader<'_>) -> bool {
    let Some((found, end)) = currency(r, r.at).or_else(|| named_currency(r)) else { return false };
    let written = scan::slice(r.t, r.at..end);
    let at = scan::past_space(r.t, end);
    // "F 16" is no amount.
    if !scan::digit_at(r.t, at) || (written.len() < 3 && written.chars().all(char::is_uppercase)) {
        return false;
    }
    let Some(number) = quantity::at(r, at) else { return false };
    let stop = number.quantity.end;
    // "$500 MXN": the code says which dollars or pesos they are.
    let code = currency_after(r, stop).filter(|(currency, ..)| currency.written[0] != written);
    if let Some((currency, _, end)) = code {
        money(r, &number, currency, (currency.one, currency.many), end);
        return true;
    }
    let (one, many) = r.grammar().currency_names(found, written);
    // "R$ 5-10"
    let dash = scan::char_at(r.t, stop).filter(|c| matches!(c, '-' | '–')).map_or(0, char::len_utf8);
    if let Some(second) = quantity::at(r, stop + dash).filter(|_| dash > 0) {
        let words = reading(r.grammar(), &number, found.form);
        r.say(&words, stop);
        r.say(r.amounts().to, stop + dash);
        let end = second.quantity.end;
        money(r, &second, found, (one, many), end);
        return true;
    }
    money(r, &number, found, (one, many), stop);
    // "$5 dólares"
    let next = scan::past_space(r.t, r.at);
    if [one, many].contains(&scan::word(r.t, next)) {
        r.skip(next + scan::word(r.t, next).len());
    }
    true
}

/// A word such as thousand or million after a number: where it starts and ends, and how it is said.
struct Multiplier {
    start: usize,
    end: usize,
    one: &'static str,
    many: &'static str,
}

impl Multiplier {
    /// The word after one or after more.
    fn after(&self, one: bool) -> &'static str {
        if one { self.one } else { self.many }
    }

    /// Whether it is written for one, as after `1,2`.
    fn is_singular(&self, r: &Reader<'_>) -> bool {
        scan::slice(r.t, self.start..self.end) == self.one && self.one != r.amounts().thousand
    }
}

/// The multiplier after a number that ends at `at`.
fn multiplier(r: &Reader<'_>, at: usize) -> Option<Multiplier> {
    let start = scan::past_space(r.t, at);
    let rest = scan::tail(r.t, start);
    // "Mil millones" goes before "mil".
    let fits = |written: &str| rest.starts_with(written) && scan::edge(r.t, start + written.len());
    let found = r.amounts().multipliers.iter().filter(|(written, ..)| fits(written));
    let found = found.max_by_key(|(written, ..)| written.len());
    if let Some(&(written, one, many)) = found.filter(|_| start > at) {
        return Some(Multiplier { start, end: start + written.len(), one, many });
    }
    // `M€`, `k$`: the sign of a currency follows at once; `2 M d'abonnés`.
    r.amounts().short_multipliers.iter().find_map(|&(written, one, many)| {
        let end = start + written.len();
        let next = scan::tail(r.t, end);
        let counted = start > at && [" d'", " de ", " €"].iter().any(|of| next.starts_with(of));
        let sign = next.starts_with(['€', '$', '£']) || counted;
        (sign && scan::tail(r.t, start).starts_with(written)).then_some(Multiplier { start, end, one, many })
    })
}

/// Says a number and its thousands or millions. `200 mila`, `200 k€` are one number: "deux cent
/// mille" without an s, "duecentomila".
fn say_scaled(r: &mut Reader<'_>, number: &Number<'_>, form: Form, scale: &Multiplier, scaled: &str) {
    let quantity = &number.quantity;
    if scaled == r.amounts().thousand && quantity.fraction.is_empty() && quantity.whole.len() < 4 {
        let words = r.cardinal(&format!("{}000", quantity.whole), form);
        r.say(&words, scale.end);
        return;
    }
    let words = reading(r.grammar(), number, form);
    r.say(&words, quantity.end);
    r.space(scale.start);
    r.say(scaled, scale.end);
}

/// Says an amount of money that is written up to `end`, and what it is paid for.
pub(super) fn money(
    r: &mut Reader<'_>,
    number: &Number<'_>,
    currency: &Currency,
    names: (&str, &str),
    end: usize,
) {
    amount(r, number, currency, names, end);
    if let Some((per, end)) = units::per(r, r.at) {
        r.say(&per, end);
    }
}

fn amount(r: &mut Reader<'_>, number: &Number<'_>, currency: &Currency, names: (&str, &str), end: usize) {
    let quantity = &number.quantity;
    let (one, many) = names;
    let grammar = r.grammar();
    // "$3 millones": the currency goes after the word.
    if let Some(scale) = multiplier(r, end).filter(|_| end == quantity.end) {
        let scaled =
            scale.after(is_singular(r, quantity) || (!quantity.fraction.is_empty() && scale.is_singular(r)));
        let thousand = scaled == r.amounts().thousand;
        say_scaled(r, number, Form::Masculine, &scale, scaled);
        r.out.say(&if thousand { many.to_owned() } else { grammar.of(many) }, scale.start..scale.end);
        return;
    }
    let cents: Option<u64> = (quantity.fraction.len() == 2).then(|| quantity.fraction.parse().ok()).flatten();
    let counted = |name: &str| {
        if figures::takes_of(&quantity.whole) { grammar.of(name) } else { name.to_owned() }
    };
    let words = match (cents, currency.cents) {
        (Some(cents), Some((cent, all_cents))) => {
            let count = grammar.number(cents, Form::Masculine);
            let part = format!("{count} {}", if cents == 1 { cent } else { all_cents });
            let whole = figures::cardinal(grammar, &quantity.whole, currency.form);
            let name = if quantity.whole == "1" { one.to_owned() } else { counted(many) };
            match (quantity.whole.trim_start_matches('0'), cents, r.amounts().cents_join) {
                ("", ..) => part,
                (_, 0, _) => format!("{whole} {name}"),
                (.., None) => format!("{whole} {name} {count}"),
                (.., Some(join)) => format!("{whole} {name} {join} {part}"),
            }
        }
        _ if !quantity.fraction.is_empty() => format!("{} {many}", reading(grammar, number, currency.form)),
        _ => {
            let zero = quantity.whole == "0" && grammar.is_singular_below_two();
            let name = if quantity.whole == "1" || zero { one.to_owned() } else { counted(many) };
            format!("{} {name}", figures::cardinal(grammar, &quantity.whole, currency.form))
        }
    };
    r.say(&words, end);
}

/// Says a number and what is counted with a sign after it.
pub(super) fn one(r: &mut Reader<'_>, number: &Number<'_>) {
    let quantity = &number.quantity;
    let grammar = r.grammar();
    let end = quantity.end;
    let measured = units::at(r, end);
    let scaled = multiplier(r, end);
    let thousand = r.amounts().thousand;
    let form = match (&measured, percent(r, end), &scaled) {
        (Some(measure), ..) => measure.form,
        (_, Some(_), _) => Form::Alone,
        // A thousand takes the gender of what follows it in its hundreds only.
        (.., Some(scale)) if scale.many == thousand => match counting::form(r, None, scale.end) {
            Form::Feminine => Form::Feminine,
            _ => Form::Masculine,
        },
        (.., Some(_)) => Form::Masculine,
        _ => reading::form(r, quantity),
    };
    if let Some(join) = r.amounts().metres_join
        && metres(r, number, join)
    {
        return;
    }
    let mut words = reading(grammar, number, form);
    if quantity.whole == "1" && quantity.fraction.is_empty() && scaled.is_none() {
        let start = scan::past_space(r.t, end);
        let next = measured.as_ref().map_or_else(|| scan::word(r.t, start), |measure| &measure.one);
        if let Some(one) = grammar.one_before(next, form).filter(|_| start > end || measured.is_some()) {
            one.clone_into(&mut words);
            if one.ends_with('\'') {
                let stop = measured.as_ref().map_or(start + next.len(), |measure| measure.end);
                let joined = format!("{words}{next}");
                r.say(&joined, stop);
                return;
            }
        }
    }
    // "21 mil personas": "veintiún mil".
    let digits = quantity.whole.as_str();
    if scaled.is_some() && form == Form::Feminine && digits.ends_with('1') && !digits.ends_with("11") {
        words = figures::cardinal(grammar, digits, Form::Masculine);
    }
    // "1.000.000 habitantes": "un millón de habitantes".
    let counts = quantity.grouped && form != Form::Alone && measured.is_none();
    if counts && figures::takes_of(digits) {
        let start = scan::past_space(r.t, end);
        let noun = scan::word(r.t, start);
        let of = grammar.of(noun);
        let of = of.strip_suffix(noun).unwrap_or(&of);
        if of.ends_with('\'') {
            r.say(&format!("{words} {of}{noun}"), start + noun.len());
        } else {
            r.say(&format!("{words} {}", of.trim_end()), end);
        }
        return;
    }
    if let Some(scale) = scaled {
        let name =
            scale.after(is_singular(r, quantity) || (!quantity.fraction.is_empty() && scale.is_singular(r)));
        say_scaled(r, number, form, &scale, name);
        // `millones de €`
        let of = [" de ", " di ", " d'"].into_iter().find(|of| scan::tail(r.t, scale.end).starts_with(*of));
        let gap = scale.end + of.map_or(0, |of| of.trim_end().len());
        if let Some((currency, _, end)) = currency_after(r, gap) {
            r.space(scale.end + usize::from(scan::tail(r.t, scale.end).starts_with(' ')));
            let words = if name == thousand { currency.many.to_owned() } else { grammar.of(currency.many) };
            r.say(&words, end);
        } else if let Some(measure) = units::at(r, gap).filter(|measure| measure.start > gap) {
            // `10 mil km²`, `150 millones de km`
            r.space(scale.end + usize::from(scan::tail(r.t, scale.end).starts_with(' ')));
            let words = if name == thousand { measure.many } else { grammar.of(&measure.many) };
            r.say(&words, measure.end);
        }
        return;
    }
    r.say(&words, end);
    tail(r, is_singular(r, quantity));
    until(r, end);
}

/// The dash between two amounts, `5 €-10 €`, is "to".
pub(super) fn until_money(r: &mut Reader<'_>) {
    let Some(sign) = r.char().filter(|c| matches!(c, '-' | '–')) else { return };
    let next = r.at + sign.len_utf8();
    if quantity::at(r, next).is_some_and(|second| currency_after(r, second.quantity.end).is_some()) {
        r.say(r.amounts().to, next);
    }
}

/// The dash between two measures, `9h-12h30`, `5 km-10 km`, is "to".
fn until(r: &mut Reader<'_>, end: usize) {
    if r.at > end {
        side_after_measure(r);
    }
    let Some(sign) = r.char().filter(|c| matches!(c, '-' | '–')).filter(|_| r.at > end) else { return };
    let next = r.at + sign.len_utf8();
    let Some(second) = quantity::at(r, next) else { return };
    let stop = second.quantity.end;
    if units::at(r, stop).is_some()
        || (scan::tail(r.t, stop).starts_with('h') && scan::digit_at(r.t, stop + 1))
    {
        r.say(r.amounts().to, next);
    }
}

/// The sign between the sides of a thing after a measure: `25 m x 12 m`.
fn side_after_measure(r: &mut Reader<'_>) {
    let sign = scan::past_space(r.t, r.at);
    let Some(c) = scan::char_at(r.t, sign).filter(|c| matches!(c, 'x' | '×')) else { return };
    let next = scan::past_space(r.t, sign + c.len_utf8());
    let number = quantity::at(r, next).filter(|_| scan::digit_at(r.t, next));
    if sign > r.at && number.is_some_and(|number| units::at(r, number.quantity.end).is_some()) {
        r.skip(sign);
        r.say(r.amounts().by, next);
    }
}

/// `1,80 m`: metres, then centimetres without their name.
fn metres(r: &mut Reader<'_>, number: &Number<'_>, join: &str) -> bool {
    let Quantity { whole, fraction, end, .. } = &number.quantity;
    // `1m75`
    let tight = scan::tail(r.t, *end).starts_with('m') && scan::digits(r.t, end + 1) == end + 3;
    if tight && number.quantity.is_plain() && whole.len() <= 2 && scan::edge(r.t, end + 3) {
        let unit = r.amounts().units.iter().find(|unit| unit.0 == "m");
        let name = unit.map_or("", |&(_, one, many, _)| if whole == "1" { one } else { many });
        let metres = r.cardinal(whole, Form::Masculine);
        let rest = r.cardinal(scan::slice(r.t, end + 1..end + 3), Form::Alone);
        let gap = if join.is_empty() { "" } else { " " };
        r.say(&format!("{metres} {name} {join}{gap}{rest}"), end + 3);
        return true;
    }
    let Some(measure) = units::at(r, *end) else { return false };
    let sign = scan::slice(r.t, measure.start..measure.end);
    if sign != "m" || fraction.len() != 2 || *fraction == "00" || whole.len() > 2 || whole == "0" {
        return false;
    }
    let metres = if whole == "1" { &measure.one } else { &measure.many };
    let words = format!("{} {metres} {join}", r.cardinal(whole, measure.form));
    let centimetres = r.cardinal(fraction, Form::Alone);
    r.say(words.trim_end(), *end);
    r.skip(measure.start);
    r.say(&centimetres, measure.end);
    true
}

/// Whether what a number counts is said in the singular: `1`, in some languages `1,5`, too.
fn is_singular(r: &Reader<'_>, quantity: &Quantity<'_>) -> bool {
    let less_than_two = matches!(quantity.whole.as_str(), "0" | "1") && !quantity.fraction.is_empty();
    quantity.is_one() || (less_than_two && r.grammar().is_singular_below_two())
}
