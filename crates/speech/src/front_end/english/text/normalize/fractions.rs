//! Fractions and mixed numbers, and what else has a slash between two numbers: odds, seasons, `page 1/2`.

use super::{
    Reader, lexemes, measures, reading,
    scan::{self, Quantity},
    scores, units,
};
use crate::front_end::normalize::numbers;

/// `1/2`, `3/4`, `22/7`.
pub(super) fn fraction(r: &mut Reader<'_>) -> bool {
    let Some((top, bottom, end)) = simple_fraction(r.t, r.at) else { return false };
    // `2019/20`: a season, or a year that starts in the midst of one.
    let season = (1900..2100).contains(&top) && (top + 1) % 100 == bottom && bottom >= 10;
    let beats = matches!(bottom, 2 | 4 | 8 | 16)
        && [
            "time",
            "meter",
            "metre",
            "beat",
            "signature",
            "rhythm",
            "groove",
            "feel",
            "march",
            "waltz",
            "bar",
        ]
        .contains(&scan::word(r.t, scan::past_space(r.t, end)));
    // "in 3/4 time, not 4/4"
    // "The second movement is in 6/8."
    let is_meter = r.word_before() == "in"
        && !scan::tail(r.t, end).starts_with(" of")
        && !reading::is_noun_like(scan::word(r.t, scan::past_space(r.t, end)))
        && units::at(r.t, end).is_none()
        && (matches!(bottom, 4) && (2..=7).contains(&top)
            || bottom == 8 && [3, 5, 6, 7, 9, 12].contains(&top))
        && scan::has_words(
            r.t,
            &[
                "band",
                "bars",
                "bridge",
                "chorus",
                "conductor",
                "drummer",
                "jig",
                "melody",
                "movement",
                "piece",
                "played",
                "reel",
                "rondo",
                "scherzo",
                "song",
                "tune",
                "verse",
                "waltz",
            ],
        );
    let beats = beats
        || is_meter
        || (!scan::tail(r.t, end).starts_with(" of")
            && matches!(bottom, 2 | 4 | 8)
            && ["/4 time", "/8 time", "/2 time", "time signature"].iter().any(|word| r.t.contains(word)));
    let words = if beats {
        format!("{} {}", r.language.figures.number(top), r.language.figures.number(bottom))
    } else if let Some(joint) = joint(r, (top, bottom), end) {
        format!("{}{joint}{}", r.language.figures.number(top), r.language.figures.number(bottom))
    } else if season {
        format!("{} to {}", r.language.figures.year(top), r.language.figures.number(bottom))
    } else {
        fraction_words(r, top, bottom)
    };
    r.say(&words, end);
    reading::hyphen_to_space(r);
    measures::after(r, top < bottom);
    true
}

/// What joins two numbers with a slash that are no fraction: the odds of a bet, `page 1/2`, a score of cricket; nothing joins
/// `80/20`.
fn joint(r: &Reader<'_>, (top, bottom): (u64, u64), end: usize) -> Option<&'static str> {
    const COUNTED: [&str; 10] =
        ["page", "part", "sheet", "slide", "disc", "disk", "step", "episode", "screen", "photo"];
    let before = r.word_before().to_lowercase();
    if COUNTED.contains(&before.as_str()) && top <= bottom && is_closed(r, end) {
        return Some(" of ");
    }
    let is_odds = top > bottom
        && bottom <= 20
        && ["at", "is", "odds", "favorite", "favourite", "outsider", "winner"].contains(&before.as_str())
        && scan::has_words(
            r.t,
            &[
                "odds",
                "horse",
                "favorite",
                "favourite",
                "outsider",
                "bookmaker",
                "bookmakers",
                "backed",
                "bet",
            ],
        );
    if is_odds {
        return Some(" to ");
    }
    // "He rated the film 8/10."
    let rated = ["gave", "graded", "rated", "rates", "rating", "review", "score", "scored"];
    let graded = bottom == 100 && scan::has_words(r.t, &["exam", "exams", "test"]);
    if matches!(bottom, 5 | 10 | 100) && top <= bottom && (graded || scan::has_words(r.t, &rated)) {
        return Some(" out of ");
    }
    // `2/10, net 30`: terms of payment.
    if scan::tail(r.t, end).starts_with(", net ") {
        return Some(" ");
    }
    // `80/20`: shares of a whole.
    if top + bottom == 100 && top.is_multiple_of(5) && bottom.is_multiple_of(5) {
        return Some(" ");
    }
    scores::is_cricket(r.t, top, bottom).then_some(" for ")
}

/// Whether the clause ends at `end`, or a verb follows: "Page 1/2 is missing".
fn is_closed(r: &Reader<'_>, end: usize) -> bool {
    let next = scan::word(r.t, scan::past_space(r.t, end));
    next.is_empty() || ["is", "was", "has", "of", "and", "shows"].contains(&next)
}

/// The two numbers of a fraction and its end.
pub(super) fn simple_fraction(t: &str, at: usize) -> Option<(u64, u64, usize)> {
    let slash = scan::digits(t, at);
    let end = scan::digits(t, slash + 1);
    if !scan::tail(t, slash).starts_with('/') || end == slash + 1 || slash == at {
        return None;
    }
    let goes_on = scan::tail(t, end).starts_with(['/', '.', ',']) && scan::digit_at(t, end + 1);
    if goes_on || slash - at > 4 || end - slash > 5 {
        return None;
    }
    let numbers = (scan::slice(t, at..slash).parse().ok()?, scan::slice(t, slash + 1..end).parse().ok()?);
    // `2/3rds`, `5/8ths`.
    let ending = scan::letters(t, end);
    if ["rd", "rds", "th", "ths"].contains(&scan::slice(t, end..ending)) && scan::edge(t, ending) {
        return Some((numbers.0, numbers.1, ending));
    }
    let letter = scan::char_at(t, end).is_some_and(char::is_alphabetic) && units::at(t, end).is_none();
    // `Gas 6/200°C` has two settings of an oven.
    let degrees = units::at(t, end).is_some_and(|unit| unit.one.starts_with("degree"));
    if letter || degrees {
        return None;
    }
    Some((numbers.0, numbers.1, end))
}

pub(super) fn fraction_words(r: &Reader<'_>, top: u64, bottom: u64) -> String {
    let top_words = r.language.figures.number(top);
    let many = top != 1;
    let named = (2..=20).contains(&bottom) || [25, 30, 32, 40, 50, 60, 64, 100, 1000].contains(&bottom);
    match bottom {
        2 => format!("{top_words} {}", if many { "halves" } else { "half" }),
        4 => format!("{top_words} quarter{}", if many { "s" } else { "" }),
        _ if named && top > 0 && (top < bottom || top <= 30) => {
            format!("{top_words} {}{}", r.language.figures.ordinal(bottom), if many { "s" } else { "" })
        }
        // `2016/679`: an act of its year.
        _ if (1950..2100).contains(&top) && (100..10_000).contains(&bottom) => {
            let figures = &r.language.figures;
            format!("{} slash {}", figures.year(top), figures.number(bottom))
        }
        _ => format!("{top_words} over {}", r.language.figures.number(bottom)),
    }
}

/// `3 1/2`, `3½`, `3 ¾`: "three and a half".
pub(super) fn mixed(r: &mut Reader<'_>, whole: &Quantity<'_>) -> bool {
    if !whole.is_plain() || whole.whole.len() > 4 {
        return false;
    }
    // `1-1/4"`: carpenters join the two with a hyphen.
    let hyphened = scan::tail(r.t, whole.end).starts_with('-');
    let start = if hyphened { whole.end + 1 } else { scan::past_space(r.t, whole.end) };
    let written = simple_fraction(r.t, start).filter(|&(top, bottom, _)| {
        let is_part = start > whole.end && 0 < top && top < bottom && bottom <= 100;
        is_part && (!hyphened || [2, 3, 4, 8, 16, 32, 64].contains(&bottom))
    });
    let sign = scan::char_at(r.t, start)
        .and_then(|c| numbers::vulgar(c).map(|(top, bottom)| (top, bottom, start + c.len_utf8())));
    let sign = sign.filter(|_| !hyphened);
    let Some((top, bottom, end)) = written.or(sign) else { return false };
    let words = reading::reading(r, whole, false);
    r.say(&words, whole.end);
    let words = if top == 1 {
        let one = fraction_words(r, 1, bottom);
        let named = one.strip_prefix("one ").unwrap_or(&one);
        format!("and {} {named}", if named.starts_with("eigh") { "an" } else { "a" })
    } else {
        format!("and {}", fraction_words(r, top, bottom))
    };
    r.say(&words, end);
    inch_sign(r, false);
    reading::hyphen_to_space(r);
    true
}

/// `½` and its like, alone.
pub(super) fn vulgar(r: &mut Reader<'_>) -> bool {
    let Some(c) = r.char() else { return false };
    let Some((top, bottom)) = numbers::vulgar(c) else { return false };
    let words = fraction_words(r, top, bottom);
    r.say(&words, r.at + c.len_utf8());
    // `⅓πr²h`
    if units::at(r.t, r.at).is_none() && lexemes::greek(r) {
        return true;
    }
    inch_sign(r, true);
    measures::after(r, true);
    true
}

/// The sign of inches after `8½`, or after `½` alone.
fn inch_sign(r: &mut Reader<'_>, singular: bool) {
    let is_sign = r.rest().starts_with('"') && scan::edge(r.t, r.at + 1);
    if !is_sign || is_quoted(scan::slice(r.t, ..r.at)) {
        return;
    }
    let next = scan::word(r.t, scan::past_space(r.t, r.at + 1));
    let described = reading::is_noun_like(next)
        && !["across", "deep", "high", "long", "tall", "thick", "wide"].contains(&next);
    r.say(if singular || described { "inch" } else { "inches" }, r.at + 1);
}

/// Whether a quotation is open at the end of a text. A mark right after a digit opens none: it is
/// inches, or closes.
pub(super) fn is_quoted(head: &str) -> bool {
    let mut open = false;
    for (at, _) in head.match_indices('"') {
        let after_digit = head[..at].ends_with(char::is_numeric);
        open = !open && !after_digit;
    }
    open
}
