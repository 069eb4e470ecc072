//! Years, dates and times of day.

use super::{Reader, quantities, ranges, scan};
use crate::front_end::{
    chinese::figures::{cardinal, digits as digit_words},
    scan::{char_at, digits, past_space, run, slice, tail},
};

/// Years that are written without 年, as in 2019-2023.
const YEARS: std::ops::RangeInclusive<u32> = 1000..=2199;

/// Reads a date, a year or a time.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    stopwatch(r) || months(r) || pointed_day(r) || date(r) || years(r) || year(r) || decade(r) || clock(r)
}

/// The value of the digits from a place on, if there are as many as asked for, and the byte after them.
fn value(r: &Reader<'_>, at: usize, lengths: std::ops::RangeInclusive<usize>) -> Option<(u32, usize)> {
    let end = digits(r.t, at);
    let fits = lengths.contains(&(end - at));
    fits.then(|| Some((slice(r.t, at..end).parse().ok()?, end)))?
}

/// `2026-11-25`, `2026/11/25`, `2026.11.25`, `11/25/2026`, `2026/11`.
fn date(r: &mut Reader<'_>) -> bool {
    let start = r.at;
    let Some((first, end)) = value(r, start, 1..=4) else { return false };
    let Some(sign) = char_at(r.t, end).filter(|c| matches!(c, '-' | '/' | '.')) else { return false };
    let Some((second, second_end)) = value(r, end + 1, 1..=2) else { return false };
    let third = tail(r.t, second_end).starts_with(sign).then(|| value(r, second_end + 1, 1..=4)).flatten();
    let ends = |at: usize| {
        let goes_on = tail(r.t, at).starts_with(sign) && digits(r.t, at + 1) > at + 1;
        !goes_on && !char_at(r.t, at).is_some_and(scan::is_letter)
    };
    let year_length = end - start;
    match third {
        Some((day, day_end))
            if year_length == 4
                && YEARS.contains(&first)
                && (1..=12).contains(&second)
                && (1..=31).contains(&day)
                && day_end - second_end <= 3
                && ends(day_end) =>
        {
            r.number(&format!("{}年", digit_words(slice(r.t, start..end))), end);
            r.number(&format!("{}月", cardinal(&second.to_string())), second_end);
            r.number(&format!("{}日", cardinal(&day.to_string())), day_end);
            true
        }
        Some((year, year_end))
            if sign == '/'
                && year_end - second_end == 5
                && YEARS.contains(&year)
                && (1..=12).contains(&first)
                && (1..=31).contains(&second)
                && ends(year_end) =>
        {
            let words = digit_words(slice(r.t, second_end + 1..year_end));
            let said =
                format!("{words}年{}月{}日", cardinal(&first.to_string()), cardinal(&second.to_string()));
            r.number(&said, year_end);
            true
        }
        None if year_length == 4
            && sign == '/'
            && YEARS.contains(&first)
            && (1..=12).contains(&second)
            && ends(second_end) =>
        {
            r.number(&format!("{}年", digit_words(slice(r.t, start..end))), end);
            r.number(&format!("{}月", cardinal(&second.to_string())), second_end);
            true
        }
        None if year_length == 4
            && sign == '-'
            && YEARS.contains(&first)
            && (1..=12).contains(&second)
            && second_end - end == 3
            && ends(second_end)
            && !is_season(tail(r.t, second_end)) =>
        {
            r.number(&format!("{}年", digit_words(slice(r.t, start..end))), end);
            r.number(&format!("{}月", cardinal(&second.to_string())), second_end);
            true
        }
        _ => false,
    }
}

/// Months of two years with a point: `2024.9-2028.6`, `2019.7至今`.
fn months(r: &mut Reader<'_>) -> bool {
    let month = |at: usize| {
        let (year, end) = value(r, at, 4..=4)?;
        let (month, month_end) = value(r, end + 1, 1..=2)?;
        let fits = tail(r.t, end).starts_with('.') && YEARS.contains(&year) && (1..=12).contains(&month);
        let ends = !char_at(r.t, month_end).is_some_and(|c| c == '.' || scan::is_letter(c));
        let said = format!("{}年{}月", digit_words(slice(r.t, at..end)), cardinal(&month.to_string()));
        (fits && ends).then_some((said, month_end))
    };
    let Some((first, end)) = month(r.at) else { return false };
    let at = past_space(r.t, end);
    if tail(r.t, at).starts_with("至今") {
        r.number(&first, end);
        return true;
    }
    let next = run(r.t, at, |c| matches!(c, '-' | '–' | '—' | '~' | '至' | '到'));
    let next_month = past_space(r.t, next);
    let Some((second, second_end)) = month(next_month).filter(|_| next > at) else { return false };
    r.number(&first, end);
    r.number("到", next_month);
    r.number(&second, second_end);
    true
}

/// A day with a point or a slash, where what follows makes a day of it: `12.25下午`, `8/15中秋`.
fn pointed_day(r: &mut Reader<'_>) -> bool {
    const FOLLOWING: &[&str] = &[
        "上午",
        "下午",
        "中午",
        "晚上",
        "早上",
        "凌晨",
        "傍晚",
        "当天",
        "當天",
        "当晚",
        "當晚",
        "截止",
        "(周",
        "(週",
        "(星期",
        "周一",
        "周二",
        "周三",
        "周四",
        "周五",
        "周六",
        "周日",
        "元旦",
        "春节",
        "春節",
        "元宵",
        "情人",
        "妇女节",
        "清明",
        "劳动节",
        "端午",
        "七夕",
        "中秋",
        "国庆",
        "國慶",
        "重阳",
        "万圣",
        "感恩",
        "平安夜",
        "圣诞",
        "聖誕",
        "除夕",
    ];
    let Some((month, end)) = value(r, r.at, 1..=2) else { return false };
    let Some((day, day_end)) = value(r, end + 1, 1..=2) else { return false };
    let after = tail(r.t, past_space(r.t, day_end));
    let is_day = tail(r.t, end).starts_with(['.', '/'])
        && (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && !r.before().is_some_and(|c| scan::is_latin(c) || matches!(c, '.' | '/' | '$' | '¥'))
        && FOLLOWING.iter().any(|word| after.starts_with(word));
    if is_day {
        r.number(&format!("{}月", cardinal(&month.to_string())), end + 1);
        r.number(&format!("{}日", cardinal(&day.to_string())), day_end);
    }
    is_day
}

/// The seconds of a race, with minutes or without: `11"5`, `3'25"67`.
fn stopwatch(r: &mut Reader<'_>) -> bool {
    let Some((first, end)) = value(r, r.at, 1..=2) else { return false };
    let sign = |at: usize, signs: [char; 3]| r.original_at(at).is_some_and(|c| signs.contains(&c));
    let (minutes, seconds, at) = if sign(end, ['\'', '′', '’']) {
        let Some((seconds, at)) = value(r, end + 1, 2..=2) else { return false };
        (Some(first), seconds, at)
    } else {
        (None, first, end)
    };
    let opened = r.head().matches('"').count() % 2 == 1;
    // 6'11" is a height in feet.
    let height = r.is_near(&["身高"]);
    if opened
        || height
        || seconds > 59
        || r.before() == Some('°')
        || at >= r.t.len()
        || !sign(at, ['"', '″', '＂'])
    {
        return false;
    }
    let rest = digits(r.t, at + 1);
    if rest > at + 3 || rest == at + 1 && minutes.is_none() {
        return false;
    }
    let minutes = minutes.map_or_else(String::new, |value| {
        format!("{}分", quantities::counted(&value.to_string(), "", "分钟"))
    });
    let hundredths = digit_words(slice(r.t, at + 1..rest));
    r.number(&format!("{minutes}{}秒{hundredths}", cardinal(&seconds.to_string())), rest);
    true
}

/// What a pair of years is counted by: 2025-26赛季.
fn is_season(after: &str) -> bool {
    ["赛季", "賽季", "学年", "學年", "年度", "年", "财年", "財年"].iter().any(|word| after.starts_with(word))
}

/// `2019-2023年`, `1990~1999`, `2025-26赛季`.
fn years(r: &mut Reader<'_>) -> bool {
    let start = r.at;
    let Some((first, end)) = value(r, start, 4..=4) else { return false };
    let own_year = if tail(r.t, end).starts_with('年') { '年'.len_utf8() } else { 0 };
    let at = end + own_year;
    let Some(sign) = char_at(r.t, at).filter(|c| matches!(c, '-' | '–' | '—' | '~' | '至' | '到' | '/'))
    else {
        return false;
    };
    let mut next = at + sign.len_utf8();
    if sign == '—' && tail(r.t, next).starts_with(sign) {
        next += sign.len_utf8();
    }
    let Some((second, second_end)) = value(r, next, 2..=4) else { return false };
    let after = tail(r.t, second_end);
    let whole = second_end - next == 4 && YEARS.contains(&first) && YEARS.contains(&second) && first < second;
    let short = second_end - next == 2 && YEARS.contains(&first) && is_season(after);
    let counts = !after.starts_with('年') && super::units::counts(after);
    let is_range = (whole && (sign != '/' || is_season(after)) || short)
        && !counts
        && !char_at(r.t, second_end).is_some_and(|c| scan::is_letter(c) || matches!(c, '.' | '-' | '/'));
    if !is_range || r.in_sum() {
        return false;
    }
    r.number(&digit_words(slice(r.t, start..end)), end);
    if own_year > 0 {
        r.say("年", at);
    }
    r.number(if sign == '至' { "至" } else { "到" }, next);
    r.number(&digit_words(slice(r.t, next..second_end)), second_end);
    true
}

/// `2026年`, `98年`, `公元618年`, and `5000年` where years are counted.
fn year(r: &mut Reader<'_>) -> bool {
    let start = r.at;
    let Some((value, end)) = value(r, start, 1..=4) else { return false };
    let after = tail(r.t, past_space(r.t, end));
    if !after.starts_with('年') || r.before() == Some('第') {
        return false;
    }
    let era = r.follows(&["公元", "公元前", "西元", "西元前", "前"]) && !r.follows(&["以前", "之前", "提前"]);
    let is_year = match end - start {
        4 => !(value % 100 == 0 && (ranges::counts_years(after) || value > 2100 || value == 1000)),
        2 => {
            value < 10
                || value >= 50
                    && !lasts_years(after)
                    && !ranges::counts_years(after)
                    && !after.starts_with("年代")
        }
        3 => era,
        _ => false,
    };
    let is_age = end - start == 2
        && (after.starts_with("年的") && (value < 80 || is_span(&after["年的".len()..]))
            || r.follows(&["近", "了", "过", "满", "滿", "约"])
            || r.follows(&ERAS));
    if is_age || !(is_year || era && end - start > 1) {
        return false;
    }
    let words = digit_words(slice(r.t, start..end));
    r.number(&words, end);
    true
}

/// Whether what follows two digits says how long something lasts: 50年期国债.
fn lasts_years(after: &str) -> bool {
    const LASTING: &[&str] = &[
        "年内",
        "年內",
        "年产权",
        "年產權",
        "年保修",
        "年以上",
        "年之久",
        "年如一日",
        "年老",
        "年租",
        "年有期",
        "年使用",
    ];
    after.starts_with("年期") && !after.starts_with("年期间") && !after.starts_with("年期間")
        || LASTING.iter().any(|word| after.starts_with(word))
}

/// Names of eras, whose years are counted.
const ERAS: [&str; 34] = [
    "贞观", "貞觀", "开元", "開元", "天宝", "天寶", "建安", "元丰", "元豐", "洪武", "永乐", "永樂", "嘉靖",
    "万历", "萬曆", "崇祯", "崇禎", "顺治", "順治", "康熙", "雍正", "乾隆", "嘉庆", "嘉慶", "道光", "咸丰",
    "咸豐", "同治", "光绪", "光緒", "明治", "大正", "昭和", "平成",
];

/// Whether years before 的 are as long as something takes: 98年的历史.
fn is_span(after: &str) -> bool {
    [
        "历史", "歷史", "时间", "時間", "经验", "經驗", "人生", "努力", "奋斗", "奮鬥", "光阴", "光陰",
        "岁月", "歲月", "传统", "傳統", "婚姻", "合同", "租期", "老", "文明", "积累", "積累",
    ]
    .iter()
    .any(|word| after.starts_with(word))
}

/// `80后`, `00后`, `95後`, and `90年代`.
fn decade(r: &mut Reader<'_>) -> bool {
    let Some((value, end)) = value(r, r.at, 2..=2) else { return false };
    let after = tail(r.t, end);
    let people = after.starts_with(['后', '後'])
        && value % 5 == 0
        && !["后来", "後來", "后面", "后天"].iter().any(|word| after.starts_with(word))
        && (value == 0 || value >= 50 || !after.starts_with("后的"))
        && !r.before().is_some_and(scan::is_latin);
    if people {
        let words = digit_words(slice(r.t, r.at..end));
        r.number(&words, end);
        return true;
    }
    false
}

/// Whether h:mm:ss, which ends at a place, says how long something took.
fn lasts(r: &Reader<'_>, end: usize) -> bool {
    const DURATIONS: &[&str] = &[
        "成绩",
        "成績",
        "用时",
        "用時",
        "耗时",
        "耗時",
        "时长",
        "時長",
        "历时",
        "歷時",
        "PB",
        "全马",
        "全馬",
        "半马",
        "半馬",
        "马拉松",
        "馬拉松",
        "完赛",
        "完賽",
        "还剩",
        "還剩",
        "剩余",
        "剩餘",
        "倒计时",
    ];
    /// What is done at a time, not in one.
    const DONE: &[&str] = &["开", "開", "播", "准时", "準時", "起", "发", "發", "前", "后", "後", "集合"];
    let told = ["于", "於", "在", "午", "晚上", "凌晨", "早上", "日", "号", "號"];
    let clock = DONE.iter().any(|word| tail(r.t, end).trim_start().starts_with(word))
        || told.iter().any(|word| r.head().trim_end().ends_with(word));
    let record = r.is_near(&["纪录", "紀錄"]) && !r.is_near(&["纪录片", "紀錄片"]);
    !clock && (record || r.is_near(DURATIONS))
}

/// Whether the digits that come next follow a colon after other digits.
fn is_inside_clock(r: &Reader<'_>) -> bool {
    r.head().strip_suffix(':').is_some_and(|head| head.ends_with(|c: char| c.is_ascii_digit()))
}

/// `14:30`, `8:05:09`, `3:30 PM`, `9:00-17:30`.
fn clock(r: &mut Reader<'_>) -> bool {
    let start = r.at;
    let Some((hour, colon)) = value(r, start, 1..=2) else { return false };
    if hour > 24 || !tail(r.t, colon).starts_with(':') || is_inside_clock(r) {
        return false;
    }
    let Some((minute, minute_end)) = value(r, colon + 1, 2..=2) else { return false };
    if minute > 59 || ranges::is_score(r) {
        return false;
    }
    let mut end = minute_end;
    let mut second = None;
    if tail(r.t, end).starts_with(':') {
        let Some((value, second_end)) = value(r, end + 1, 2..=2).filter(|(value, _)| *value < 60) else {
            return false;
        };
        (second, end) = (Some(value), second_end);
    }
    let suffix = past_space(r.t, end);
    let half = ["am", "AM", "a.m.", "pm", "PM", "p.m."].into_iter().find(|word| {
        tail(r.t, suffix).starts_with(word) && !char_at(r.t, suffix + word.len()).is_some_and(scan::is_latin)
    });
    if let Some(half) = half {
        let word = match (half.starts_with(['a', 'A']), hour) {
            (true, _) => "上午",
            (false, 12) => "中午",
            (false, 1..=5) => "下午",
            (false, _) => "晚上",
        };
        r.say(word, start);
    }
    let lasts = second.is_some() && half.is_none() && lasts(r, end);
    let two = |value: u32| match value {
        0..10 => format!("零{}", cardinal(&value.to_string())),
        _ => cardinal(&value.to_string()),
    };
    if lasts && hour == 0 {
        // 00:03:20 is three minutes.
        if minute > 0 {
            r.number(&format!("{}分", cardinal(&minute.to_string())), minute_end);
        }
    } else {
        let (unit, next) = if lasts { ("小时", "小时") } else { ("点", "点") };
        let hour = quantities::counted(&hour.to_string(), "", next);
        r.number(&format!("{hour}{unit}"), colon);
        if minute > 0 || second.is_some() {
            r.number(&format!("{}分", two(minute)), minute_end);
        }
    }
    if let Some(second) = second {
        r.number(&format!("{}秒", two(second)), end);
    }
    if r.at < end {
        r.skip(end);
    }
    if let Some(half) = half {
        r.skip(suffix + half.len());
    }
    // A range of times.
    let at = past_space(r.t, r.at);
    let sign = char_at(r.t, at).filter(|c| matches!(c, '-' | '–' | '—' | '~'));
    if let Some(sign) = sign {
        let next = past_space(r.t, at + sign.len_utf8());
        let again = value(r, next, 1..=2).is_some_and(|(_, colon)| {
            tail(r.t, colon).starts_with(':') && value(r, colon + 1, 2..=2).is_some()
        });
        if again {
            r.number("到", next);
        }
    }
    true
}
