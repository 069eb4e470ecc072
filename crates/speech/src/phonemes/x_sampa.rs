//! X-SAMPA: IPA in ASCII, after J. C. Wells, "Computer-coding the IPA" (1995).

/// The signs of several characters first, so that the longest one counts.
const SIGNS: [(&str, &str); 118] = [
    ("b_<", "ɓ"),
    ("d`_<", "ᶑ"),
    ("d_<", "ɗ"),
    ("g_<", "ɠ"),
    ("G\\_<", "ʛ"),
    ("J\\_<", "ʄ"),
    ("|\\|\\", "ǁ"),
    ("||", "‖"),
    ("=\\", "ǂ"),
    ("!\\", "ǃ"),
    ("|\\", "ǀ"),
    ("O\\", "ʘ"),
    ("-\\", "‿"),
    ("B\\", "ʙ"),
    ("G\\", "ɢ"),
    ("H\\", "ʜ"),
    ("I\\", "ᵻ"),
    ("J\\", "ɟ"),
    ("K\\", "ɮ"),
    ("L\\", "ʟ"),
    ("M\\", "ɰ"),
    ("N\\", "ɴ"),
    ("R\\", "ʀ"),
    ("U\\", "ᵿ"),
    ("X\\", "ħ"),
    ("h\\", "ɦ"),
    ("j\\", "ʝ"),
    ("l\\", "ɺ"),
    ("p\\", "ɸ"),
    ("r\\`", "ɻ"),
    ("r\\", "ɹ"),
    ("s\\", "ɕ"),
    ("v\\", "ʋ"),
    ("x\\", "ɧ"),
    ("z\\", "ʑ"),
    ("?\\", "ʕ"),
    ("<\\", "ʢ"),
    (">\\", "ʡ"),
    ("@\\", "ɘ"),
    ("3\\", "ɞ"),
    (":\\", "ˑ"),
    ("d`", "ɖ"),
    ("l`", "ɭ"),
    ("n`", "ɳ"),
    ("r`", "ɽ"),
    ("s`", "ʂ"),
    ("t`", "ʈ"),
    ("z`", "ʐ"),
    ("@`", "ɚ"),
    ("3`", "ɝ"),
    ("_~", "\u{303}"),
    ("_=", "\u{329}"),
    ("_h", "ʰ"),
    ("_j", "ʲ"),
    ("_w", "ʷ"),
    ("_^", "\u{32f}"),
    ("_0", "\u{325}"),
    ("_d", "\u{32a}"),
    ("_}", "\u{31a}"),
    ("_G", "ˠ"),
    ("_?\\", "ˤ"),
    ("_>", "ʼ"),
    ("~", "\u{303}"),
    ("=", "\u{329}"),
    ("`", "˞"),
    ("'", "ʲ"),
    ("A", "ɑ"),
    ("B", "β"),
    ("C", "ç"),
    ("D", "ð"),
    ("E", "ɛ"),
    ("F", "ɱ"),
    ("G", "ɣ"),
    ("H", "ɥ"),
    ("I", "ɪ"),
    ("J", "ɲ"),
    ("K", "ɬ"),
    ("L", "ʎ"),
    ("M", "ɯ"),
    ("N", "ŋ"),
    ("O", "ɔ"),
    ("P", "ʋ"),
    ("Q", "ɒ"),
    ("R", "ʁ"),
    ("S", "ʃ"),
    ("T", "θ"),
    ("U", "ʊ"),
    ("V", "ʌ"),
    ("W", "ʍ"),
    ("X", "χ"),
    ("Y", "ʏ"),
    ("Z", "ʒ"),
    ("1", "ɨ"),
    ("2", "ø"),
    ("3", "ɜ"),
    ("4", "ɾ"),
    ("5", "ɫ"),
    ("6", "ɐ"),
    ("7", "ɤ"),
    ("8", "ɵ"),
    ("9", "œ"),
    ("&", "ɶ"),
    ("@", "ə"),
    ("{", "æ"),
    ("}", "ʉ"),
    ("?", "ʔ"),
    ("\"", "ˈ"),
    ("%", "ˌ"),
    (":", "ː"),
    (".", "."),
    ("|", " "),
    ("_", "\u{361}"),
    ("-", ""),
    (" ", " "),
    ("g", "ɡ"),
    ("r", "r"),
    ("!", "ꜜ"),
    ("^", "ꜛ"),
];

/// IPA of a transcription.
///
/// # Errors
/// The first character that is no sign of X-SAMPA.
pub(crate) fn to_ipa(written: &str) -> Result<String, char> {
    let mut ipa = String::with_capacity(written.len());
    let mut rest = written;
    while let Some(first) = rest.chars().next() {
        if let Some((sign, meaning)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
            ipa.push_str(meaning);
            rest = &rest[sign.len()..];
        } else if first.is_ascii_lowercase() {
            ipa.push(first);
            rest = &rest[1..];
        } else {
            return Err(first);
        }
    }
    Ok(ipa)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transcriptions_become_ipa() {
        for (written, ipa) in [
            ("pI\"kA:n", "pɪˈkɑːn"),
            ("\"deIt@", "ˈdeɪtə"),
            ("t_SOIs", "t͡ʃɔɪs"),
            ("m@\"tSi:n", "məˈtʃiːn"),
            ("b_<3`d", "ɓɝd"),
            ("fE~", "fɛ\u{303}"),
            ("r\\Ed", "ɹɛd"),
            ("\"O_~kl", "ˈɔ\u{303}kl"),
        ] {
            assert_eq!(to_ipa(written).as_deref(), Ok(ipa), "{written}");
        }
        assert_eq!(to_ipa("pi東"), Err('東'));
    }
}
