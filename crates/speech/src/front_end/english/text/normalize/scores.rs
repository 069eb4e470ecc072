//! Scores that are not said with "to": `40-15` of tennis, `245-6` of cricket, `(10-3)` of a season.

use super::{
    Reader, reading,
    scan::{self, Quantity},
    units,
};

/// The words of a score that has no "to", from its two numbers.
pub(super) fn read(r: &Reader<'_>, first: &Quantity<'_>, second: &Quantity<'_>) -> Option<String> {
    let end = second.end;
    let before = r.word_before().to_lowercase();
    if units::at(r.t, end).is_some() || ["ages", "aged", "between", "from", "open"].contains(&before.as_str())
    {
        return None;
    }
    let (first, second) = (first.small()?, second.small()?);
    let figures = &r.language.figures;
    if is_tennis(r.t, first, second, end) {
        let points = |points: u64| if points == 0 { "love".to_owned() } else { figures.number(points) };
        return Some(format!("{} {}", points(first), points(second)));
    }
    let is_alone = !reading::is_noun_like(scan::word(r.t, scan::past_space(r.t, end)));
    if is_alone && is_set(r.t, first, second) {
        return Some(format!("{} {}", figures.number(first), figures.number(second)));
    }
    let counted = ["the count ", "The count "].iter().any(|words| scan::slice(r.t, ..r.at).ends_with(words));
    let link = if is_alone && counted && first <= 3 && second <= 2 {
        // Balls and strikes.
        "and"
    } else if is_record(r, first, second, end) {
        "and"
    } else if is_cricket(r.t, first, second) {
        "for"
    } else {
        return None;
    };
    Some(format!("{} {link} {}", figures.number(first), figures.number(second)))
}

/// The points of a game of tennis, in a text that speaks of one.
fn is_tennis(t: &str, first: u64, second: u64, end: usize) -> bool {
    const SPOKEN_OF: [&str; 8] = [
        "break point",
        "break points",
        "deuce",
        "double-faulted",
        "game point",
        "serving at",
        "Serving at",
        "served at",
    ];
    let points = [0, 15, 30, 40];
    points.contains(&first)
        && points.contains(&second)
        && first != second
        && !reading::is_noun_like(scan::word(t, scan::past_space(t, end)))
        && scan::has_words(t, &SPOKEN_OF)
}

/// The games of a set of tennis.
fn is_set(t: &str, first: u64, second: u64) -> bool {
    const SPOKEN_OF: [&str; 8] = [
        "first set",
        "second set",
        "third set",
        "final set",
        "deciding set",
        "straight sets",
        "tiebreak",
        "tie-break",
    ];
    first.max(second) <= 7 && first.max(second) >= 6 && scan::has_words(t, &SPOKEN_OF)
}

/// Runs for wickets, in a text that speaks of cricket.
pub(super) fn is_cricket(t: &str, runs: u64, wickets: u64) -> bool {
    const SPOKEN_OF: [&str; 6] = ["wicket", "wickets", "batsman", "batsmen", "stumps", "at tea"];
    (10..1000).contains(&runs) && wickets <= 10 && scan::has_words(t, &SPOKEN_OF)
}

/// `The Bears (10-3) host the Lions (8-5)`, "improved to 12–3", "are 10-2 so far": games won and lost.
fn is_record(r: &Reader<'_>, won: u64, lost: u64, end: usize) -> bool {
    const PLAYED: [&str; 5] = ["faces", "hosts", "host", "visits", "travels to"];
    let head = scan::slice(r.t, ..r.at);
    if ["improved to ", "improving to "].iter().any(|words| head.ends_with(words)) {
        return won.max(lost) < 163;
    }
    if is_standing(r, end) {
        return won.max(lost) < 163;
    }
    let is_alone = !reading::is_noun_like(scan::word(r.t, scan::past_space(r.t, end)));
    let fallen = ["fell to ", "falling to "].iter().find_map(|words| head.strip_suffix(words));
    if let Some(team) = fallen.map(|head| scan::word_ending(head, head.len())) {
        return is_alone && team.ends_with('s') && team.starts_with(char::is_uppercase);
    }
    let head = head.strip_suffix('(').map(str::trim_end);
    let team = head.is_some_and(|head| scan::word_ending(head, head.len()).starts_with(char::is_uppercase));
    team && scan::tail(r.t, end).starts_with(')')
        && won.max(lost) < 163
        && scan::has_words(r.t, &PLAYED)
        && !scan::has_words(r.t, &["daily", "Mondays", "Fridays", "weekends"])
}

/// "The Chiefs are 10-2 so far": a team or its people, and how they stand.
fn is_standing(r: &Reader<'_>, end: usize) -> bool {
    const SO_FAR: [&str; 7] = [
        " so far",
        " this season",
        " last season",
        " on the season",
        " on the year",
        " to start the season",
        " to start the year",
    ];
    let verb = r.word_before();
    let head = scan::slice(r.t, ..r.at).trim_end();
    let head = head.strip_suffix(verb).unwrap_or_default().trim_end();
    let who = scan::word_ending(head, head.len());
    // The first word of a sentence has a capital letter in any case.
    let is_team = who.len() < head.len() && who.starts_with(char::is_uppercase);
    let are_people = ["they", "we", "he", "she"].contains(&who.to_lowercase().as_str());
    ["are", "is", "were", "was", "went", "started"].contains(&verb)
        && (is_team || are_people)
        && SO_FAR
            .iter()
            .any(|words| scan::tail(r.t, end).starts_with(words) && scan::edge(r.t, end + words.len()))
}

/// `Detroit (12-4-1)`: how many games a team has won, lost and drawn.
pub(super) fn season(r: &Reader<'_>, parts: &[(usize, usize)], end: usize) -> Option<String> {
    let bracketed = r.before() == Some('(') && scan::tail(r.t, end).starts_with([')', ',']);
    let head = scan::slice(r.t, ..r.at).trim_end_matches(['(', ' ']);
    let team = scan::word_ending(head, head.len()).starts_with(char::is_uppercase);
    let numbers: Vec<u64> = parts
        .iter()
        .filter_map(|&(from, to)| scan::slice(r.t, from..to).parse().ok())
        .filter(|games| *games < 163)
        .collect();
    let [won, lost, drawn] = numbers[..] else { return None };
    let plain = parts.iter().all(|&(from, to)| to - from == 1 || !scan::tail(r.t, from).starts_with('0'));
    // A formation of football has ten players.
    let is_formation = won + lost + drawn == 10;
    (bracketed && team && plain && parts.len() == 3 && !is_formation).then(|| {
        let figures = &r.language.figures;
        format!("{}, {} and {}", figures.number(won), figures.number(lost), figures.number(drawn))
    })
}
