//! Which vowel of a word is stressed: the spelling shows it.

use super::is_vowel;

/// The vowels of a word that form syllables, by their places among its letters, and which of them is
/// stressed.
pub(super) struct Syllables {
    pub(super) nuclei: Vec<usize>,
    /// The index of the stressed one in `nuclei`.
    pub(super) stressed: Option<usize>,
}

/// Finds the syllables of a word and its stress.
pub(super) fn of(letters: &[char]) -> Syllables {
    let at = |index: usize| letters.get(index).copied().unwrap_or(' ');
    let mut nuclei = Vec::new();
    for (index, &c) in letters.iter().enumerate() {
        if !is_vowel(c) {
            continue;
        }
        let before = index.checked_sub(1).map_or(' ', at);
        let next = at(index + 1);
        let after_qu = matches!(before, 'u' | 'ü') && index > 1 && matches!(at(index - 2), 'q' | 'g');
        let glides = match c {
            // "Quatro", "guerra".
            'u' | 'ü' if matches!(before, 'q' | 'g') && is_vowel(next) => true,
            // "Pai", "causa", "muito"; "raiz", "ainda" and "sair" have two syllables there.
            'u' if before == 'i' && (next == ' ' || next == 's') => true,
            'i' | 'u' if "aeoáéóâêôãõu".contains(before) && !after_qu && before != c => {
                let closes = match next {
                    // "Construiu".
                    'u' if before == 'u' => false,
                    'n' | 'm' => is_vowel(at(index + 2)) && !(next == 'n' && at(index + 2) == 'h'),
                    // "Bairro".
                    'r' if at(index + 2) == 'r' => true,
                    'l' | 'r' | 'z' => is_vowel(at(index + 2)),
                    _ => true,
                };
                closes && !(next == 'n' && at(index + 2) == 'h')
            }
            // "Ciência".
            'i' if next == 'ê' => true,
            // "Mãe", "põe".
            'e' | 'o' if matches!(before, 'ã' | 'õ') => true,
            // "História", "média": after a written accent the last two vowels are one syllable.
            'i' | 'u'
                if is_vowel(next)
                    && (index + 2 == letters.len()
                        || (index + 3 == letters.len() && at(index + 2) == 's'))
                    && letters[..index].iter().any(|&c| "áéíóúâêôãõ".contains(c)) =>
            {
                true
            }
            _ => false,
        };
        if !glides {
            nuclei.push(index);
        }
    }
    let stressed = stressed(letters, &nuclei);
    Syllables { nuclei, stressed }
}

fn stressed(letters: &[char], nuclei: &[usize]) -> Option<usize> {
    let last = nuclei.len().checked_sub(1)?;
    let accent =
        |marks: &str| nuclei.iter().rposition(|&at| letters.get(at).is_some_and(|&c| marks.contains(c)));
    // An acute or a circumflex goes before a tilde: "órfão", "bênção".
    if let Some(index) = accent("áéíóúâêô") {
        return Some(index);
    }
    if let Some(index) = accent("ãõ") {
        return Some(index);
    }
    let ending: String = letters.iter().collect();
    // Words in -a, -e, -o, -am, -em, -ens and their plurals are stressed before the last syllable.
    let before_last =
        ["a", "e", "o", "as", "es", "os", "am", "em", "ens"].iter().any(|end| ending.ends_with(end));
    // "Falei", "pau": a diphthong at the end has the stress.
    let diphthong = nuclei.last().is_some_and(|&at| {
        let rest = letters.len() - at;
        rest >= 2 && matches!(letters.get(at + 1), Some('i' | 'u')) && !before_last
    });
    Some(if before_last && !diphthong { last.saturating_sub(1) } else { last })
}
