//! Labels of ordered list items (3, iii, C), the same for every format.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NumberStyle {
    Decimal,
    LowerLetters,
    UpperLetters,
    LowerRoman,
    UpperRoman,
}

impl NumberStyle {
    /// The written form of a number; digits for numbers that letters or Roman numerals cannot
    /// express.
    pub(crate) fn format(self, number: i64) -> String {
        let format = match self {
            Self::Decimal => None,
            Self::LowerLetters => letters(number),
            Self::UpperLetters => letters(number).map(|letters| letters.to_ascii_uppercase()),
            Self::LowerRoman => roman(number),
            Self::UpperRoman => roman(number).map(|roman| roman.to_ascii_uppercase()),
        };
        format.unwrap_or_else(|| number.to_string())
    }
}

/// a … z, aa, ab …
fn letters(number: i64) -> Option<String> {
    let mut letters = Vec::new();
    let mut rest = u32::try_from(number).ok().filter(|&number| (1..=10_000).contains(&number))?;
    while rest > 0 {
        letters.push(char::from(b'a' + ((rest - 1) % 26) as u8));
        rest = (rest - 1) / 26;
    }
    Some(letters.into_iter().rev().collect())
}

fn roman(number: i64) -> Option<String> {
    const SIGNS: [(u32, &str); 13] = [
        (1_000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    let mut rest = u32::try_from(number).ok().filter(|&number| (1..4_000).contains(&number))?;
    let mut roman = String::new();
    for (value, sign) in SIGNS {
        while rest >= value {
            roman.push_str(sign);
            rest -= value;
        }
    }
    Some(roman)
}

#[cfg(test)]
mod tests {
    use super::NumberStyle::{Decimal, LowerLetters, LowerRoman, UpperLetters, UpperRoman};

    #[test]
    fn numbers_are_written_as_lists_write_them() {
        for (counting, number, format) in [
            (Decimal, -2, "-2"),
            (LowerLetters, 1, "a"),
            (LowerLetters, 26, "z"),
            (UpperLetters, 28, "AB"),
            (LowerLetters, 0, "0"),
            (LowerRoman, 4, "iv"),
            (UpperRoman, 1994, "MCMXCIV"),
            (UpperRoman, 4_000, "4000"),
            (LowerLetters, i64::MAX, "9223372036854775807"),
        ] {
            assert_eq!(counting.format(number), format);
        }
    }
}
