//! Days of the week in brackets.

use super::{Like, Scanner};

const WEEKDAYS: &[(char, &str)] = &[
    ('月', "ゲツヨービ"),
    ('火', "カヨービ"),
    ('水', "スイヨービ"),
    ('木', "モクヨービ"),
    ('金', "キンヨービ"),
    ('土', "ドヨービ"),
    ('日', "ニチヨービ"),
    ('祝', "シュクジツ"),
];

/// A day of the week in brackets after a date: 3月5日(火).
pub(super) fn read(s: &mut Scanner<'_>) -> bool {
    let after_date = s.before().is_some_and(|c| c == '日' || c.is_ascii_digit());
    let mut chars = s.rest().chars();
    if !after_date || chars.next() != Some('(') {
        return false;
    }
    let mut next = || chars.next().and_then(|c| WEEKDAYS.iter().find(|(day, _)| *day == c));
    let day = next();
    // 5月3日(金・祝).
    let rest = chars.as_str();
    let holiday = rest.strip_prefix("・祝)");
    if let (Some((day, said)), Some(_)) = (day, holiday) {
        s.word(s.at + 1 + day.len_utf8(), said, Like::Noun);
        s.word(s.at + "・祝)".len(), "シュクジツ", Like::Noun);
        return true;
    }
    let closed = [")", "曜)", "曜日)"].iter().find(|end| rest.starts_with(**end));
    let (Some((day, said)), Some(closed)) = (day, closed) else { return false };
    s.word(s.at + 1 + day.len_utf8() + closed.len(), said, Like::Noun);
    true
}
