//! Fractions, `3/4` and `½`, alone and after a whole number, and two years of a season.

use super::{Reader, counting, measured, quantity::Number, units};
use crate::front_end::{
    normalize::numbers::vulgar as vulgar_fraction,
    romance::figures::{Form, group},
    scan,
};

/// `1/2`, `3/4`, `22/7`, `24/7`.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    // `30/60/90`
    if r.before() == Some('/') {
        return false;
    }
    let Some((top, bottom, end)) = simple_fraction(r, r.at) else { return false };
    if file_number(r, end) {
        return true;
    }
    // "9/3 = 3"
    if r.sum && top > bottom && scan::tail(r.t, end).starts_with(" =") {
        let (top, bottom) = (r.number(top, Form::Alone), r.number(bottom, Form::Alone));
        r.say(&format!("{top} {} {bottom}", r.signs().names.divided_by), end);
        return true;
    }
    if month_and_year(r, end) || is_set(r, top, bottom, end) && set(r, top, bottom, end) {
        return true;
    }
    let season = (1900..2100).contains(&top) && ((top + 1) % 100 == bottom || top + 1 == bottom);
    if season && (bottom > 100 || r.grammar().has_whole_years()) {
        let slash = scan::digits(r.t, r.at);
        let words = r.number(top, Form::Alone);
        r.say(&words, slash);
        r.out.comma(slash..slash);
        r.skip(slash + 1);
        let words = r.number(top + 1, Form::Alone);
        r.say(&words, end);
        return true;
    }
    if let Some(word) = between(r, top, bottom, end) {
        let words = format!("{} {word} {}", r.number(top, Form::Alone), r.number(bottom, Form::Alone));
        r.say(&words, end);
        measured::tail(r, false);
        return true;
    }
    let words = if (top, bottom) == (24, 7) || season || are_neighbors(top, bottom) {
        format!("{} {}", r.number(top, Form::Alone), r.number(bottom, Form::Alone))
    } else {
        fraction_words(r, top, bottom, end)
    };
    r.say(&words, end);
    if top == bottom || (words.contains(r.amounts().over) && top > bottom) {
        measured::tail(r, false);
    } else {
        part_tail(r);
    }
    true
}

/// Reads `2023/0456`, the number of a file: a part that begins with a zero is no denominator.
fn file_number(r: &mut Reader<'_>, end: usize) -> bool {
    let slash = scan::digits(r.t, r.at);
    let part = scan::slice(r.t, slash + 1..end);
    let sign = r.signs().in_addresses.iter().find(|(sign, _)| *sign == '/');
    let Some(&(_, name)) = sign.filter(|_| part.len() > 2 && part.starts_with('0')) else { return false };
    let words = super::reading::plain(r.grammar(), scan::slice(r.t, r.at..slash), Form::Alone);
    r.say(&words, slash);
    r.say(name, slash + 1);
    let words = group(r.grammar(), part);
    r.say(&words, end);
    true
}

/// The word between two numbers that are no fraction: the pressures of blood, `120/80 mmHg`, and a
/// page among all, `página 3/12`.
fn between(r: &Reader<'_>, top: u64, bottom: u64, end: usize) -> Option<&'static str> {
    const PARTS: [&str; 14] = [
        "pág",
        "pag",
        "page",
        "capítulo",
        "capitolo",
        "chapitre",
        "diapositiva",
        "slide",
        "paso",
        "passo",
        "étape",
        "tappa",
        "etapa",
        "episod",
    ];
    const PRESSURE: [&str; 5] = ["tensi", "tensã", "presió", "pressã", "pressio"];
    let head = scan::slice(r.t, ..r.at);
    let near = head[head.ceil_char_boundary(head.len().saturating_sub(32))..].to_lowercase();
    let named = near.split([' ', '\'']).any(|word| PRESSURE.iter().any(|stem| word.starts_with(stem)));
    let measured = scan::tail(r.t, scan::past_space(r.t, end)).starts_with("mmHg");
    let fits = matches!((top, bottom), (60..=260, 30..=160) | (8..=26, 4..=15)) && top > bottom;
    if fits && (measured || named) {
        return Some(r.amounts().pressure);
    }
    let before = r.word_before().to_lowercase();
    let counted = PARTS.iter().any(|part| before.starts_with(part));
    (counted && top <= bottom && bottom > 1).then_some(r.amounts().of_all)
}

/// `23/24`, a season, or `38/39`, a size: two numbers after each other, of which no one speaks as of
/// a fraction.
fn are_neighbors(top: u64, bottom: u64) -> bool {
    top > 19 && bottom == top + 1
}

/// `03/2025`: a month of a year.
fn month_and_year(r: &mut Reader<'_>, end: usize) -> bool {
    let (month, year) = scan::slice(r.t, r.at..end).split_once('/').unwrap_or_default();
    let (Ok(number), Ok(value)) = (month.parse::<u64>(), year.parse::<u64>()) else { return false };
    if year.len() != 4 || !(1900..2100).contains(&value) {
        return false;
    }
    let Some(name) = r.words().month_name(number) else { return false };
    let grammar = r.grammar();
    let date = grammar.date(2, name, Some(value));
    let words = date.split_once(name).map_or("", |(_, year)| year);
    r.say(&format!("{name}{words}"), end);
    true
}

/// Whether `6/4` is a set of tennis: another one stands beside it.
pub(super) fn is_set(r: &Reader<'_>, top: u64, bottom: u64, end: usize) -> bool {
    // `25/20` is one of volleyball; no month has such a number.
    let fits = |a: u64, b: u64| {
        let volleyball = (15..=40).contains(&a.max(b)) && a.min(b) > 12 && a.abs_diff(b) > 1;
        (matches!(a.max(b), 6 | 7) && a != b) || volleyball
    };
    let written = |text: &str| {
        let (a, b) = text.split_once('/')?;
        Some(a.len() == b.len() && a.len() < 3 && fits(a.parse().ok()?, b.parse().ok()?))
    };
    let words = scan::slice(r.t, ..r.at).split(' ').rev().take(4);
    let named =
        words.map(str::to_lowercase).any(|word| ["set", "sets", "jeu", "parcial"].contains(&word.as_str()));
    let apart = |c: char| matches!(c, ' ' | ',' | ';' | '.' | ')' | '(');
    let tells = |word: &&str| word.contains(|c: char| !c.is_ascii_digit()) && *word != r.signs().names.and;
    let next = scan::tail(r.t, end).split(apart).find(tells);
    let previous = scan::slice(r.t, ..r.at).rsplit(apart).find(tells);
    let beside = || [next, previous].into_iter().flatten().any(|word| written(word) == Some(true));
    fits(top, bottom) && (named || beside())
}

fn set(r: &mut Reader<'_>, top: u64, bottom: u64, end: usize) -> bool {
    let words =
        format!("{} {} {}", r.number(top, Form::Alone), r.amounts().to, r.number(bottom, Form::Alone));
    r.say(&words, end);
    true
}

/// The two numbers of a fraction and its end.
fn simple_fraction(r: &Reader<'_>, at: usize) -> Option<(u64, u64, usize)> {
    let t = r.t;
    let slash = scan::digits(t, at);
    let end = scan::digits(t, slash + 1);
    if !scan::tail(t, slash).starts_with('/') || end == slash + 1 || slash == at {
        return None;
    }
    // `1/25.000`: the scale of a map.
    let below = super::quantity::at(r, slash + 1).filter(|number| number.quantity.grouped && slash == at + 1);
    if let Some(number) = below {
        let value = number.quantity.whole.parse().ok()?;
        return Some((scan::slice(t, at..slash).parse().ok()?, value, number.quantity.end));
    }
    let goes_on = scan::tail(t, end).starts_with(['/', '.', ',']) && scan::digit_at(t, end + 1);
    if goes_on || slash - at > 4 || end - slash > 5 || (!scan::edge(t, end) && units::at(r, end).is_none()) {
        return None;
    }
    Some((scan::slice(t, at..slash).parse().ok()?, scan::slice(t, slash + 1..end).parse().ok()?, end))
}

fn fraction_words(r: &Reader<'_>, top: u64, bottom: u64, end: usize) -> String {
    if (top, bottom) == (1, 2) {
        return half(r, end).to_owned();
    }
    let mark = [10, 20, 100].contains(&bottom) && follows_mark(r);
    if mark {
        let (top, bottom) = (r.number(top, Form::Alone), r.number(bottom, Form::Alone));
        return format!("{top} {} {bottom}", r.amounts().out_of);
    }
    let part = r
        .grammar()
        .part(bottom, top != 1)
        .filter(|_| top > 0 && top != bottom && (top < bottom || top <= 30));
    if let Some(part) = part {
        if counting::noun(r, top == 1, end).is_some_and(|noun| noun == "parte" || noun == "partes")
            && let Some(part) = r.grammar().part_of_parts(bottom, top != 1)
        {
            return format!("{} {part}", r.number(top, Form::Feminine));
        }
        return format!("{} {part}", r.number(top, Form::Masculine));
    }
    // "De doze em doze horas"
    let hours = units::at(r, end).is_some_and(|measure| measure.form == Form::Feminine);
    if let Some(word) = r.amounts().by_turns.filter(|_| top == bottom && top > 1 && hours) {
        let each = r.number(top, Form::Feminine);
        return format!("{each} {word} {each}");
    }
    // Half and half.
    if (top, bottom) == (50, 50) {
        let each = r.number(top, Form::Alone);
        return format!("{each} {each}");
    }
    // `28/1234` is the number of something.
    let slash = r.signs().in_addresses.iter().find(|(sign, _)| *sign == '/').map(|(_, name)| *name);
    let round = bottom.is_multiple_of(100) || top == 1;
    let word = match slash.filter(|_| bottom > 1000 && !round) {
        Some(slash) => slash,
        None if top == bottom => r.amounts().out_of,
        None => r.amounts().over,
    };
    let (top, bottom) = (r.number(top, Form::Alone), r.number(bottom, Form::Alone));
    format!("{top} {word} {bottom}")
}

/// Whether the words before a fraction speak of a mark: `nota: 8/10`.
fn follows_mark(r: &Reader<'_>) -> bool {
    const MARKS: [&str; 10] =
        ["nota", "note", "puntu", "calific", "valora", "pontu", "avalia", "voto", "punteg", "dolor"];
    let head = scan::slice(r.t, ..r.at);
    let near = head[head.ceil_char_boundary(head.len().saturating_sub(32))..].to_lowercase();
    near.split(' ').any(|word| MARKS.iter().any(|mark| word.starts_with(mark)))
}

/// A half: "medio" or "media" before what there is half of, else "un medio".
fn half(r: &Reader<'_>, end: usize) -> &'static str {
    let measured = units::at(r, end).map(|measure| measure.form == Form::Feminine);
    let noun = || counting::noun(r, true, end).map(|noun| r.grammar().is_feminine(noun));
    let (alone, masculine, feminine) = r.amounts().half;
    // "Une ½ douzaine": the article is said already.
    let before = r.word_before().to_lowercase();
    if let Some(bare) = [alone, feminine].iter().find_map(|half| half.strip_prefix(&format!("{before} "))) {
        return bare;
    }
    match measured.or_else(noun) {
        Some(true) => feminine,
        Some(false) => masculine,
        None => alone,
    }
}

/// What a fraction measures: one of it, with "de" where the fraction is a noun (`3/4 l`).
fn part_tail(r: &mut Reader<'_>) {
    let Some(measure) = units::at(r, r.at) else { return };
    let (_, masculine, feminine) = r.amounts().half;
    let is_noun = !(r.out.text.ends_with(masculine) || r.out.text.ends_with(feminine));
    r.skip(measure.start);
    r.say(&if is_noun { r.grammar().of(&measure.one) } else { measure.one }, measure.end);
}

/// `3 1/2`, `3½`: "tres y medio".
pub(super) fn mixed(r: &mut Reader<'_>, whole: &Number<'_>) -> bool {
    let quantity = &whole.quantity;
    if !quantity.is_plain() || quantity.whole.len() > 4 {
        return false;
    }
    let start = scan::past_space(r.t, quantity.end);
    let written = simple_fraction(r, start)
        .filter(|&(top, bottom, _)| start > quantity.end && 0 < top && top < bottom && bottom <= 100);
    let sign = scan::char_at(r.t, start)
        .and_then(|c| vulgar_fraction(c).map(|(top, bottom)| (top, bottom, start + c.len_utf8())));
    let Some((top, bottom, end)) = written.or(sign) else { return false };
    let measure = units::at(r, end);
    // "1 1/2 xícara": what there is one and a half of may stand in the singular.
    let counted = || match counting::form(r, None, end) {
        Form::Alone => counting::form(r, Some(1), end),
        form => form,
    };
    let form = measure.as_ref().map_or_else(counted, |measure| measure.form);
    let mut words = r.cardinal(&quantity.whole, form);
    // "Un'ora e mezza".
    let one = measure.as_ref().filter(|_| quantity.whole == "1");
    let elided = one.and_then(|measure| r.grammar().one_before(&measure.one, form));
    if let Some(one) = elided {
        one.clone_into(&mut words);
    }
    let gap = if words.ends_with('\'') { "" } else { " " };
    let (masculine, feminine) = r.amounts().and_half;
    let part = match (top, bottom) {
        (1, 2) => (if form == Form::Feminine { feminine } else { masculine }).to_owned(),
        _ => format!("{} {}", r.amounts().and, fraction_words(r, top, bottom, end)),
    };
    // "dos kilos y medio": the measure stands between.
    if let Some(measure) = measure {
        let name = if quantity.whole == "1" { measure.one } else { measure.many };
        // "Uma xícara e meia de chá".
        let said = match name.split_once(" de ") {
            Some((name, of)) => format!("{words}{gap}{name} {part} de {of}"),
            None => format!("{words}{gap}{name} {part}"),
        };
        r.say(&said, measure.end);
        return true;
    }
    r.say(&words, quantity.end);
    r.say(&part, end);
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
