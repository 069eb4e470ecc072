//! The phonemes of the CMU Pronouncing Dictionary in IPA.
//! Source: the symbol table of the CMU Pronouncing Dictionary, Carnegie Mellon University.

/// The IPA of a pronunciation such as `M AE1 D IH0 S AH0 N`, with each mark of stress before its vowel; `None` if a symbol
/// is unknown.
pub(super) fn to_ipa(written: &str) -> Option<String> {
    let mut ipa = String::new();
    for symbol in written.split_ascii_whitespace() {
        let (sound, stress) = match symbol.split_at_checked(symbol.len() - 1) {
            Some((sound, stress @ ("0" | "1" | "2"))) => (sound, Some(stress)),
            _ => (symbol, None),
        };
        match stress {
            Some("1") => ipa.push('ˈ'),
            Some("2") => ipa.push('ˌ'),
            _ => {}
        }
        ipa.push_str(sound_of(sound, stress)?);
    }
    Some(ipa).filter(|ipa| !ipa.is_empty())
}

fn sound_of(symbol: &str, stress: Option<&str>) -> Option<&'static str> {
    Some(match symbol {
        "AA" => "ɑ",
        "AE" => "æ",
        "AH" if stress == Some("0") => "ə",
        "AH" => "ʌ",
        "AO" => "ɔ",
        "AW" => "aʊ",
        "AY" => "aɪ",
        "B" => "b",
        "CH" => "tʃ",
        "D" => "d",
        "DH" => "ð",
        "EH" => "ɛ",
        "ER" if stress == Some("0") => "ɚ",
        "ER" => "ɝ",
        "EY" => "eɪ",
        "F" => "f",
        "G" => "ɡ",
        "HH" => "h",
        "IH" => "ɪ",
        "IY" => "i",
        "JH" => "dʒ",
        "K" => "k",
        "L" => "l",
        "M" => "m",
        "N" => "n",
        "NG" => "ŋ",
        "OW" => "oʊ",
        "OY" => "ɔɪ",
        "P" => "p",
        "R" => "ɹ",
        "S" => "s",
        "SH" => "ʃ",
        "T" => "t",
        "TH" => "θ",
        "UH" => "ʊ",
        "UW" => "u",
        "V" => "v",
        "W" => "w",
        "Y" => "j",
        "Z" => "z",
        "ZH" => "ʒ",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stress_stands_before_its_vowel() {
        assert_eq!(to_ipa("HH AH0 L OW1").as_deref(), Some("həlˈoʊ"));
        assert_eq!(to_ipa("B ER1 D").as_deref(), Some("bˈɝd"));
        assert_eq!(to_ipa("").as_deref(), None);
        assert_eq!(to_ipa("HH QQ1").as_deref(), None);
        assert_eq!(to_ipa("é").as_deref(), None);
    }
}
