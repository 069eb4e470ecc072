//! Stress marks: how capitals add them and how joined words lose them.

use super::alphabet::{PRIMARY, SECONDARY, is_stress, is_vowel};

/// The change to the stress of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stress {
    /// None: the stress stays as in the lexicon.
    Kept,
    /// The primary stress becomes secondary, and secondary stresses are removed; a word without
    /// primary stress stays as it is.
    Weakened,
    /// As [`Self::Weakened`], and a word without any stress gets a secondary one.
    Secondary,
    /// A word without any stress gets a secondary one, as for an initial capital.
    Hinted,
    /// A word without a primary stress gets one, as for a word in capitals.
    Raised,
}

impl Stress {
    /// The stress change that a word's capitals imply.
    pub(super) fn of_capitals(word: &str) -> Self {
        if !word.chars().any(char::is_uppercase) {
            Self::Kept
        } else if word.chars().any(char::is_lowercase) {
            Self::Hinted
        } else {
            Self::Raised
        }
    }

    /// Applies the change to phonemes.
    pub(super) fn apply(self, phonemes: &str) -> String {
        let primary = phonemes.contains(PRIMARY);
        let bare = !phonemes.contains(is_stress);
        match self {
            Self::Weakened | Self::Secondary if primary => weaken(phonemes),
            Self::Secondary | Self::Hinted if bare => mark(phonemes, SECONDARY),
            Self::Raised if bare => mark(phonemes, PRIMARY),
            Self::Raised if !primary => {
                phonemes.chars().map(|c| if c == SECONDARY { PRIMARY } else { c }).collect()
            }
            _ => phonemes.to_owned(),
        }
    }
}

fn weaken(phonemes: &str) -> String {
    let kept = phonemes.chars().filter(|&c| c != SECONDARY);
    kept.map(|c| if c == PRIMARY { SECONDARY } else { c }).collect()
}

/// Puts a mark before the first vowel. A word without a vowel has no stress.
fn mark(phonemes: &str, mark: char) -> String {
    let mut marked = phonemes.to_owned();
    if let Some(vowel) = phonemes.find(is_vowel) {
        marked.insert(vowel, mark);
    }
    marked
}

#[cfg(test)]
mod tests {
    use super::Stress;

    #[test]
    fn capitals_ask_for_more_stress_the_more_of_them_there_are() {
        assert_eq!(Stress::of_capitals("can't"), Stress::Kept);
        assert_eq!(Stress::of_capitals("Can't"), Stress::Hinted);
        assert_eq!(Stress::of_capitals("CAN'T"), Stress::Raised);
        assert_eq!(Stress::of_capitals("5"), Stress::Kept);
    }

    #[test]
    fn marks_move_as_asked_and_land_before_the_first_vowel() {
        assert_eq!(Stress::Hinted.apply("ʃi"), "ʃˌi");
        assert_eq!(Stress::Hinted.apply("ʃˈi"), "ʃˈi");
        assert_eq!(Stress::Raised.apply("ʃi"), "ʃˈi");
        assert_eq!(Stress::Raised.apply("ʃˌi"), "ʃˈi");
        assert_eq!(Stress::Weakened.apply("ˌʌndəɹstˈænd"), "ʌndəɹstˌænd");
        assert_eq!(Stress::Weakened.apply("ʃi"), "ʃi");
        assert_eq!(Stress::Secondary.apply("ʃi"), "ʃˌi");
        assert_eq!(Stress::Raised.apply("hm"), "hm", "no vowel, no stress");
        assert_eq!(Stress::Kept.apply("ʃˌi"), "ʃˌi");
    }
}
