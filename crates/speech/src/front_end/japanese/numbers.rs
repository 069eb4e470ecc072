//! Numbers in words, as groups of kana that are said without a break, and what the end of a number
//! does to the word that follows it.

/// The last word of a number, which changes its own end and the beginning of a counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    Digit(u8),
    Ten,
    Hundred,
    Thousand,
    TenThousand,
    /// 何.
    Which,
    /// Nothing changes after it.
    Other,
}

/// A number as it is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Number {
    /// Katakana.
    pub(super) words: Vec<String>,
    pub(super) last: Last,
    /// A whole number's value.
    pub(super) value: Option<u128>,
}

pub(super) const DIGITS: [&str; 10] =
    ["ゼロ", "イチ", "ニ", "サン", "ヨン", "ゴ", "ロク", "ナナ", "ハチ", "キュー"];

/// Numbers of more digits are read digit by digit.
const MOST_DIGITS: usize = 20;

const UNITS: [&str; 5] = ["", "マン", "オク", "チョー", "ケー"];

impl Number {
    /// A number that nothing is known of but how it is said.
    pub(super) fn said(words: Vec<String>) -> Self {
        Self { words, last: Last::Other, value: None }
    }

    /// A whole number, from ASCII digits.
    pub(super) fn cardinal(digits: &str) -> Self {
        let starts_with_zero = digits.len() > 1 && digits.starts_with('0');
        let value = digits.parse::<u128>().ok().filter(|_| digits.len() <= MOST_DIGITS);
        match value {
            Some(value) if !starts_with_zero => Self::of(value),
            _ => Self::said(one_by_one(digits)),
        }
    }

    /// A whole number.
    pub(super) fn of(value: u128) -> Self {
        if value == 0 {
            return Self { words: vec!["ゼロ".to_owned()], last: Last::Digit(0), value: Some(0) };
        }
        let mut words: Vec<String> = Vec::new();
        let mut last = Last::Other;
        for power in (0..UNITS.len()).rev() {
            let above = value / 10_u128.pow(4 * power as u32);
            let section = if power + 1 == UNITS.len() { above } else { above % 10_000 };
            if section == 0 {
                continue;
            }
            if section >= 10_000 {
                words.extend(Self::of(section).words);
            } else {
                last = push_section(section as u16, power == 1, &mut words);
            }
            match power {
                0 => {}
                1 => last = end(&mut words, UNITS[1], Last::TenThousand),
                2 => last = end(&mut words, UNITS[2], Last::Other),
                _ => {
                    let doubles = [Last::Digit(1), Last::Digit(8), Last::Ten].contains(&last)
                        || (power == 4 && [Last::Digit(6), Last::Hundred].contains(&last));
                    if doubles {
                        double(&mut words);
                    }
                    last = end(&mut words, UNITS[power], Last::Other);
                }
            }
        }
        Self { words, last, value: Some(value) }
    }

    /// A number with digits after its point.
    pub(super) fn decimal(whole: &str, fraction: &str) -> Self {
        let mut number = Self::cardinal(if whole.is_empty() { "0" } else { whole });
        match number.last {
            Last::Digit(0) if number.words.len() == 1 => number.words = vec!["レー".to_owned()],
            Last::Digit(1 | 8) | Last::Ten => double(&mut number.words),
            _ => {}
        }
        if let Some(word) = number.words.last_mut() {
            word.push_str("テン");
        }
        number.words.extend(fraction.bytes().map(digit));
        Self::said(number.words)
    }

    /// Adds a word that is said as part of the last one.
    pub(super) fn ended(mut self, word: &str) -> Self {
        end(&mut self.words, word, Last::Other);
        Self { last: Last::Other, value: None, ..self }
    }
}

/// Digits read one by one.
pub(super) fn one_by_one(digits: &str) -> Vec<String> {
    digits.bytes().filter(u8::is_ascii_digit).map(digit).collect()
}

fn digit(byte: u8) -> String {
    DIGITS[usize::from(byte.wrapping_sub(b'0')).min(9)].to_owned()
}

/// Writes a number below 10,000; `before_unit`: 一千 and not 千, as 万 wants it.
fn push_section(section: u16, before_unit: bool, words: &mut Vec<String>) -> Last {
    let mut last = Last::Other;
    for (power, one) in [(1000, Last::Thousand), (100, Last::Hundred), (10, Last::Ten)] {
        let count = section / power % 10;
        if count > 0 {
            words.push(multiple(count, power, before_unit));
            last = one;
        }
    }
    let ones = section % 10;
    if ones > 0 {
        words.push(DIGITS[usize::from(ones)].to_owned());
        last = Last::Digit(ones as u8);
    }
    last
}

fn multiple(count: u16, power: u16, before_unit: bool) -> String {
    let digit = DIGITS[usize::from(count)];
    match (power, count) {
        (1000, 1) => if before_unit { "イッセン" } else { "セン" }.to_owned(),
        (1000, 3) => "サンゼン".to_owned(),
        (1000, 8) => "ハッセン".to_owned(),
        (1000, _) => format!("{digit}セン"),
        (100, 1) => "ヒャク".to_owned(),
        (100, 3) => "サンビャク".to_owned(),
        (100, 6) => "ロッピャク".to_owned(),
        (100, 8) => "ハッピャク".to_owned(),
        (100, _) => format!("{digit}ヒャク"),
        (_, 1) => "ジュー".to_owned(),
        _ => format!("{digit}ジュー"),
    }
}

fn end(words: &mut Vec<String>, word: &str, last: Last) -> Last {
    match words.last_mut() {
        Some(before) => before.push_str(word),
        None => words.push(word.to_owned()),
    }
    last
}

/// Makes the last sound of a number a stop: イチ to イッ.
pub(super) fn double(words: &mut [String]) {
    let Some(word) = words.last_mut() else { return };
    for ending in ["チ", "ク", "ー"] {
        if let Some(stem) = word.strip_suffix(ending) {
            *word = format!("{stem}ッ");
            return;
        }
    }
}

/// The value of a numeral of kanji and digits (`二〇二四`, `三百五`, `1億2000万`).
pub(super) fn value_of(numeral: &str) -> Option<u128> {
    let (mut all, mut section, mut digits, mut has_digits) = (0_u128, 0_u128, 0_u128, false);
    for c in numeral.chars() {
        if let Some(value) = digit_value(c) {
            digits = digits.checked_mul(10)?.checked_add(value)?;
            has_digits = true;
            continue;
        }
        let one = if has_digits { digits } else { 1 };
        if let Some(unit) = small_unit(c) {
            section = section.checked_add(one.checked_mul(unit)?)?;
        } else {
            let before = section.checked_add(digits)?;
            let before = if before == 0 { 1 } else { before };
            all = all.checked_add(before.checked_mul(large_unit(c)?)?)?;
            section = 0;
        }
        (digits, has_digits) = (0, false);
    }
    all.checked_add(section)?.checked_add(digits)
}

pub(super) fn digit_value(c: char) -> Option<u128> {
    if c == '〇' || c == '零' {
        return Some(0);
    }
    "一二三四五六七八九"
        .chars()
        .position(|digit| digit == c)
        .map(|index| index as u128 + 1)
        .or_else(|| c.to_digit(10).map(u128::from))
}

fn small_unit(c: char) -> Option<u128> {
    Some(match c {
        '十' => 10,
        '百' => 100,
        '千' => 1000,
        _ => return None,
    })
}

fn large_unit(c: char) -> Option<u128> {
    Some(match c {
        '万' => 10_000,
        '億' => 100_000_000,
        '兆' => 1_000_000_000_000,
        '京' => 10_000_000_000_000_000,
        _ => return None,
    })
}

/// Whether a character is part of a numeral in kanji.
pub(super) fn is_kanji(c: char) -> bool {
    !c.is_ascii_digit() && (digit_value(c).is_some() || is_unit(c))
}

/// Whether a character multiplies the number before it.
pub(super) fn is_unit(c: char) -> bool {
    small_unit(c).or_else(|| large_unit(c)).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_said_as_in_japanese() {
        for (digits, wanted) in [
            ("0", "ゼロ"),
            ("7", "ナナ"),
            ("10", "ジュー"),
            ("14", "ジューヨン"),
            ("100", "ヒャク"),
            ("365", "サンビャクロクジューゴ"),
            ("600", "ロッピャク"),
            ("1000", "セン"),
            ("1998", "センキューヒャクキュージューハチ"),
            ("3800", "サンゼンハッピャク"),
            ("10000", "イチマン"),
            ("10000000", "イッセンマン"),
            ("123456789", "イチオクニセンサンビャクヨンジューゴマンロクセンナナヒャクハチジューキュー"),
            ("100000000000", "センオク"),
            ("1000000000000", "イッチョー"),
            ("10000000000000", "ジュッチョー"),
            ("007", "ゼロゼロナナ"),
        ] {
            assert_eq!(Number::cardinal(digits).words.concat(), wanted, "{digits}");
        }
        assert_eq!(Number::decimal("1", "05").words.concat(), "イッテンゼロゴ");
        assert_eq!(Number::decimal("0", "5").words.concat(), "レーテンゴ");
    }

    #[test]
    fn numerals_in_kanji_have_values() {
        for (numeral, wanted) in [
            ("二〇二四", Some(2024)),
            ("三百五", Some(305)),
            ("千九百八十四", Some(1984)),
            ("1億2000万", Some(120_000_000)),
            ("5千", Some(5000)),
            ("万", Some(10_000)),
            ("十五", Some(15)),
            ("一千万", Some(10_000_000)),
            ("本", None),
        ] {
            assert_eq!(value_of(numeral), wanted, "{numeral}");
        }
        assert_eq!(value_of(&"九".repeat(50)), None);
    }
}
