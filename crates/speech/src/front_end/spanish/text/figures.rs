//! Numbers in words: cardinals with their gender, ordinals, fractions, digits one by one. The input
//! is only digits; other modules decide which kind of number they are.

const SMALL: [&str; 30] = [
    "cero",
    "uno",
    "dos",
    "tres",
    "cuatro",
    "cinco",
    "seis",
    "siete",
    "ocho",
    "nueve",
    "diez",
    "once",
    "doce",
    "trece",
    "catorce",
    "quince",
    "dieciséis",
    "diecisiete",
    "dieciocho",
    "diecinueve",
    "veinte",
    "veintiuno",
    "veintidós",
    "veintitrés",
    "veinticuatro",
    "veinticinco",
    "veintiséis",
    "veintisiete",
    "veintiocho",
    "veintinueve",
];
const TENS: [&str; 10] =
    ["", "diez", "veinte", "treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa"];
/// Without their ending, `os` or `as`.
const HUNDREDS: [&str; 10] = [
    "",
    "cient",
    "doscient",
    "trescient",
    "cuatrocient",
    "quinient",
    "seiscient",
    "setecient",
    "ochocient",
    "novecient",
];
/// Singular and plural of each power of a million.
const MILLIONS: [(&str, &str); 4] =
    [("", ""), ("millón", "millones"), ("billón", "billones"), ("trillón", "trillones")];

/// The most digits in a cardinal; longer numbers are read digit by digit.
pub(super) const MOST_DIGITS: usize = 18;

/// How a number agrees with the noun that it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Without a following noun: `uno`, `doscientos`.
    Alone,
    /// Before a masculine noun: `un`, `veintiún`, `doscientos`.
    Masculine,
    /// Before a feminine noun, or instead of one: `una`, `doscientas`.
    Feminine,
}

/// A whole number; numbers over 18 digits are read digit by digit.
pub(super) fn cardinal(digits: &str, form: Form) -> String {
    let significant = digits.trim_start_matches('0');
    if significant.len() > MOST_DIGITS {
        return each(digits);
    }
    number(significant.parse().unwrap_or(0), form)
}

/// A whole number.
pub(super) fn number(value: u64, form: Form) -> String {
    if value == 0 {
        return SMALL[0].to_owned();
    }
    let mut words = Vec::new();
    for (power, (one, many)) in MILLIONS.iter().enumerate().rev() {
        let group = value / 1_000_000_u64.pow(power as u32) % 1_000_000;
        if group == 0 {
            continue;
        }
        // Millions are masculine, whatever the noun.
        words.push(below_million(group, if power > 0 { Form::Masculine } else { form }));
        if power > 0 {
            words.push((if group == 1 { *one } else { *many }).to_owned());
        }
    }
    words.join(" ")
}

fn below_million(value: u64, form: Form) -> String {
    let (thousands, rest) = (value / 1000, value % 1000);
    let mut words = Vec::new();
    if thousands > 1 {
        words.push(below_thousand(thousands, form, true));
    }
    if thousands > 0 {
        words.push("mil".to_owned());
    }
    if rest > 0 {
        words.push(below_thousand(rest, form, false));
    }
    words.join(" ")
}

/// `before_thousand` means that "mil" follows: before it, "uno" becomes "un" even where hundreds
/// are feminine.
fn below_thousand(value: u64, form: Form, before_thousand: bool) -> String {
    let (hundreds, rest) = ((value / 100) as usize, (value % 100) as usize);
    let mut words = String::new();
    match hundreds {
        0 => {}
        1 if rest == 0 => words.push_str("cien"),
        1 => words.push_str("ciento"),
        _ => {
            words.push_str(HUNDREDS[hundreds]);
            words.push_str(if form == Form::Feminine { "as" } else { "os" });
        }
    }
    if rest == 0 {
        return words;
    }
    if hundreds > 0 {
        words.push(' ');
    }
    let one = if before_thousand { Form::Masculine } else { form };
    let (tens, ones) = (rest / 10, rest % 10);
    let last = match (rest, ones, one) {
        (21, _, Form::Masculine) => "veintiún",
        (21, _, Form::Feminine) => "veintiuna",
        (..30, ..) if rest != 1 => SMALL[rest],
        (_, 1, Form::Masculine) => "un",
        (_, 1, Form::Feminine) => "una",
        _ => SMALL[ones],
    };
    if rest >= 30 {
        words.push_str(TENS[tens]);
        if ones > 0 {
            words.push_str(" y ");
        }
    }
    if rest < 30 || ones > 0 {
        words.push_str(last);
    }
    words
}

/// Whether a number ends in millions, so that "de" follows it.
pub(super) fn takes_de(digits: &str) -> bool {
    digits.len() > 6 && digits.ends_with("000000")
}

/// An ordinal without its last letter: `primer`, `vigésimo segund`; adding the ending makes a word.
/// `None` above 999 and for 0.
fn ordinal_stem(value: u64, feminine: bool) -> Option<String> {
    const ONES: [&str; 20] = [
        "",
        "primer",
        "segund",
        "tercer",
        "cuart",
        "quint",
        "sext",
        "séptim",
        "octav",
        "noven",
        "décim",
        "undécim",
        "duodécim",
        "decimotercer",
        "decimocuart",
        "decimoquint",
        "decimosext",
        "decimoséptim",
        "decimoctav",
        "decimonoven",
    ];
    const TENS: [&str; 10] = [
        "",
        "",
        "vigésim",
        "trigésim",
        "cuadragésim",
        "quincuagésim",
        "sexagésim",
        "septuagésim",
        "octogésim",
        "nonagésim",
    ];
    const HUNDREDS: [&str; 10] = [
        "",
        "centésim",
        "ducentésim",
        "tricentésim",
        "cuadringentésim",
        "quingentésim",
        "sexcentésim",
        "septingentésim",
        "octingentésim",
        "noningentésim",
    ];
    if value == 1000 {
        return Some("milésim".to_owned());
    }
    if !(1..1000).contains(&value) {
        return None;
    }
    let (hundreds, rest) = ((value / 100) as usize, (value % 100) as usize);
    let mut parts = vec![HUNDREDS[hundreds]];
    if rest < 20 {
        parts.push(ONES[rest]);
    } else {
        parts.extend([TENS[rest / 10], ONES[rest % 10]]);
    }
    parts.retain(|part| !part.is_empty());
    Some(parts.join(if feminine { "a " } else { "o " }))
}

/// `primero`, `segunda`, `vigésimo primero`; a number without an ordinal becomes a cardinal.
pub(super) fn ordinal(value: u64, feminine: bool) -> String {
    match ordinal_stem(value, feminine) {
        Some(stem) => stem + if feminine { "a" } else { "o" },
        None => number(value, Form::Alone),
    }
}

/// An ordinal before a masculine noun: `primer`, `tercer`, `segundo`.
pub(super) fn ordinal_before(value: u64, feminine: bool) -> String {
    match ordinal_stem(value, feminine) {
        Some(stem) if !feminine && (stem.ends_with("primer") || stem.ends_with("tercer")) => stem,
        _ => ordinal(value, feminine),
    }
}

/// The names of fractions, singular and plural: `tercio`, `quintos`, `veinteavos`.
pub(super) fn part(bottom: u64, many: bool) -> Option<String> {
    let name = match bottom {
        2 => "medio".to_owned(),
        3 => "tercio".to_owned(),
        4..=10 | 100 | 1000 => ordinal(bottom, false),
        11 => "onceavo".to_owned(),
        12..=99 => {
            let whole = number(bottom, Form::Alone).replace(" y ", "i").replace('é', "e").replace('ó', "o");
            match whole.strip_suffix("uno") {
                Some(stem) => format!("{stem}unavo"),
                None if whole.ends_with('a') => format!("{whole}vo"),
                None => format!("{whole}avo"),
            }
        }
        _ => return None,
    };
    Some(if many { name + "s" } else { name })
}

/// The digits after the decimal point: a few digits are read as a number, after their leading
/// zeros.
pub(super) fn fraction(digits: &str) -> String {
    let significant = digits.trim_start_matches('0');
    if significant.is_empty() || significant.len() > 3 || digits.len() - significant.len() > 3 {
        return each(digits);
    }
    let mut words = "cero ".repeat(digits.len() - significant.len());
    words.push_str(&cardinal(significant, Form::Alone));
    words
}

/// Each digit separately; other characters are skipped.
pub(super) fn each(digits: &str) -> String {
    let words: Vec<&str> =
        digits.chars().filter_map(|c| c.to_digit(10)).map(|digit| SMALL[digit as usize]).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cardinals_agree_with_what_they_count() {
        for (value, alone, masculine, feminine) in [
            (0, "cero", "cero", "cero"),
            (1, "uno", "un", "una"),
            (16, "dieciséis", "dieciséis", "dieciséis"),
            (21, "veintiuno", "veintiún", "veintiuna"),
            (31, "treinta y uno", "treinta y un", "treinta y una"),
            (40, "cuarenta", "cuarenta", "cuarenta"),
            (100, "cien", "cien", "cien"),
            (101, "ciento uno", "ciento un", "ciento una"),
            (500, "quinientos", "quinientos", "quinientas"),
            (1000, "mil", "mil", "mil"),
            (
                1999,
                "mil novecientos noventa y nueve",
                "mil novecientos noventa y nueve",
                "mil novecientas noventa y nueve",
            ),
            (21_000, "veintiún mil", "veintiún mil", "veintiún mil"),
            (
                200_701,
                "doscientos mil setecientos uno",
                "doscientos mil setecientos un",
                "doscientas mil setecientas una",
            ),
            (1_000_000, "un millón", "un millón", "un millón"),
            (
                21_000_500,
                "veintiún millones quinientos",
                "veintiún millones quinientos",
                "veintiún millones quinientas",
            ),
            (1_000_000_000, "mil millones", "mil millones", "mil millones"),
        ] {
            let forms = [Form::Alone, Form::Masculine, Form::Feminine].map(|form| number(value, form));
            assert_eq!(forms, [alone, masculine, feminine], "{value}");
        }
        assert_eq!(number(2_000_000_000_000, Form::Alone), "dos billones");
        assert_eq!(cardinal("00000000000000000000000012", Form::Alone), "doce");
        assert_eq!(cardinal(&"7".repeat(19), Form::Alone).split(' ').count(), 19);
    }

    #[test]
    fn ordinals_and_parts_have_their_own_words() {
        assert_eq!(ordinal(1, false), "primero");
        assert_eq!(ordinal(3, true), "tercera");
        assert_eq!(ordinal(13, true), "decimotercera");
        assert_eq!(ordinal(21, true), "vigésima primera");
        assert_eq!(ordinal_before(21, false), "vigésimo primer");
        assert_eq!(ordinal(150, false), "centésimo quincuagésimo");
        assert_eq!(ordinal(2024, false), "dos mil veinticuatro");
        let parts = [2, 3, 8, 11, 12, 16, 20, 25, 30, 32, 100].map(|bottom| part(bottom, false).unwrap());
        assert_eq!(
            parts,
            [
                "medio",
                "tercio",
                "octavo",
                "onceavo",
                "doceavo",
                "dieciseisavo",
                "veinteavo",
                "veinticincoavo",
                "treintavo",
                "treintaidosavo",
                "centésimo"
            ]
        );
    }
}
