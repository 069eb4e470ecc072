//! How emoji are read: by their names. One that is repeated is named once, with its number. What is
//! joined to one picture (a woman and a laptop) is one emoji, whatever skin and gender it has.

use super::Reader;
use crate::front_end::emoji::{self, Run, keycap, parts, regional};
use names::name;

mod flags;
mod names;

/// Reads the emoji or flag that comes next, and how often it is repeated: "rocket, three times".
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let Some(run) = run(r.rest()) else { return false };
    let name = unit(r.rest()).map(called).unwrap_or_default();
    let end = r.at + run.bytes;
    let said = match run.count {
        1 => name,
        2 => format!("{name}, twice"),
        count => format!("{name}, {} times", r.language.figures.number(count as u64)),
    };
    r.say(&said, end);
    // What follows a number, or has one of its own, stands apart.
    let next = self::run(r.rest().trim_start());
    let word_follows = r.rest().trim_start().starts_with(char::is_alphanumeric);
    let apart = run.count > 1 && (word_follows || next.is_some());
    if apart || next.is_some_and(|next| next.count > 1) {
        r.out.comma(end..end);
    }
    true
}

/// Reads the keycap that comes next, before its digit is taken for a number.
pub(super) fn read_keycap(r: &mut Reader<'_>) -> bool {
    keycap(r.rest()).is_some() && read(r)
}

/// The run of one emoji that a text starts with.
pub(in crate::front_end::english) fn run(text: &str) -> Option<Run> {
    emoji::run(text, is_named)
}

/// The emoji, flag or keycap that a text starts with, if it has a name.
fn unit(text: &str) -> Option<&str> {
    emoji::unit(text, is_named)
}

fn is_named(part: char) -> bool {
    name(part).is_some()
}

/// The name of a unit: its own (`woman astronaut`), or that of its parts.
fn called(unit: &str) -> String {
    const KEYS: [&str; 10] = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    match unit.chars().next() {
        Some('#') => "hash".to_owned(),
        Some('*') => "star".to_owned(),
        Some(key) if key.is_ascii_digit() => KEYS[key as usize - '0' as usize].to_owned(),
        Some(letter) if regional(letter).is_some() => flag(unit),
        _ => names::joined(parts(unit))
            .unwrap_or_else(|| parts(unit).filter_map(name).collect::<Vec<_>>().join(" ")),
    }
}

/// The name of a flag, which is two regional letters: "US flag", "flag of France".
fn flag(text: &str) -> String {
    let code: String = text.chars().take(2).filter_map(regional).collect();
    flags::country(&code).map_or_else(|| format!("{code} flag"), |country| format!("flag of {country}"))
}

#[cfg(test)]
mod tests {
    use super::{Run, run};

    #[test]
    fn a_run_is_one_emoji_however_it_is_adorned_and_spaced() {
        let of = |text: &str| run(text).map(|Run { bytes, count }| (text.len() - bytes, count));
        assert_eq!(of("😂😂😂!"), Some((1, 3)));
        assert_eq!(of("👍🏽👍 👍🏿"), Some((0, 3)));
        assert_eq!(of("❤\u{FE0F}❤\u{FE0F}"), Some((0, 2)));
        assert_eq!(of("🇫🇷🇫🇷🇩🇪"), Some((8, 2)));
        assert_eq!(of("😂🚀"), Some((4, 1)));
        assert_eq!(of("🇫"), None);
        assert_eq!(of("x😂"), None);
        // Joined to one picture, of any gender and skin.
        assert_eq!(of("🤦\u{200D}♀\u{FE0F}🤦🏽\u{200D}♂\u{FE0F}🤦"), Some((0, 3)));
        assert_eq!(of("👩\u{200D}💻👩🏿\u{200D}💻👩"), Some((4, 2)));
        assert_eq!(of("1\u{FE0F}\u{20E3}1\u{20E3}1"), Some((1, 2)));
        assert_eq!(of("♀♀♂"), Some((3, 2)));
        assert_eq!(of("1"), None);
        // A chain without end is many pictures.
        assert_eq!(of(&"👩\u{200D}".repeat(100)), Some((99 * 7 - 7 * 7 + 3, 1)));
    }
}
