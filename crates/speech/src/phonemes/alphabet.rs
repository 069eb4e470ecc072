//! The symbols of the alphabet, and which of them are vowels, consonants and marks. Each symbol is
//! one `char`.
//!
//! The alphabet is Kokoro's: IPA with one capital for each English diphthong (`A` as in day, `I`
//! my, `O` go, `Q` the British go, `W` now, `Y` boy) and one sign for each affricate.
//! [`super::Vocabulary`] holds the ids of the symbols.

/// The primary stress of a word, before its vowel.
pub(crate) const PRIMARY: char = 'ˈ';
/// A secondary stress, before its vowel.
pub(crate) const SECONDARY: char = 'ˌ';

/// Every symbol that may occur in a pronunciation, without punctuation. A test compares it with the
/// pack.
pub(crate) const SYMBOLS: &str = concat!(
    " \u{303}ʣʥʦʨᵝꭧAIOQSTWYᵊabcdefhijklmnopqrstuvwxyzɑɐɒæβɔɕçɖðʤəɚɛɜɟɡɥɨɪʝɯɰŋɳɲɴøɸθœɹɾɻʁɽʂʃʈʧʊʋʌɣɤχʎʒʔ",
    "ˈˌːʰʲ↓→↗↘ᵻ"
);

/// The punctuation that the voices interpret as pauses and intonation. Quotation marks and brackets
/// are not among them.
pub(crate) const PAUSES: &str = ";:,.!?—…";

/// Whether a symbol is an English vowel.
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

/// Whether a symbol is an English consonant.
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

/// Whether a symbol is a stress mark.
pub(crate) fn is_stress(symbol: char) -> bool {
    matches!(symbol, PRIMARY | SECONDARY)
}

/// Whether a symbol is a pause.
pub(crate) fn is_pause(symbol: char) -> bool {
    PAUSES.contains(symbol)
}

/// A symbol's share in the length of its word: one sign for two sounds counts twice.
pub(crate) fn weight(symbol: char) -> usize {
    if matches!(symbol, 'A' | 'I' | 'O' | 'Q' | 'W' | 'Y' | 'ʤ' | 'ʧ') { 2 } else { 1 }
}
