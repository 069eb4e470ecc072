//! Numbers in words: cardinals, ordinals, years, digits one by one. The input is only digits; other
//! modules decide which kind of number they are.

pub(super) use crate::front_end::roman::value as roman;

const SMALL: [&str; 20] = [
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
    ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const THOUSANDS: [&str; 6] = ["", "thousand", "million", "billion", "trillion", "quadrillion"];

/// The most digits in a cardinal; longer numbers are read digit by digit.
pub(super) const MOST_DIGITS: usize = 18;

/// How whole numbers are read: American "one hundred five", British "one hundred and five".
#[derive(Debug, Clone, Copy)]
pub(super) struct Figures {
    /// British: "and" comes before the tens and ones, and dates put the day first.
    pub with_and: bool,
}

impl Figures {
    /// A whole number; numbers over 18 digits are read digit by digit.
    pub(super) fn cardinal(self, digits: &str) -> String {
        let significant = digits.trim_start_matches('0');
        if significant.len() > MOST_DIGITS {
            return each(digits);
        }
        let value: u64 = if significant.is_empty() { 0 } else { significant.parse().unwrap_or(0) };
        self.number(value)
    }

    /// A whole number.
    pub(super) fn number(self, value: u64) -> String {
        if value == 0 {
            return SMALL[0].to_owned();
        }
        let mut words: Vec<String> = Vec::new();
        for (power, name) in THOUSANDS.iter().enumerate().rev() {
            let group = value / 1000u64.pow(power as u32) % 1000;
            if group == 0 {
                continue;
            }
            if self.with_and && power == 0 && group < 100 && !words.is_empty() {
                words.push("and".to_owned());
            }
            words.push(self.below_thousand(group));
            if power > 0 {
                words.push((*name).to_owned());
            }
        }
        words.join(" ")
    }

    /// `first`, `twenty first`, `one hundredth`.
    pub(super) fn ordinal(self, value: u64) -> String {
        let cardinal = self.number(value);
        let (head, last) =
            cardinal.rsplit_once(' ').map_or(("", cardinal.as_str()), |(head, last)| (head, last));
        let last = match last {
            "one" => "first".to_owned(),
            "two" => "second".to_owned(),
            "three" => "third".to_owned(),
            "five" => "fifth".to_owned(),
            "eight" => "eighth".to_owned(),
            "nine" => "ninth".to_owned(),
            "twelve" => "twelfth".to_owned(),
            ty if ty.ends_with('y') => format!("{}ieth", &ty[..ty.len() - 1]),
            other => format!("{other}th"),
        };
        if head.is_empty() { last } else { format!("{head} {last}") }
    }

    /// A year, or any number of four digits read like a year: `nineteen oh five`, `two thousand
    /// five`.
    pub(super) fn year(self, value: u64) -> String {
        let (century, rest) = (value / 100, value % 100);
        if !(1000..=9999).contains(&value) || value % 1000 < 10 {
            return self.number(value);
        }
        match rest {
            0 => format!("{} hundred", self.number(century)),
            1..=9 => format!("{} oh {}", self.number(century), self.number(rest)),
            _ => format!("{} {}", self.number(century), self.number(rest)),
        }
    }

    /// The plural of a decade: `nineteen nineties`, `eighteen hundreds`, `twenties`.
    pub(super) fn decade(self, value: u64) -> String {
        let year = if value < 100 { self.number(value) } else { self.year(value) };
        match year.strip_suffix('y') {
            Some(head) => format!("{head}ies"),
            None => format!("{year}s"),
        }
    }

    /// A decimal number: the whole part and the digits of its fraction, as in `three point one
    /// four`.
    pub(super) fn decimal(self, whole: &str, fraction: &str) -> String {
        let point = format!("point {}", each(fraction));
        if whole.is_empty() { point } else { format!("{} {point}", self.cardinal(whole)) }
    }

    fn below_thousand(self, value: u64) -> String {
        let (hundreds, rest) = (value / 100, value % 100);
        let mut words = Vec::new();
        if hundreds > 0 {
            words.push(SMALL[hundreds as usize]);
            words.push("hundred");
            if rest > 0 && self.with_and {
                words.push("and");
            }
        }
        if rest >= 20 {
            words.push(TENS[(rest / 10) as usize]);
            if rest % 10 > 0 {
                words.push(SMALL[(rest % 10) as usize]);
            }
        } else if rest > 0 {
            words.push(SMALL[rest as usize]);
        }
        words.join(" ")
    }
}

/// Each digit separately; other characters are skipped.
pub(super) fn each(digits: &str) -> String {
    let words: Vec<&str> =
        digits.chars().filter_map(|c| c.to_digit(10)).map(|digit| SMALL[digit as usize]).collect();
    words.join(" ")
}

/// The words of a token that still has digits after `text`: `1,250` → one thousand two hundred
/// fifty, `3.5` → three point five. A number of more than 15 digits, or with a leading zero, is
/// read digit by digit. `None` when the token has no ASCII digit.
pub(in crate::front_end::english) fn token(text: &str) -> Option<String> {
    let digits: String = text.chars().filter(|&c| c.is_ascii_digit() || c == '.').collect();
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
    if !digits.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let short = whole.len() <= MOST_DIGITS_OF_TOKEN && (whole == "0" || !whole.starts_with('0'));
    let whole = match whole.parse() {
        Ok(value) if short => Figures { with_and: false }.number(value),
        _ => each(whole),
    };
    let fraction = each(fraction);
    let point = if fraction.is_empty() { "" } else { "point" };
    let parts = [whole.as_str(), point, fraction.as_str()].into_iter().filter(|part| !part.is_empty());
    Some(parts.collect::<Vec<_>>().join(" "))
}

/// The most digits in a token's number; longer numbers are read digit by digit.
const MOST_DIGITS_OF_TOKEN: usize = 15;

#[cfg(test)]
mod tests {
    use super::token;

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
            assert_eq!(token(digits).unwrap(), expected, "{digits}");
        }
        assert_eq!(token("½"), None);
        assert_eq!(token("99999999999999999999999999").unwrap().split(' ').count(), 26);
    }
}
