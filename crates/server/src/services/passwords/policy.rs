//! What a password must be: 12 to 256 characters, none of the common ones, hard to guess, and without the name before
//! the `@` of its account's address.
//!
//! Common is what zxcvbn's dictionaries (among them the 30,000 commonest passwords) have as one entry, also with up to
//! four digits or signs put before or behind it, or repeated. Hard to guess is a zxcvbn score of at least 3.

use zxcvbn::{Entropy, Score, matching::patterns::MatchPattern, zxcvbn};

/// The fewest characters.
pub const SHORTEST: usize = 12;

/// The most characters.
pub const LONGEST: usize = 256;

/// The least score of zxcvbn that is strong enough.
const LEAST_SCORE: Score = Score::Three;

/// How many digits or signs at either end do not make a common password another one.
const TRIMMED: usize = 4;

/// The characters that zxcvbn looks at, so that its time is bounded. It cuts by itself; this does not rely on it.
const JUDGED: usize = 100;

/// More characters than any dictionary's entry has.
const LONGEST_ENTRY: usize = 32;

/// A name before the `@` of one character would refuse nearly every password.
const SHORTEST_NAME: usize = 2;

/// The names of the requirements that a password does not meet, in the order of the contract.
pub fn unmet(password: &str, email: &str) -> Vec<&'static str> {
    let judged: String = password.chars().take(JUDGED).collect();
    let entropy = zxcvbn(&judged, &[]);
    let checks = [
        ("min_length_12", password.chars().count() < SHORTEST),
        ("not_common", is_common(&judged, &entropy)),
        ("strength", entropy.score() < LEAST_SCORE),
        ("not_email", names_owner(password, email)),
    ];
    checks.into_iter().filter(|(_, unmet)| *unmet).map(|(name, _)| name).collect()
}

/// How hard a password is to guess, 0 to 4.
pub fn score(password: &str) -> u8 {
    let judged: String = password.chars().take(JUDGED).collect();
    zxcvbn(&judged, &[]).score().into()
}

fn is_common(password: &str, whole: &Entropy) -> bool {
    is_entry(whole) || cores(password).any(|core| is_entry(&zxcvbn(core, &[])))
}

/// Whether zxcvbn sees one entry of its dictionaries in it, from the first character to the last, or that repeated.
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

/// What is left of a password after dropping up to four digits or signs before and behind, in all ways but the whole.
fn cores(password: &str) -> impl Iterator<Item = &str> {
    let dressing = |c: &char| c.is_ascii_digit() || c.is_ascii_punctuation();
    let before = password.chars().take(TRIMMED).take_while(dressing).count();
    let behind = password.chars().rev().take(TRIMMED).take_while(dressing).count();
    (0..=before).flat_map(move |start| (0..=behind).map(move |end| (start, end))).filter_map(
        move |(start, end)| {
            // Only ASCII is dropped, so that characters are bytes.
            let core = password.get(start..password.len().checked_sub(end)?)?;
            (start + end > 0 && !core.is_empty() && core.len() <= LONGEST_ENTRY).then_some(core)
        },
    )
}

/// Whether the name before the `@` is in the password, in whatever case.
fn names_owner(password: &str, email: &str) -> bool {
    let name = email.rsplit_once('@').map_or(email, |(name, _)| name).to_lowercase();
    name.chars().count() >= SHORTEST_NAME && password.to_lowercase().contains(&name)
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
        let longest: String = long.chars().take(LONGEST).collect();
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

    // Negative control: without `cores` only those that are an entry as they stand are found.
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
    fn every_name_but_one_of_a_single_character_is_looked_for() {
        assert_eq!(unmet("correct horse battery staple", "a@example.com"), [""; 0]);
        assert_eq!(unmet("correct horse battery staple", "or@example.com"), ["not_email"]);
        assert_eq!(unmet("correct horse battery staple", "xy@example.com"), [""; 0]);
        assert_eq!(unmet("correct horse battery staple", "HORSE@example.com"), ["not_email"]);
    }

    #[test]
    fn the_longest_password_is_judged_in_bounded_time() {
        let started = std::time::Instant::now();
        for hard in ["p4$$w0rd".repeat(32), "4@8({[<3€69!1|0$5+7%2".repeat(12), "🦀ß漢".repeat(80)] {
            of(&hard);
        }
        assert!(started.elapsed() < std::time::Duration::from_secs(20), "{:?}", started.elapsed());
    }
}
