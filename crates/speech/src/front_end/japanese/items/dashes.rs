//! Numbers with dashes between them: telephone numbers, addresses, scores, differences and ranges.

use super::{
    Like, Scanner,
    figures::{amount, number_at},
    units,
};
use crate::front_end::{
    japanese::{
        counters, kana,
        numbers::{Number, one_by_one},
        written,
    },
    scan,
};

/// A dash between two digits.
fn dash_at(t: &str, at: usize) -> Option<usize> {
    let dash = scan::char_at(t, at).filter(|c| matches!(c, '-' | '−' | '–' | '‐'))?;
    scan::digit_at(t, at + dash.len_utf8()).then(|| at + dash.len_utf8())
}

/// Telephone numbers, postal codes, addresses, scores and ranges: 03-1234-5678, 1-2-3, 10-20人.
pub(super) fn read(s: &mut Scanner<'_>) -> bool {
    let mut groups: Vec<&str> = Vec::new();
    let (mut from, mut end) = (s.at, scan::digits(s.t, s.at));
    while let Some(next) = dash_at(s.t, end) {
        groups.push(&s.t[from..end]);
        (from, end) = (next, scan::digits(s.t, next));
        if groups.len() > 8 {
            break;
        }
    }
    if groups.is_empty() {
        return false;
    }
    groups.push(&s.t[from..end]);
    let digits: usize = groups.iter().map(|group| group.len()).sum();
    let is_code = groups[0].starts_with('0') && groups[0].len() > 1
        || (groups.len() > 2 && digits >= 9)
        || (groups.len() == 2 && groups[0].len() == 3 && groups[1].len() == 4);
    if is_code {
        let mut words = Vec::new();
        for (index, group) in groups.iter().enumerate() {
            let mut said = one_by_one(group);
            if index + 1 < groups.len()
                && let Some(last) = said.last_mut()
            {
                last.push('ノ');
            }
            words.extend(said);
        }
        s.say(end, words, Like::Number);
        return true;
    }
    if groups.len() > 2 {
        let words = groups.iter().enumerate().flat_map(|(index, group)| {
            let number = Number::cardinal(group);
            if index + 1 < groups.len() { number.ended("ノ").words } else { number.words }
        });
        s.say(end, words.collect(), Like::Number);
        return true;
    }
    two_numbers(s, groups[0], from, end)
}

/// 10-20人, 2-1で勝った, 1-2.
fn two_numbers(s: &mut Scanner<'_>, first: &str, second: usize, end: usize) -> bool {
    let after: String = scan::tail(s.t, end).chars().take(12).collect();
    let first = Number::cardinal(first);
    let (number, number_end) = number_at(s.t, second);
    let after = past_scores(&after);
    let is_score = between_teams(s, &first, &number, number_end)
        || after.starts_with(['で', 'と', 'の'])
            && after.contains(['勝', '敗', '負', '引', '取', '制', '破']);
    let counts = counters::starting(scan::tail(s.t, number_end)).is_some()
        || units::starting(scan::tail(s.t, number_end)).is_some();
    let between = if counts || (first.value.is_some_and(|value| value >= 1000) && number.value > first.value)
    {
        "カラ"
    } else if s.in_sum() {
        "ヒク"
    } else if is_score {
        "タイ"
    } else {
        "ノ"
    };
    s.say(second, first.ended(between).words, Like::Number);
    amount(s, number, number_end);
    true
}

/// Whether two numbers stand between the names of teams: 巨人5-3阪神.
fn between_teams(s: &Scanner<'_>, first: &Number, second: &Number, end: usize) -> bool {
    let is_name = |c: Option<char>| c.is_some_and(|c| written::is_kanji(c) || kana::is_katakana(c));
    let small = |number: &Number| number.value.is_some_and(|value| value < 200);
    let told = first.value > second.value
        || ["戦", "勝", "敗", "試合", "リーグ", "結果", "スコア"].iter().any(|word| s.t.contains(word));
    let next = scan::char_at(s.t, end).filter(|c| !matches!(c, '号' | '番' | '丁' | '地'));
    told && small(first) && small(second) && is_name(s.before()) && is_name(next)
}

/// What follows the other scores of a match: 6-3、6-4で勝った.
fn past_scores(after: &str) -> &str {
    let mut rest = after;
    while let Some(next) = rest.strip_prefix('、') {
        let first = scan::digits(next, 0);
        let Some(second) = dash_at(next, first).filter(|_| first > 0) else { return rest };
        rest = scan::tail(next, scan::digits(next, second));
    }
    rest
}
