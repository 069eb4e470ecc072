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
    ("1st", "ファースト"),
    ("2nd", "セカンド"),
    ("3rd", "サード"),
    ("1LDK", "ワンエルディーケー"),
    ("1DK", "ワンディーケー"),
    ("1K", "ワンケー"),
];

/// Reads the number that starts here.
pub(super) fn read(s: &mut Scanner<'_>) -> bool {
    in_english(s) || date(s) || clock(s) || dashed(s) || slashed(s) || dotted(s) || {
        let (number, end) = number_at(s.t, s.at);
        amount(s, number, end);
        true
    }
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
fn number_at(t: &str, at: usize) -> (Number, usize) {
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
fn whole(t: &str, at: usize) -> (String, usize) {
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
    if let Some((unit, bytes)) = units::starting(scan::tail(s.t, spaced)) {
        let mut words = units::said(number, unit);
        let stop = spaced + bytes + suffix(unit.2, scan::tail(s.t, spaced + bytes), &mut words);
        s.say(stop, words, Like::Amount);
        return;
    }
    if fraction_in_words(s, &number, end) {
        return;
    }
    let after = scan::tail(s.t, end);
    let Some(counter) = counters::starting(after) else { return s.number(end, number) };
    let number = short_value(s, &number, end).unwrap_or(number);
    let mut words = counter.said(&number, Place::of(s.head(), &number));
    let mut stop = end + counter.written.len();
    stop += suffix(counter.written, scan::tail(s.t, stop), &mut words);
    if counter.written == "日" && number.value == Some(1) && stop > end + counter.written.len() {
        words = vec![
            "イチニチ".to_owned() + words[0].trim_start_matches("ツイタチ").trim_start_matches("イチニチ"),
        ];
    }
    s.say(stop, words, Like::Amount);
}

/// The value of 05 in 05分, which is a number and no code.
fn short_value(s: &Scanner<'_>, number: &Number, end: usize) -> Option<Number> {
    let digits = s.t.get(s.at..end)?;
    let is_short = digits.len() == 2 && digits.starts_with('0') && number.value.is_none();
    is_short.then(|| digits.parse().ok().map(Number::of))?
}

/// 間, 目 and 走 after a counter; returns their bytes.
pub(in super::super) fn suffix(counter: &str, after: &str, words: &mut [String]) -> usize {
    let found = if after.starts_with('間')
        && ["年", "日", "秒", "か月", "カ月", "ヶ月", "ヵ月"].contains(&counter)
    {
        Some(("間", "カン"))
    } else if after.starts_with('目') && !after.starts_with("目標") && !after.starts_with("目的") {
        Some(("目", "メ"))
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
fn short(t: &str, at: usize) -> Option<(u32, usize)> {
    let end = scan::digits(t, at);
    ((1..=2).contains(&(end - at))).then(|| t[at..end].parse().ok().map(|value| (value, end)))?
}

fn counted(value: u32, counter: &str, place: Place) -> Vec<String> {
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

/// A dash between two digits.
fn dash_at(t: &str, at: usize) -> Option<usize> {
    let dash = scan::char_at(t, at).filter(|c| matches!(c, '-' | '−' | '–' | '‐'))?;
    scan::digit_at(t, at + dash.len_utf8()).then(|| at + dash.len_utf8())
}

/// Telephone numbers, postal codes, addresses, scores and ranges: 03-1234-5678, 1-2-3, 10-20人.
fn dashed(s: &mut Scanner<'_>) -> bool {
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
    let is_score = after.starts_with(['で', 'と', 'の']) && after.contains(['勝', '敗', '負', '引']);
    let counts = counters::starting(scan::tail(s.t, number_end)).is_some()
        || units::starting(scan::tail(s.t, number_end)).is_some();
    let between = if counts || (first.value.is_some_and(|value| value >= 1000) && number.value > first.value)
    {
        "カラ"
    } else if is_score {
        "タイ"
    } else {
        "ノ"
    };
    s.say(second, first.ended(between).words, Like::Number);
    amount(s, number, number_end);
    true
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

/// 1/2, 4/1: a fraction, or a day of a month.
fn slashed(s: &mut Scanner<'_>) -> bool {
    let Some((above, above_end)) = short(s.t, s.at) else { return false };
    if !scan::tail(s.t, above_end).starts_with('/') || s.before() == Some('/') {
        return false;
    }
    let (below, end) = whole(s.t, above_end + 1);
    let Ok(below) = below.parse::<u32>() else { return false };
    let after = scan::tail(s.t, end);
    if after.starts_with('/') {
        return false;
    }
    let is_day = (1..=12).contains(&above) && (1..=31).contains(&below);
    let dated = is_dated(after);
    // Fractions are written in their lowest terms.
    let small = above < below && below <= 10 && (2..=above).all(|by| above % by + below % by > 0);
    let small = small || is_divided(s.head(), after) && !dated;
    if is_day && (dated || !small) {
        let words = [counted(above, "月", Place::Elsewhere), counted(below, "日", Place::Month)].concat();
        s.say(end, words, Like::Amount);
        weekdays::read(s);
        return true;
    }
    s.say(above_end + 1, Number::of(below.into()).ended("ブンノ").words, Like::Number);
    // 1/4本; other counters have words of their own for one: 1/2人.
    if ["本", "個", "丁", "杯", "缶", "斤"].iter().any(|counter| after.starts_with(counter)) {
        amount(s, Number::of(above.into()), end);
    } else {
        s.number(end, Number::of(above.into()));
    }
    true
}

/// Whether what follows 4/1 makes a day of it.
fn is_dated(after: &str) -> bool {
    const DATED: [&str; 12] =
        ["から", "まで", "(", "〜", "頃", "付", "発売", "開催", "以降", "締", "必着", "開始"];
    /// 1/2に切る.
    const DIVIDED: [&str; 9] = ["切", "減", "縮", "分", "な", "し", "薄", "割", "カ"];
    let on = |rest: &str| !DIVIDED.iter().any(|word| rest.starts_with(word));
    DATED.iter().any(|word| after.starts_with(word)) || after.strip_prefix('に').is_some_and(on)
}

/// Whether the words around 1/20 make a fraction of it.
fn is_divided(head: &str, after: &str) -> bool {
    const BEFORE: [&str; 22] = [
        "確率は",
        "確率が",
        "確率",
        "割合は",
        "割合が",
        "割合",
        "比率は",
        "比率",
        "縮尺は",
        "縮尺",
        "約",
        "およそ",
        "ほぼ",
        "わずか",
        "全体の",
        "人口の",
        "通常の",
        "従来の",
        "大さじ",
        "小さじ",
        "勾配",
        "分量の",
    ];
    const AFTER: [&str; 17] = [
        "の確率",
        "の割合",
        "の大きさ",
        "の長さ",
        "の重さ",
        "の価格",
        "の値段",
        "の面積",
        "の縮尺",
        "スケール",
        "程度",
        "以下",
        "未満",
        "カップ",
        "ずつ",
        "サイズ",
        "拍子",
    ];
    let is_word = ["予約", "契約", "規約"].iter().any(|word| head.ends_with(word));
    !is_word && BEFORE.iter().any(|word| head.ends_with(word))
        || AFTER.iter().any(|word| after.starts_with(word))
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
        '-' | '−' => "マイナス",
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
