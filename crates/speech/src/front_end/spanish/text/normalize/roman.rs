//! Roman numerals: `siglo XXI`, `Felipe VI`, `capítulo IV`, `II Guerra Mundial`.

use super::Reader;
use crate::front_end::{
    roman::value,
    scan,
    spanish::text::{
        figures::{self, Form},
        genders, words,
    },
};

/// Names of kings, queens and popes, after which even a single letter is a numeral.
const REGAL: &[&str] = &[
    "Alejandro",
    "Alfonso",
    "Amadeo",
    "Benedicto",
    "Bonifacio",
    "Carlos",
    "Catalina",
    "Clemente",
    "Enrique",
    "Eduardo",
    "Felipe",
    "Fernando",
    "Francisco",
    "Federico",
    "Gregorio",
    "Guillermo",
    "Gustavo",
    "Inocencio",
    "Isabel",
    "Jaime",
    "Jorge",
    "Juan",
    "Juana",
    "Julio",
    "León",
    "Leopoldo",
    "Luis",
    "Margarita",
    "María",
    "Nicolás",
    "Napoleón",
    "Pablo",
    "Pedro",
    "Pío",
    "Ramiro",
    "Ramsés",
    "Ricardo",
    "Rodolfo",
    "Sancho",
    "Urbano",
    "Víctor",
    "Alberto",
    "Balduino",
    "Constantino",
    "Darío",
    "Jacobo",
    "Maximiliano",
    "Otón",
    "Ptolomeo",
    "Tolomeo",
    "Teodosio",
    "Cristián",
    "Harald",
    "Haakon",
];

/// Reads the numeral at the current position, if it is one.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let end = scan::letters(r.t, r.at);
    let numeral = scan::slice(r.t, r.at..end);
    if !numeral.starts_with(|c: char| "IVXLCDM".contains(c)) {
        return false;
    }
    let Some(value) = value(numeral).filter(|_| scan::edge(r.t, end)) else { return false };
    let gap = r.before() == Some(' ');
    let before = if gap { r.word_before().trim_end_matches('.') } else { "" };
    let lower = before.to_lowercase();
    let next = scan::word(r.t, scan::past_space(r.t, end));
    let next_spaced = scan::tail(r.t, end).starts_with(' ') && !next.is_empty();
    let after_century = ["siglo", "siglos", "s", "ss"].contains(&lower.as_str())
        || (["y", "al", "o", "a", "del"].contains(&lower.as_str()) && follows_century(r));
    let regal = REGAL.contains(&before);
    let small = numeral.bytes().all(|byte| b"IVX".contains(&byte));
    let capital = before.starts_with(char::is_uppercase)
        && before.chars().count() > 2
        && !words::starts_sentence(before);
    let shortened = words::abbreviation(before).is_some_and(|(_, kind)| kind == words::Kind::BeforeNumber);
    let counted = words::numbers(before) || shortened;
    // As in `IV Congreso`, `II Guerra Mundial`, `XX aniversario`.
    let things = [
        "aniversario",
        "edición",
        "congreso",
        "legislatura",
        "centenario",
        "jornadas",
        "dinastía",
        "concurso",
        "festival",
        "premio",
    ];
    let before_name = next_spaced
        && ((next.starts_with(char::is_uppercase)
            && next.chars().count() > 2
            && next.chars().any(char::is_lowercase))
            || things.contains(&next));
    let said = if after_century {
        // Centuries up to the tenth are read as ordinals.
        if value <= 10 { figures::ordinal(value, false) } else { figures::number(value, Form::Alone) }
    } else if regal || (capital && small && numeral.len() > 1 && !counted) {
        if value <= 10 {
            let feminine = before.ends_with('a') || before == "Isabel";
            figures::ordinal(value, feminine)
        } else {
            figures::number(value, Form::Alone)
        }
    } else if counted {
        figures::number(value, Form::Alone)
    } else if before_name
        && small
        && (numeral.len() > 1 || ["el", "la", "del", "los", "las"].contains(&lower.as_str()))
    {
        let feminine = ["la", "las"].contains(&lower.as_str()) || genders::is_feminine(&next.to_lowercase());
        let words = figures::ordinal_before(value, feminine);
        if next.ends_with('s') && ["los", "las"].contains(&lower.as_str()) { words + "s" } else { words }
    } else if numeral.len() > 2 && (small || (numeral.len() > 3 && (1000..2100).contains(&value))) {
        figures::number(value, Form::Alone)
    } else {
        return false;
    };
    r.say(&said, end);
    true
}

/// Whether a century was named a few words before: `siglos XV y XVI`, `del siglo V al X`.
fn follows_century(r: &Reader<'_>) -> bool {
    let head = scan::slice(r.t, ..r.at);
    let near = &head[head.ceil_char_boundary(head.len().saturating_sub(32))..];
    near.contains("siglo") && near.chars().all(|c| !matches!(c, '.' | ';' | ':'))
}
