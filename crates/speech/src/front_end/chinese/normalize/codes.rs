//! Telephone numbers, number plates, versions and addresses, and words of Latin letters with
//! digits in them.

use super::{
    Reader,
    scan::{is_latin, is_letter},
};
use crate::front_end::{
    chinese::figures::{called, cardinal, digits as digit_words},
    roman,
    scan::{char_at, digits, run, slice, tail},
};

/// Words after which a number is read digit by digit.
pub(super) const CODES: [&str; 39] = [
    "端口",
    "QQ群",
    "群号",
    "编号",
    "編號",
    "账号",
    "賬號",
    "帳號",
    "卡号",
    "卡號",
    "密码",
    "密碼",
    "验证码",
    "驗證碼",
    "邮编",
    "郵編",
    "邮政编码",
    "身份证",
    "身分證",
    "身份证号",
    "学号",
    "學號",
    "工号",
    "工號",
    "尾号",
    "尾號",
    "订单",
    "訂單",
    "订单号",
    "单号",
    "單號",
    "代码",
    "代碼",
    "股票代码",
    "QQ",
    "条码",
    "序列号",
    "波音",
    "空客",
];

/// `138 0013 8000`, `010-12345678`, `400-800-8820`.
pub(super) fn phone(r: &mut Reader<'_>) -> bool {
    let start = r.at;
    if r.before().is_some_and(|c| is_latin(c) || c == '.') {
        return false;
    }
    let mut groups = Vec::new();
    let mut end = start;
    while groups.len() < 4 {
        let group_end = digits(r.t, end);
        if group_end == end || group_end - end > 11 {
            break;
        }
        groups.push(end..group_end);
        end = group_end;
        if !tail(r.t, end).starts_with(['-', ' ']) || digits(r.t, end + 1) == end + 1 {
            break;
        }
        end += 1;
    }
    let lengths: Vec<usize> = groups.iter().map(std::ops::Range::len).collect();
    let first = groups.first().map_or("", |group| slice(r.t, group.clone()));
    let mobile =
        first.starts_with('1') && first.as_bytes().get(1).is_some_and(|digit| (b'3'..=b'9').contains(digit));
    let after_country = r.head().trim_end_matches([' ', '-']).ends_with("+86");
    let is_phone = match *lengths.as_slice() {
        [11, ..] => mobile,
        [3, 4, 4, ..] => mobile || after_country,
        [3, 7, ..] if first.starts_with(['4', '8']) => first.ends_with("00"),
        [2, 2 | 3, 7 | 8, ..] => first == "86",
        // +86 20 8888 6666
        [2, 4, 4, ..] | [2 | 3, 7 | 8, ..] if after_country => true,
        // 02-2345-6789 is one of Taiwan.
        [3 | 4, 7 | 8, ..] | [4 | 2, 4, 4, ..] => first.starts_with('0'),
        [4, 4] | [7 | 8, ..] if after_area(r) => true,
        [4, 4] => r.is_near(&["电话", "電話", "热线", "熱線", "传真", "傳真", "手机", "手機"]),
        [3, 3, 4, ..] | [3, 4, 3, ..] => first.starts_with(['4', '8']) && first.ends_with("00"),
        [10, ..] => first.starts_with("400") || first.starts_with("800"),
        _ => false,
    };
    if !is_phone {
        return false;
    }
    let used = match *lengths.as_slice() {
        [10 | 11, ..] => 1,
        [7 | 8, ..] => 0,
        [2..=4, 7 | 8, ..] | [4, 4] => 2,
        _ => 3,
    };
    let first_end = groups[0].end;
    if used == 0 {
        let words = called(first);
        r.number(&words, first_end);
        extension(r);
        return true;
    }
    if used == 1 {
        // Said in groups: 138 0013 8000, 400 800 8820.
        let second = start + if lengths[0] == 11 { 7 } else { 6 };
        for cut in [start + 3, second, first_end] {
            let words = called(slice(r.t, r.at..cut));
            r.number(&words, cut);
        }
        return true;
    }
    for group in &groups[..used] {
        if r.at < group.start {
            r.skip(group.start);
        }
        let words = called(slice(r.t, group.clone()));
        r.number(&words, group.end);
    }
    extension(r);
    true
}

/// Whether an area code in brackets stands before: （021）.
fn after_area(r: &Reader<'_>) -> bool {
    let Some(head) = r.head().trim_end().strip_suffix(')') else { return false };
    let digits = head.rsplit('(').next().unwrap_or_default();
    (3..=4).contains(&digits.len())
        && digits.starts_with('0')
        && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The extension after the number of a telephone: 0755-86013388-8012.
fn extension(r: &mut Reader<'_>) {
    /// Longer ones are other numbers.
    const MOST: usize = 5;
    let from = r.at + 1;
    let end = digits(r.t, from);
    if r.rest().starts_with('-') && (1..=MOST).contains(&(end.saturating_sub(from))) {
        r.number("转", from);
        let words = called(slice(r.t, from..end));
        r.number(&words, end);
    }
}

/// The area code of `(010) 6275-1234`.
pub(super) fn area(r: &mut Reader<'_>) -> bool {
    let end = digits(r.t, r.at);
    let is_code = r.head().ends_with('(') && tail(r.t, end).starts_with(')') && r.rest().starts_with('0');
    if !is_code || !(3..=4).contains(&(end - r.at)) {
        return false;
    }
    let words = called(slice(r.t, r.at..end));
    r.number(&words, end);
    r.skip(end + 1);
    true
}

/// A day by which an event is named: 9·11事件.
pub(super) fn day(r: &mut Reader<'_>) -> bool {
    let end = digits(r.t, r.at);
    if !tail(r.t, end).starts_with('·') {
        return false;
    }
    let from = end + '·'.len_utf8();
    let last = digits(r.t, from);
    if !(1..=2).contains(&(end - r.at)) || !(1..=2).contains(&(last.saturating_sub(from))) {
        return false;
    }
    let words = digit_words(slice(r.t, r.at..end));
    r.number(&words, end);
    r.skip(from);
    let words = digit_words(slice(r.t, from..last));
    r.number(&words, last);
    true
}

/// The model of an airplane: 波音737-800.
pub(super) fn model(r: &mut Reader<'_>) -> bool {
    let end = digits(r.t, r.at);
    let last = digits(r.t, end + 1);
    let joined = tail(r.t, end).starts_with('-') && last > end + 1;
    if !joined || !r.follows(&["波音", "空客"]) {
        return false;
    }
    let words = digit_words(slice(r.t, r.at..end));
    r.number(&words, end);
    r.number("杠", end + 1);
    let words = cardinal(slice(r.t, r.at..last));
    r.number(&words, last);
    true
}

/// Numbers joined by points or by several hyphens: `192.168.1.1`, `3.10.2`, `2-301-5`.
pub(super) fn chain(r: &mut Reader<'_>) -> bool {
    /// The fewest parts.
    const LEAST: usize = 3;
    // A code may have two: 订单编号：20240618-0032.
    let least = if r.follows(&CODES) { 2 } else { LEAST };
    let mut ends = Vec::new();
    let mut at = r.at;
    let end = digits(r.t, at);
    let Some(sign) = char_at(r.t, end).filter(|c| matches!(c, '.' | '-')) else { return false };
    loop {
        let end = digits(r.t, at);
        if end == at {
            return false;
        }
        ends.push(end);
        if !tail(r.t, end).starts_with(sign) || digits(r.t, end + 1) == end + 1 {
            break;
        }
        at = end + 1;
    }
    if ends.len() < if sign == '-' { least } else { LEAST } || sign == '-' && r.in_sum() {
        return false;
    }
    let count = ends.len();
    for (index, end) in ends.into_iter().enumerate() {
        if index > 0 {
            let after = r.at + 1;
            r.number(if sign == '.' { "点" } else { "杠" }, after);
        }
        let part = slice(r.t, r.at..end);
        // 10.2.4 is a version of the tenth; the parts after it, and addresses, are read digit by digit.
        let is_tenth = index == 0 && count == LEAST && part.len() == 2 && !part.starts_with('0');
        let words = match sign {
            '.' if is_tenth => cardinal(part),
            '.' => digit_words(part),
            _ => called(part),
        };
        r.number(&words, end);
    }
    true
}

/// `京A12345`, `沪B·6F288`.
pub(super) fn plate(r: &mut Reader<'_>) -> bool {
    const PROVINCES: &str = "京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼";
    let Some(province) = r.char().filter(|&c| PROVINCES.contains(c)) else { return false };
    let letter = r.at + province.len_utf8();
    if !char_at(r.t, letter).is_some_and(|c| c.is_ascii_uppercase()) {
        return false;
    }
    let dot = char_at(r.t, letter + 1).filter(|c| matches!(c, '·' | ' ' | '-')).map_or(0, char::len_utf8);
    let from = letter + 1 + dot;
    let end = run(r.t, from, |c| c.is_ascii_uppercase() || c.is_ascii_digit());
    if !(5..=6).contains(&(end - from)) || !slice(r.t, from..end).contains(|c: char| c.is_ascii_digit()) {
        return false;
    }
    r.copy_one();
    r.latin(slice(r.t, letter..=letter), letter + 1);
    if dot > 0 {
        r.skip(from);
    }
    while r.at < end {
        let next = digits(r.t, r.at);
        if next > r.at {
            let words = called(slice(r.t, r.at..next));
            r.number(&words, next);
        } else {
            r.latin(slice(r.t, r.at..=r.at), r.at + 1);
        }
    }
    true
}

/// Words of Latin letters, with the digits in them.
pub(super) fn latin(r: &mut Reader<'_>) -> bool {
    if !r.char().is_some_and(is_letter) {
        return false;
    }
    // 体重(kg).
    if r.before() == Some('(')
        && let Some((start, unit)) = r.unit_at(r.at)
        && unit.bytes > 1
        && tail(r.t, start + unit.bytes).starts_with(')')
    {
        r.say(unit.name, start + unit.bytes);
        return true;
    }
    if roman_number(r) {
        return true;
    }
    let end = run(r.t, r.at, |c| is_letter(c) || c == '\'');
    let end = r.at + slice(r.t, r.at..end).trim_end_matches('\'').len();
    let word = slice(r.t, r.at..end);
    if matches!(word, "No" | "NO" | "no") && number_sign(r, end) {
        return true;
    }
    // n-1, where B-2 is the name of an airplane.
    let term = word.len() == 1 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    if term && tail(r.t, end).starts_with('-') && digits(r.t, end + 1) > end + 1 {
        r.latin(word, end);
        r.say("减", end + 1);
        return true;
    }
    let train = word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_uppercase());
    r.latin(word, end);
    digits_after(r, train);
    words_after(r);
    true
}

/// The digits right after letters, or after a hyphen: MP3, Covid-19, A320, PM2.5.
fn digits_after(r: &mut Reader<'_>, short: bool) {
    if subscript(r) {
        return;
    }
    let hyphen = usize::from(r.rest().starts_with('-') && digits(r.t, r.at + 1) > r.at + 1);
    let Some(number) = r.number_at(r.at + hyphen).filter(|number| number.end > r.at) else { return };
    if !tail(r.t, r.at + hyphen).starts_with(|c: char| c.is_ascii_digit()) {
        return;
    }
    if hyphen > 0 {
        r.skip(r.at + hyphen);
    }
    let rest = tail(r.t, number.end);
    let travels = rest.starts_with('次')
        || r.is_near(&["航班", "列车", "列車", "高铁", "高鐵", "动车", "車次", "车次"]);
    let called_out = short && number.whole.len() >= 3 && travels;
    let words = match () {
        () if called_out => called(&number.whole),
        () if number.whole.len() >= 3 && !number.grouped => digit_words(&number.whole),
        () => cardinal(&number.whole),
    };
    let words = if number.fraction.is_empty() {
        words
    } else {
        format!("{words}点{}", digit_words(number.fraction))
    };
    r.number(&words, number.end);
    // iPhone15Pro, H1N1.
    if r.char().is_some_and(is_letter) {
        latin(r);
    }
}

/// The small digits of a formula, and the letters after them: H₂SO₄.
fn subscript(r: &mut Reader<'_>) -> bool {
    let end = run(r.t, r.at, |c| ('₀'..='₉').contains(&c));
    let number: String =
        slice(r.t, r.at..end).chars().filter_map(|c| char::from_digit(c as u32 - '₀' as u32, 10)).collect();
    if number.is_empty() {
        return false;
    }
    r.number(&cardinal(&number), end);
    latin(r);
    true
}

/// English words that follow after spaces belong together: their words are read in one.
fn words_after(r: &mut Reader<'_>) {
    /// The most words that are read in one.
    const MOST: usize = 40;
    for _ in 0..MOST {
        let gap = match r.char() {
            Some(' ' | '-' | '&') => 1,
            _ => return,
        };
        let at = r.at + gap;
        let end = run(r.t, at, |c| is_letter(c) || c == '\'');
        let end = at + slice(r.t, at..end).trim_end_matches('\'').len();
        let followed = char_at(r.t, end).is_some_and(|c| c.is_ascii_digit() || c == '@');
        let Some(last) = r.out.last_mut() else { return };
        let joins =
            last.exact && last.source.end == r.at && end > at && !followed && r.t.is_char_boundary(at);
        if !joins || slice(r.t, r.at..at) == "&" {
            return;
        }
        last.text.push_str(slice(r.t, r.at..end));
        last.source.end = end;
        r.at = end;
    }
}

/// `No. 5`, `NO.1`.
fn number_sign(r: &mut Reader<'_>, end: usize) -> bool {
    if !tail(r.t, end).starts_with('.') {
        return false;
    }
    let at = crate::front_end::scan::past_space(r.t, end + 1);
    let Some(number) = r.number_at(at).filter(super::scan::Number::is_plain) else { return false };
    r.number("第", at);
    r.number(&cardinal(&number.whole), number.end);
    true
}

/// Roman numerals among Chinese characters: 第III章, 二战II期, 路易XIV.
fn roman_number(r: &mut Reader<'_>) -> bool {
    let end = run(r.t, r.at, |c| matches!(c, 'I' | 'V' | 'X'));
    let word = slice(r.t, r.at..end);
    let ends = !char_at(r.t, end).is_some_and(is_latin) && !r.before().is_some_and(is_latin);
    let ordinal = r.head().ends_with('第');
    let from_sign = r.original_at(r.at).is_some_and(|c| ('\u{2160}'..='\u{217B}').contains(&c));
    let clear = ordinal
        || from_sign
        || word.len() > 1 && word.starts_with('I') && r.before().is_some()
        || word.len() > 2 && word != "XXX" && r.before().is_some_and(super::is_han);
    if word.is_empty() || !ends || !clear {
        return false;
    }
    let Some(value) = roman::value(word) else { return false };
    r.number(&cardinal(&value.to_string()), end);
    true
}
