//! Converts the alphabet's symbols to those that an accent uses.

use super::Accent;
use crate::phonemes::is_vowel;

/// Keeps only the symbols that the voices of an accent were trained on: an American voice has no
/// length marks, a British one no flaps. The accent's own lexicon needs this only for flaps and
/// stops; pronunciations that people write need all of it.
pub(super) fn settle(phonemes: &str, accent: Accent) -> String {
    let mut settled = String::with_capacity(phonemes.len());
    let mut symbols = phonemes.chars().peekable();
    while let Some(symbol) = symbols.next() {
        let next = symbols.peek().copied();
        match (accent, symbol) {
            (Accent::American, 'ɾ') => settled.push('T'),
            (Accent::American, 'ɜ') => {
                settled.push('ɜ');
                if next == Some('ː') {
                    symbols.next();
                }
                if symbols.peek() != Some(&'ɹ') {
                    settled.push('ɹ');
                }
            }
            (Accent::American, 'ː') => {}
            (Accent::American, 'Q' | 'o') => settled.push('O'),
            (Accent::American, 'ɒ') => settled.push('ɑ'),
            (Accent::American, 'a') => settled.push('æ'),
            (_, 'e') => settled.push('ɛ'),
            (_, 'ʔ') | (Accent::British, 'ɾ' | 'T') => settled.push('t'),
            (Accent::British, 'O' | 'o') if next != Some('ː') => settled.push('Q'),
            (Accent::British, 'O' | 'o') => settled.push('ɔ'),
            (Accent::British, 'æ') => settled.push('a'),
            // An r is heard before a vowel only.
            (Accent::British, 'ɜ') if next == Some('ɹ') => {
                symbols.next();
                settled.push_str("ɜː");
                if symbols.peek().is_some_and(|after| is_vowel(*after)) {
                    settled.push('ɹ');
                }
            }
            (Accent::British, 'ᵻ') => settled.push('ɪ'),
            _ => settled.push(symbol),
        }
    }
    settled
}

#[cfg(test)]
mod tests {
    use super::{Accent, settle};

    #[test]
    fn an_accent_is_given_only_symbols_its_voices_know() {
        assert_eq!(
            settle("wˈɜːd ɡˈQ lˈɒt bˈaθ sˈiː ˈɑːɾə", Accent::American),
            "wˈɜɹd ɡˈO lˈɑt bˈæθ sˈi ˈɑTə"
        );
        assert_eq!(settle("bˈɜɹd", Accent::American), "bˈɜɹd");
        assert_eq!(settle("ɡˈO lˈæɾə bˈɛd", Accent::British), "ɡˈQ lˈatə bˈɛd");
        assert_eq!(settle("wˈɜɹd fˈɜɹi bˈɜːd", Accent::British), "wˈɜːd fˈɜːɹi bˈɜːd");
    }
}
