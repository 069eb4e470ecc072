//! The endings -s, -ed and -ing on the phonemes of a stem.

use super::{Accent, alphabet::is_vowel};

/// Adds the sound of a plural, a possessive or the third person.
pub(super) fn plural(stem: &str, accent: Accent) -> Option<String> {
    let ending = match stem.chars().next_back()? {
        'p' | 't' | 'k' | 'f' | 'θ' => "s",
        's' | 'z' | 'ʃ' | 'ʒ' | 'ʧ' | 'ʤ' => match accent {
            Accent::American => "ᵻz",
            Accent::British => "ɪz",
        },
        _ => "z",
    };
    Some(format!("{stem}{ending}"))
}

/// Adds the sound of the past tense.
pub(super) fn past(stem: &str, accent: Accent) -> Option<String> {
    let weak = match accent {
        Accent::American => "ᵻd",
        Accent::British => "ɪd",
    };
    let ending = match stem.chars().next_back()? {
        'p' | 'k' | 'f' | 'θ' | 'ʃ' | 's' | 'ʧ' => "t",
        'd' => weak,
        't' => return Some(format!("{}{weak}", flapped(stem, accent))),
        _ => "d",
    };
    Some(format!("{stem}{ending}"))
}

/// Adds the sound of -ing. British stems that end in a schwa or a long vowel are left to the
/// lexicon, because their phonemes lack the linking r.
pub(super) fn progressive(stem: &str, accent: Accent) -> Option<String> {
    let last = stem.chars().next_back()?;
    if accent == Accent::British && matches!(last, 'ə' | 'ː') {
        return None;
    }
    Some(format!("{}ɪŋ", flapped(stem, accent)))
}

/// Adds a contraction that is written as an ending: the `'s` of a possessive, `'ve`, `'d`, `'ll`,
/// `'re`. `None` for any other ending.
pub(super) fn contracted(stem: &str, ending: &str, accent: Accent) -> Option<String> {
    let last = stem.chars().next_back()?;
    let vowel = is_vowel(last) || last == 'ː';
    let sound = match (ending, accent) {
        ("'s", _) => return plural(stem, accent),
        ("'ve", _) => {
            if vowel {
                "v"
            } else {
                "əv"
            }
        }
        ("'d", _) => {
            if matches!(last, 't' | 'd') {
                "əd"
            } else {
                "d"
            }
        }
        ("'ll", _) => {
            if vowel {
                "l"
            } else {
                "əl"
            }
        }
        ("'re", Accent::American) => {
            if vowel {
                "ɹ"
            } else {
                "əɹ"
            }
        }
        ("'re", Accent::British) => "ə",
        _ => return None,
    };
    Some(format!("{stem}{sound}"))
}

/// An American t after a vowel or r becomes a flap before the vowel of an ending.
fn flapped(stem: &str, accent: Accent) -> String {
    match (accent, stem.strip_suffix('t')) {
        (Accent::American, Some(rest)) if rest.ends_with(flaps_after) => format!("{rest}ɾ"),
        _ => stem.to_owned(),
    }
}

fn flaps_after(symbol: char) -> bool {
    symbol == 'ɹ' || (is_vowel(symbol) && !matches!(symbol, 'Q' | 'a' | 'ɒ' | 'ɔ' | 'ᵻ'))
}

#[cfg(test)]
mod tests {
    use super::{Accent, contracted, past, plural, progressive};

    #[test]
    fn plurals_follow_the_voice_of_the_last_sound() {
        for (stem, american, british) in
            [("kˈæt", "kˈæts", "kˈæts"), ("dˈɔɡ", "dˈɔɡz", "dˈɔɡz"), ("hˈɔɹs", "hˈɔɹsᵻz", "hˈɔɹsɪz")]
        {
            assert_eq!(plural(stem, Accent::American).as_deref(), Some(american));
            assert_eq!(plural(stem, Accent::British).as_deref(), Some(british));
        }
        assert_eq!(plural("", Accent::American), None);
    }

    #[test]
    fn pasts_follow_the_last_sound_and_americans_flap() {
        for (stem, american, british) in [
            ("wˈɔk", "wˈɔkt", "wˈɔkt"),
            ("plˈA", "plˈAd", "plˈAd"),
            ("nˈid", "nˈidᵻd", "nˈidɪd"),
            ("wˈAt", "wˈAɾᵻd", "wˈAtɪd"),
            ("ˈækt", "ˈæktᵻd", "ˈæktɪd"),
        ] {
            assert_eq!(past(stem, Accent::American).as_deref(), Some(american));
            assert_eq!(past(stem, Accent::British).as_deref(), Some(british));
        }
    }

    #[test]
    fn words_written_as_endings_get_a_schwa_where_their_sound_would_not_be_heard() {
        for (stem, ending, said) in [
            ("wʊd", "'ve", "wʊdəv"),
            ("ˈI", "'ve", "ˈIv"),
            ("ðæt", "'d", "ðætəd"),
            ("ðA", "'d", "ðAd"),
            ("tˈɑm", "'ll", "tˈɑməl"),
            ("smˈɪθ", "'s", "smˈɪθs"),
        ] {
            assert_eq!(contracted(stem, ending, Accent::American).as_deref(), Some(said));
        }
        assert_eq!(contracted("wʊd", "'x", Accent::American), None);
    }

    #[test]
    fn progressives_flap_in_american_and_leave_british_r_to_the_lexicon() {
        assert_eq!(progressive("wˈAt", Accent::American).as_deref(), Some("wˈAɾɪŋ"));
        assert_eq!(progressive("wˈAt", Accent::British).as_deref(), Some("wˈAtɪŋ"));
        assert_eq!(progressive("stˈɔː", Accent::British), None);
    }
}
