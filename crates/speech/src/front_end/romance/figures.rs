//! What the languages share in writing numbers in words. The input is only digits; other modules
//! decide which kind of number they are.

pub(in crate::front_end) use super::grammar::Form;
use super::grammar::Grammar;

/// The most digits in a cardinal; longer numbers are read digit by digit.
pub(in crate::front_end) const MOST_DIGITS: usize = 18;

/// A whole number; numbers over 18 digits are read digit by digit.
pub(super) fn cardinal(grammar: &dyn Grammar, digits: &str, form: Form) -> String {
    let significant = digits.trim_start_matches('0');
    if significant.len() > MOST_DIGITS {
        return each(grammar, digits);
    }
    grammar.number(significant.parse().unwrap_or(0), form)
}

/// Each digit separately; other characters are skipped.
pub(in crate::front_end) fn each(grammar: &dyn Grammar, digits: &str) -> String {
    let digits = digits.chars().filter_map(|c| c.to_digit(10));
    let words: Vec<String> = digits.map(|digit| grammar.number(u64::from(digit), Form::Alone)).collect();
    words.join(" ")
}

/// The digits after the decimal point: a few digits are read as a number, after their leading
/// zeros.
pub(super) fn fraction(grammar: &dyn Grammar, digits: &str) -> String {
    let significant = digits.trim_start_matches('0');
    let zeros = digits.len() - significant.len();
    if significant.is_empty() || significant.len() > 3 || zeros > 3 {
        return each(grammar, digits);
    }
    leading_zeros(grammar, zeros) + &cardinal(grammar, significant, Form::Alone)
}

/// A group of digits as a number, after its leading zeros.
pub(in crate::front_end) fn group(grammar: &dyn Grammar, digits: &str) -> String {
    let significant = digits.trim_start_matches('0');
    let zeros = leading_zeros(grammar, digits.len() - significant.len());
    if significant.is_empty() {
        return zeros.trim_end().to_owned();
    }
    if significant.len() > 3 {
        return each(grammar, digits);
    }
    zeros + &cardinal(grammar, significant, Form::Alone)
}

fn leading_zeros(grammar: &dyn Grammar, count: usize) -> String {
    (grammar.number(0, Form::Alone) + " ").repeat(count)
}

/// Whether a number ends in millions, so that "of" follows it.
pub(super) fn takes_of(digits: &str) -> bool {
    digits.len() > 6 && digits.ends_with("000000")
}
