//! The password policy: 12 to 256 characters, not common, hard to guess, and without the local part
//! of its account's address.
//!
//! A password is common if it is a single entry of zxcvbn's dictionaries (which include the 30,000
//! most common passwords), even with up to four digits or symbols before or after it, or repeated.
//! It is hard to guess if its zxcvbn score is at least 3.

pub use lectern_types::{MAX_PASSWORD as MAX_CHARS, MIN_PASSWORD as MIN_CHARS};
use zxcvbn::{Entropy, Score, matching::patterns::MatchPattern, zxcvbn};

/// The lowest zxcvbn score that is strong enough.
const MIN_SCORE: Score = Score::Three;

/// How many digits or symbols are ignored at each end when looking for a common password.
const MAX_TRIMMED_CHARS: usize = 4;

/// How many characters zxcvbn examines, which bounds its time. zxcvbn also truncates, but this code
/// does not rely on that.
const RATED_CHARS: usize = 100;

/// Longer than any dictionary entry.
const MAX_ENTRY_CHARS: usize = 32;

/// The shortest local part that is looked for. One character would refuse nearly every password.
const MIN_LOCAL_PART_CHARS: usize = 2;

/// The names of the requirements that a password does not meet, in the contract's order.
pub fn unmet(password: &str, email: &str) -> Vec<&'static str> {
    let rated: String = password.chars().take(RATED_CHARS).collect();
    let entropy = zxcvbn(&rated, &[]);
    let checks = [
        ("min_length_12", password.chars().count() < MIN_CHARS),
        ("not_common", is_common(&rated, &entropy)),
        ("strength", entropy.score() < MIN_SCORE),
        ("not_email", contains_local_part(password, email)),
    ];
    checks.into_iter().filter(|(_, unmet)| *unmet).map(|(name, _)| name).collect()
}

/// How hard a password is to guess, 0 to 4.
pub fn score(password: &str) -> u8 {
    let rated: String = password.chars().take(RATED_CHARS).collect();
    zxcvbn(&rated, &[]).score().into()
}

fn is_common(password: &str, whole: &Entropy) -> bool {
    is_entry(whole) || cores(password).any(|core| is_entry(&zxcvbn(core, &[])))
}

/// Whether zxcvbn matches the whole text with one dictionary entry, or with a repeated one.
fn is_entry(entropy: &Entropy) -> bool {
    match entropy.sequence() {
        [only] => match &only.pattern {
            MatchPattern::Dictionary(_) => true,
            MatchPattern::Repeat(repeat) => {
                matches!(&repeat.base_matches[..], [base] if matches!(base.pattern, MatchPattern::Dictionary(_)))
            }
            _ => false,
        },
        _ => false,
    }
}

/// The password without up to four digits or symbols at each end, in all combinations but the
/// whole.
fn cores(password: &str) -> impl Iterator<Item = &str> {
    let is_trimmed = |c: &char| c.is_ascii_digit() || c.is_ascii_punctuation();
    let before = password.chars().take(MAX_TRIMMED_CHARS).take_while(is_trimmed).count();
    let after = password.chars().rev().take(MAX_TRIMMED_CHARS).take_while(is_trimmed).count();
    (0..=before).flat_map(move |start| (0..=after).map(move |end| (start, end))).filter_map(
        move |(start, end)| {
            // Only ASCII is dropped, so characters are bytes.
            let core = password.get(start..password.len().checked_sub(end)?)?;
            (start + end > 0 && !core.is_empty() && core.len() <= MAX_ENTRY_CHARS).then_some(core)
        },
    )
}

/// Whether the password contains the local part of the address, ignoring case.
fn contains_local_part(password: &str, email: &str) -> bool {
    let name = email.rsplit_once('@').map_or(email, |(name, _)| name).to_lowercase();
    name.chars().count() >= MIN_LOCAL_PART_CHARS && password.to_lowercase().contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(password: &str) -> Vec<&'static str> {
        unmet(password, "lovelace@example.com")
    }

    #[test]
    fn a_long_unusual_password_meets_all_requirements() {
        let words: Vec<String> = (0..60_u32).map(|n| (n * n * 7_919).to_string()).collect();
        let long = words.join("é ");
        let longest: String = long.chars().take(MAX_CHARS).collect();
        for good in ["correct horse battery staple", "mV7#kq2!Lw9z", "zwölf Äpfel im Korb", &longest] {
            assert_eq!(of(good), [""; 0], "{good}");
        }
    }

    #[test]
    fn the_requirements_not_met_are_named_in_order() {
        assert_eq!(of("lovelace"), ["min_length_12", "not_common", "strength", "not_email"]);
        assert_eq!(of(""), ["min_length_12", "strength"]);
        assert_eq!(of("mV7#kq2!Lw9"), ["min_length_12"]);
        assert_eq!(of("my LoveLace machine 1843"), ["not_email"]);
        assert_eq!(of("aaaaaaaaaaaa"), ["strength"]);
    }

    // Negative control: without `cores` only passwords that are themselves an entry are found.
    #[test]
    fn a_common_password_stays_common_with_digits_and_signs_around_it() {
        for common in [
            "password1234",
            "Password1234",
            "PASSWORD!123",
            "password12345",
            "123password!",
            "!!monkey2024!",
            "qwertyuiop123",
            "qwerty123456",
            "1qaz2wsx3edc",
            "letmein12345",
            "iloveyou2024",
            "passwordpassword",
            "sonyericsson",
            "christopher1",
        ] {
            assert!(of(common).contains(&"not_common"), "{common}: {:?}", of(common));
        }
        for not in ["dragon8173620594", "monkey-piano-teal", "xpassword1234q"] {
            assert!(!of(not).contains(&"not_common"), "{not}");
        }
    }

    #[test]
    fn every_local_part_but_a_single_character_is_looked_for() {
        assert_eq!(unmet("correct horse battery staple", "a@example.com"), [""; 0]);
        assert_eq!(unmet("correct horse battery staple", "or@example.com"), ["not_email"]);
        assert_eq!(unmet("correct horse battery staple", "xy@example.com"), [""; 0]);
        assert_eq!(unmet("correct horse battery staple", "HORSE@example.com"), ["not_email"]);
    }

    #[test]
    fn the_longest_password_is_rated_in_bounded_time() {
        let started = std::time::Instant::now();
        for hard in ["p4$$w0rd".repeat(32), "4@8({[<3€69!1|0$5+7%2".repeat(12), "🦀ß漢".repeat(80)] {
            of(&hard);
        }
        assert!(started.elapsed() < std::time::Duration::from_secs(20), "{:?}", started.elapsed());
    }
}
