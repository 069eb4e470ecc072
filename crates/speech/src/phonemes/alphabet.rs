//! The symbols: which there are, and which of them are vowels, consonants, marks. One char, one
//! symbol.
//!
//! The alphabet is Kokoro's: IPA with one capital for each English diphthong (`A` as in day, `I`
//! my, `O` go, `Q` the British go, `W` now, `Y` boy) and one sign for each affricate. What ids the
//! symbols have is the business of [`super::Vocabulary`].

/// Marks the vowel after it as the loudest of its word.
pub(crate) const PRIMARY: char = 'ˈ';
/// Marks the vowel after it as loud, but not the loudest.
pub(crate) const SECONDARY: char = 'ˌ';

/// Every symbol that a pronunciation may be written with, punctuation left out. A test holds it
/// against the pack.
pub(crate) const SYMBOLS: &str = concat!(
    " \u{303}ʣʥʦʨᵝꭧAIOQSTWYᵊabcdefhijklmnopqrstuvwxyzɑɐɒæβɔɕçɖðʤəɚɛɜɟɡɥɨɪʝɯɰŋɳɲɴøɸθœɹɾɻʁɽʂʃʈʧʊʋʌɣɤχʎʒʔ",
    "ˈˌːʰʲ↓→↗↘ᵻ"
);

/// The punctuation that the voices take as pauses and melody. Quotation marks and brackets are not
/// among them.
pub(crate) const PAUSES: &str = ";:,.!?—…";

/// Whether it is a vowel of English.
pub(crate) fn is_vowel(symbol: char) -> bool {
    matches!(
        symbol,
        'A' | 'I'
            | 'O'
            | 'Q'
            | 'W'
            | 'Y'
            | 'a'
            | 'i'
            | 'u'
            | 'æ'
            | 'ɑ'
            | 'ɒ'
            | 'ɔ'
            | 'ə'
            | 'ɛ'
            | 'ɜ'
            | 'ɪ'
            | 'ʊ'
            | 'ʌ'
            | 'ᵻ'
    )
}

/// Whether it is a consonant of English.
pub(crate) fn is_consonant(symbol: char) -> bool {
    matches!(
        symbol,
        'b' | 'd'
            | 'f'
            | 'h'
            | 'j'
            | 'k'
            | 'l'
            | 'm'
            | 'n'
            | 'p'
            | 's'
            | 't'
            | 'v'
            | 'w'
            | 'z'
            | 'ð'
            | 'ŋ'
            | 'ɡ'
            | 'ɹ'
            | 'ɾ'
            | 'ʃ'
            | 'ʒ'
            | 'ʤ'
            | 'ʧ'
            | 'θ'
    )
}

/// Whether it is a stress mark.
pub(crate) fn is_stress(symbol: char) -> bool {
    matches!(symbol, PRIMARY | SECONDARY)
}

/// Whether it is a pause.
pub(crate) fn is_pause(symbol: char) -> bool {
    PAUSES.contains(symbol)
}

/// How much a symbol adds to the length of its word: what is written with one sign but is two
/// sounds counts twice.
pub(crate) fn weight(symbol: char) -> usize {
    if matches!(symbol, 'A' | 'I' | 'O' | 'Q' | 'W' | 'Y' | 'ʤ' | 'ʧ') { 2 } else { 1 }
}
