//! Scores that are not said with "to": `40-15` of tennis, `245-6` of cricket.

use super::{Reader, scan::Quantity};

/// A score of tennis or cricket, from its two numbers.
pub(super) fn read(r: &Reader<'_>, first: &Quantity<'_>, second: &Quantity<'_>) -> Option<String> {
    let (first, second) = (first.small()?, second.small()?);
    let figures = &r.language.figures;
    if is_tennis(r.t, first, second) {
        let points = |points: u64| if points == 0 { "love".to_owned() } else { figures.number(points) };
        return Some(format!("{} {}", points(first), points(second)));
    }
    is_cricket(r.t, first, second)
        .then(|| format!("{} for {}", figures.number(first), figures.number(second)))
}

/// The points of a game of tennis, in a text that speaks of one.
fn is_tennis(t: &str, first: u64, second: u64) -> bool {
    const TOLD: [&str; 11] = [
        "serve",
        "serving",
        "Serving",
        "Serve",
        "deuce",
        "break point",
        "break points",
        "tennis",
        "racket",
        "double-faulted",
        "game point",
    ];
    let points = [0, 15, 30, 40];
    points.contains(&first)
        && points.contains(&second)
        && first != second
        && TOLD.iter().any(|word| t.contains(word))
}

/// Runs for wickets, in a text that speaks of cricket.
pub(super) fn is_cricket(t: &str, runs: u64, wickets: u64) -> bool {
    const TOLD: [&str; 10] = [
        "wicket",
        "innings",
        "at tea",
        "at lunch",
        "at stumps",
        "declared",
        "bowled",
        "batting",
        "batsm",
        "cricket",
    ];
    (10..1000).contains(&runs) && wickets <= 10 && TOLD.iter().any(|word| t.contains(word))
}
