//! Numbers in words: cardinals, ordinals and the names of fractions. Below a million, a number is
//! one word.

use crate::front_end::romance::figures::Form;

const SMALL: [&str; 20] = [
    "zero",
    "uno",
    "due",
    "tre",
    "quattro",
    "cinque",
    "sei",
    "sette",
    "otto",
    "nove",
    "dieci",
    "undici",
    "dodici",
    "tredici",
    "quattordici",
    "quindici",
    "sedici",
    "diciassette",
    "diciotto",
    "diciannove",
];
const TENS: [&str; 10] =
    ["", "dieci", "venti", "trenta", "quaranta", "cinquanta", "sessanta", "settanta", "ottanta", "novanta"];
/// Singular and plural of each power of a thousand, from the million.
const POWERS: [(&str, &str); 5] = [
    ("milione", "milioni"),
    ("miliardo", "miliardi"),
    ("bilione", "bilioni"),
    ("biliardo", "biliardi"),
    ("trilione", "trilioni"),
];

/// A whole number.
pub(super) fn number(value: u64, form: Form) -> String {
    if value < 2 {
        return match (value, form) {
            (0, _) => SMALL[0],
            (_, Form::Alone) => "uno",
            (_, Form::Masculine) => "un",
            (_, Form::Feminine) => "una",
        }
        .to_owned();
    }
    let mut words = Vec::new();
    for (power, (one, many)) in POWERS.iter().enumerate().rev() {
        match value / 1000_u64.pow(power as u32 + 2) % 1000 {
            0 => {}
            1 => words.push(format!("un {one}")),
            group => words.push(format!("{} {many}", accented(below_thousand(group)))),
        }
    }
    let (thousands, rest) = (value / 1000 % 1000, value % 1000);
    let mut last = match thousands {
        0 => String::new(),
        1 => "mille".to_owned(),
        _ => below_thousand(thousands) + "mila",
    };
    if rest > 0 {
        last.push_str(&below_thousand(rest));
    }
    if !last.is_empty() {
        words.push(accented(last));
    }
    words.join(" ")
}

/// "Tre" at the end of a longer word has an accent.
fn accented(word: String) -> String {
    match word.strip_suffix("tre") {
        Some(stem) if !stem.is_empty() => format!("{stem}tré"),
        _ => word,
    }
}

fn below_thousand(value: u64) -> String {
    let (hundreds, rest) = (value / 100, value % 100);
    let mut word = match hundreds {
        0 => String::new(),
        1 => "cento".to_owned(),
        _ => format!("{}cento", SMALL[hundreds as usize]),
    };
    // "Centotto", "centottanta": one o is said.
    if hundreds > 0 && (rest == 8 || rest / 10 == 8) {
        word.pop();
    }
    word + &below_hundred(rest)
}

fn below_hundred(value: u64) -> String {
    match value {
        0 => String::new(),
        1..=19 => SMALL[value as usize].to_owned(),
        _ => {
            let (tens, ones) = (TENS[(value / 10) as usize], value % 10);
            // "Ventuno", "ventotto".
            let stem = if matches!(ones, 1 | 8) { &tens[..tens.len() - 1] } else { tens };
            format!("{stem}{}", if ones == 0 { "" } else { SMALL[ones as usize] })
        }
    }
}

/// `primo`, `seconda`, `ventunesimo`.
pub(super) fn ordinal(value: u64, feminine: bool) -> String {
    const FIRST: [&str; 11] =
        ["", "prim", "second", "terz", "quart", "quint", "sest", "settim", "ottav", "non", "decim"];
    let stem = match value {
        1..=10 => FIRST[value as usize].to_owned(),
        0 => return number(0, Form::Alone),
        _ => {
            let words = number(value, Form::Alone);
            let words = words.replace("mila", "mill").replace('é', "e");
            // "Il milionesimo".
            let words = words.strip_prefix("un ").unwrap_or(&words);
            let last = words.chars().next_back().unwrap_or(' ');
            // "Ventitreesimo" and "ventiseiesimo" keep their vowel.
            let kept = words.ends_with("tre") || words.ends_with("sei");
            let stem = if kept || !"aeio".contains(last) { words } else { &words[..words.len() - 1] };
            format!("{stem}esim")
        }
    };
    stem + if feminine { "a" } else { "o" }
}

/// The names of fractions, singular and plural: `mezzo`, `terzi`.
pub(super) fn part(bottom: u64, many: bool) -> Option<String> {
    let name = match bottom {
        2 => "mezzo".to_owned(),
        3..=100 | 1000 => ordinal(bottom, false),
        _ => return None,
    };
    Some(if many { plural(name) } else { name })
}

/// The plural of an ordinal.
pub(super) fn plural(mut ordinal: String) -> String {
    match ordinal.pop() {
        Some('o') => ordinal + "i",
        Some('a') => ordinal + "e",
        Some(last) => ordinal + last.encode_utf8(&mut [0; 4]),
        None => ordinal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cardinals_are_one_word_below_a_million() {
        for (value, words) in [
            (1, "uno"),
            (3, "tre"),
            (21, "ventuno"),
            (23, "ventitré"),
            (28, "ventotto"),
            (80, "ottanta"),
            (88, "ottantotto"),
            (100, "cento"),
            (101, "centouno"),
            (108, "centotto"),
            (180, "centottanta"),
            (203, "duecentotré"),
            (1000, "mille"),
            (1984, "millenovecentottantaquattro"),
            (2025, "duemilaventicinque"),
            (10_003, "diecimilatré"),
            (1_000_000, "un milione"),
            (2_300_000, "due milioni trecentomila"),
            (1_000_000_000, "un miliardo"),
        ] {
            assert_eq!(number(value, Form::Alone), words, "{value}");
        }
        assert_eq!(number(1, Form::Feminine), "una");
        assert_eq!(number(1, Form::Masculine), "un");
    }

    #[test]
    fn ordinals_and_parts_follow_the_cardinals() {
        for (value, words) in [
            (1, "primo"),
            (10, "decimo"),
            (11, "undicesimo"),
            (18, "diciottesimo"),
            (20, "ventesimo"),
            (21, "ventunesimo"),
            (23, "ventitreesimo"),
            (26, "ventiseiesimo"),
            (100, "centesimo"),
            (1000, "millesimo"),
        ] {
            assert_eq!(ordinal(value, false), words, "{value}");
        }
        assert_eq!(ordinal(3, true), "terza");
        assert_eq!(part(4, true).as_deref(), Some("quarti"));
        assert_eq!(part(2, false).as_deref(), Some("mezzo"));
    }
}
