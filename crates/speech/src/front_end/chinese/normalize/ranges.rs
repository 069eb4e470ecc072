//! Two numbers and a sign between them: ranges (3-5天), fractions (1/2), ratios and scores (3:2).

use super::{
    Reader, quantities,
    scan::{self, Number},
    units,
};
use crate::front_end::{
    chinese::figures::cardinal,
    scan::{char_at, digit_at, digits, past_space, run, slice, tail},
};

/// Signs between the ends of a range, and of `-` and its like.
const SEPARATORS: [char; 6] = ['-', '–', '—', '~', '−', '〜'];

/// Words near which two numbers with `-` or `:` between them are a score.
const SCORES: [&str; 22] = [
    "比分",
    "战胜",
    "戰勝",
    "击败",
    "擊敗",
    "大胜",
    "大勝",
    "险胜",
    "險勝",
    "胜",
    "勝",
    "负于",
    "負於",
    "逆转",
    "逆轉",
    "战平",
    "戰平",
    "领先",
    "領先",
    "淘汰",
    "扳平",
    "改写为",
];

/// Words near which two numbers with `-` between them are a score; a time may stand near them, too.
const MATCHES: &[&str] = &[
    "失利",
    "扳回",
    "首局",
    "次局",
    "末局",
    "决胜局",
    "決勝局",
    "首盘",
    "次盘",
    "横扫",
    "橫掃",
    "晋级",
    "晉級",
    "夺冠",
    "奪冠",
    "告负",
    "告負",
    "不敌",
    "不敵",
    "力克",
    "轻取",
    "輕取",
    "输给",
    "輸給",
    "绝杀",
    "絕殺",
    "抢七",
    "搶七",
    "让二追三",
];

/// Whether the pair that comes next is one of several with commas between them of which one falls, as
/// the scores of sets do and pages do not: 25-18, 20-25.
fn among_scores(r: &Reader<'_>) -> bool {
    let belongs = |c: char| c.is_ascii_digit() || matches!(c, '-' | '–' | ',' | ' ');
    let pair = |item: &str| {
        let (first, second) = item.trim().split_once(['-', '–'])?;
        let value = |number: &str| number.parse::<u32>().ok().filter(|_| number.len() <= 3);
        Some((value(first)?, value(second)?))
    };
    let start = r.head().trim_end_matches(belongs).len();
    let end = run(r.t, r.at, belongs);
    let pairs: Vec<(u32, u32)> = slice(r.t, start..end).split(',').filter_map(pair).collect();
    pairs.len() > 1 && pairs.iter().any(|(first, second)| first > second)
}

impl<'a> Reader<'a> {
    /// The second number of a range after the first, and the byte after the sign between them.
    pub(super) fn range_after(&self, first: &Number<'a>) -> Option<(usize, Number<'a>)> {
        let at = past_space(self.t, first.end);
        let separator = char_at(self.t, at).filter(|c| SEPARATORS.contains(c))?;
        let mut after = past_space(self.t, at + separator.len_utf8());
        // 5~-3: the second is negative, and written so.
        if tail(self.t, after).starts_with(['-', '−']) {
            return None;
        }
        if separator == '—' && tail(self.t, after).starts_with('—') {
            after += separator.len_utf8();
        }
        let second = self.number_at(after)?;
        (self.t.get(after..)?.starts_with(|c: char| c.is_ascii_digit())).then_some((after, second))
    }
}

/// `3-5天`, `10%~20%`, `10kg-20kg`, `2019-2023年`.
pub(super) fn range(r: &mut Reader<'_>) -> bool {
    let Some(first) = r.number_at(r.at) else { return false };
    // The first may have a unit or a percent sign of its own.
    let own_percent = quantities::percent(tail(r.t, first.end)).map(|(_, bytes)| bytes);
    let own_unit = r.unit_at(first.end).map(|(at, unit)| at + unit.bytes - first.end);
    if let Some(bytes) = own_percent.or(own_unit) {
        let whole = Number { end: first.end + bytes, ..first.clone() };
        let Some((after, _)) = r.range_after(&whole) else { return false };
        quantities::quantity(r, &first);
        // Between a number and a sum, `-` is a minus.
        r.number(if r.in_sum() { "减" } else { "到" }, after);
        return true;
    }
    let Some((after, second)) = r.range_after(&first) else { return false };
    if first.whole.len() > 2 && first.whole.starts_with('0') {
        return false;
    }
    // Three or more are a code.
    if r.range_after(&second).is_some() && !r.in_sum() {
        return false;
    }
    let hyphen = tail(r.t, first.end).trim_start().starts_with(['-', '−', '–']);
    // 3×5米的房间住1-2人 has no difference in it.
    let counted = units::counts(tail(r.t, second.end)) && !r.t.contains('=');
    if hyphen && r.in_sum() && !counted {
        quantities::quantity(r, &first);
        r.number("减", after);
        return true;
    }
    let is_score = r.is_near(&SCORES) || r.is_near(MATCHES) || among_scores(r);
    if hyphen && first.is_plain() && second.is_plain() && is_score {
        r.number(&cardinal(&first.whole), first.end);
        r.number("比", after);
        r.number(&cardinal(&second.whole), second.end);
        return true;
    }
    let rest = tail(r.t, second.end);
    if let Some(word) = between_codes(r, &first, &second, rest).filter(|_| hyphen) {
        r.number(&cardinal(&first.whole), first.end);
        r.number(word, after);
        r.number(&cardinal(&second.whole), second.end);
        return true;
    }
    if let Some((words, bytes)) = quantities::percent(rest) {
        let said = quantities::counted(&first.whole, first.fraction, "");
        r.number(&format!("{words}{said}"), first.end);
        r.number("到", after);
        let said = quantities::counted(&second.whole, second.fraction, "");
        r.number(&said, second.end + bytes);
        return true;
    }
    let unit = r.unit_at(second.end).is_some_and(|(_, unit)| unit.takes_liang);
    let next = if unit { "米" } else { rest };
    let said = quantities::counted(&first.whole, first.fraction, next);
    r.number(&said, first.end);
    r.number("到", after);
    quantities::quantity(r, &second);
    true
}

/// What a hyphen is between two numbers that are no range: 表2-1, 火箭118-113勇士.
fn between_codes(
    r: &Reader<'_>,
    first: &Number<'_>,
    second: &Number<'_>,
    rest: &str,
) -> Option<&'static str> {
    if !(first.is_plain() && second.is_plain()) {
        return None;
    }
    let figure = ["表", "图", "圖", "式"].iter().any(|word| r.head().ends_with(word));
    if figure && !rest.starts_with(['天', '日', '月', '年', '周']) {
        return Some("杠");
    }
    let teams =
        r.before().is_some_and(scan::is_han) && rest.starts_with(scan::is_han) && !units::counts(rest);
    let falls = first.whole.parse::<u64>().ok() > second.whole.parse::<u64>().ok();
    (teams && falls).then_some("比")
}

/// `1/2`, `3又1/4`.
pub(super) fn fraction(r: &mut Reader<'_>) -> bool {
    /// Longer numbers are no fractions.
    const MOST: usize = 4;
    let (start, end) = (r.at, digits(r.t, r.at));
    if end == start || end - start > MOST || !tail(r.t, end).starts_with('/') {
        return false;
    }
    let last = digits(r.t, end + 1);
    let bounded = last > end + 1
        && last - end - 1 <= MOST
        && !tail(r.t, last).starts_with('/')
        && !char_at(r.t, last).is_some_and(scan::is_letter)
        && r.before() != Some('/')
        && !(tail(r.t, last).starts_with('.') && digit_at(r.t, last + 1));
    let below = slice(r.t, end + 1..last);
    // All day, every day.
    if bounded && slice(r.t, start..last) == "24/7" {
        r.number("二十四", end);
        r.number("七", last);
        return true;
    }
    if !bounded || below.trim_start_matches('0').is_empty() {
        return false;
    }
    // Pressures of the blood: 142/95.
    let high = |number: &str| number.parse().is_ok_and(|value: u32| value >= 30);
    let is_pressure =
        high(below) && high(slice(r.t, start..end)) && r.is_near(&["血压", "血壓", "高压", "低压"]);
    if is_pressure {
        r.number(&cardinal(slice(r.t, start..end)), end);
        r.comma(end + 1);
        if let Some(second) = r.number_at(r.at) {
            quantities::quantity(r, &second);
        }
        return true;
    }
    let said = format!("{}分之{}", cardinal(below), cardinal(slice(r.t, start..end)));
    r.number(&said, last);
    true
}

/// `3:2`, `16:9`, `1:2:3`, `1:100`.
pub(super) fn ratio(r: &mut Reader<'_>) -> bool {
    let mut ends = Vec::new();
    let mut at = r.at;
    loop {
        let Some(number) = r.number_at(at) else { return false };
        ends.push((number.clone(), number.end));
        let colon = number.end;
        if !(tail(r.t, colon).starts_with([':', '∶'])
            && char_at(r.t, colon).is_some_and(|c| digit_at(r.t, colon + c.len_utf8())))
        {
            break;
        }
        if ends.len() > 3 {
            return false;
        }
        at = colon + char_at(r.t, colon).map_or(1, char::len_utf8);
    }
    if ends.len() < 2 {
        return false;
    }
    for (index, (number, end)) in ends.into_iter().enumerate() {
        if index > 0 {
            let colon = r.at + r.char().map_or(1, char::len_utf8);
            r.number("比", colon);
        }
        let said = quantities::counted(&number.whole, number.fraction, "");
        r.number(&said, end);
    }
    true
}

/// Whether `h:mm` here is a score, not a time.
pub(super) fn is_score(r: &Reader<'_>) -> bool {
    r.is_near(&SCORES) || r.is_near(&["比例", "比率", "之比", "比值"])
}

/// Whether a number of years, not a year, comes before this text.
pub(super) fn counts_years(after: &str) -> bool {
    units::takes_liang(after)
        && [
            "年前",
            "年历史",
            "年歷史",
            "年的历史",
            "年的歷史",
            "年以来",
            "年以來",
            "年来",
            "年來",
            "年间",
            "年間",
            "年文明",
            "年的文明",
            "年后",
            "年後",
            "多年",
        ]
        .iter()
        .any(|word| after.starts_with(word))
}
