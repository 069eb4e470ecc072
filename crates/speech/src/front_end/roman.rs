//! Roman numerals.

/// The value of a Roman numeral in capitals and in the usual form.
pub(crate) fn value(numeral: &str) -> Option<u64> {
    const STEPS: [(&str, u64); 13] = [
        ("M", 1000),
        ("CM", 900),
        ("D", 500),
        ("CD", 400),
        ("C", 100),
        ("XC", 90),
        ("L", 50),
        ("XL", 40),
        ("X", 10),
        ("IX", 9),
        ("V", 5),
        ("IV", 4),
        ("I", 1),
    ];
    if numeral.is_empty() || numeral.len() > 15 {
        return None;
    }
    let (mut rest, mut value) = (numeral, 0);
    for (sign, worth) in STEPS {
        let most = if sign.len() == 1 && "MCXI".contains(sign) { 3 } else { 1 };
        for _ in 0..most {
            if let Some(shorter) = rest.strip_prefix(sign) {
                (rest, value) = (shorter, value + worth);
            }
        }
    }
    rest.is_empty().then_some(value)
}
