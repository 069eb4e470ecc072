//! Units of measure that are also letters, names or words: `300 K`, `a 16 A fuse`, `2 c. milk`, `104F`.

use super::{addresses, magnitudes, scan};

/// Whether such a unit may stand between a number that ends at `at` and `end`.
pub(super) fn stands(t: &str, at: usize, (sign, unit): (&str, &str), end: usize) -> bool {
    let spaced = scan::tail(t, at).starts_with(' ');
    let head = scan::slice(t, ..at);
    let decimal = head.trim_end_matches(|c: char| c.is_ascii_digit()).ends_with('.');
    // "In 1916 T. E. Lawrence", "in 1980 Mt. Helens".
    let initial =
        scan::tail(t, end).starts_with(". ") && scan::char_at(t, end + 2).is_some_and(char::is_uppercase);
    let named = initial || scan::char_at(t, scan::past_space(t, end)).is_some_and(char::is_uppercase);
    match sign {
        // "Take I-80 W to Reno."
        "W" | "N" if addresses::ends_with_road(head) => false,
        "K" => (spaced || magnitudes::is_about_heat(t)) && !initial,
        "A" => decimal || (spaced && is_electric(t)),
        "T." if !is_about_cooking(t) => false,
        "c." if head.ends_with(['¼', '½', '¾', '⅓', '⅔', '⅛']) => spaced,
        "c." | "T." => spaced && scan::char_at(t, scan::past_space(t, end)).is_some_and(char::is_lowercase),
        "pt." | "reb" | "rebs" | "ast" | "asts" => spaced,
        // "In 1921 Ah Q appeared."
        "Ah" => !spaced || decimal || t.contains("batter") || is_electric(t),
        "bps" => !["modem", "baud"].iter().any(|word| t.contains(word)),
        "T" if unit == "tablespoon" => {
            spaced
                && !initial
                && is_about_cooking(t)
                && scan::tail(t, end).trim_start().starts_with(char::is_lowercase)
        }
        "T" => spaced && !initial && scan::has_words(t, &["magnet", "magnetic", "MRI", "scanner"]),
        "N" | "J" => spaced && !initial && (is_divided(t, end) || is_of_force(t, at, end)),
        "M" => spaced && !initial && is_about_solutions(t) && !counts_millions(t, end),
        "Gy" | "Sv" | "Mt" | "Gt" | "LB" | "LBS" | "KG" => !named,
        "kt" => {
            !named
                && scan::has_words(
                    t,
                    &["wind", "Wind", "winds", "gusts", "gusting", "speed", "airspeed", "vessel"],
                )
        }
        "fs" | "lm" | "dm" | "ng" => !spaced || decimal,
        "pg" => decimal,
        "pts" => (unit == "pint") == is_measured_out(t, end),
        "pp" => !spaced && decimal,
        "F" | "C" => {
            let digits = head.len() - head.trim_end_matches(|c: char| c.is_ascii_digit()).len();
            !spaced && digits >= 2 && is_about_degrees(t) && !numbers_a_place(head)
        }
        _ => true,
    }
}

/// Whether a text speaks of what is measured by spoons.
fn is_about_cooking(t: &str) -> bool {
    [
        "butter", "cream", "cup", "flour", "honey", "milk", "oil", "salt", "sauce", "sugar", "tsp",
        "vinegar", "water",
    ]
    .iter()
    .any(|word| t.contains(word))
}

/// Whether something that is poured or picked follows: "2 pts. milk", "3 pts of berries".
fn is_measured_out(t: &str, end: usize) -> bool {
    const POURED: [&str; 14] = [
        "ale",
        "beer",
        "berries",
        "blueberries",
        "boiling",
        "broth",
        "cider",
        "cold",
        "cream",
        "milk",
        "stock",
        "strawberries",
        "vinegar",
        "water",
    ];
    let next = scan::past_space(t, end + usize::from(scan::tail(t, end).starts_with('.')));
    let next = if scan::tail(t, next).starts_with("of ") { next + "of ".len() } else { next };
    POURED.contains(&scan::word(t, next))
}

/// Whether a text speaks of electric currents, so that `A` is amperes.
fn is_electric(t: &str) -> bool {
    ["fuse", "current", "ircuit", "charger", "breaker", "socket", " V ", "volt", "draws", "rated"]
        .iter()
        .any(|word| t.contains(word))
}

/// Whether the number before `at` measures a force or an energy: "a force of 5 N", "needs 20 J of energy".
fn is_of_force(t: &str, at: usize, end: usize) -> bool {
    const NAMES: [&str; 9] =
        ["force", "Force", "energy", "Energy", "load", "tension", "thrust", "weight", "work"];
    let head = scan::slice(t, ..at).trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','));
    let head = head.trim_end();
    let near = scan::word_ending(head, head.len());
    let earlier = scan::slice(head, ..head.len() - near.len()).trim_end();
    let before =
        ["of", "is", "was", "=", "at"].contains(&near) && NAMES.iter().any(|name| earlier.ends_with(name));
    let after = scan::tail(t, end)
        .strip_prefix(" of ")
        .is_some_and(|rest| NAMES.iter().any(|name| rest.starts_with(name)));
    before || after
}

/// Whether a slash and a unit follow: `J/kg`, `N/mm²`, `J/(kg·K)`. `N/A` has none.
fn is_divided(t: &str, end: usize) -> bool {
    let below = scan::tail(t, end).strip_prefix('/').unwrap_or("");
    below.starts_with(|c: char| c.is_lowercase() || c == '(')
        || (below.starts_with('K') && scan::edge(below, 1))
}

/// Whether a text speaks of what is dissolved, so that `M` is a concentration.
fn is_about_solutions(t: &str) -> bool {
    const NAMES: [&str; 13] = [
        "acid",
        "buffer",
        "HCl",
        "KOH",
        "molar",
        "NaCl",
        "NaOH",
        "reagent",
        "solution",
        "titrate",
        "Titrate",
        "titrated",
        "titration",
    ];
    scan::has_words(t, &NAMES)
}

/// Whether things are counted after `M`: "5 M euros".
fn counts_millions(t: &str, end: usize) -> bool {
    let next = scan::word(t, scan::past_space(t, end));
    next.ends_with('s') || next == "people"
}

/// Whether a text speaks of how warm something is, so that `104F` is a temperature.
fn is_about_degrees(t: &str) -> bool {
    const NAMES: [&str; 24] = [
        "bake",
        "Bake",
        "boil",
        "cool",
        "degrees",
        "fever",
        "forecast",
        "freezer",
        "freezing",
        "heat",
        "heated",
        "Heat",
        "oven",
        "Preheat",
        "preheat",
        "roast",
        "Roast",
        "temperature",
        "temperatures",
        "thermometer",
        "thermostat",
        "warm",
        "weather",
        "Temperature",
    ];
    scan::has_words(t, &NAMES)
}

/// Whether the number at the end of a text names a place: `seat 14C`.
fn numbers_a_place(head: &str) -> bool {
    const PLACES: [&str; 22] = [
        "bay",
        "stand",
        "terminal",
        "type",
        "zone",
        "apartment",
        "bus",
        "class",
        "coach",
        "exit",
        "flat",
        "floor",
        "form",
        "gate",
        "no",
        "platform",
        "room",
        "row",
        "seat",
        "section",
        "size",
        "unit",
    ];
    let head = head.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '−')).trim_end();
    PLACES.contains(&scan::word_ending(head, head.len()).to_lowercase().as_str())
}
