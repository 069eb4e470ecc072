//! Units of measure after a number: their names, singular and plural, and their gender.

use crate::front_end::{scan, spanish::text::figures::Form};

/// A unit's sign, its singular and plural names, and its gender.
type Unit = (&'static str, &'static str, &'static str, Form);

const M: Form = Form::Masculine;
const F: Form = Form::Feminine;

/// Units with more than one sign have one entry for each.
const UNITS: &[Unit] = &[
    ("km", "kilómetro", "kilómetros", M),
    ("Km", "kilómetro", "kilómetros", M),
    ("KM", "kilómetro", "kilómetros", M),
    ("hm", "hectómetro", "hectómetros", M),
    ("m", "metro", "metros", M),
    ("dm", "decímetro", "decímetros", M),
    ("cm", "centímetro", "centímetros", M),
    ("mm", "milímetro", "milímetros", M),
    ("μm", "micrómetro", "micrómetros", M),
    ("nm", "nanómetro", "nanómetros", M),
    ("kg", "kilo", "kilos", M),
    ("Kg", "kilo", "kilos", M),
    ("KG", "kilo", "kilos", M),
    ("g", "gramo", "gramos", M),
    ("gr", "gramo", "gramos", M),
    ("mg", "miligramo", "miligramos", M),
    ("μg", "microgramo", "microgramos", M),
    ("t", "tonelada", "toneladas", F),
    ("l", "litro", "litros", M),
    ("L", "litro", "litros", M),
    ("dl", "decilitro", "decilitros", M),
    ("cl", "centilitro", "centilitros", M),
    ("ml", "mililitro", "mililitros", M),
    ("mL", "mililitro", "mililitros", M),
    ("ha", "hectárea", "hectáreas", F),
    ("h", "hora", "horas", F),
    ("hs", "hora", "horas", F),
    ("hrs", "hora", "horas", F),
    ("min", "minuto", "minutos", M),
    ("s", "segundo", "segundos", M),
    ("seg", "segundo", "segundos", M),
    ("ms", "milisegundo", "milisegundos", M),
    ("W", "vatio", "vatios", M),
    ("kW", "kilovatio", "kilovatios", M),
    ("MW", "megavatio", "megavatios", M),
    ("GW", "gigavatio", "gigavatios", M),
    ("kWh", "kilovatio hora", "kilovatios hora", M),
    ("MWh", "megavatio hora", "megavatios hora", M),
    ("V", "voltio", "voltios", M),
    ("mA", "miliamperio", "miliamperios", M),
    ("mAh", "miliamperio hora", "miliamperios hora", M),
    ("Hz", "hercio", "hercios", M),
    ("kHz", "kilohercio", "kilohercios", M),
    ("MHz", "megahercio", "megahercios", M),
    ("GHz", "gigahercio", "gigahercios", M),
    ("kB", "kilobyte", "kilobytes", M),
    ("KB", "kilobyte", "kilobytes", M),
    ("MB", "mega", "megas", M),
    ("GB", "giga", "gigas", M),
    ("TB", "tera", "teras", M),
    ("Mb", "megabit", "megabits", M),
    ("Gb", "gigabit", "gigabits", M),
    ("Mbps", "megabits por segundo", "megabits por segundo", M),
    ("Gbps", "gigabits por segundo", "gigabits por segundo", M),
    ("dB", "decibelio", "decibelios", M),
    ("kcal", "kilocaloría", "kilocalorías", F),
    ("cal", "caloría", "calorías", F),
    ("kJ", "kilojulio", "kilojulios", M),
    ("J", "julio", "julios", M),
    ("Pa", "pascal", "pascales", M),
    ("hPa", "hectopascal", "hectopascales", M),
    ("bar", "bar", "bares", M),
    ("atm", "atmósfera", "atmósferas", F),
    ("CV", "caballo", "caballos", M),
    ("rpm", "revolución por minuto", "revoluciones por minuto", F),
    ("ppm", "parte por millón", "partes por millón", F),
    ("lb", "libra", "libras", F),
    ("lbs", "libra", "libras", F),
    ("oz", "onza", "onzas", F),
    ("mi", "milla", "millas", F),
    ("ft", "pie", "pies", M),
    ("in", "pulgada", "pulgadas", F),
    ("mph", "milla por hora", "millas por hora", F),
    ("px", "píxel", "píxeles", M),
    ("mol", "mol", "moles", M),
    ("Ω", "ohmio", "ohmios", M),
    ("kΩ", "kiloohmio", "kiloohmios", M),
    ("°C", "grado centígrado", "grados centígrados", M),
    ("°F", "grado Fahrenheit", "grados Fahrenheit", M),
    ("°", "grado", "grados", M),
    ("\"", "pulgada", "pulgadas", F),
    ("uds", "unidad", "unidades", F),
    ("ud", "unidad", "unidades", F),
];

/// A unit after a number.
#[derive(Debug)]
pub(super) struct Measure {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) one: String,
    pub(super) many: String,
    pub(super) form: Form,
}

/// The unit after a number that ends at `at`, after at most one space.
pub(super) fn at(t: &str, at: usize) -> Option<Measure> {
    let start = scan::past_space(t, at);
    let spaced = start > at;
    let ((_, one, many, form), mut end) = unit(t, start)?;
    // A single capital after a space may mean anything, and so may a quotation mark.
    let written = scan::slice(t, start..end);
    if spaced && (written == "\"" || written == "in") {
        return None;
    }
    if written == "\"" && scan::slice(t, ..at).matches('"').count() % 2 == 1 {
        return None;
    }
    let (mut one, mut many) = ((*one).to_owned(), (*many).to_owned());
    for (sign, power, powers) in [
        ("²", "cuadrado", "cuadrados"),
        ("³", "cúbico", "cúbicos"),
        ("^2", "cuadrado", "cuadrados"),
        ("^3", "cúbico", "cúbicos"),
        ("2", "cuadrado", "cuadrados"),
        ("3", "cúbico", "cúbicos"),
    ] {
        if scan::tail(t, end).starts_with(sign) && one.ends_with("metro") && scan::edge(t, end + sign.len()) {
            end += sign.len();
            one = format!("{one} {power}");
            many = format!("{many} {powers}");
            break;
        }
    }
    if scan::tail(t, end).starts_with('/')
        && let Some(((_, per, ..), mut stop)) = unit(t, end + 1)
    {
        let mut per = (*per).to_owned();
        for (sign, power) in [("²", "cuadrado"), ("³", "cúbico"), ("2", "cuadrado"), ("3", "cúbico")] {
            if scan::tail(t, stop).starts_with(sign) {
                stop += sign.len();
                per = format!("{per} {power}");
                break;
            }
        }
        end = stop;
        one = format!("{one} por {per}");
        many = format!("{many} por {per}");
    }
    (scan::edge(t, end)).then_some(Measure { start, end, one, many, form: *form })
}

/// The longest unit at `at`, and its end.
fn unit(t: &str, at: usize) -> Option<(&'static Unit, usize)> {
    let rest = scan::tail(t, at);
    let fits = |unit: &&Unit| {
        let end = at + unit.0.len();
        rest.starts_with(unit.0)
            && (!scan::char_at(t, end).is_some_and(char::is_alphabetic) || unit.0 == "°")
            && !(unit.0 == "°" && scan::char_at(t, end).is_some_and(char::is_alphabetic))
    };
    UNITS.iter().filter(fits).max_by_key(|unit| unit.0.len()).map(|unit| (unit, at + unit.0.len()))
}
