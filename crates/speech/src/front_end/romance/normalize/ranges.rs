//! Two numbers with a sign between them: ranges, `3-5 km`, and the sides of things, `3 × 4 m`.

use super::{
    Reader,
    amounts::{money, one, signed_money},
    counting,
    currencies::{currency, currency_after},
    measured::{percent, tail},
    quantity::{self, Number},
    reading::reading,
    units,
};
use crate::front_end::{romance::figures::Form, scan};

/// `3-5`, `1990–95`, `5-10 km`, `10 %-15 %`, `10-20 €`.
pub(super) fn range(r: &mut Reader<'_>, first: &Number<'_>) -> bool {
    let t = r.t;
    // `4-3-3` is no range.
    let mut head = scan::slice(t, ..r.at).chars().rev();
    if head.next() == Some('-') && head.next().is_some_and(|c| c.is_ascii_digit()) {
        return false;
    }
    let first_end = percent(r, first.quantity.end)
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
    if goes_on || (!scan::edge(t, end) && units::at(r, end).is_none()) {
        return false;
    }
    let currency = currency_after(r, end);
    let form = match (units::at(r, end), &currency) {
        (Some(measure), _) => measure.form,
        (None, Some((currency, ..))) => currency.form,
        (None, None) if percent(r, end).is_some() => Form::Alone,
        (None, None) => counting::form(r, None, end),
    };
    let grammar = r.grammar();
    // "Loi n° 78-17", "article L. 121-3", "Boeing 737-800": a name with two numbers.
    let value = |number: &Number<'_>| number.quantity.whole.parse::<u64>().unwrap_or(0);
    let said = r.out.text.trim_end();
    let codes = [r.signs().number, "articolo", "article", "artículo", "artigo"];
    let code = codes.iter().any(|word| said.ends_with(word)) && value(first) > value(&second);
    let letter = r.word_before().trim_end_matches('.');
    let letter = letter.len() == 1 && letter.starts_with(char::is_uppercase) && said.contains("article");
    if code || letter || said.ends_with("Boeing") || is_season(first, &second) {
        let words = reading(grammar, first, Form::Alone);
        r.say(&words, first_end);
        r.skip(start);
        // "2008-09": "dos mil ocho nueve".
        let season = is_season(first, &second);
        let words = if season {
            r.number(value(&second), Form::Alone)
        } else {
            reading(grammar, &second, Form::Alone)
        };
        r.say(&words, end);
        return true;
    }
    let words = reading(grammar, first, if form == Form::Masculine { Form::Alone } else { form });
    r.say(&words, first.quantity.end);
    if first_end > first.quantity.end {
        tail(r, false);
    }
    r.skip(dash);
    r.say(r.amounts().to, start);
    if let Some((currency, _, stop)) = currency {
        money(r, &second, currency, (currency.one, currency.many), stop);
        return true;
    }
    let words = reading(grammar, &second, form);
    r.say(&words, end);
    tail(r, false);
    true
}

/// Whether `2024-25` is a season: two years after each other.
fn is_season(first: &Number<'_>, second: &Number<'_>) -> bool {
    let year = |number: &Number<'_>| number.quantity.whole.parse::<u64>().unwrap_or(0);
    let follows = (year(first) + 1) % 100 == year(second) && second.quantity.whole.len() == 2;
    first.quantity.is_plain() && second.quantity.is_plain() && (1900..2100).contains(&year(first)) && follows
}

/// `1920x1080`, `3 × 4 m`: "por".
pub(super) fn dimensions(r: &mut Reader<'_>, first: &Number<'_>) -> bool {
    let t = r.t;
    let at = scan::past_space(t, first.quantity.end);
    // `10x de R$ 5`, `12x sem juros`: payments.
    let rest = scan::tail(t, first.quantity.end);
    if ["x de ", "x sem ", "x sin "].iter().any(|times| rest.starts_with(times)) && !first.quantity.is_one() {
        let words = reading(r.grammar(), first, Form::Feminine);
        r.say(&words, first.quantity.end);
        r.say(r.signs().times, at + 1);
        return true;
    }
    // In a sum it is a sign of its own.
    let sized = || {
        let start = scan::past_space(t, at + '×'.len_utf8());
        let end = quantity::at(r, start).map_or(start, |second| second.quantity.end);
        !t.contains('=') && units::at(r, end).is_some()
    };
    let Some(sign) = scan::char_at(t, at).filter(|c| *c == 'x' || (*c == '×' && (!r.sum || sized()))) else {
        return false;
    };
    let start = scan::past_space(t, at + sign.len_utf8());
    // `12 x R$ 49,90`
    if let Some((_, end)) = currency(r, start)
        && scan::digit_at(t, scan::past_space(t, end))
    {
        let words = reading(r.grammar(), first, Form::Feminine);
        r.say(&words, first.quantity.end);
        r.skip(at);
        r.say(r.signs().names.times, start);
        return signed_money(r);
    }
    if !scan::digit_at(t, start) || (at > first.quantity.end) != (start > at + sign.len_utf8()) {
        return false;
    }
    let words = reading(r.grammar(), first, Form::Alone);
    r.say(&words, first.quantity.end);
    r.skip(at);
    let second = quantity::at(r, start);
    // "Un quatre-quatre"
    let car = r.amounts().by == "sur" && scan::slice(t, first.quantity.start..start + 1) == "4x4";
    if car && scan::edge(t, start + 1) {
        r.skip(start);
        r.say(&words, start + 1);
        return true;
    }
    let small = |number: &Number<'_>| {
        number.quantity.is_plain() && number.quantity.whole.parse().is_ok_and(|goals: u32| goals <= 20)
    };
    let score = second.as_ref().is_some_and(|second| {
        let end = second.quantity.end;
        let plain = scan::edge(t, end) && units::at(r, end).is_none() && small(first) && small(second);
        plain && r.grammar().is_score(scan::slice(t, ..first.quantity.start), scan::tail(t, end))
    });
    // `4 × 100 m`: a relay.
    let relay = r.amounts().by == "sur"
        && first.quantity.whole == "4"
        && second
            .as_ref()
            .is_some_and(|second| matches!(second.quantity.whole.as_str(), "100" | "200" | "400"));
    let word = match (score, relay) {
        (true, _) => r.amounts().to,
        (_, true) => r.signs().names.times,
        _ => r.amounts().by,
    };
    // `4 x 25,50 €`
    let paid = second.as_ref().and_then(|second| currency_after(r, second.quantity.end));
    r.say(if paid.is_some() { r.signs().names.times } else { word }, start);
    let Some(second) = second else { return true };
    if let Some((currency, _, stop)) = paid {
        money(r, &second, currency, (currency.one, currency.many), stop);
        return true;
    }
    if !dimensions(r, &second) {
        one(r, &second);
    }
    true
}
