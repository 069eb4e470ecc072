//! Numbers in words: cardinals with their gender, ordinals and the names of fractions.

use crate::front_end::romance::figures::Form;

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
