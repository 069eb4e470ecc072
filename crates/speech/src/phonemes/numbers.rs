//! Digits that reach this late: `text` spells numbers out, so this is for tokens made by other hands.

/// The words of a number: `1,250` → one thousand two hundred fifty, `3.5` → three point five. What has more digits
/// than a trillion, or leads with a zero, is read digit by digit. `None` when there is no ASCII digit in it.
pub(super) fn words(text: &str) -> Option<Vec<&'static str>> {
    let digits: String = text.chars().filter(|&c| c.is_ascii_digit() || c == '.').collect();
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
    if !digits.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let mut words = Vec::new();
    match whole.parse::<u64>() {
        Ok(number) if number < 1_000_000_000_000_000 && (whole == "0" || !whole.starts_with('0')) => {
            cardinal(number, &mut words);
        }
        _ => words.extend(whole.chars().filter_map(digit)),
    }
    if fraction.contains(|c: char| c.is_ascii_digit()) {
        words.push("point");
        words.extend(fraction.chars().filter_map(digit));
    }
    Some(words)
}

const ONES: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 10] =
    ["", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const SCALES: [(u64, &str); 5] = [
    (1_000_000_000_000, "trillion"),
    (1_000_000_000, "billion"),
    (1_000_000, "million"),
    (1_000, "thousand"),
    (100, "hundred"),
];

fn digit(c: char) -> Option<&'static str> {
    ONES.get(c.to_digit(10)? as usize).copied()
}

fn cardinal(number: u64, words: &mut Vec<&'static str>) {
    if let Some(word) = ONES.get(number as usize) {
        words.push(word);
        return;
    }
    let (unit, rest) = if let Some(&(size, name)) = SCALES.iter().find(|(size, _)| number >= *size) {
        cardinal(number / size, words);
        (name, number % size)
    } else {
        (TENS[(number / 10) as usize % 10], number % 10)
    };
    words.push(unit);
    if rest > 0 {
        cardinal(rest, words);
    }
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn digits_are_read_as_cardinals_with_decimals_or_one_by_one() {
        for (digits, expected) in [
            ("0", "zero"),
            ("19", "nineteen"),
            ("42", "forty two"),
            ("1,250", "one thousand two hundred fifty"),
            ("1000000", "one million"),
            ("3.05", "three point zero five"),
            ("007", "zero zero seven"),
            (".5", "point five"),
            (
                "12345678901234567",
                "one two three four five six seven eight nine zero one two three four five six seven",
            ),
        ] {
            assert_eq!(words(digits).unwrap().join(" "), expected, "{digits}");
        }
        assert_eq!(words("½"), None);
        assert_eq!(words("99999999999999999999999999").unwrap().len(), 26);
    }
}
