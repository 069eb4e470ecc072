//! How many of something: a number before what it counts, with its percent sign, unit or currency.

use super::{Reader, currencies, scan::Number, units};
use crate::front_end::{
    chinese::figures::{cardinal, decimal, digits as digit_words},
    scan::{char_at, past_space, tail},
};

/// Whether a `-` that comes next is the sign of a number, not a hyphen or a separator.
pub(super) fn may_be_negative(r: &Reader<'_>) -> bool {
    const BEFORE: &str =
        "当當若则則为為是到至达達约約度温溫低于於从從跌降升成有了和在值数數得率差,.:;([ ~=><\"";
    r.before().is_none_or(|c| BEFORE.contains(c))
}

/// A number before something that is counted: two of it are 两.
pub(super) fn counted(whole: &str, fraction: &str, next: &str) -> String {
    if fraction.is_empty() && whole == "2" && units::takes_liang(next) {
        return "两".to_owned();
    }
    decimal(whole, fraction)
}

/// `%` and its like after a number: the words that stand before it, and the bytes.
pub(super) fn percent(after: &str) -> Option<(&'static str, usize)> {
    let space = usize::from(after.starts_with(" %"));
    let sign = [("%", "百分之"), ("‰", "千分之"), ("‱", "万分之")];
    let (sign, words) = sign.into_iter().find(|(sign, _)| after[space..].starts_with(sign))?;
    Some((words, space + sign.len()))
}

/// A number with its percent sign, unit or currency.
pub(super) fn quantity(r: &mut Reader<'_>, number: &Number<'_>) {
    let after = tail(r.t, number.end);
    if let Some((words, bytes)) = percent(after) {
        let said = format!("{words}{}", decimal(&number.whole, number.fraction));
        r.number(&said, number.end + bytes);
        return;
    }
    // 8.5折, 二点五 is said 八五折.
    if number.fraction.len() == 1 && number.whole.len() == 1 && after.starts_with('折') {
        let said = format!("{}{}", digit_words(&number.whole), digit_words(number.fraction));
        r.number(&said, number.end);
        return;
    }
    // 88折, 八八折.
    if number.is_plain() && number.whole.len() == 2 && !number.whole.ends_with('0') && after.starts_with('折')
    {
        r.number(&digit_words(&number.whole), number.end);
        return;
    }
    // 1米78, 9秒83.
    let rest =
        r.head().strip_suffix(['米', '秒']).is_some_and(|head| head.ends_with(|c: char| c.is_ascii_digit()));
    if rest && number.is_plain() && number.whole.len() == 2 && !units::counts(after) {
        r.number(&digit_words(&number.whole), number.end);
        return;
    }
    // 第2排2座.
    let seat = after.starts_with('座') && r.head().ends_with('排');
    let ordinal = r.head().ends_with('第') || seat;
    if let Some((end, currency)) = currencies::currency_after(r, number.end) {
        let said = counted(&number.whole, number.fraction, "元");
        r.number(&said, number.end);
        r.say(currency, end);
        return;
    }
    // 5A is a current here, and a grade or a seat elsewhere.
    let is_current = after.starts_with('A')
        && !char_at(r.t, number.end + 1).is_some_and(super::scan::is_latin)
        && r.is_near(&["电流", "電流", "电压", "電壓", "额定", "額定", "充电", "充電", "输出", "輸出"]);
    if is_current {
        r.number(&decimal(&number.whole, number.fraction), number.end);
        r.say("安", number.end + 1);
        return;
    }
    if let Some((start, unit)) = r.unit_at(number.end) {
        let next = if unit.takes_liang { "米" } else { "" };
        let said = counted(&number.whole, number.fraction, next);
        r.number(&said, number.end);
        if start > r.at {
            r.skip(start);
        }
        r.say(unit.name, start + unit.bytes);
        // 100mg/片.
        divided(r, r.at);
        return;
    }
    // 2.5万㎡, 3亿kWh.
    let multiple = ["万", "萬", "亿", "億"].into_iter().find(|multiple| after.starts_with(multiple));
    if let Some(multiple) = multiple
        && let Some((start, unit)) = r.unit_at(number.end + multiple.len())
    {
        let said = counted(&number.whole, number.fraction, multiple);
        r.number(&said, number.end);
        r.number(multiple, number.end + multiple.len());
        if start > r.at {
            r.skip(start);
        }
        r.say(unit.name, start + unit.bytes);
        return;
    }
    let said = if ordinal {
        cardinal(&number.whole) + &fraction_words(number.fraction)
    } else {
        counted(&number.whole, number.fraction, after)
    };
    r.number(&said, number.end);
    per(r);
}

fn fraction_words(fraction: &str) -> String {
    if fraction.is_empty() { String::new() } else { format!("点{}", digit_words(fraction)) }
}

/// The slash of 60公里/小时 after what was counted.
fn per(r: &mut Reader<'_>) {
    /// The most characters between the number and the slash.
    const MOST: usize = 6;
    let mut end = past_space(r.t, r.at);
    for _ in 0..MOST {
        match char_at(r.t, end) {
            Some('/') if end > r.at => break,
            Some(c) if super::scan::is_han(c) => end += c.len_utf8(),
            _ => return,
        }
    }
    divided(r, end);
}

/// The slash at a place, and a unit in Latin letters after it, when something is counted there: 28元/kg.
pub(super) fn divided(r: &mut Reader<'_>, slash: usize) {
    const COUNTED: &str = "年月日天周时時分秒人次个個斤吨噸克升米里件台臺本张張瓶亩畝桶磅股手头頭只隻套册冊辆輛层層户戶袋包箱盒支条條双雙份位\
                           节節课課期集首篇局场場趟两兩片粒枚颗顆根棵株名班餐顿頓杯碗串打对對组組度字页頁句季";
    let words = ["小时", "小時", "平方", "公", "千", "立方", "晚", "盎司", "加仑", "加侖", "毫升", "百"];
    if !tail(r.t, slash).starts_with('/') {
        return;
    }
    let next = tail(r.t, slash + 1);
    let divides =
        next.starts_with(|c| COUNTED.contains(c)) || words.iter().any(|word| next.starts_with(word));
    let unit = r.unit_at(slash + 1).filter(|(start, _)| *start == slash + 1);
    if divides || unit.is_some() {
        while r.at < slash {
            r.copy_one();
        }
        r.say("每", slash + 1);
        if let Some((start, unit)) = unit {
            r.say(unit.name, start + unit.bytes);
        }
    }
}
