//! Numbers in Chinese characters: as an amount (一千零五), digit by digit (二零二六), and digit by
//! digit as they are called out, with 幺 for one (幺三八).

const DIGITS: [char; 10] = ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// Longer numbers are read digit by digit.
const MOST_DIGITS: usize = 16;

const TEN_THOUSAND: u64 = 10_000;
const HUNDRED_MILLION: u64 = 100_000_000;

/// A whole number as an amount: 一百零五, 两千. Other characters than digits are passed over.
pub(super) fn cardinal(number: &str) -> String {
    let significant = number.trim_start_matches('0');
    if significant.is_empty() {
        return "零".to_owned();
    }
    let value = significant.parse::<u64>().ok().filter(|_| significant.len() <= MOST_DIGITS);
    let Some(value) = value else { return digits(number) };
    let mut words = String::new();
    write(value, &mut words);
    // Ten to nineteen at the start have no 一; two thousand and more begin with 两.
    if let Some(rest) = words.strip_prefix("一十") {
        return format!("十{rest}");
    }
    match words.strip_prefix('二') {
        Some(rest) if rest.starts_with(['千', '万', '亿']) => format!("两{rest}"),
        _ => words,
    }
}

/// Digit by digit.
pub(super) fn digits(number: &str) -> String {
    number.chars().filter_map(|c| c.to_digit(10)).map(|digit| DIGITS[digit as usize]).collect()
}

/// Digit by digit as on the telephone: 幺 for one.
pub(super) fn called(number: &str) -> String {
    digits(number).replace('一', "幺")
}

/// A number with digits after the point: 三点一四.
pub(super) fn decimal(whole: &str, fraction: &str) -> String {
    let whole = if whole.is_empty() { "零".to_owned() } else { cardinal(whole) };
    if fraction.is_empty() { whole } else { format!("{whole}点{}", digits(fraction)) }
}

fn write(value: u64, words: &mut String) {
    let (high, low) = (value / HUNDRED_MILLION, value % HUNDRED_MILLION);
    if high > 0 {
        write_small(high, words);
        words.push('亿');
        if low > 0 && low < HUNDRED_MILLION / 10 {
            words.push('零');
        }
    }
    write_small(low, words);
}

/// Below a hundred million.
fn write_small(value: u64, words: &mut String) {
    let (high, low) = (value / TEN_THOUSAND, value % TEN_THOUSAND);
    if high > 0 {
        write_four(high, words);
        words.push('万');
        if low > 0 && low < TEN_THOUSAND / 10 {
            words.push('零');
        }
    }
    write_four(low, words);
}

/// Below ten thousand; nothing for zero.
fn write_four(value: u64, words: &mut String) {
    let mut started = false;
    let mut gap = false;
    for (unit, name) in [(1000, "千"), (100, "百"), (10, "十"), (1, "")] {
        let digit = value / unit % 10;
        if digit == 0 {
            gap = started;
            continue;
        }
        if gap {
            words.push('零');
            gap = false;
        }
        words.push(DIGITS[digit as usize]);
        words.push_str(name);
        started = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_their_zeros_and_units() {
        for (number, words) in [
            ("0", "零"),
            ("10", "十"),
            ("15", "十五"),
            ("20", "二十"),
            ("100", "一百"),
            ("101", "一百零一"),
            ("110", "一百一十"),
            ("111", "一百一十一"),
            ("200", "二百"),
            ("1000", "一千"),
            ("1005", "一千零五"),
            ("1015", "一千零一十五"),
            ("1050", "一千零五十"),
            ("2000", "两千"),
            ("2222", "两千二百二十二"),
            ("10000", "一万"),
            ("10005", "一万零五"),
            ("20050", "两万零五十"),
            ("100500", "十万零五百"),
            ("110000", "十一万"),
            ("1002000", "一百万二千"),
            ("12345678", "一千二百三十四万五千六百七十八"),
            ("100000000", "一亿"),
            ("100000001", "一亿零一"),
            ("350000000", "三亿五千万"),
            ("1000000000000", "一万亿"),
            ("1400050000", "十四亿零五万"),
        ] {
            assert_eq!(cardinal(number), words, "{number}");
        }
        assert_eq!(cardinal(&"9".repeat(17)), "九".repeat(17));
    }

    #[test]
    fn digits_are_read_one_by_one() {
        assert_eq!(digits("2026"), "二零二六");
        assert_eq!(called("10086"), "幺零零八六");
        assert_eq!(decimal("3", "14"), "三点一四");
        assert_eq!(decimal("", "5"), "零点五");
    }
}
