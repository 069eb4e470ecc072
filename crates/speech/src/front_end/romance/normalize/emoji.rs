//! Reads emoji by their names. A repeated emoji is named once, with the number of repetitions.

use super::Reader;
use crate::front_end::{
    emoji::{self, Run, keycap, parts, regional},
    romance::{
        acronyms,
        figures::{self, Form},
        grammar::Grammar,
    },
};

/// Reads the emoji or flag that comes next, and the number of its repetitions: "cohete, tres
/// veces".
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let grammar = r.grammar();
    let Some(run) = run(grammar, r.rest()) else { return false };
    let name = emoji::unit(r.rest(), |part| grammar.emoji(part).is_some());
    let name = name.map(|unit| called(grammar, unit)).unwrap_or_default();
    let end = r.at + run.bytes;
    let said = match run.count {
        1 => name,
        count => {
            format!("{name}, {} {}", grammar.number(count as u64, Form::Feminine), r.signs().times)
        }
    };
    r.say(&said, end);
    // A comma separates a repeated emoji from a word or emoji after it, and any emoji from a
    // repeated one.
    let next = self::run(grammar, r.rest().trim_start());
    let word_follows = r.rest().trim_start().starts_with(char::is_alphanumeric);
    let apart = run.count > 1 && (word_follows || next.is_some());
    if apart || next.is_some_and(|next| next.count > 1) {
        r.out.comma(end..end);
    }
    true
}

/// Reads the keycap that comes next, before its digit is read as a number.
pub(super) fn read_keycap(r: &mut Reader<'_>) -> bool {
    keycap(r.rest()).is_some() && read(r)
}

/// The run of one emoji at the start of a text.
pub(in crate::front_end) fn run(grammar: &dyn Grammar, text: &str) -> Option<Run> {
    emoji::run(text, |part| grammar.emoji(part).is_some())
}

/// The name of a unit, from its parts: "mujer portátil".
fn called(grammar: &dyn Grammar, unit: &str) -> String {
    let signs = grammar.signs();
    let sign = |c: char| signs.in_addresses.iter().find(|(sign, _)| *sign == c).map(|(_, name)| *name);
    match unit.chars().next() {
        Some(key @ ('#' | '*')) => sign(key).unwrap_or_default().to_owned(),
        Some(key) if key.is_ascii_digit() => figures::each(grammar, key.encode_utf8(&mut [0; 4])),
        Some(letter) if regional(letter).is_some() => flag(grammar, unit),
        _ => parts(unit).filter_map(|part| grammar.emoji(part)).collect::<Vec<_>>().join(" "),
    }
}

/// The name of a flag, which is two regional letters: the most common flags have the name of the
/// country, others are spelled.
fn flag(grammar: &dyn Grammar, text: &str) -> String {
    let code: String = text.chars().take(2).filter_map(regional).collect();
    let signs = grammar.signs();
    match signs.countries.iter().find(|(own, _)| *own == code) {
        Some((_, country)) => grammar.flag(country, true),
        None => grammar.flag(&acronyms::spelled(signs, &code), false),
    }
}
