//! Numbers in words: cardinals with their gender, ordinals and the names of fractions.

use crate::front_end::romance::figures::Form;

const SMALL: [&str; 20] = [
    "zero",
    "um",
    "dois",
    "três",
    "quatro",
    "cinco",
    "seis",
    "sete",
    "oito",
    "nove",
    "dez",
    "onze",
    "doze",
    "treze",
    "quatorze",
    "quinze",
    "dezesseis",
    "dezessete",
    "dezoito",
    "dezenove",
];
const TENS: [&str; 10] =
    ["", "dez", "vinte", "trinta", "quarenta", "cinquenta", "sessenta", "setenta", "oitenta", "noventa"];
/// Without their ending, `os` or `as`.
const HUNDREDS: [&str; 10] = [
    "",
    "cent",
    "duzent",
    "trezent",
    "quatrocent",
    "quinhent",
    "seiscent",
    "setecent",
    "oitocent",
    "novecent",
];
/// Singular and plural of each power of a thousand.
const POWERS: [(&str, &str); 7] = [
    ("", ""),
    ("mil", "mil"),
    ("milhão", "milhões"),
    ("bilhão", "bilhões"),
    ("trilhão", "trilhões"),
    ("quatrilhão", "quatrilhões"),
    ("quintilhão", "quintilhões"),
];

/// A whole number.
pub(super) fn number(value: u64, form: Form) -> String {
    if value == 0 {
        return SMALL[0].to_owned();
    }
    let mut words: Vec<String> = Vec::new();
    for (power, (one, many)) in POWERS.iter().enumerate().rev() {
        let group = value / 1000_u64.pow(power as u32) % 1000;
        if group == 0 {
            continue;
        }
        // "E" stands before the last group when it is short: "mil e duzentos", "dois mil e vinte".
        let is_last = value.is_multiple_of(1000_u64.pow(power as u32));
        if !words.is_empty() && is_last && (group < 100 || group.is_multiple_of(100)) {
            words.push("e".to_owned());
        }
        // Millions are masculine, thousands agree with what is counted.
        let form = if power > 1 { Form::Masculine } else { form };
        if power != 1 || group > 1 {
            words.push(below_thousand(group, form));
        }
        if power > 0 {
            words.push((if group == 1 { *one } else { *many }).to_owned());
        }
    }
    words.join(" ")
}

fn below_thousand(value: u64, form: Form) -> String {
    let (hundreds, rest) = (value / 100, value % 100);
    let mut words = Vec::new();
    match hundreds {
        0 => {}
        1 => words.push((if rest == 0 { "cem" } else { "cento" }).to_owned()),
        _ => {
            let ending = if form == Form::Feminine { "as" } else { "os" };
            words.push(format!("{}{ending}", HUNDREDS[hundreds as usize]));
        }
    }
    let small = |value: u64| match (value, form) {
        (1, Form::Feminine) => "uma",
        (2, Form::Feminine) => "duas",
        _ => SMALL[value as usize],
    };
    match rest {
        0 => {}
        1..=19 => words.push(small(rest).to_owned()),
        _ => {
            words.push(TENS[(rest / 10) as usize].to_owned());
            if rest % 10 > 0 {
                words.push(small(rest % 10).to_owned());
            }
        }
    }
    words.join(" e ")
}

/// `primeiro`, `segunda`, `vigésimo primeiro`; a number without an ordinal becomes a cardinal.
pub(super) fn ordinal(value: u64, feminine: bool) -> String {
    const ONES: [&str; 10] =
        ["", "primeir", "segund", "terceir", "quart", "quint", "sext", "sétim", "oitav", "non"];
    const TENS: [&str; 10] = [
        "",
        "décim",
        "vigésim",
        "trigésim",
        "quadragésim",
        "quinquagésim",
        "sexagésim",
        "septuagésim",
        "octogésim",
        "nonagésim",
    ];
    const HUNDREDS: [&str; 10] = [
        "",
        "centésim",
        "ducentésim",
        "trecentésim",
        "quadringentésim",
        "quingentésim",
        "sexcentésim",
        "septingentésim",
        "octingentésim",
        "noningentésim",
    ];
    let ending = if feminine { "a" } else { "o" };
    match value {
        1..=999 => {
            let stems = [
                HUNDREDS[(value / 100) as usize],
                TENS[(value / 10 % 10) as usize],
                ONES[(value % 10) as usize],
            ];
            let words = stems.iter().filter(|stem| !stem.is_empty()).map(|stem| format!("{stem}{ending}"));
            words.collect::<Vec<_>>().join(" ")
        }
        1000 => format!("milésim{ending}"),
        _ => number(value, if feminine { Form::Feminine } else { Form::Alone }),
    }
}

/// The names of fractions, singular and plural: `meio`, `terços`, `doze avos`.
pub(super) fn part(bottom: u64, many: bool) -> Option<String> {
    let name = match bottom {
        2 => "meio".to_owned(),
        3 => "terço".to_owned(),
        4..=10 | 100 | 1000 => ordinal(bottom, false),
        11..=99 => return Some(format!("{} avos", number(bottom, Form::Alone))),
        _ => return None,
    };
    Some(if many { name + "s" } else { name })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cardinals_agree_with_what_they_count_and_have_their_e() {
        for (value, alone, feminine) in [
            (1, "um", "uma"),
            (2, "dois", "duas"),
            (16, "dezesseis", "dezesseis"),
            (21, "vinte e um", "vinte e uma"),
            (100, "cem", "cem"),
            (101, "cento e um", "cento e uma"),
            (200, "duzentos", "duzentas"),
            (999, "novecentos e noventa e nove", "novecentas e noventa e nove"),
            (1000, "mil", "mil"),
            (1200, "mil e duzentos", "mil e duzentas"),
            (1234, "mil duzentos e trinta e quatro", "mil duzentas e trinta e quatro"),
            (1989, "mil novecentos e oitenta e nove", "mil novecentas e oitenta e nove"),
            (2025, "dois mil e vinte e cinco", "duas mil e vinte e cinco"),
            (1_000_000, "um milhão", "um milhão"),
            (2_500_000, "dois milhões e quinhentos mil", "dois milhões e quinhentas mil"),
        ] {
            assert_eq!(
                [number(value, Form::Alone), number(value, Form::Feminine)],
                [alone, feminine],
                "{value}"
            );
        }
    }

    #[test]
    fn ordinals_and_parts_have_their_own_words() {
        assert_eq!(ordinal(1, false), "primeiro");
        assert_eq!(ordinal(3, true), "terceira");
        assert_eq!(ordinal(13, false), "décimo terceiro");
        assert_eq!(ordinal(21, true), "vigésima primeira");
        assert_eq!(ordinal(100, false), "centésimo");
        assert_eq!(part(3, true).as_deref(), Some("terços"));
        assert_eq!(part(12, true).as_deref(), Some("doze avos"));
    }
}
