//! Numbers: what kind each is by its form and by the words around it, and how it is read.

use super::{
    Reader, codes, dates,
    quantities::{may_be_negative, percent, quantity},
    ranges,
    scan::Number,
    units, verses,
};
use crate::front_end::{
    chinese::figures::{called, decimal, digits as digit_words},
    scan::{digit_at, tail},
};

/// From this length on, a number without separators is read digit by digit.
const CODE: usize = 9;

/// Words after which a number is called out digit by digit with 幺.
const CALLED: [&str; 45] = [
    "A座",
    "B座",
    "C座",
    "D座",
    "电话",
    "電話",
    "手机",
    "手機",
    "热线",
    "熱線",
    "拨打",
    "撥打",
    "拨",
    "撥",
    "致电",
    "致電",
    "打",
    "客服",
    "传真",
    "傳真",
    "分机",
    "分機",
    "车次",
    "航班",
    "车牌",
    "車牌",
    "房间",
    "房間",
    "房号",
    "房號",
    "房间号",
    "房間號",
    "联系方式",
    "微信",
    "单元",
    "單元",
    "栋",
    "棟",
    "号楼",
    "號樓",
    "层",
    "層",
    "楼",
    "樓",
    "幢",
];

/// Emergency numbers and hotlines.
const HOTLINES: [&str; 14] = [
    "110", "120", "119", "122", "114", "112", "12306", "12345", "12315", "10086", "10010", "10000", "95588",
    "12123",
];

/// Numbers that are names, unless something is counted.
const NAMES: [&str; 15] = [
    "233", "2333", "666", "985", "211", "996", "007", "315", "618", "911", "520", "1314", "361", "404", "955",
];

/// Reads the number that comes next, with its sign.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    if r.rest().starts_with(['-', '−', '+', '±']) {
        return signed(r);
    }
    if !(digit_at(r.t, r.at) || r.rest().starts_with('.') && digit_at(r.t, r.at + 1)) {
        return false;
    }
    if r.rest().starts_with('.') && r.before().is_some_and(|c| c.is_alphanumeric() || c == '.') {
        return false;
    }
    verses::read(r)
        || codes::area(r)
        || codes::phone(r)
        || codes::day(r)
        || codes::model(r)
        || dates::read(r)
        || codes::chain(r)
        || ranges::fraction(r)
        || ranges::ratio(r)
        || ranges::range(r)
        || plain(r)
}

/// `-5`, `+3`, `±2`.
fn signed(r: &mut Reader<'_>) -> bool {
    let Some(sign) = r.char() else { return false };
    let at = r.at + sign.len_utf8();
    let Some(number) = r.number_at(at) else { return false };
    if sign == '±' {
        r.number("正负", at);
        return true;
    }
    if r.in_sum() && r.before().is_some_and(|c| c == ' ' || c.is_ascii_digit() || c == ')') {
        return false;
    }
    let is_cold = sign != '+' && is_temperature(r, &number);
    // 净亏损-3,200万元; but 歼-20 and 表-1 are names.
    let is_amount = sign != '+'
        && (number.grouped
            || !number.fraction.is_empty()
            || tail(r.t, number.end).starts_with(['%', '万', '萬', '亿', '億', '元']));
    let after_word = r.before().is_some_and(super::scan::is_han);
    let is_country = sign == '+'
        && number.is_plain()
        && number.whole.len() <= 3
        && tail(r.t, number.end).starts_with(['-', ' '])
        && digit_at(r.t, number.end + 1);
    if !(may_be_negative(r)
        || is_country
        || (is_cold || is_amount && !super::symbols::joins_range(r, sign)) && after_word)
    {
        return false;
    }
    if sign == '+' {
        // A country code: +86.
        r.number("加", at);
        if !number.is_plain() || number.end - at > 3 || !tail(r.t, number.end).starts_with(['-', ' ']) {
            return true;
        }
        if !digit_at(r.t, number.end + 1) {
            return true;
        }
        r.number(&called(&number.whole), number.end);
        r.skip(number.end + 1);
        return true;
    }
    r.number(if is_cold { "零下" } else { "负" }, at);
    true
}

/// Whether a unit of temperature follows a number, or a range that it begins.
fn is_temperature(r: &Reader<'_>, number: &Number<'_>) -> bool {
    let end = r.range_after(number).map_or(number.end, |(_, second)| second.end);
    r.unit_at(end).is_some_and(|(_, unit)| unit.name.ends_with("氏度"))
        || tail(r.t, end).starts_with("摄氏度")
        || tail(r.t, end).starts_with("攝氏度")
        || tail(r.t, end).starts_with("度") && r.is_near(&["气温", "氣溫", "温度", "溫度", "最低", "零下"])
}

/// A number that stands alone or before what it counts.
fn plain(r: &mut Reader<'_>) -> bool {
    let Some(number) = r.number_at(r.at) else { return false };
    let after = tail(r.t, number.end);
    if let Some((name, bytes)) = latitude(after) {
        let words = format!("{name}{}度", decimal(&number.whole, number.fraction));
        r.number(&words, number.end + bytes);
        return true;
    }
    if let Some(words) = code(r, &number, after) {
        r.number(&words, number.end);
        return true;
    }
    quantity(r, &number);
    true
}

/// What is said before the degrees of a place, and how many bytes its signs have: `31.0°N` is 北纬三十一点零度.
fn latitude(after: &str) -> Option<(&'static str, usize)> {
    let rest = after.strip_prefix('°')?;
    let letter = rest.strip_prefix(' ').unwrap_or(rest);
    let name = match letter.chars().next()? {
        'N' => "北纬",
        'S' => "南纬",
        'E' => "东经",
        'W' => "西经",
        _ => return None,
    };
    let end = after.len() - letter.len() + 1;
    (!letter[1..].starts_with(|c: char| c.is_ascii_alphanumeric())).then_some((name, end))
}

/// A number that is read digit by digit.
fn code(r: &Reader<'_>, number: &Number<'_>, after: &str) -> Option<String> {
    if !number.is_plain() {
        return None;
    }
    let whole = number.whole.as_str();
    let length = whole.len();
    let next = after.strip_prefix(' ').unwrap_or(after);
    // 2024款, 2008级新生, 国办发〔2024〕12号.
    let is_year = length == 4 && whole.starts_with(['1', '2']) && next.starts_with('款')
        || length == 4
            && (whole.starts_with("19") || whole.starts_with("20"))
            && named_by_year(r, whole, next);
    // The code of a share: 茅台（600519）.
    let is_share = length == 6 && r.before() == Some('(') && next.starts_with(')');
    if is_year || is_share {
        return Some(digit_words(whole));
    }
    if (3..=4).contains(&length) && is_room_or_extension(r, next) {
        return Some(called(whole));
    }
    let counts = units::counts(next) || percent(after).is_some();
    let is_room = length >= 3
        && ["室", "房", "号房", "號房", "号室", "病房", "会议室", "會議室", "教室", "办公室", "包间", "宿舍"]
            .iter()
            .any(|word| next.starts_with(word));
    let called_for = r.follows(&CALLED)
        || r.is_near(&[
            "拨打", "撥打", "热线", "熱線", "报警", "報警", "急救", "火警", "匪警", "举报", "舉報",
        ]);
    let is_bus =
        length >= 3 && (next.starts_with("路公") || next.starts_with('路') && !next.starts_with("路人"));
    if is_room || is_bus || (length >= 3 && !counts && !next.starts_with('平') && r.follows(&CALLED)) {
        return Some(called(whole));
    }
    let is_hotline = called_for && !next.starts_with(['个', '個', '元', '块', '塊', '次'])
        || !counts && length > 3
        || next.starts_with(|c| "电電急报報热熱".contains(c));
    if HOTLINES.contains(&whole) && is_hotline {
        return Some(called(whole));
    }
    let is_port = length >= 3 && next.starts_with("端口");
    if is_port
        || length >= 3 && r.follows(&codes::CODES) && !counts
        || !counts && NAMES.contains(&whole) && !r.head().ends_with('第')
    {
        return Some(digit_words(whole));
    }
    if length >= CODE && (!counts || next.starts_with(['号', '號']))
        || length > 1 && whole.starts_with('0') && !starts_clock(after)
    {
        return Some(digit_words(whole));
    }
    if length == 2 && whole.starts_with('0') && after.starts_with(['分', '秒']) {
        return Some(digit_words(whole));
    }
    // H.265.
    if length >= 3
        && !counts
        && r.head().strip_suffix('.').is_some_and(|head| head.ends_with(super::scan::is_letter))
    {
        return Some(digit_words(whole));
    }
    // After a Latin word: RTX 4090.
    let head = r.head();
    let latin = head.ends_with(' ') && head.trim_end().ends_with(super::scan::is_letter);
    (latin && length >= 3 && !counts).then(|| digit_words(whole))
}

/// Whether a number is the year of a class of students or of a document.
fn named_by_year(r: &Reader<'_>, whole: &str, next: &str) -> bool {
    /// Later ones are no years of classes and editions: 2048版.
    const LAST: u32 = 2040;
    /// What is of a year, or was held in one: 2025财年, 2024巴黎奥运会.
    const YEARLY: &[&str] = &[
        "级",
        "級",
        "届",
        "屆",
        "版",
        "财年",
        "財年",
        "学年",
        "學年",
        "赛季",
        "賽季",
        "春晚",
        "春夏",
        "秋冬",
        "世界杯",
        "世锦赛",
        "世界",
        "全球",
        "亚洲",
        "欧洲杯",
        "奥运",
        "中国",
        "全国",
        "中國",
        "全國",
        "北京",
        "上海",
        "广州",
        "深圳",
        "杭州",
        "成都",
        "巴黎",
        "东京",
        "伦敦",
    ];
    let bracketed = matches!(r.before(), Some('〔' | '[' | '(')) && next.starts_with(['〕', ']', ')']);
    let recent = whole.parse().is_ok_and(|year: u32| year <= LAST);
    bracketed || recent && YEARLY.iter().any(|word| next.starts_with(word))
}

/// Whether a number is the room where somebody lives (我住302), or the extension of a telephone.
fn is_room_or_extension(r: &Reader<'_>, next: &str) -> bool {
    let head = r.head();
    let extension =
        head.strip_suffix(['转', '轉']).is_some_and(|head| head.ends_with(|c: char| c.is_ascii_digit()));
    let ends = !next.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '~' | '%'));
    extension || ends && head.ends_with('住')
}

fn starts_clock(after: &str) -> bool {
    after.starts_with(|c| "月日号號时時点點".contains(c))
}
