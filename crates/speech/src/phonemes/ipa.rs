//! Converts textbook IPA to the voices' alphabet.
//!
//! People write /ˈdeɪtə/; the voices need `dˈATə`. `alphabet` defines which symbols exist.

use super::alphabet::{PRIMARY, SYMBOLS, is_consonant, is_stress, is_vowel};

/// Textbook sequences and their form in the alphabet, the longer first where one is a prefix of
/// another.
const SEQUENCES: [(&str, &str); 30] = [
    ("eɪ", "A"),
    ("ei", "A"),
    ("aɪ", "I"),
    ("ai", "I"),
    ("aʊ", "W"),
    ("au", "W"),
    ("ɔɪ", "Y"),
    ("ɔi", "Y"),
    ("oʊ", "O"),
    ("ou", "O"),
    ("əʊ", "Q"),
    ("tʃ", "ʧ"),
    ("dʒ", "ʤ"),
    ("l\u{329}", "ᵊl"),
    ("n\u{329}", "ᵊn"),
    ("m\u{329}", "ᵊm"),
    ("ɝː", "ɜɹ"),
    ("ɝ", "ɜɹ"),
    ("ɚ", "əɹ"),
    ("ɜ˞", "ɜɹ"),
    ("ə˞", "əɹ"),
    ("ɫ", "l"),
    ("ʍ", "w"),
    ("r", "ɹ"),
    ("g", "ɡ"),
    ("'", "ˈ"),
    ("ʹ", "ˈ"),
    (":", "ː"),
    ("ε", "ɛ"),
    ("ɪ\u{308}", "ᵻ"),
];

/// Signs of layout, or of details that the voices do not distinguish.
const SILENT: [char; 13] = [
    '/', '[', ']', '.', '‿', '\u{361}', '\u{35c}', '\u{32f}', '\u{32a}', '\u{325}', '\u{2d1}', '\u{200d}',
    '\u{feff}',
];

/// Converts IPA to the voices' alphabet.
///
/// # Errors
/// The first symbol that the alphabet does not have.
pub(crate) fn read(ipa: &str) -> Result<String, char> {
    let mut said = String::with_capacity(ipa.len());
    // Tie bars and syllable dots are removed first, so that t͡ʃ is recognized as one sound.
    let plain: String = ipa.trim().chars().filter(|c| !SILENT.contains(c)).collect();
    let mut rest = plain.as_str();
    while let Some(symbol) = rest.chars().next() {
        if let Some((from, to)) = SEQUENCES.iter().find(|(from, _)| rest.starts_with(from)) {
            said.push_str(to);
            rest = &rest[from.len()..];
        } else if SYMBOLS.contains(symbol) {
            said.push(symbol);
            rest = &rest[symbol.len_utf8()..];
        } else {
            return Err(symbol);
        }
    }
    Ok(to_the_vowel(&said))
}

/// Whether a text between slashes is a pronunciation and not an address: it has only symbols of the
/// alphabet or of textbook IPA, and at least one of them is not a–z. A stress mark counts as one; a
/// space does not.
pub(crate) fn is_pronunciation(text: &str) -> bool {
    let tells = |c: char| {
        !c.is_ascii_lowercase() && !c.is_whitespace() && !SILENT.contains(&c) && !c.is_ascii_punctuation()
            || matches!(c, '\'' | ':')
    };
    text.contains(tells)
        && read(text).is_ok_and(|said| said.contains(|c| is_vowel(c) || is_other_vowel(c) || is_consonant(c)))
}

/// Converts an unchecked pronunciation: symbols that the alphabet does not have are left out.
pub(crate) fn said(ipa: &str) -> String {
    let mut ipa = ipa.to_owned();
    loop {
        match read(&ipa) {
            Ok(said) => return said,
            Err(unknown) => ipa.retain(|c| c != unknown),
        }
    }
}

/// Moves stress marks from the start of the syllable, where IPA has them, to its vowel, where the
/// voices need them.
fn to_the_vowel(ipa: &str) -> String {
    let mut said = String::with_capacity(ipa.len());
    let mut waiting: Option<char> = None;
    for symbol in ipa.chars() {
        if is_stress(symbol) {
            // Of two marks for one vowel, the stronger one counts.
            waiting = Some(if waiting == Some(PRIMARY) { PRIMARY } else { symbol });
            continue;
        }
        if is_vowel(symbol) || is_other_vowel(symbol) {
            said.extend(waiting.take());
        }
        said.push(symbol);
    }
    said
}

fn is_other_vowel(symbol: char) -> bool {
    matches!(symbol, 'e' | 'o' | 'y' | 'ø' | 'œ' | 'ɐ' | 'ɨ' | 'ɯ' | 'ɤ' | 'ᵊ')
}

#[cfg(test)]
mod tests {
    use super::{read, said};

    #[test]
    fn textbook_ipa_becomes_the_voices_alphabet() {
        for (ipa, expected) in [
            ("ˈdeɪtə", "dˈAtə"),
            ("/təˈmeɪtoʊ/", "təmˈAtO"),
            ("t͡ʃɔɪs", "ʧYs"),
            ("dʒʌdʒ", "ʤʌʤ"),
            ("ˈbɝːd", "bˈɜɹd"),
            ("ˈbʌt.ɚ", "bˈʌtəɹ"),
            ("grˈuːp", "ɡɹˈuːp"),
            ("gəʊ", "ɡQ"),
            ("ˈstrɛŋθ", "stɹˈɛŋθ"),
            ("ˈbɒtl̩", "bˈɒtᵊl"),
            ("kˈOkəɹO", "kˈOkəɹO"),
            ("wɜːd", "wɜːd"),
        ] {
            assert_eq!(read(ipa).as_deref(), Ok(expected), "{ipa}");
        }
        assert_eq!(read("kæ7t"), Err('7'));
        assert_eq!(said("kæ7t東"), "kæt");
    }
}
