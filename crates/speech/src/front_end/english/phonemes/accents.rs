//! Words with accented letters: their spellings without accents, and whether such a spelling sounds
//! the same.

use super::alphabet::is_stress;

/// Whether a word sounds like its spelling without accents (`twin`). The accents of "café" and
/// "naïve" change nothing, but "rosé" is not "rose" and "señor" is not "senor".
pub(super) fn sounds_alike(word: &str, twin: &str) -> bool {
    let word = word.to_lowercase();
    let sounds: String = twin.chars().filter(|symbol| !is_stress(*symbol)).collect();
    let singular = word.strip_suffix('s').unwrap_or(&word);
    let ends_in_ay = singular.ends_with('é') || singular.ends_with("ée");
    let says_ay = sounds.ends_with('A') || (singular.len() < word.len() && sounds.ends_with("Az"));
    (!ends_in_ay || says_ay) && (!word.contains('ñ') || sounds.contains("nj"))
}

/// The word with plain Latin letters, if it has accented ones: the lexicons have "Chloe" and not
/// "Chloë".
pub(super) fn plain(word: &str) -> Option<String> {
    if word.is_ascii() {
        return None;
    }
    let mut plain = String::with_capacity(word.len());
    for letter in word.chars() {
        match plain_letter(letter) {
            Some(letters) => plain.push_str(letters),
            None => plain.push(letter),
        }
    }
    (plain != word).then_some(plain)
}

fn plain_letter(letter: char) -> Option<&'static str> {
    const PLAIN: [(&str, &str); 46] = [
        ("àáâãäåāăą", "a"),
        ("ÀÁÂÃÄÅĀĂĄ", "A"),
        ("çćĉċč", "c"),
        ("ÇĆĈĊČ", "C"),
        ("ďđð", "d"),
        ("ĎĐÐ", "D"),
        ("èéêëēĕėęě", "e"),
        ("ÈÉÊËĒĔĖĘĚ", "E"),
        ("ĝğġģ", "g"),
        ("ĜĞĠĢ", "G"),
        ("ĥħ", "h"),
        ("ĤĦ", "H"),
        ("ìíîïĩīĭįı", "i"),
        ("ÌÍÎÏĨĪĬĮİ", "I"),
        ("ĵ", "j"),
        ("Ĵ", "J"),
        ("ķ", "k"),
        ("Ķ", "K"),
        ("ĺļľŀł", "l"),
        ("ĹĻĽĿŁ", "L"),
        ("ńņň", "n"),
        ("ŃŅŇ", "N"),
        ("òóôõöøōŏő", "o"),
        ("ÒÓÔÕÖØŌŎŐ", "O"),
        ("ŕŗř", "r"),
        ("ŔŖŘ", "R"),
        ("śŝşšș", "s"),
        ("ŚŜŞŠȘ", "S"),
        ("ţťŧț", "t"),
        ("ŢŤŦȚ", "T"),
        ("ùúûüũūŭůűų", "u"),
        ("ÙÚÛÜŨŪŬŮŰŲ", "U"),
        ("ŵ", "w"),
        ("Ŵ", "W"),
        ("ýÿŷ", "y"),
        ("ÝŸŶ", "Y"),
        ("źżž", "z"),
        ("ŹŻŽ", "Z"),
        ("æ", "ae"),
        ("Æ", "Ae"),
        ("œ", "oe"),
        ("Œ", "Oe"),
        ("ß", "ss"),
        ("þ", "th"),
        ("Þ", "Th"),
        // Combining marks, for letters written as two characters.
        (
            "\u{300}\u{301}\u{302}\u{303}\u{304}\u{306}\u{307}\u{308}\u{30a}\u{30b}\u{30c}\u{323}\u{327}\u{328}",
            "",
        ),
    ];
    PLAIN.iter().find(|(letters, _)| letters.contains(letter)).map(|(_, plain)| *plain)
}

#[cfg(test)]
mod tests {
    use super::{plain, sounds_alike};

    #[test]
    fn a_twin_counts_only_if_it_says_what_the_accents_do() {
        for (word, twin) in [
            ("café", "kæfˈA"),
            ("cafés", "kæfˈAz"),
            ("purée", "pjʊɹˈA"),
            ("naïve", "nɑˈiv"),
            ("façade", "fəsˈɑd"),
        ] {
            assert!(sounds_alike(word, twin), "{word}");
        }
        for (word, twin) in [("rosé", "ɹˈOz"), ("Rosés", "ɹˈOzᵻz"), ("brûlée", "bɹˈuli"), ("señor", "sˈɛnəɹ")]
        {
            assert!(!sounds_alike(word, twin), "{word}");
        }
        assert_eq!((plain("Zoë").as_deref(), plain("plain")), (Some("Zoe"), None));
    }
}
