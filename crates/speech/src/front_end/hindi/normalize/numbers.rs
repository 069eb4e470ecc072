//! Numbers: what is asked first is in the other files; here are whole and decimal numbers, ranges,
//! fractions, ordinals, and what stands after a number.

use super::{
    Reader, amounts, clock, dates, phones,
    quantities::{fraction_name, in_quarters, quantity, said, with_part},
    word_after, word_before,
};
use crate::front_end::{
    hindi::{figures, script, words},
    normalize::numbers::{is_negative, vulgar},
    scan::{self, Quantity},
};

/// What stands after the digits of an ordinal.
const ORDINALS: &[&str] =
    &["वाँ", "वां", "वें", "वीं", "वी", "वा", "ला", "ली", "ले", "रा", "री", "रे", "था", "थी", "थे", "ठा", "ठी", "ठे"];

/// Reads the number or the amount that starts here, if one does.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    match r.char() {
        Some(c) if c.is_ascii_digit() => {
            digits(r);
            true
        }
        Some(c) if words::currency(c).is_some() => amounts::sign_first(r, c),
        Some('+') => phones::international(r),
        Some(sign @ ('-' | '−')) if scan::digit_at(r.t, r.at + sign.len_utf8()) && is_negative(r, sign) => {
            r.say("माइनस", r.at + sign.len_utf8());
            true
        }
        Some(c) => vulgar(c).is_some_and(|parts| {
            let name = match parts {
                (1, 2) => half(word_after(r, r.at + c.len_utf8())).to_owned(),
                _ => fraction_name(parts.0, parts.1),
            };
            r.say(&name, r.at + c.len_utf8());
            true
        }),
        None => false,
    }
}

/// How words begin after a score.
const RESULTS: &[&str] = &["हरा", "हार", "जीत", "मात", "बराबर", "आगे", "पीछे", "ड्रॉ", "बढ"];

/// `16:9`, `3:1 के अनुपात में`.
fn ratio(r: &mut Reader<'_>) -> bool {
    let first = quantity(r.t, r.at);
    let from = first.end + 1;
    if !scan::tail(r.t, first.end).starts_with(':') || !scan::digit_at(r.t, from) {
        return false;
    }
    let second = quantity(r.t, from);
    if !scan::edge(r.t, second.end) || scan::tail(r.t, second.end).starts_with(':') {
        return false;
    }
    let words = said(&first);
    r.say(&words, first.end);
    let named = scan::tail(r.t, second.end).trim_start();
    if ["अनुपात", "के अनुपात", "का अनुपात"].iter().any(|word| named.starts_with(word))
    {
        r.space(from);
    } else {
        r.say("अनुपात", from);
    }
    let words = said(&second);
    r.say(&words, second.end);
    true
}

fn digits(r: &mut Reader<'_>) {
    if dates::read(r)
        || clock::read(r)
        || ratio(r)
        || phones::read(r)
        || ordinal(r)
        || fraction(r)
        || range(r)
    {
        return;
    }
    let quantity = quantity(r.t, r.at);
    if amounts::unit(r, &quantity) || mixed(r, &quantity) || halves(r, &quantity) {
        return;
    }
    // `4G`, `3D`.
    if scan::char_at(r.t, quantity.end).is_some_and(|c| c.is_alphabetic() && !script::is_hindi(c))
        && let Some(end) = script::foreign(r.t, r.at)
    {
        r.copy(end);
        return;
    }
    let words = if dates::is_year(r, &quantity) {
        figures::year(quantity.small().unwrap_or_default())
    } else {
        said(&quantity)
    };
    r.say(&words, quantity.end);
}

/// `5वाँ`, `2रा`, `21-वीं`.
fn ordinal(r: &mut Reader<'_>) -> bool {
    let end = scan::digits(r.t, r.at);
    // "7 वाँ" has its space by mistake; other endings are words of their own after one.
    let apart = scan::tail(r.t, end).starts_with('-') || scan::tail(r.t, end).starts_with(" व");
    let hyphen = usize::from(apart);
    let rest = scan::tail(r.t, end + hyphen);
    let ending = script::head(rest);
    let length = ending.find(|c: char| !script::is_hindi(c)).unwrap_or(ending.len());
    let ending = &ending[..length];
    if !ORDINALS.contains(&ending) || end - r.at > 6 {
        return false;
    }
    let words = figures::ordinal(scan::slice(r.t, r.at..end), ending);
    r.say(&words, end + hyphen + length);
    true
}

/// `3/4`.
fn fraction(r: &mut Reader<'_>) -> bool {
    let slash = scan::digits(r.t, r.at);
    let end = scan::digits(r.t, slash + 1);
    let fits = |from: usize, to: usize| (1..=3).contains(&(to - from));
    if !scan::tail(r.t, slash).starts_with('/')
        || end <= slash + 1
        || !fits(r.at, slash)
        || !fits(slash + 1, end)
    {
        return false;
    }
    let goes_on = scan::tail(r.t, end).starts_with(['/', '.', '-']) && scan::digit_at(r.t, end + 1);
    if goes_on || !scan::edge(r.t, end) {
        return false;
    }
    let part = |from: usize, to: usize| scan::slice(r.t, from..to).parse().unwrap_or_default();
    let (above, below) = (part(r.at, slash), part(slash + 1, end));
    let words = match (above, below) {
        (1, 2) => half(word_after(r, end)).to_owned(),
        // `250/6`: runs for wickets.
        (21.., 0..=10) if below > 0 && above < 1000 => {
            format!("{} पर {}", figures::number(above), figures::number(below))
        }
        _ => fraction_name(above, below),
    };
    r.say(&words, end);
    true
}

/// A half in the gender and the case of the noun after it.
fn half(noun: &str) -> &'static str {
    const MASCULINE: [&str; 7] = ["पानी", "घी", "दही", "मोती", "हाथी", "आदमी", "किलो"];
    const FEMININE: [&str; 11] =
        ["कीमत", "उम्र", "दुनिया", "चाय", "रात", "जगह", "बोतल", "किताब", "स\u{95C}क", "सदी", "प्लेट"];
    if FEMININE.contains(&noun) || (noun.ends_with('ी') && !MASCULINE.contains(&noun)) {
        "आधी"
    } else if noun.ends_with('े') {
        "आधे"
    } else {
        "आधा"
    }
}

/// `1.5 लाख`: half and quarters before a power or a measure in words.
fn halves(r: &mut Reader<'_>, quantity: &Quantity<'_>) -> bool {
    let next = word_after(r, quantity.end);
    let measured = words::SCALES.contains(&next) || words::MEASURES.contains(&next);
    let Some(words) = in_quarters(quantity).filter(|_| measured) else { return false };
    r.say(&words, quantity.end);
    true
}

/// `2½`: half and quarters have words of their own.
fn mixed(r: &mut Reader<'_>, quantity: &Quantity<'_>) -> bool {
    let Some(sign) = scan::char_at(r.t, quantity.end) else { return false };
    let (Some(parts), Some(value)) = (vulgar(sign), quantity.small()) else { return false };
    let words = with_part(value, parts);
    r.say(&words, quantity.end + sign.len_utf8());
    true
}

/// `5-7`, `1939-45`: the first number and what stands between; the second is read next.
fn range(r: &mut Reader<'_>) -> bool {
    let first = quantity(r.t, r.at);
    let Some(sign) = scan::char_at(r.t, first.end).filter(|c| matches!(c, '-' | '–' | '—')) else {
        return false;
    };
    let from = first.end + sign.len_utf8();
    if !scan::digit_at(r.t, from) {
        return false;
    }
    let second = quantity(r.t, from);
    let goes_on = scan::tail(r.t, second.end).starts_with(['-', '–', '/', ':']);
    let value = |number: &Quantity<'_>| format!("{}.{}", number.whole, number.fraction).parse::<f64>().ok();
    let (Some(low), Some(high)) = (value(&first), value(&second)) else { return false };
    let short_year = first.whole.len() == 4 && second.whole.len() == 2;
    // `1-3 से हारा`: a score.
    let result = scan::tail(r.t, second.end).strip_prefix(" से ").map_or("", script::head);
    if RESULTS.iter().any(|word| result.starts_with(word)) {
        let words = said(&first);
        r.say(&words, first.end);
        r.space(from);
        return true;
    }
    if goes_on || first.whole.len() > 9 || (low >= high && !short_year) {
        return false;
    }
    let context = dates::is_year_word(word_before(r)) || dates::is_after_year(word_after(r, second.end), "");
    let years = first.whole.len() == 4 && first.is_plain() && (short_year || context);
    let words = if years { figures::year(first.small().unwrap_or_default()) } else { said(&first) };
    r.say(&words, first.end);
    r.say("से", from);
    if years {
        let words = figures::year(second.small().unwrap_or_default());
        r.say(&words, second.end);
    }
    true
}
