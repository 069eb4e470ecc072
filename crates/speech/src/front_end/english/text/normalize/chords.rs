//! Chords by their signs: `Dm7`, `Cmaj7`, `Gsus4`.

use super::{Reader, chemistry, reading, scan};

/// The signs of a chord after its note, and how they are said. Longer ones first.
const KINDS: [(&str, &str); 7] = [
    ("maj", "major"),
    ("min", "minor"),
    ("dim", "diminished"),
    ("sus", "suspended"),
    ("aug", "augmented"),
    ("add", "add"),
    ("m", "minor"),
];

/// Reads a chord whose kind and number follow its note. Notes and letters alone are read by other rules.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let Some(note) = r.char().filter(|c| matches!(c, 'A'..='G')) else { return false };
    let sign = scan::char_at(r.t, r.at + 1).filter(|c| matches!(c, '#' | '♯' | '♭' | 'b'));
    let at = r.at + 1 + sign.map_or(0, char::len_utf8);
    let pitch = match sign {
        Some('#' | '♯') => "sharp ",
        Some(_) => "flat ",
        None => "",
    };
    let Some((sign, kind)) = KINDS.iter().find(|(sign, _)| scan::tail(r.t, at).starts_with(sign)) else {
        return false;
    };
    let number_at = at + sign.len();
    let end = scan::digits(r.t, number_at);
    let number = scan::slice(r.t, number_at..end);
    let fits = match *sign {
        // "Strum G7, then Am."
        "m" if number.is_empty() => {
            !scan::tail(r.t, end).starts_with(" I")
                && scan::has_words(r.t, &["Strum", "strum", "chord", "chords", "capo", "progression"])
        }
        "sus" => ["2", "4"].contains(&number),
        "add" => ["9", "11"].contains(&number),
        "dim" | "aug" => ["", "7"].contains(&number),
        _ => ["6", "7", "9", "11", "13"].contains(&number),
    };
    if !fits || !scan::edge(r.t, end) {
        return false;
    }
    let words =
        if number.is_empty() { String::new() } else { format!(" {}", reading::name_number(r, number)) };
    match note {
        'A' => chemistry::pronounce_a(r, r.at + 1),
        note => r.say(&note.to_string(), r.at + 1),
    }
    r.say(&format!("{pitch}{kind}{words}"), end);
    true
}
