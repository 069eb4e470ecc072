//! Thousands, millions and billions written short after a number: `20k`, `1.2M`, `8.1bn`, `$3 million`.

use super::scan::{self, Quantity};

/// Nouns after which a small `m` counts millions: "2m people". Elsewhere it is meters.
const COUNTED: &[&str] = &[
    "barrels",
    "books",
    "children",
    "citizens",
    "copies",
    "customers",
    "deaths",
    "dollars",
    "downloads",
    "euros",
    "fans",
    "followers",
    "homes",
    "households",
    "jobs",
    "listeners",
    "members",
    "passengers",
    "patients",
    "people",
    "pounds",
    "readers",
    "records",
    "refugees",
    "residents",
    "subscribers",
    "tickets",
    "tonnes",
    "users",
    "views",
    "viewers",
    "visitors",
    "votes",
    "voters",
    "workers",
];

/// `billion`, `M`, `bn`, `k` after an amount of money: the word, and where it ends.
pub(super) fn of_money(t: &str, at: usize) -> Option<(&'static str, usize)> {
    const NAMES: [(&str, &str); 24] = [
        ("thousand", "thousand"),
        ("million", "million"),
        ("billion", "billion"),
        ("trillion", "trillion"),
        ("hundred", "hundred"),
        ("lakh", "lakh"),
        ("lakhs", "lakh"),
        ("crore", "crore"),
        ("crores", "crore"),
        ("k", "thousand"),
        ("K", "thousand"),
        ("m", "million"),
        ("M", "million"),
        ("mn", "million"),
        ("mil", "million"),
        ("mm", "million"),
        ("MM", "million"),
        ("b", "billion"),
        ("B", "billion"),
        ("bn", "billion"),
        ("Bn", "billion"),
        ("tn", "trillion"),
        ("trn", "trillion"),
        ("T", "trillion"),
    ];
    let spaced = scan::tail(t, at).starts_with([' ', '-']);
    let start = at + usize::from(spaced);
    let word = scan::word(t, start);
    let name = NAMES
        .iter()
        .find(|(written, _)| *written == word && (!spaced || written.len() > 2 || word == "bn"))?;
    scan::edge(t, start + word.len()).then_some((name.1, start + word.len()))
}

/// The same after a number that counts things. One letter is a magnitude only where it cannot be a
/// unit (`5 m`), a name (`3M`) or a grade (`4K`).
pub(super) fn of_count(t: &str, quantity: &Quantity<'_>) -> Option<(&'static str, usize)> {
    if is_in_code(t, quantity.start) {
        return None;
    }
    let spaced = scan::tail(t, quantity.end).starts_with(" bn");
    let word = scan::word(t, quantity.end + usize::from(spaced));
    let end = quantity.end + usize::from(spaced) + word.len();
    let next = scan::word(t, scan::past_space(t, end));
    let things = is_plural(next);
    let large = quantity.small().is_some_and(|value| value >= 10);
    let decimal = !quantity.fraction.is_empty();
    let name = match word {
        "bn" | "Bn" => "billion",
        "tn" => "trillion",
        "mn" => "million",
        "k" if !is_race(t, quantity, next) => "thousand",
        "K" if (large || decimal || things)
            && !is_about_heat(t)
            && (things || !is_race(t, quantity, next)) =>
        {
            "thousand"
        }
        "M" if large || decimal || things || (is_people(next) && is_estimate(t, quantity)) => "million",
        "B" if decimal || things => "billion",
        "m" if COUNTED.contains(&next) || (decimal && counts_people(t, quantity, end)) => "million",
        _ => return None,
    };
    scan::edge(t, end).then_some((name, end))
}

/// Whether a word may be the name of a people: `Americans`.
fn is_people(word: &str) -> bool {
    word.len() > 4 && word.starts_with(char::is_uppercase) && word.ends_with('s')
}

/// Whether a number is told as a rough one: "over 1M Americans".
fn is_estimate(t: &str, quantity: &Quantity<'_>) -> bool {
    const ROUGHLY: [&str; 6] = ["almost", "around", "least", "nearly", "over", "roughly"];
    let head = scan::slice(t, ..quantity.start).trim_end();
    let word = scan::word_ending(head, head.len());
    ROUGHLY.contains(&word)
        || ["more than", "fewer than", "less than"].iter().any(|words| head.ends_with(words))
}

/// Whether a number counts people, so that `8.4m` is no length: "its population fell from 8.4m to 7.9m".
fn counts_people(t: &str, quantity: &Quantity<'_>, end: usize) -> bool {
    const COUNTED_OVER: [&str; 5] =
        ["population", "circulation", "electorate", "readership", "viewing figures"];
    let before = scan::word_ending(t, quantity.start);
    let next = scan::word(t, scan::past_space(t, end));
    ["at", "from", "of", "reached", "to"].contains(&before)
        && !["above", "below", "deep", "from", "high", "long", "tall", "wide"].contains(&next)
        && scan::has_words(t, &COUNTED_OVER)
}

/// Whether the number at `at` is the end of a code: `i7-8700K`.
pub(super) fn is_in_code(t: &str, at: usize) -> bool {
    let code = scan::slice(t, ..at).strip_suffix('-').unwrap_or_default();
    code[code.trim_end_matches(char::is_alphanumeric).len()..].contains(char::is_alphabetic)
        && code.ends_with(|c: char| c.is_ascii_digit())
}

/// Whether a text is about temperatures, so that `K` is kelvin.
pub(super) fn is_about_heat(t: &str) -> bool {
    ["bulb", "temperature", "white balance", "°C", "elvin", "cooled", "heated", "boils", "melts"]
        .iter()
        .any(|word| t.contains(word))
}

/// `a 10k run`: said as "ten k".
fn is_race(t: &str, quantity: &Quantity<'_>, next: &str) -> bool {
    let head = scan::slice(t, ..quantity.start).trim_end();
    let article = head.ends_with(" a") || (head.ends_with(" the") && !is_plural(next));
    ["run", "race", "walk", "ride", "swim"].contains(&next)
        || (article && ["5", "10"].contains(&quantity.whole.as_str()))
}

fn is_plural(word: &str) -> bool {
    let many = word.len() > 3 && word.ends_with('s') && !word.ends_with("ss");
    word.starts_with(char::is_lowercase)
        && (many || ["men", "women", "people", "children", "deaths"].contains(&word))
}
