//! Two numbers with a slash between them: fractions and days of a month.

use super::{
    Like, Scanner,
    figures::{amount, counted, short, whole},
    weekdays,
};
use crate::front_end::{
    japanese::{counters::Place, numbers::Number},
    scan,
};

/// 1/2, 4/1: a fraction, or a day of a month.
pub(super) fn read(s: &mut Scanner<'_>) -> bool {
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
