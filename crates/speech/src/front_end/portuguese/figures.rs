//! Numbers in words: cardinals with their gender, ordinals and the names of fractions.

use super::Variety;
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
/// The words of Portugal that differ from those of [`SMALL`].
const EUROPEAN_SMALL: [(u64, &str); 4] =
    [(14, "catorze"), (16, "dezasseis"), (17, "dezassete"), (19, "dezanove")];
/// What is counted in groups of digits: a power of ten, its singular and its plural, the largest first.
const BRAZILIAN_POWERS: [(u32, &str, &str); 6] = [
    (18, "quintilhão", "quintilhões"),
    (15, "quatrilhão", "quatrilhões"),
    (12, "trilhão", "trilhões"),
    (9, "bilhão", "bilhões"),
    (6, "milhão", "milhões"),
    (0, "", ""),
];
/// In Portugal each is a million of the one before: "mil milhões", "um bilião".
const EUROPEAN_POWERS: [(u32, &str, &str); 4] =
    [(18, "trilião", "triliões"), (12, "bilião", "biliões"), (6, "milhão", "milhões"), (0, "", "")];

/// A whole number.
pub(super) fn number(value: u64, form: Form, variety: Variety) -> String {
    if value == 0 {
        return SMALL[0].to_owned();
    }
    let powers: &[(u32, &str, &str)] = match variety {
        Variety::Brazilian => &BRAZILIAN_POWERS,
        Variety::European => &EUROPEAN_POWERS,
    };
    let mut words: Vec<String> = Vec::new();
    let mut rest = value;
    for &(power, one, many) in powers {
        let group = rest / 10_u64.pow(power);
        rest %= 10_u64.pow(power);
        if group == 0 {
            continue;
        }
        if !words.is_empty() && rest == 0 && is_short(group) {
            words.push("e".to_owned());
        }
        // Millions are masculine, thousands agree with what is counted.
        let form = if power > 0 { Form::Masculine } else { form };
        words.push(below_million(group, form, variety));
        if power > 0 {
            words.push((if group == 1 { one } else { many }).to_owned());
        }
    }
    words.join(" ")
}

/// Whether "e" stands before a last group: "mil e duzentos", "dois mil e vinte", "um milhão e cem mil".
fn is_short(group: u64) -> bool {
    let last = if group.is_multiple_of(1000) { group / 1000 } else { group };
    last < 100 || last < 1000 && last.is_multiple_of(100)
}

fn below_million(value: u64, form: Form, variety: Variety) -> String {
    let (thousands, rest) = (value / 1000, value % 1000);
    let mut words = Vec::new();
    match thousands {
        0 => {}
        1 => words.push("mil".to_owned()),
        _ => words.push(below_thousand(thousands, form, variety) + " mil"),
    }
    if thousands > 0 && rest > 0 && is_short(rest) {
        words.push("e".to_owned());
    }
    if rest > 0 {
        words.push(below_thousand(rest, form, variety));
    }
    words.join(" ")
}

fn below_thousand(value: u64, form: Form, variety: Variety) -> String {
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
    let small = |value: u64| {
        let european = EUROPEAN_SMALL.iter().find(|(own, _)| *own == value);
        match (value, form, variety) {
            (1, Form::Feminine, _) => "uma",
            (2, Form::Feminine, _) => "duas",
            (_, _, Variety::European) => european.map_or(SMALL[value as usize], |(_, word)| word),
            _ => SMALL[value as usize],
        }
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
pub(super) fn ordinal(value: u64, feminine: bool, variety: Variety) -> String {
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
        _ => number(value, if feminine { Form::Feminine } else { Form::Alone }, variety),
    }
}

/// The names of fractions, singular and plural: `meio`, `terços`, `doze avos`.
pub(super) fn part(bottom: u64, many: bool, variety: Variety) -> Option<String> {
    let name = match bottom {
        2 => "meio".to_owned(),
        3 => "terço".to_owned(),
        4..=10 | 100 | 1000 => ordinal(bottom, false, variety),
        11..=99 => return Some(format!("{} avos", number(bottom, Form::Alone, variety))),
        _ => return None,
    };
    Some(if many { name + "s" } else { name })
}

#[cfg(test)]
mod tests {
    use super::{Variety::Brazilian, Variety::European, *};

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
            (
                1_234_567,
                "um milhão duzentos e trinta e quatro mil quinhentos e sessenta e sete",
                "um milhão duzentas e trinta e quatro mil quinhentas e sessenta e sete",
            ),
            (3_000_000_020, "três bilhões e vinte", "três bilhões e vinte"),
        ] {
            assert_eq!(
                [number(value, Form::Alone, Brazilian), number(value, Form::Feminine, Brazilian)],
                [alone, feminine],
                "{value}"
            );
        }
    }

    #[test]
    fn portugal_has_words_and_powers_of_its_own() {
        for (value, words) in [
            (14, "catorze"),
            (1917, "mil novecentos e dezassete"),
            (16_016, "dezasseis mil e dezasseis"),
            (1_100_000, "um milhão e cem mil"),
            (1_000_000_000, "mil milhões"),
            (2_345_000_000, "dois mil trezentos e quarenta e cinco milhões"),
            (1_000_001_000_019, "um bilião um milhão e dezanove"),
            (u64::MAX, ""),
        ] {
            let said = number(value, Form::Alone, European);
            assert!(said == words || words.is_empty() && said.starts_with("dezoito triliões"), "{said}");
        }
    }

    #[test]
    fn ordinals_and_parts_have_their_own_words() {
        assert_eq!(ordinal(1, false, Brazilian), "primeiro");
        assert_eq!(ordinal(3, true, Brazilian), "terceira");
        assert_eq!(ordinal(13, false, Brazilian), "décimo terceiro");
        assert_eq!(ordinal(21, true, Brazilian), "vigésima primeira");
        assert_eq!(ordinal(100, false, Brazilian), "centésimo");
        assert_eq!(part(3, true, Brazilian).as_deref(), Some("terços"));
        assert_eq!(part(12, true, Brazilian).as_deref(), Some("doze avos"));
    }
}
