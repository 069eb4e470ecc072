//! The scripts of each language, from the Unicode CLDR's supplemental data. They are only used to
//! decide whether a text can be in a language at all, so all scripts in current use are listed.

use std::{fmt, str::FromStr};

use lectern_types::language::primary;
use unicode_script::{Script, UnicodeScript as _};

/// The number of letters of each script in a text. Written as `Latn 120 Hebr 30` (ISO 15924); empty
/// without letters. `Zzzz` counts what is no character of any script: those of a private font, and
/// signs in place of lost ones.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scripts(Vec<(Script, u64)>);

impl Scripts {
    pub fn of(text: &str) -> Self {
        let mut counts: Vec<(Script, u64)> = Vec::new();
        // Index in `counts` plus 1, by script: a text may use every script there is.
        let mut places = [0_usize; 256];
        let mut characters = text.chars().peekable();
        let mut before = ' ';
        while let Some(character) = characters.next() {
            let next = characters.peek().copied().unwrap_or(' ');
            let stands_alone = !before.is_alphabetic() && !next.is_alphabetic();
            before = character;
            // A Greek letter by itself is a sign: "π ≈ 3.14".
            if stands_alone && character.script() == Script::Greek {
                continue;
            }
            let script = if is_meaningless(character) { Script::Unknown } else { character.script() };
            let is_letter = character.is_alphabetic() && script != Script::Unknown;
            // Shared letters, such as mathematical letters and length marks, are no evidence of a
            // script.
            if !(is_letter || is_meaningless(character))
                || matches!(script, Script::Common | Script::Inherited)
            {
                continue;
            }
            let place = &mut places[usize::from(script as u8)];
            if *place == 0 {
                counts.push((script, 0));
                *place = counts.len();
            }
            counts[*place - 1].1 += 1;
        }
        Self(counts)
    }

    /// Whether at least half of the letters belong to scripts in which the language is not written.
    /// False without letters, and for a language whose scripts are unknown. Texts in Japanese, Chinese
    /// and Hindi have names, addresses and products in Latin letters, which are read there; those
    /// count for as much as they say (`LATIN_WEIGHT`).
    pub fn are_foreign_to(&self, tag: &str) -> bool {
        let Some(own) = scripts_of(&primary(tag)) else { return false };
        let (mut letters, mut foreign) = (0_u64, 0_u64);
        for (script, count) in self.0.iter().filter(|(script, _)| *script != Script::Unknown) {
            let weight = if *script == Script::Latin { 1 } else { latin_weight(own) };
            letters += count * weight;
            foreign += if own.contains(script) { 0 } else { count * weight };
        }
        letters > 0 && foreign * 2 >= letters
    }
}

/// In a text in these scripts, one letter outweighs so much Latin: `我用iPhone和MacBook` is Chinese.
const LATIN_WEIGHT: u64 = 10;

/// How many Latin letters one letter of another script counts for, in languages with these scripts.
fn latin_weight(own: &[Script]) -> u64 {
    let reads_latin = [Script::Han, Script::Hiragana, Script::Devanagari].iter().any(|it| own.contains(it));
    if reads_latin && !own.contains(&Script::Latin) { LATIN_WEIGHT } else { 1 }
}

/// What of a text no voice of its language says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Unspoken {
    /// Letters of scripts that are not read.
    pub letters: u64,
    /// The names of these scripts in English, the most frequent first.
    pub scripts: Vec<&'static str>,
    /// Signs that mean nothing by themselves.
    pub signs: u64,
}

impl Scripts {
    /// Adds the letters of another part of the text.
    pub fn add(&mut self, other: &Self) {
        for (script, count) in &other.0 {
            match self.0.iter_mut().find(|(own, _)| own == script) {
                Some((_, all)) => *all += count,
                None => self.0.push((*script, *count)),
            }
        }
    }

    /// What is not said when the text is read in a language. Some scripts are read in every language,
    /// letter by letter at least.
    pub fn unspoken(&self, tag: &str) -> Unspoken {
        let own = scripts_of(&primary(tag)).unwrap_or_default();
        let is_read = |script: &Script| own.contains(script) || READ_EVERYWHERE.contains(script);
        let mut unread: Vec<(Script, u64)> = self
            .0
            .iter()
            .filter(|(script, _)| *script != Script::Unknown && !is_read(script))
            .copied()
            .collect();
        unread.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        Unspoken {
            letters: unread.iter().map(|(_, count)| count).sum(),
            scripts: unread.iter().map(|(script, _)| script.full_name()).collect(),
            signs: self
                .0
                .iter()
                .filter(|(script, _)| *script == Script::Unknown)
                .map(|(_, count)| count)
                .sum(),
        }
    }
}

/// Scripts whose letters have a sound in the languages that are written otherwise.
const READ_EVERYWHERE: &[Script] =
    &[Script::Latin, Script::Greek, Script::Cyrillic, Script::Armenian, Script::Georgian];

/// Whether a character stands for nothing that could be read: one of a private font, or the sign in
/// place of a lost character.
fn is_meaningless(character: char) -> bool {
    matches!(character, '\u{E000}'..='\u{F8FF}' | '\u{FFFD}' | '\u{F0000}'..)
}

impl fmt::Display for Scripts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (script, count)) in self.0.iter().enumerate() {
            let space = if at == 0 { "" } else { " " };
            write!(f, "{space}{} {count}", script.short_name())?;
        }
        Ok(())
    }
}

/// Text that is not in the form of [`Scripts`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a list of scripts and numbers of letters")]
pub struct ParseScriptsError;

impl FromStr for Scripts {
    type Err = ParseScriptsError;

    fn from_str(text: &str) -> Result<Self, ParseScriptsError> {
        let mut parts = text.split_ascii_whitespace();
        let mut counts = Vec::new();
        while let Some(name) = parts.next() {
            let script = Script::from_short_name(name).ok_or(ParseScriptsError)?;
            let count = parts.next().and_then(|count| count.parse().ok()).ok_or(ParseScriptsError)?;
            counts.push((script, count));
        }
        Ok(Self(counts))
    }
}

/// Whether a text is mostly in a script that the language does not use; see
/// [`Scripts::are_foreign_to`].
pub fn is_in_foreign_script(text: &str, tag: &str) -> bool {
    Scripts::of(text).are_foreign_to(tag)
}

fn scripts_of(primary: &str) -> Option<&'static [Script]> {
    if LATIN_ONLY.contains(&primary) {
        return Some(&[Script::Latin]);
    }
    OTHER_SCRIPTS.iter().find(|(languages, _)| languages.contains(&primary)).map(|(_, scripts)| *scripts)
}

/// Languages written only in Latin letters.
const LATIN_ONLY: &[&str] = &[
    "aa", "af", "ak", "an", "ast", "ay", "bi", "bm", "br", "ca", "ceb", "ch", "co", "cs", "cy", "da", "de",
    "ee", "en", "eo", "es", "et", "eu", "fi", "fil", "fj", "fo", "fr", "fy", "ga", "gd", "gl", "gn", "gv",
    "haw", "hr", "ht", "hu", "ia", "id", "ig", "io", "is", "it", "jv", "kl", "kw", "la", "lb", "lg", "ln",
    "lt", "lu", "lv", "mg", "mh", "mi", "mt", "na", "nb", "nd", "nl", "nn", "no", "nr", "nv", "ny", "oc",
    "om", "pl", "pt", "qu", "rm", "rn", "ro", "rw", "sc", "sco", "se", "sg", "sk", "sl", "sm", "sn", "sq",
    "ss", "st", "su", "sv", "sw", "tet", "tk", "tl", "tn", "to", "tpi", "tr", "ts", "ty", "ve", "vi", "vo",
    "wa", "wo", "xh", "yo", "zu",
];

/// Other known languages and their scripts.
const OTHER_SCRIPTS: &[(&[&str], &[Script])] = &[
    (&["ru", "uk", "be", "bg", "mk", "ba", "ce", "cv", "ab", "av", "os", "sah", "udm"], &[Script::Cyrillic]),
    (&["sr", "bs", "sh"], &[Script::Cyrillic, Script::Latin]),
    (&["kk", "az", "uz", "tt", "ky"], &[Script::Cyrillic, Script::Latin, Script::Arabic]),
    (&["tg"], &[Script::Cyrillic, Script::Arabic]),
    (&["mn"], &[Script::Cyrillic, Script::Mongolian]),
    (&["el", "grc"], &[Script::Greek]),
    (&["he", "yi", "lad"], &[Script::Hebrew]),
    (&["ar", "fa", "ur", "ps", "ug", "sd", "arz", "ckb", "prs"], &[Script::Arabic]),
    (&["ku"], &[Script::Latin, Script::Arabic]),
    (&["ms", "ha", "so", "ff"], &[Script::Latin, Script::Arabic]),
    (&["hi", "mr", "ne", "mai", "bho"], &[Script::Devanagari]),
    (&["sa", "kok", "ks"], &[Script::Devanagari, Script::Latin, Script::Arabic, Script::Kannada]),
    (&["bn", "as"], &[Script::Bengali]),
    (&["pa"], &[Script::Gurmukhi, Script::Arabic]),
    (&["gu"], &[Script::Gujarati]),
    (&["or"], &[Script::Oriya]),
    (&["ta"], &[Script::Tamil]),
    (&["te"], &[Script::Telugu]),
    (&["kn"], &[Script::Kannada]),
    (&["ml"], &[Script::Malayalam]),
    (&["si"], &[Script::Sinhala]),
    (&["th"], &[Script::Thai]),
    (&["lo"], &[Script::Lao]),
    (&["km"], &[Script::Khmer]),
    (&["my"], &[Script::Myanmar]),
    (&["bo", "dz"], &[Script::Tibetan]),
    (&["am", "ti"], &[Script::Ethiopic]),
    (&["ka"], &[Script::Georgian]),
    (&["hy"], &[Script::Armenian]),
    (&["dv"], &[Script::Thaana]),
    (&["chr"], &[Script::Cherokee]),
    (&["iu"], &[Script::Canadian_Aboriginal, Script::Latin]),
    (&["ja"], &[Script::Hiragana, Script::Katakana, Script::Han]),
    (&["zh", "yue", "wuu", "nan", "lzh"], &[Script::Han, Script::Bopomofo]),
    (&["ko"], &[Script::Hangul, Script::Han]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_letters_in_another_script_are_enough() {
        assert!(is_in_foreign_script("abcd אבגד", "en") && !is_in_foreign_script("abcde אבגד", "en"));
        assert!(is_in_foreign_script("Привет, мир", "en-US") && !is_in_foreign_script("Привет, мир", "ru"));
        assert!(is_in_foreign_script("Hello", "ru") && !is_in_foreign_script("Здраво, zdravo", "sr"));
        assert!(!is_in_foreign_script("すべての人間は自由である", "ja"));
        // Names and addresses in Latin letters leave a text Chinese, Japanese or Hindi.
        for (tag, text) in [
            ("zh", "我用iPhone、MacBook和Windows。"),
            ("zh-CN", "我的邮箱是zhang@example.com。"),
            ("ja", "詳細はsupport@example.comまで。"),
            ("hi", "मेरा ईमेल rajesh.kumar@example.com है।"),
        ] {
            assert!(!is_in_foreign_script(text, tag), "{text}");
        }
        for (tag, text) in
            [("zh", "The word for it is 猫, and it sleeps."), ("ja", "Hello"), ("hi", "Привет, दुनिया")]
        {
            assert!(is_in_foreign_script(text, tag), "{text}");
        }
        assert!(is_in_foreign_script("すべての人間は自由である", "zh"));
        assert!(is_in_foreign_script("Η ζωή είναι ωραία", "en"));
        // Figures, punctuation, emoji and shared letters are no evidence of a script.
        for neutral in ["", "42 – 17 = 25!", "😀😀", "𝐱 = 𝐲", "π ≈ 3.14", "α + β"] {
            assert!(!is_in_foreign_script(neutral, "en"), "{neutral}");
        }
        assert!(!is_in_foreign_script("naïve Zoë, façade, Đặng", "en"));
        assert!(!is_in_foreign_script("שלום", "qaa"));
    }

    #[test]
    fn scripts_are_stored_as_text_and_read_again() {
        for text in ["", "42!", "Hello, мир; שלום!", "すべての人間は自由である"] {
            let scripts = Scripts::of(text);
            assert_eq!(scripts.to_string().parse(), Ok(scripts), "{text}");
        }
        assert_eq!(Scripts::of("Hello, мир").to_string(), "Latn 5 Cyrl 3");
        for broken in ["Latn", "Latn x", "Nope 1", "1 Latn"] {
            assert_eq!(broken.parse::<Scripts>(), Err(ParseScriptsError), "{broken}");
        }
    }

    #[test]
    fn no_language_stands_in_two_lists() {
        let listed: Vec<&str> = OTHER_SCRIPTS
            .iter()
            .flat_map(|(languages, _)| languages.iter().copied())
            .chain(LATIN_ONLY.iter().copied())
            .collect();
        for (at, language) in listed.iter().enumerate() {
            assert!(!listed[at + 1..].contains(language), "{language}");
        }
    }
}
