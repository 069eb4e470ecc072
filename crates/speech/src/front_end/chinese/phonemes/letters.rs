//! Letters by their English names, as Chinese reads them in A股, CPU and T恤.

const NAMES: [&str; 26] = [
    "ˈA",
    "bˈi",
    "sˈi",
    "dˈi",
    "ˈi",
    "ˈɛf",
    "ʤˈi",
    "ˈAʧ",
    "ˈI",
    "ʤˈA",
    "kˈA",
    "ˈɛl",
    "ˈɛm",
    "ˈɛn",
    "ˈO",
    "pˈi",
    "kjˈu",
    "ˈɑɹ",
    "ˈɛs",
    "tˈi",
    "jˈu",
    "vˈi",
    "dˈʌbəlju",
    "ˈɛks",
    "wˈI",
    "zˈi",
];

/// Capitals that are read as a word.
const WORDS: [&str; 30] = [
    "SIM", "PIN", "RAM", "ROM", "THE", "AND", "FOR", "YES", "NEW", "BIG", "MAX", "PRO", "NO", "OK", "GIF",
    "CAD", "JAVA", "TO", "OF", "IN", "ON", "IS", "IT'S", "MY", "WE", "YOU", "HI", "GO", "UP", "BUG",
];

/// The most letters of an abbreviation with vowels; longer ones are the English front end's.
const MOST: usize = 3;

/// The most letters of one without.
const MOST_CONSONANTS: usize = 6;

/// The phonemes of a word that is read letter by letter: a single letter, or an abbreviation in
/// capitals.
pub(super) fn spelled(word: &str) -> Option<String> {
    let length = word.len();
    let letters = word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let capitals = word.bytes().all(|byte| byte.is_ascii_uppercase());
    let consonants = !word.contains(['A', 'E', 'I', 'O', 'U', 'Y']);
    let abbreviation =
        capitals && !WORDS.contains(&word) && (length <= MOST || consonants && length <= MOST_CONSONANTS);
    if !letters || length == 0 || length > 1 && !abbreviation {
        return None;
    }
    let names: Vec<&str> = word.bytes().map(|byte| name(byte.to_ascii_uppercase())).collect();
    let last = names.len() - 1;
    // The last letter has the stress of the word.
    let said = |(index, name): (usize, &&str)| {
        if index == last { (*name).to_owned() } else { name.replace('ˈ', "ˌ") }
    };
    Some(names.iter().enumerate().map(said).collect())
}

fn name(letter: u8) -> &'static str {
    NAMES.get(usize::from(letter.wrapping_sub(b'A'))).copied().unwrap_or_default()
}
