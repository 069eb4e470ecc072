//! Punctuation marks, and signs that are read by their names.

use super::{
    Kind, Reader, links,
    scan::{is_han, is_latin, is_letter},
};
use crate::front_end::{
    chinese::figures::cardinal,
    scan::{char_at, digit_at, digits, past_space, slice, tail},
};

/// The number at the start of a list item: `1. 标题`, `2) …`.
pub(super) fn item(r: &mut Reader<'_>) {
    /// Longer numbers are not those of items.
    const MOST: usize = 3;
    let end = digits(r.t, 0);
    if end == 0 || end > MOST {
        return;
    }
    let rest = tail(r.t, end);
    let marked = rest.starts_with(") ")
        || rest.starts_with(". ")
        || rest.starts_with(')') && char_at(r.t, end + 1).is_some_and(is_han)
        || rest.starts_with('.') && char_at(r.t, end + 1).is_some_and(is_han)
        || rest.starts_with(',') && r.original_at(end) == Some('、');
    if marked {
        let words = cardinal(slice(r.t, 0..end));
        r.number(&words, end);
        r.mark("，", past_space(r.t, end + 1));
    }
}

/// Reads the sign that comes next.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    (r.char().is_some_and(|c| matches!(c, '~' | '–' | '—')) && sign(r))
        || mark(r)
        || fraction(r)
        || power(r)
        || sign(r)
        || greek(r)
}

/// Punctuation. A run of marks is one: the strongest.
fn mark(r: &mut Reader<'_>) -> bool {
    let Some(c) = r.char() else { return false };
    let start = r.at;
    let end = start + c.len_utf8();
    match c {
        ',' | '.' | '!' | '?' | ';' | ':' | '…' | '—' | '–' => {}
        '(' | ')' | '[' | ']' | '【' | '】' | '〔' | '〕' => {
            if is_numbering(r) {
                r.skip(end);
            } else {
                r.comma(end);
            }
            return true;
        }
        '·' | '"' | '\'' | '《' | '》' | '〈' | '〉' | '*' | '_' | '`' | '|' | '\\' | '^' | '{' | '}'
        | '~' | ' ' => {
            // An asterisk between numbers multiplies.
            let multiplies = c == '*'
                && r.before().is_some_and(|c| c.is_ascii_digit() || c == ' ')
                && r.equation
                && digit_at(r.t, past_space(r.t, end));
            if multiplies {
                r.say("乘", end);
            } else {
                r.skip(end);
            }
            return true;
        }
        _ => return false,
    }
    if c == '.' && links::joins(r) {
        r.say("点", end);
        return true;
    }
    let stop = crate::front_end::scan::run(r.t, start, |c| {
        matches!(c, ',' | '.' | '!' | '?' | ';' | ':' | '…' | '—' | '–')
    });
    let run = slice(r.t, start..stop);
    let name = if run.contains('?') {
        "？"
    } else if run.contains('!') {
        "！"
    } else if run.contains('…') || run.starts_with("..") {
        "……"
    } else {
        match c {
            ',' if r.original_at(start) == Some('、') => "、",
            ',' => "，",
            ';' => "；",
            ':' => "：",
            '.' => "。",
            // A dash between letters or words of one name is no pause.
            '–' if run.len() == c.len_utf8() => {
                r.skip(stop);
                return true;
            }
            _ => "——",
        }
    };
    // A mark at the beginning, or after another, is no pause.
    let last = r.out.iter().rev().find(|piece| piece.kind != Kind::Silent);
    match last {
        None => r.skip(stop),
        Some(last) if last.kind == Kind::Mark => stronger(r, name, stop),
        Some(_) => r.mark(name, stop),
    }
    true
}

/// Whether a bracket is one of 第(3)题 or 三(2)班.
fn is_numbering(r: &Reader<'_>) -> bool {
    let (digits, beside) = if r.rest().starts_with('(') {
        let end = digits(r.t, r.at + 1);
        (
            end - r.at - 1,
            r.before().is_some_and(is_han)
                && tail(r.t, end).starts_with(')')
                && char_at(r.t, end + 1).is_some_and(is_han),
        )
    } else {
        let head = r.head();
        let start = head.trim_end_matches(|c: char| c.is_ascii_digit());
        let before = start.strip_suffix('(').and_then(|rest| rest.chars().next_back());
        (head.len() - start.len(), before.is_some_and(is_han) && char_at(r.t, r.at + 1).is_some_and(is_han))
    };
    (1..=2).contains(&digits) && beside
}

/// Replaces the last mark when this one is stronger: a comma that was put for a bracket.
fn stronger(r: &mut Reader<'_>, name: &str, end: usize) {
    let weak = |mark: &str| matches!(mark, "，" | "、");
    let last = r.out.iter_mut().rev().find(|piece| piece.kind == Kind::Mark);
    if let Some(last) = last
        && weak(&last.text)
        && !weak(name)
    {
        name.clone_into(&mut last.text);
    }
    r.skip(end);
}

/// `½`.
fn fraction(r: &mut Reader<'_>) -> bool {
    let words = match r.char() {
        Some('½') => "二分之一",
        Some('⅓') => "三分之一",
        Some('⅔') => "三分之二",
        Some('¼') => "四分之一",
        Some('¾') => "四分之三",
        Some('⅕') => "五分之一",
        Some('⅛') => "八分之一",
        _ => return false,
    };
    let end = r.at + r.char().map_or(1, char::len_utf8);
    if r.before().is_some_and(|c| c.is_ascii_digit()) {
        r.number("又", r.at);
    }
    r.number(words, end);
    true
}

/// `x²`, `10³`.
fn power(r: &mut Reader<'_>) -> bool {
    let follows = r.before().is_some_and(|c| is_latin(c) || c == ')' || is_han(c));
    let words = match r.char() {
        Some('²') if follows => "的平方",
        Some('³') if follows => "的立方",
        _ => return false,
    };
    let end = r.at + 2;
    r.say(words, end);
    true
}

/// Signs of sums, units without a number, and others that have a name.
fn sign(r: &mut Reader<'_>) -> bool {
    let Some(c) = r.char() else { return false };
    if joins_range(r, c) {
        let end = r.at + c.len_utf8();
        r.say("到", end);
        return true;
    }
    let start = r.at;
    let end = start + c.len_utf8();
    let before = r.head().trim_end().chars().next_back();
    let next = past_space(r.t, end);
    let after = char_at(r.t, next);
    let number_follows = after.is_some_and(|c| c.is_ascii_digit() || matches!(c, '-' | '.' | '(' | '√'));
    let between_terms = before
        .is_some_and(|c| is_latin(c) || is_han(c) || matches!(c, ')' | '%' | '²' | '³' | 'π'))
        && after.is_some_and(|c| is_latin(c) || is_han(c) || matches!(c, '(' | '√' | 'π' | '-' | '$' | '¥'));
    let words = match c {
        '+' if between_terms => "加",
        '+' if before.is_some_and(is_latin) => "加",
        '-' | '−' if r.equation && between_terms => "减",
        '×' if between_terms => "乘",
        '÷' => "除以",
        '=' if between_terms || r.equation => "等于",
        '≈' => "约等于",
        '≠' => "不等于",
        '≥' | '⩾' => "大于等于",
        '≤' | '⩽' => "小于等于",
        '>' if between_terms || number_follows => "大于",
        '<' if between_terms || number_follows => "小于",
        '±' => "正负",
        '√' => "根号",
        '∞' => "无穷大",
        '%' => "百分号",
        '‰' => "千分号",
        '&' => "和",
        '@' => "艾特",
        '#' if digit_at(r.t, end) => "井号",
        '§' => "第",
        '/' if r.equation && between_terms => "除以",
        '/' if before.is_some_and(is_letter) && after.is_some_and(is_letter) => "斜杠",
        '/' if between_terms => {
            r.comma(end);
            return true;
        }
        '$' => "美元",
        '¥' => "元",
        '€' => "欧元",
        '£' => "英镑",
        '°' => {
            let celsius = [("°C", "摄氏度"), ("°F", "华氏度")];
            let found = celsius.into_iter().find(|(sign, _)| tail(r.t, start).starts_with(sign));
            let (bytes, name) = found.map_or((end - start, "度"), |(sign, name)| (sign.len(), name));
            r.say(name, start + bytes);
            return true;
        }
        _ => return false,
    };
    r.say(words, end);
    true
}

/// Greek letters.
fn greek(r: &mut Reader<'_>) -> bool {
    let name = match r.char() {
        Some('α' | 'Α') => "阿尔法",
        Some('β' | 'Β') => "贝塔",
        Some('γ' | 'Γ') => "伽马",
        Some('δ' | 'Δ') => "德尔塔",
        Some('ε') => "艾普西隆",
        Some('θ') => "西塔",
        Some('λ') => "兰姆达",
        Some('μ') => "缪",
        Some('π') => "派",
        Some('σ' | 'Σ') => "西格玛",
        Some('φ' | 'Φ') => "斐",
        Some('ω' | 'Ω') => "欧米伽",
        _ => return false,
    };
    let end = r.at + 2;
    r.say(name, end);
    true
}

/// Whether a sign stands between the ends of a range: 3月8日-12日, 周一~周五.
fn joins_range(r: &Reader<'_>, c: char) -> bool {
    const UNITS: &str = "年月日号號点點时時分秒元岁歲度层層楼樓页頁章节節天周万亿";
    let end = r.at + c.len_utf8();
    let before = r.before().unwrap_or(' ');
    let next = char_at(r.t, end).unwrap_or(' ');
    let days = "一二三四五六日天";
    let weekdays = days.contains(before)
        && ["周", "星期", "週", "礼拜"].iter().any(|word| tail(r.t, end).starts_with(word));
    let negative = matches!(next, '-' | '−') && digit_at(r.t, end + next.len_utf8());
    // 12~-3°C, 1/3~1/2.
    let numbers = (before.is_ascii_digit() || "%°C℃".contains(before)) && (next.is_ascii_digit() || negative);
    matches!(c, '-' | '~' | '–' | '—') && (UNITS.contains(before) && next.is_ascii_digit() || weekdays)
        || c == '~' && numbers
}

/// Whether a character is a picture, which is not said.
pub(in crate::front_end::chinese) fn is_picture(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{21FF}' | '\u{2300}'..='\u{27BF}' | '\u{2B00}'..='\u{2BFF}' | '\u{1F000}'..='\u{1FAFF}')
}
