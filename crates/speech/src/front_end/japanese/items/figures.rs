//! Numbers in digits: amounts, dates, times, fractions, ranges, telephone numbers, versions.

use super::{Like, Scanner, is_letter, units, weekdays};
use crate::front_end::{
    japanese::{
        counters::{self, Place},
        numbers::{self, Number, one_by_one},
    },
    scan,
};

/// Words of digits and letters that are said in English.
const IN_ENGLISH: &[(&str, &str)] = &[
    ("3D", "スリーディー"),
    ("2D", "ツーディー"),
    ("3G", "スリージー"),
    ("4G", "フォージー"),
    ("5G", "ファイブジー"),
    ("4K", "ヨンケー"),
    ("8K", "ハチケー"),
    ("4o", "フォーオー"),
    ("2ラン", "ツーラン"),
    ("3ラン", "スリーラン"),
    ("2ベース", "ツーベース"),
    ("3ベース", "スリーベース"),
    ("1トップ", "ワントップ"),
    ("2トップ", "ツートップ"),
    ("3トップ", "スリートップ"),
    ("3バック", "スリーバック"),
    ("4バック", "フォーバック"),
    ("1st", "ファースト"),
    ("2nd", "セカンド"),
    ("3rd", "サード"),
    ("1LDK", "ワンエルディーケー"),
    ("1DK", "ワンディーケー"),
    ("1K", "ワンケー"),
];

/// Reads the date or the time that starts here, or a number that is said in English.
pub(super) fn dated(s: &mut Scanner<'_>) -> bool {
    in_english(s) || date(s) || clock(s)
}

/// Reads the number that starts here.
pub(super) fn read(s: &mut Scanner<'_>) -> bool {
    dotted(s) || code(s) || {
        let (number, end) = number_at(s.t, s.at);
        amount(s, number, end);
        true
    }
}

/// A number that is read digit by digit: 口座番号1234567, A-20240501.
fn code(s: &mut Scanner<'_>) -> bool {
    /// Shorter ones are amounts.
    const LEAST: usize = 5;
    let end = scan::digits(s.t, s.at);
    let head = s.head().trim_end_matches([' ', ':', 'は', '「']);
    let named = ["番号", "コード", "ID", "暗証", "No."].iter().any(|word| head.ends_with(word));
    let lettered =
        s.head().strip_suffix('-').is_some_and(|head| head.ends_with(|c: char| c.is_ascii_alphabetic()));
    if end < s.at + LEAST || !(named || lettered) || scan::tail(s.t, end).starts_with(['.', ',']) {
        return false;
    }
    s.number(end, Number::said(one_by_one(&s.t[s.at..end])));
    true
}

fn in_english(s: &mut Scanner<'_>) -> bool {
    let found = IN_ENGLISH.iter().find(|(written, _)| {
        s.rest()
            .strip_prefix(written)
            .is_some_and(|after| !after.starts_with(|c: char| c.is_ascii_alphanumeric()))
    });
    let Some((written, said)) = found.filter(|_| s.before() != Some('.')) else { return false };
    s.word(s.at + written.len(), said, Like::Noun);
    true
}

/// Digits, grouped or not, with digits after the point or with 万 and its like, and their end.
pub(super) fn number_at(t: &str, at: usize) -> (Number, usize) {
    let (digits, end) = whole(t, at);
    let unit = |end: usize| scan::char_at(t, end).filter(|&c| numbers::is_unit(c) && !is_word(t, end));
    if scan::tail(t, end).starts_with('.') && scan::digit_at(t, end + 1) {
        let stop = scan::digits(t, end + 1);
        let number = Number::decimal(&digits, &t[end + 1..stop]);
        let Some(unit) = unit(stop) else { return (number, stop) };
        let name = Number::of(numbers::value_of(&unit.to_string()).unwrap_or(1)).words.concat();
        let name = name.strip_prefix("イチ").or(name.strip_prefix("イッ")).unwrap_or(&name).to_owned();
        return (number.ended(&name), stop + unit.len_utf8());
    }
    // 1億2,000万5千.
    let mut numeral = digits.clone();
    let mut stop = end;
    while let Some(next) = unit(stop) {
        numeral.push(next);
        stop += next.len_utf8();
        if scan::digit_at(t, stop) {
            let (more, after) = whole(t, stop);
            // 1万2024年 is no number; 1万2千 is one.
            numeral.push_str(&more);
            stop = after;
        }
        if numeral.len() > 60 {
            break;
        }
    }
    if stop == end {
        return (Number::cardinal(&digits), end);
    }
    numbers::value_of(&numeral)
        .map_or_else(|| (Number::cardinal(&digits), end), |value| (Number::of(value), stop))
}

/// Whether the unit at a place is the beginning of another word: 千葉, 十字.
fn is_word(t: &str, at: usize) -> bool {
    ["千葉", "千代", "十字", "百貨", "百科", "万博", "万歳", "万能", "京都", "京阪", "京急", "京王", "億劫"]
        .iter()
        .any(|word| scan::tail(t, at).starts_with(word))
}

/// The digits of a whole number without the commas between groups, and its end.
pub(super) fn whole(t: &str, at: usize) -> (String, usize) {
    let end = scan::digits(t, at);
    let (more, grouped) = if end - at <= 3 && !t[at..end].starts_with('0') {
        scan::groups(t, end, ',')
    } else {
        (String::new(), end)
    };
    (t[at..end].to_owned() + &more, grouped)
}

/// Says a number with what follows it: a unit, a counter, or the other end of a range.
pub(super) fn amount(s: &mut Scanner<'_>, number: Number, end: usize) {
    let spaced = scan::past_space(s.t, end);
    if let Some(words) = first_of_two(s, end) {
        s.say(end, words, Like::Number);
        return;
    }
    if metres_and_more(s.t, end) {
        s.say(end + 1, number.ended("メートル").words, Like::Amount);
        return;
    }
    if let Some((unit, bytes)) = units::starting(scan::tail(s.t, spaced)) {
        let mut words = units::said(number, unit);
        let mut stop = spaced + bytes + suffix(unit.2, scan::tail(s.t, spaced + bytes), &mut words);
        if let Some((every, bytes)) = units::every(scan::tail(s.t, stop)) {
            words.push(every.to_owned());
            stop += bytes;
        }
        s.say(stop, words, Like::Amount);
        return;
    }
    if fraction_in_words(s, &number, end) {
        return;
    }
    let after = scan::tail(s.t, end);
    let Some(counter) = counters::starting(after) else { return s.number(end, number) };
    let number = short_value(s, &number, end).unwrap_or(number);
    let mut stop = end + counter.written.len();
    let first = counter.written == "日" && number.value == Some(1) && begins_month(scan::tail(s.t, stop));
    let place = if first { Place::Month } else { Place::of(s.head(), &number) };
    let mut words = match without_change(s.head(), counter.written, scan::tail(s.t, stop)) {
        Some(word) => number.ended(word).words,
        None => counter.said(&number, place),
    };
    stop += suffix(counter.written, scan::tail(s.t, stop), &mut words);
    if counter.written == "日" && s.t[s.at..end] == *"1" && stop > end + counter.written.len() {
        words = vec![
            "イチニチ".to_owned() + words[0].trim_start_matches("ツイタチ").trim_start_matches("イチニチ"),
        ];
    }
    s.say(stop, words, Like::Amount);
}

/// The name of 4 in 4、5日 and of 7 in 7、8分.
fn first_of_two(s: &Scanner<'_>, end: usize) -> Option<Vec<String>> {
    let (said, next) = match s.t.get(s.at..end)? {
        "4" => ("シ", "、5"),
        "7" => ("シチ", "、8"),
        _ => return None,
    };
    let after = scan::tail(s.t, end).strip_prefix(next)?;
    let counted =
        counters::starting(after).is_some() && !after.starts_with(['番', '号', '章', '巻', '位', '回']);
    counted.then(|| vec![said.to_owned()])
}

/// Whether metres with centimetres follow: 8m25.
fn metres_and_more(t: &str, end: usize) -> bool {
    let stop = scan::digits(t, end + 1);
    scan::tail(t, end).starts_with('m') && stop == end + 3 && scan::edge(t, stop)
}

/// Whether 1日 is the first day of a month for what follows it: から2日にかけて, (月).
fn begins_month(after: &str) -> bool {
    let second = after.strip_prefix("から").or_else(|| after.strip_prefix('〜')).map(|second| {
        let rest = scan::tail(second, scan::digits(second, 0));
        rest.len() < second.len() && ["日にかけ", "日まで"].iter().any(|end| rest.starts_with(end))
    });
    let weekday = ["(月", "(火", "(水", "(木", "(金", "(土", "(日"].iter().any(|day| after.starts_with(day));
    second == Some(true) || weekday
}

/// The reading of a counter that neither changes itself nor the number before it: 3割2分, 36度5分, 第1試合,
/// にんにく1片.
fn without_change(head: &str, counter: &str, after: &str) -> Option<&'static str> {
    const LOANS: [(&str, &str); 8] = [
        ("試合", "シアイ"),
        ("シーズン", "シーズン"),
        ("セット", "セット"),
        ("チーム", "チーム"),
        ("クラス", "クラス"),
        ("タイトル", "タイトル"),
        ("作品", "サクヒン"),
        ("ケース", "ケース"),
    ];
    if counter == "分" {
        // A tenth, unless it is the sixtieth part of an angle or of an hour.
        let tenth = head.ends_with('割')
            || after.starts_with(|c: char| c.is_ascii_digit())
                && after.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with('厘');
        let fever = head.ends_with('度') && !["緯", "経", "角", "傾"].iter().any(|word| head.contains(word));
        return (tenth || fever).then_some("ブ");
    }
    let ordinal = head.ends_with('第');
    LOANS.iter().find(|(written, _)| ordinal && *written == counter).map(|(_, said)| *said)
}

/// The value of 05 in 05分, which is a number and no code.
fn short_value(s: &Scanner<'_>, number: &Number, end: usize) -> Option<Number> {
    let digits = s.t.get(s.at..end)?;
    let is_short = digits.len() == 2 && digits.starts_with('0') && number.value.is_none();
    is_short.then(|| digits.parse().ok().map(Number::of))?
}

/// 間, 目, 走 and 後 after a counter; returns their bytes.
pub(in super::super) fn suffix(counter: &str, after: &str, words: &mut [String]) -> usize {
    let found = if after.starts_with('間')
        && !after.starts_with("間隔")
        && ["年", "日", "秒", "か月", "カ月", "ヶ月", "ヵ月"].contains(&counter)
    {
        Some(("間", "カン"))
    } else if counter == "年" && after.starts_with('物') && !after.starts_with("物語") {
        Some(("物", "モノ"))
    } else if after.starts_with('目') && !after.starts_with("目標") && !after.starts_with("目的") {
        Some(("目", "メ"))
    } else if ["分", "秒", "時間"].contains(&counter) && after.starts_with("後と") {
        Some(("後", "ゴ"))
    } else if counter.ends_with("メートル")
        && after
            .strip_prefix('走')
            .is_some_and(|after| !after.starts_with(['り', 'る', 'っ', 'ら', 'れ', 'ろ']))
    {
        Some(("走", "ソー"))
    } else {
        None
    };
    let (Some((written, said)), Some(last)) = (found, words.last_mut()) else { return 0 };
    last.push_str(said);
    written.len()
}

/// 3分の1.
fn fraction_in_words(s: &mut Scanner<'_>, number: &Number, end: usize) -> bool {
    let follows = scan::tail(s.t, end)
        .strip_prefix("分の")
        .is_some_and(|after| after.starts_with(|c: char| c.is_ascii_digit() || numbers::is_kanji(c)));
    if follows {
        s.say(end + "分の".len(), number.clone().ended("ブンノ").words, Like::Number);
    }
    follows
}

/// The value of one or two digits, and their end.
pub(super) fn short(t: &str, at: usize) -> Option<(u32, usize)> {
    let end = scan::digits(t, at);
    ((1..=2).contains(&(end - at))).then(|| t[at..end].parse().ok().map(|value| (value, end)))?
}

pub(super) fn counted(value: u32, counter: &str, place: Place) -> Vec<String> {
    let number = Number::of(value.into());
    counters::starting(counter).map_or_else(|| number.words.clone(), |counter| counter.said(&number, place))
}

/// 2024/3/15, 2024-03-15, 2024.3.15, 2024/3.
fn date(s: &mut Scanner<'_>) -> bool {
    let year_end = scan::digits(s.t, s.at);
    let Some(separator) = scan::char_at(s.t, year_end).filter(|c| matches!(c, '/' | '-' | '.')) else {
        return false;
    };
    if year_end - s.at != 4 {
        return false;
    }
    let Some((month, month_end)) = short(s.t, year_end + 1).filter(|(month, _)| (1..=12).contains(month))
    else {
        return false;
    };
    let mut words = counted(s.t[s.at..year_end].parse().unwrap_or(0), "年", Place::Elsewhere);
    words.extend(counted(month, "月", Place::Elsewhere));
    let day = scan::tail(s.t, month_end)
        .starts_with(separator)
        .then(|| short(s.t, month_end + 1).filter(|(day, _)| (1..=31).contains(day)))
        .flatten();
    let end = match day {
        Some((day, end)) if !scan::digit_at(s.t, end) => {
            words.extend(counted(day, "日", Place::Month));
            end
        }
        None if separator == '/' && scan::edge(s.t, month_end) => month_end,
        _ => return false,
    };
    s.say(end, words, Like::Amount);
    weekdays::read(s);
    true
}

/// 10:30, 10:30:15.
fn clock(s: &mut Scanner<'_>) -> bool {
    let Some((hour, hour_end)) = short(s.t, s.at) else { return false };
    if !scan::tail(s.t, hour_end).starts_with(':') {
        return false;
    }
    let minute_end = scan::digits(s.t, hour_end + 1);
    let minute: u32 = s.t[hour_end + 1..minute_end].parse().unwrap_or(99);
    if minute_end - hour_end != 3 || minute > 59 || hour > 30 {
        return ratio(s, hour_end);
    }
    let mut words = counted(hour, "時", Place::Elsewhere);
    if minute > 0 {
        words.extend(counted(minute, "分", Place::Elsewhere));
    }
    let mut end = minute_end;
    if scan::tail(s.t, end).starts_with(':')
        && scan::digits(s.t, end + 1) == end + 3
        && let Some((second, second_end)) = short(s.t, end + 1)
    {
        words.extend(counted(second, "秒", Place::Elsewhere));
        end = second_end;
    }
    s.say(end, words, Like::Amount);
    true
}

/// 3:1.
fn ratio(s: &mut Scanner<'_>, end: usize) -> bool {
    if !scan::digit_at(s.t, end + 1) {
        return false;
    }
    let (first, _) = number_at(s.t, s.at);
    let (second, stop) = number_at(s.t, end + 1);
    s.say(stop, [first.ended("タイ").words, second.words].concat(), Like::Number);
    true
}

/// 1.2.3, 192.168.0.1.
fn dotted(s: &mut Scanner<'_>) -> bool {
    let mut parts = Vec::new();
    let (mut from, mut end) = (s.at, scan::digits(s.t, s.at));
    while scan::tail(s.t, end).starts_with('.') && scan::digit_at(s.t, end + 1) && parts.len() < 20 {
        parts.push(&s.t[from..end]);
        (from, end) = (end + 1, scan::digits(s.t, end + 1));
    }
    if parts.len() < 2 {
        return false;
    }
    parts.push(&s.t[from..end]);
    let last = parts.len() - 1;
    let words = parts.iter().enumerate().flat_map(|(index, part)| {
        let number = Number::cardinal(part);
        if index < last { number.ended("テン").words } else { number.words }
    });
    s.say(end, words.collect(), Like::Number);
    true
}

/// A number without its zero: .312.
pub(super) fn pointed(s: &mut Scanner<'_>) -> bool {
    let fresh = !s.before().is_some_and(|c| c.is_ascii_alphanumeric() || c == '.');
    let end = scan::digits(s.t, s.at + 1);
    if !fresh || end == s.at + 1 {
        return false;
    }
    let words = [vec!["テン".to_owned()], one_by_one(&s.t[s.at + 1..end])].concat();
    s.number(end, Number::said(words));
    true
}

/// Money before its number: ¥1,000, $5.
pub(super) fn money(s: &mut Scanner<'_>, sign: char) -> bool {
    let Some(name) = units::money(sign) else { return false };
    let start = scan::past_space(s.t, s.at + sign.len_utf8());
    if !scan::digit_at(s.t, start) || is_letter(s.before().unwrap_or(' ')) {
        return false;
    }
    let (number, end) = number_at(s.t, start);
    let words = match counters::starting("円").filter(|_| sign == '¥') {
        Some(yen) => yen.said(&number, Place::Elsewhere),
        None => number.ended(name).words,
    };
    s.say(end, words, Like::Amount);
    true
}

/// A minus or a plus before a number.
pub(super) fn signed(s: &mut Scanner<'_>, sign: char) -> bool {
    let name = match sign {
        '-' | '−' | '▲' | '△' => "マイナス",
        '+' => "プラス",
        '±' => "プラスマイナス",
        _ => return false,
    };
    let end = s.at + sign.len_utf8();
    let fresh = !s.before().is_some_and(|c| c.is_ascii_alphanumeric() || c == ')');
    if !fresh || !scan::digit_at(s.t, end) {
        return false;
    }
    s.word(end, name, Like::Noun);
    true
}
