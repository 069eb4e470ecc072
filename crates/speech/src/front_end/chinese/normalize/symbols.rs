//! Punctuation marks, and signs that are read by their names.

use super::{
    Kind, Reader, links,
    scan::{is_han, is_latin, is_letter},
};
use crate::front_end::{
    chinese::figures::cardinal,
    scan::{char_at, digit_at, digits, past_space, run, slice, tail},
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
        || angle(r)
        || power(r)
        || mark(r)
        || fraction(r)
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
            } else if c == '_' && r.before().is_some_and(is_latin) && char_at(r.t, end).is_some_and(is_latin)
            {
                r.say("下划线", end);
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
    if c == ':' && r.equation && letter_beside(r, start, end) {
        r.say("比", end);
        return true;
    }
    let stop = run(r.t, start, |c| matches!(c, ',' | '.' | '!' | '?' | ';' | ':' | '…' | '—' | '–'));
    let marks = slice(r.t, start..stop);
    let name = if marks.contains('?') {
        "？"
    } else if marks.contains('!') {
        "！"
    } else if marks.contains('…') || marks.starts_with("..") {
        "……"
    } else {
        match c {
            ',' if r.original_at(start) == Some('、') => "、",
            ',' => "，",
            ';' => "；",
            ':' => "：",
            '.' => "。",
            // A dash between letters or words of one name is no pause.
            '–' if marks.len() == c.len_utf8() => {
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

/// Whether a sign stands between two letters that are terms: a:b=2:3.
fn letter_beside(r: &Reader<'_>, start: usize, end: usize) -> bool {
    let before = slice(r.t, ..start);
    let word = before.len() - before.trim_end_matches(is_letter).len();
    word == 1 && run(r.t, end, is_letter) == end + 1
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

/// The minutes and seconds of an angle: 116°23′45″.
fn angle(r: &mut Reader<'_>) -> bool {
    let head = r.head();
    let whole = head.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let words = match r.original_at(r.at) {
        Some('′') if whole.ends_with('°') => "分",
        Some('″') if whole.ends_with('\'') => "秒",
        _ => return false,
    };
    if whole.len() == head.len() {
        return false;
    }
    let end = r.at + r.char().map_or(1, char::len_utf8);
    r.say(words, end);
    true
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

/// A small digit or minus above the line, as on it.
fn raised(c: char) -> Option<char> {
    Some(match c {
        '⁰' => '0',
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁴'..='⁹' => char::from_digit(c as u32 - '⁰' as u32, 10)?,
        '⁻' => '-',
        _ => return None,
    })
}

/// `x²`, `10⁻³`, `10^8`, and the unit after it: `3×10⁸m/s`.
fn power(r: &mut Reader<'_>) -> bool {
    let follows = r.before().is_some_and(|c| is_latin(c) || c == ')' || is_han(c));
    let small: String = r.rest().chars().map_while(raised).collect();
    let caret = r.rest().strip_prefix('^').unwrap_or_default();
    let minus = usize::from(caret.starts_with('-'));
    let (exponent, end) = if small.is_empty() {
        let digits = digits(caret, minus);
        (slice(caret, ..digits).to_owned(), r.at + 1 + digits)
    } else {
        (small.clone(), run(r.t, r.at, |c| raised(c).is_some()))
    };
    let value = exponent.trim_start_matches('-');
    if !follows || value.is_empty() {
        return false;
    }
    let words = match exponent.as_str() {
        "2" => "的平方".to_owned(),
        "3" => "的立方".to_owned(),
        _ if exponent.starts_with('-') => format!("的负{}次方", cardinal(value)),
        _ => format!("的{}次方", cardinal(value)),
    };
    let of_number = r.before().is_some_and(|c| c.is_ascii_digit());
    r.say(&words, end);
    let per = usize::from(r.rest().starts_with('/'));
    if of_number && let Some((start, unit)) = r.unit_at(r.at + per) {
        if per > 0 {
            r.say("每", r.at + per);
        }
        if start > r.at {
            r.skip(start);
        }
        r.say(unit.name, start + unit.bytes);
    }
    true
}

/// The slash of 2.5MB/s and what it divides by: its words and its bytes.
fn per_time(r: &Reader<'_>) -> Option<(&'static str, usize)> {
    const TIMES: [(&str, &str); 5] =
        [("/s", "每秒"), ("/min", "每分钟"), ("/h", "每小时"), ("/d", "每天"), ("/day", "每天")];
    let amount = r.head().trim_end_matches(is_letter);
    let counted = amount.len() < r.head().len() && amount.trim_end().ends_with(|c: char| c.is_ascii_digit());
    let found = TIMES.into_iter().find(|(sign, _)| {
        r.rest().starts_with(sign) && !char_at(r.t, r.at + sign.len()).is_some_and(is_latin)
    });
    found.filter(|_| counted).map(|(sign, words)| (words, sign.len()))
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
    if let Some((words, bytes)) = per_time(r) {
        r.say(words, start + bytes);
        return true;
    }
    let end = start + c.len_utf8();
    let before = r.head().trim_end().chars().next_back();
    let next = past_space(r.t, end);
    let after = char_at(r.t, next);
    let number_follows = after.is_some_and(|c| c.is_ascii_digit() || matches!(c, '-' | '.' | '(' | '√'));
    let between_terms = before
        .is_some_and(|c| is_latin(c) || is_han(c) || is_greek(c) || matches!(c, ')' | '%' | '²' | '³'))
        && after.is_some_and(|c| {
            is_latin(c) || is_han(c) || is_greek(c) || matches!(c, '(' | '√' | '-' | '$' | '¥')
        });
    let words = match c {
        '+' if before.is_some_and(is_latin) && tail(r.t, end).starts_with('+') => {
            r.say("加加", end + 1);
            return true;
        }
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
        '∠' => "角",
        '⊥' => "垂直于",
        '∥' => "平行于",
        '∈' => "属于",
        '∵' => "因为",
        '∴' => "所以",
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

fn is_greek(c: char) -> bool {
    matches!(c, 'Α'..='Ω' | 'α'..='ω')
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
pub(super) fn joins_range(r: &Reader<'_>, c: char) -> bool {
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
