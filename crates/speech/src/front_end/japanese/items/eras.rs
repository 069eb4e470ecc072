//! Years of Japanese eras by a letter: R6.4.1, S55年, H28/10/3.

use super::{Like, Scanner, is_letter, weekdays};
use crate::front_end::{
    japanese::{
        counters::{self, Place},
        numbers::Number,
    },
    scan,
};

const ERAS: [(char, &str); 5] =
    [('M', "メージ"), ('T', "タイショー"), ('S', "ショーワ"), ('H', "ヘーセー"), ('R', "レーワ")];

/// Reads the letter of an era, and the date after it.
pub(super) fn read(s: &mut Scanner<'_>) -> bool {
    let Some((letter, era)) = ERAS.into_iter().find(|(letter, _)| s.char() == Some(*letter)) else {
        return false;
    };
    let start = s.at + letter.len_utf8();
    if s.before().is_some_and(|c| is_letter(c) || c.is_ascii_digit() || c == '.') {
        return false;
    }
    let Some((year, year_end)) = short(s.t, start).filter(|(year, _)| (1..=64).contains(year)) else {
        return false;
    };
    if scan::tail(s.t, year_end).starts_with('年') {
        s.word(start, era, Like::Noun);
        return true;
    }
    let Some(sign) = scan::char_at(s.t, year_end).filter(|c| matches!(c, '.' | '/')) else { return false };
    let month = short(s.t, year_end + 1).filter(|(month, _)| (1..=12).contains(month));
    let Some((month, month_end)) = month.filter(|(_, end)| scan::tail(s.t, *end).starts_with(sign)) else {
        return false;
    };
    let day = short(s.t, month_end + 1).filter(|(day, _)| (1..=31).contains(day));
    let goes_on = |end: usize| {
        scan::char_at(s.t, end).is_some_and(|c| c.is_ascii_alphanumeric())
            || scan::tail(s.t, end).starts_with(sign) && scan::digit_at(s.t, end + 1)
    };
    let Some((day, end)) = day.filter(|(_, end)| !goes_on(*end)) else { return false };
    s.word(start, era, Like::Noun);
    let mut words =
        if year == 1 { vec!["ガンネン".to_owned()] } else { counted(year, "年", Place::Elsewhere) };
    words.extend(counted(month, "月", Place::Elsewhere));
    words.extend(counted(day, "日", Place::Month));
    s.say(end, words, Like::Amount);
    weekdays::read(s);
    true
}

/// The value of one or two digits, and their end.
fn short(t: &str, at: usize) -> Option<(u32, usize)> {
    let end = scan::digits(t, at);
    ((1..=2).contains(&(end.saturating_sub(at))))
        .then(|| t[at..end].parse().ok().map(|value| (value, end)))?
}

fn counted(value: u32, counter: &str, place: Place) -> Vec<String> {
    let number = Number::of(value.into());
    counters::starting(counter).map_or_else(Vec::new, |counter| counter.said(&number, place))
}
