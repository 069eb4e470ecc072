//! Reads emoji by their names. A repeated emoji is named once, with the number of repetitions.

use super::Reader;
use crate::front_end::{
    emoji::{self, Run, keycap, parts, regional},
    spanish::text::figures::{self, Form},
};
use names::name;

mod names;

/// Reads the emoji or flag that comes next, and the number of its repetitions: "cohete, tres
/// veces".
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let Some(run) = run(r.rest()) else { return false };
    let name = emoji::unit(r.rest(), is_named).map(called).unwrap_or_default();
    let end = r.at + run.bytes;
    let said = match run.count {
        1 => name,
        count => format!("{name}, {} veces", figures::number(count as u64, Form::Feminine)),
    };
    r.say(&said, end);
    // A comma separates a repeated emoji from a word or emoji after it, and any emoji from a
    // repeated one.
    let next = self::run(r.rest().trim_start());
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
pub(in crate::front_end::spanish) fn run(text: &str) -> Option<Run> {
    emoji::run(text, is_named)
}

fn is_named(part: char) -> bool {
    name(part).is_some()
}

/// The name of a unit, from its parts: "mujer portátil".
fn called(unit: &str) -> String {
    match unit.chars().next() {
        Some('#') => "almohadilla".to_owned(),
        Some('*') => "asterisco".to_owned(),
        Some(key) if key.is_ascii_digit() => figures::each(key.encode_utf8(&mut [0; 4])),
        Some(letter) if regional(letter).is_some() => flag(unit),
        _ => parts(unit).filter_map(name).collect::<Vec<_>>().join(" "),
    }
}

/// The name of a flag, which is two regional letters: "bandera efe erre"; the most common flags
/// have the name of the country.
fn flag(text: &str) -> String {
    const COUNTRIES: [(&str, &str); 26] = [
        ("AR", "Argentina"),
        ("BO", "Bolivia"),
        ("BR", "Brasil"),
        ("CL", "Chile"),
        ("CO", "Colombia"),
        ("CR", "Costa Rica"),
        ("CU", "Cuba"),
        ("DE", "Alemania"),
        ("DO", "la República Dominicana"),
        ("EC", "Ecuador"),
        ("ES", "España"),
        ("EU", "la Unión Europea"),
        ("FR", "Francia"),
        ("GB", "el Reino Unido"),
        ("GT", "Guatemala"),
        ("HN", "Honduras"),
        ("IT", "Italia"),
        ("MX", "México"),
        ("NI", "Nicaragua"),
        ("PA", "Panamá"),
        ("PE", "Perú"),
        ("PT", "Portugal"),
        ("PY", "Paraguay"),
        ("US", "Estados Unidos"),
        ("UY", "Uruguay"),
        ("VE", "Venezuela"),
    ];
    let code: String = text.chars().take(2).filter_map(regional).collect();
    match COUNTRIES.iter().find(|(own, _)| *own == code) {
        Some((_, country)) => format!("bandera de {country}").replace("de el ", "del "),
        None => format!("bandera {}", super::acronyms::spelled(&code)),
    }
}
