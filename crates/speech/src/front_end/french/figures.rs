//! Numbers in words: cardinals, ordinals and the names of fractions.

use super::Variety;
use crate::front_end::romance::figures::Form;

const SMALL: [&str; 17] = [
    "zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze",
    "treize", "quatorze", "quinze", "seize",
];
const TENS: [&str; 7] = ["", "dix", "vingt", "trente", "quarante", "cinquante", "soixante"];
/// Singular and plural of each power of a thousand.
const POWERS: [(&str, &str); 7] = [
    ("", ""),
    ("mille", "mille"),
    ("million", "millions"),
    ("milliard", "milliards"),
    ("billion", "billions"),
    ("billiard", "billiards"),
    ("trillion", "trillions"),
];

/// A whole number.
pub(super) fn number(value: u64, form: Form, variety: Variety) -> String {
    if value == 0 {
        return SMALL[0].to_owned();
    }
    let mut words = Vec::new();
    for (power, (one, many)) in POWERS.iter().enumerate().rev() {
        let group = value / 1000_u64.pow(power as u32) % 1000;
        match (power, group) {
            (_, 0) => {}
            (0, _) => words.push(below_thousand(group, form, true, variety)),
            // "Mille" has no "un" before it.
            (1, 1) => words.push((*one).to_owned()),
            _ => {
                // "Vingt" and "cent" have no -s before "mille", which is no noun.
                words.push(below_thousand(group, Form::Masculine, power > 1, variety));
                words.push((if group == 1 { *one } else { *many }).to_owned());
            }
        }
    }
    words.join(" ")
}

/// `last` means that no number follows, so that "cents" and "quatre-vingts" have their -s.
fn below_thousand(value: u64, form: Form, last: bool, variety: Variety) -> String {
    let (hundreds, rest) = (value / 100, value % 100);
    let mut words = Vec::new();
    match hundreds {
        0 => {}
        1 => words.push("cent".to_owned()),
        _ => {
            let end = if rest == 0 && last { "cents" } else { "cent" };
            words.push(format!("{} {end}", SMALL[hundreds as usize]));
        }
    }
    if rest > 0 {
        words.push(below_hundred(rest, form, last, variety));
    }
    words.join(" ")
}

fn below_hundred(value: u64, form: Form, last: bool, variety: Variety) -> String {
    let one = if form == Form::Feminine { "une" } else { "un" };
    let own_tens = match (value, variety) {
        (70..=79, Variety::Belgian | Variety::Swiss) => Some("septante"),
        (80..=89, Variety::Swiss) => Some("huitante"),
        (90..=99, Variety::Belgian | Variety::Swiss) => Some("nonante"),
        _ => None,
    };
    if let Some(tens) = own_tens {
        return match value % 10 {
            0 => tens.to_owned(),
            1 => format!("{tens} et {one}"),
            ones => format!("{tens}-{}", SMALL[ones as usize]),
        };
    }
    let small = |value: u64| match value {
        1 => one.to_owned(),
        0..=16 => SMALL[value as usize].to_owned(),
        _ => format!("dix-{}", SMALL[value as usize - 10]),
    };
    match value {
        0..=19 => small(value),
        80 => (if last { "quatre-vingts" } else { "quatre-vingt" }).to_owned(),
        81..=99 => format!("quatre-vingt-{}", small(value - 80)),
        71 => "soixante et onze".to_owned(),
        _ => {
            let tens = TENS[(value / 10).min(6) as usize];
            match value - (value / 10).min(6) * 10 {
                0 => tens.to_owned(),
                1 => format!("{tens} et {one}"),
                ones => format!("{tens}-{}", small(ones)),
            }
        }
    }
}

/// `premier`, `deuxième`, `vingt et unième`.
pub(super) fn ordinal(value: u64, feminine: bool, variety: Variety) -> String {
    if value == 1 {
        return (if feminine { "première" } else { "premier" }).to_owned();
    }
    let words = number(value, Form::Masculine, variety);
    let stem = match words.as_str() {
        words if words.ends_with("cinq") => format!("{words}u"),
        words if words.ends_with("neuf") => format!("{}v", words.trim_end_matches('f')),
        words if words.ends_with("cents") || words.ends_with("vingts") || words.ends_with("ions") => {
            words.trim_end_matches('s').to_owned()
        }
        words => words.trim_end_matches('e').to_owned(),
    };
    stem + "ième"
}

/// The names of fractions, singular and plural: `tiers`, `quart`, `cinquièmes`.
pub(super) fn part(bottom: u64, many: bool, variety: Variety) -> Option<String> {
    let name = match bottom {
        2 => "demi".to_owned(),
        3 => return Some("tiers".to_owned()),
        4 => "quart".to_owned(),
        // `15/20`: a mark out of twenty.
        20 if many => return None,
        5..=100 | 1000 => ordinal(bottom, false, variety),
        _ => return None,
    };
    Some(if many { name + "s" } else { name })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cardinals_have_their_hyphens_and_their_s() {
        for (value, words) in [
            (0, "zéro"),
            (1, "un"),
            (16, "seize"),
            (17, "dix-sept"),
            (21, "vingt et un"),
            (22, "vingt-deux"),
            (70, "soixante-dix"),
            (71, "soixante et onze"),
            (77, "soixante-dix-sept"),
            (80, "quatre-vingts"),
            (81, "quatre-vingt-un"),
            (91, "quatre-vingt-onze"),
            (99, "quatre-vingt-dix-neuf"),
            (100, "cent"),
            (200, "deux cents"),
            (201, "deux cent un"),
            (280, "deux cent quatre-vingts"),
            (1000, "mille"),
            (1789, "mille sept cent quatre-vingt-neuf"),
            (2024, "deux mille vingt-quatre"),
            (80_000, "quatre-vingt mille"),
            (200_000, "deux cent mille"),
            (1_000_000, "un million"),
            (200_000_000, "deux cents millions"),
            (1_000_001_001, "un milliard mille un"),
        ] {
            assert_eq!(number(value, Form::Alone, Variety::French), words, "{value}");
        }
        assert_eq!(number(21, Form::Feminine, Variety::French), "vingt et une");
        assert_eq!(number(1001, Form::Feminine, Variety::French), "mille une");
        assert_eq!(number(21_000, Form::Feminine, Variety::French), "vingt et un mille");
    }

    #[test]
    fn belgium_and_switzerland_have_tens_of_their_own() {
        for (value, belgian, swiss) in [
            (69, "soixante-neuf", "soixante-neuf"),
            (70, "septante", "septante"),
            (71, "septante et un", "septante et un"),
            (80, "quatre-vingts", "huitante"),
            (81, "quatre-vingt-un", "huitante et un"),
            (99, "nonante-neuf", "nonante-neuf"),
            (1975, "mille neuf cent septante-cinq", "mille neuf cent septante-cinq"),
            (80_000, "quatre-vingt mille", "huitante mille"),
        ] {
            let said = [Variety::Belgian, Variety::Swiss].map(|variety| number(value, Form::Alone, variety));
            assert_eq!(said, [belgian, swiss], "{value}");
        }
        assert_eq!(ordinal(70, false, Variety::Belgian), "septantième");
        assert_eq!(number(91, Form::Feminine, Variety::Swiss), "nonante et une");
    }

    #[test]
    fn ordinals_and_parts_follow_the_cardinals() {
        for (value, words) in [
            (1, "premier"),
            (2, "deuxième"),
            (4, "quatrième"),
            (5, "cinquième"),
            (9, "neuvième"),
            (19, "dix-neuvième"),
            (21, "vingt et unième"),
            (80, "quatre-vingtième"),
            (100, "centième"),
            (200, "deux centième"),
            (1000, "millième"),
        ] {
            assert_eq!(ordinal(value, false, Variety::French), words, "{value}");
        }
        assert_eq!(ordinal(1, true, Variety::French), "première");
        assert_eq!(part(4, true, Variety::French).as_deref(), Some("quarts"));
        assert_eq!(part(3, true, Variety::French).as_deref(), Some("tiers"));
        assert_eq!(part(101, true, Variety::French), None);
    }
}
