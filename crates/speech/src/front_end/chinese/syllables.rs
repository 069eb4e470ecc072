//! From a syllable in pinyin to the symbols that the voices were taught: an initial, a glide, a
//! vowel, the arrow of its tone, and an ending. The arrow stands right after the vowel; a neutral
//! syllable has none. Tones are those of the dictionary: the voices were taught words without
//! third-tone sandhi and learned it from the sound.

/// The arrows of the four tones.
const ARROWS: [&str; 4] = ["→", "↗", "↓", "↘"];

/// Writes the symbols of one syllable, such as `zhōng`, `lǜ` or `de`. Returns whether it is one; if
/// not, nothing is written.
pub(super) fn write(pinyin: &str, out: &mut String) -> bool {
    let Some((letters, tone)) = plain(pinyin) else { return false };
    let arrow = tone.and_then(|tone| ARROWS.get(tone)).copied().unwrap_or_default();
    let Some((initial, [glide, vowel, ending])) = symbols(&letters) else { return false };
    for part in [initial, glide, vowel, arrow, ending] {
        out.push_str(part);
    }
    true
}

/// The letters without marks of tone (`ü` and `ê` stay), and the tone from 0 to 3 if there is one.
fn plain(pinyin: &str) -> Option<(String, Option<usize>)> {
    const MARKED: [(&str, char); 6] =
        [("āáǎà", 'a'), ("ēéěè", 'e'), ("īíǐì", 'i'), ("ōóǒò", 'o'), ("ūúǔù", 'u'), ("ǖǘǚǜ", 'ü')];
    let mut letters = String::new();
    let mut tone = None;
    for c in pinyin.chars() {
        let marked = MARKED.iter().find_map(|(row, plain)| Some((row.chars().position(|m| m == c)?, *plain)));
        let (found, letter) = match c {
            'ế' => (Some(1), Some('ê')),
            'ề' => (Some(3), Some('ê')),
            'ḿ' => (Some(1), Some('m')),
            'ń' => (Some(1), Some('n')),
            'ň' => (Some(2), Some('n')),
            'ǹ' => (Some(3), Some('n')),
            '\u{304}' => (Some(0), None),
            '\u{301}' => (Some(1), None),
            '\u{30C}' => (Some(2), None),
            '\u{300}' => (Some(3), None),
            'a'..='z' | 'ü' | 'ê' => (None, Some(c)),
            _ => {
                let (found, letter) = marked?;
                (Some(found), Some(letter))
            }
        };
        tone = found.or(tone);
        letters.extend(letter);
    }
    (!letters.is_empty()).then_some((letters, tone))
}

/// The initial; and the glide, the vowel and the ending of the final.
fn symbols(letters: &str) -> Option<(&'static str, [&'static str; 3])> {
    match letters {
        "er" | "r" => return Some(("", ["", "ɚ", ""])),
        "o" => return Some(("", ["", "ɔ", ""])),
        "ê" => return Some(("", ["", "ɛ", ""])),
        "io" => return Some(("", ["j", "ɔ", ""])),
        "m" => return Some(("", ["", "m", ""])),
        "n" => return Some(("", ["", "n", ""])),
        "ng" => return Some(("", ["", "ŋ", ""])),
        "hm" => return Some(("h", ["", "m", ""])),
        "hng" => return Some(("h", ["", "ŋ", ""])),
        _ => {}
    }
    let (initial, rest) = initial(letters);
    let written = match initial {
        "" => zero_initial(rest)?,
        "j" | "q" | "x" if rest.starts_with('u') => rest.replacen('u', "ü", 1),
        "l" | "n" if rest == "ue" => "üe".to_owned(),
        _ => rest.to_owned(),
    };
    let is_apical = written == "i" && matches!(initial, "zh" | "ch" | "sh" | "r" | "z" | "c" | "s");
    let final_ = if is_apical { ["", "ɨ", ""] } else { final_of(&written)? };
    Some((initial_symbol(initial), final_))
}

/// The initial and the rest; `y` and `w` are spellings of a final that stands alone.
fn initial(letters: &str) -> (&str, &str) {
    let length = match letters.as_bytes() {
        [b'z' | b'c' | b's', b'h', ..] => 2,
        [
            b'b' | b'p' | b'm' | b'f' | b'd' | b't' | b'n' | b'l' | b'g' | b'k' | b'h' | b'j' | b'q' | b'x'
            | b'r' | b'z' | b'c' | b's',
            ..,
        ] => 1,
        _ => 0,
    };
    letters.split_at(length)
}

/// A final as it is written after a consonant, from how it is written alone.
fn zero_initial(letters: &str) -> Option<String> {
    if let Some(rest) = letters.strip_prefix('y') {
        return Some(match rest {
            "i" | "in" | "ing" => rest.to_owned(),
            "o" => "uo".to_owned(),
            _ if rest.starts_with('u') => rest.replacen('u', "ü", 1),
            _ => format!("i{rest}"),
        });
    }
    if let Some(rest) = letters.strip_prefix('w') {
        return Some(if matches!(rest, "u" | "ong") { rest.to_owned() } else { format!("u{rest}") });
    }
    (!letters.is_empty()).then(|| letters.to_owned())
}

fn initial_symbol(initial: &str) -> &'static str {
    match initial {
        "b" => "p",
        "p" => "pʰ",
        "m" => "m",
        "f" => "f",
        "d" => "t",
        "t" => "tʰ",
        "n" => "n",
        "l" => "l",
        "g" => "k",
        "k" => "kʰ",
        "h" => "x",
        "j" => "ʨ",
        "q" => "ʨʰ",
        "x" => "ɕ",
        "zh" => "ꭧ",
        "ch" => "ꭧʰ",
        "sh" => "ʂ",
        "r" => "ɻ",
        "z" => "ʦ",
        "c" => "ʦʰ",
        "s" => "s",
        _ => "",
    }
}

/// Glide, vowel and ending of a final, as it is written after a consonant.
fn final_of(written: &str) -> Option<[&'static str; 3]> {
    Some(match written {
        "a" => ["", "a", ""],
        "ai" => ["", "ai", ""],
        "an" => ["", "a", "n"],
        "ang" => ["", "a", "ŋ"],
        "ao" => ["", "au", ""],
        "e" => ["", "ɤ", ""],
        "ei" => ["", "ei", ""],
        "en" => ["", "ə", "n"],
        "eng" => ["", "ə", "ŋ"],
        "i" => ["", "i", ""],
        "ia" => ["j", "a", ""],
        "iai" => ["j", "ai", ""],
        "ian" => ["j", "ɛ", "n"],
        "iang" => ["j", "a", "ŋ"],
        "iao" => ["j", "au", ""],
        "ie" => ["j", "e", ""],
        "in" => ["", "i", "n"],
        "ing" => ["", "i", "ŋ"],
        "iong" => ["j", "ʊ", "ŋ"],
        "iu" | "iou" => ["j", "ou", ""],
        "ong" => ["", "ʊ", "ŋ"],
        "ou" => ["", "ou", ""],
        "u" => ["", "u", ""],
        "ua" => ["w", "a", ""],
        "uai" => ["w", "ai", ""],
        "uan" => ["w", "a", "n"],
        "uang" => ["w", "a", "ŋ"],
        "ui" | "uei" => ["w", "ei", ""],
        "un" | "uen" => ["w", "ə", "n"],
        "ueng" => ["w", "ə", "ŋ"],
        "uo" | "o" => ["w", "o", ""],
        "ü" => ["", "y", ""],
        "üe" => ["ɥ", "e", ""],
        "üan" => ["ɥ", "ɛ", "n"],
        "ün" => ["", "y", "n"],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phonemes::alphabet;

    fn said(pinyin: &str) -> String {
        let mut phonemes = String::new();
        assert!(write(pinyin, &mut phonemes), "{pinyin} is a syllable");
        phonemes
    }

    #[test]
    fn a_syllable_is_written_as_the_voices_were_taught() {
        for (pinyin, phonemes) in [
            ("zhōng", "ꭧʊ→ŋ"),
            ("guó", "kwo↗"),
            ("nǐ", "ni↓"),
            ("hǎo", "xau↓"),
            ("de", "tɤ"),
            ("shì", "ʂɨ↘"),
            ("zì", "ʦɨ↘"),
            ("jī", "ʨi→"),
            ("lüè", "lɥe↘"),
            ("xué", "ɕɥe↗"),
            ("yuán", "ɥɛ↗n"),
            ("yún", "y↗n"),
            ("wèi", "wei↘"),
            ("wēng", "wə→ŋ"),
            ("wòng", "ʊ↘ŋ"),
            ("wǔ", "u↓"),
            ("yī", "i→"),
            ("yòu", "jou↘"),
            ("liù", "ljou↘"),
            ("shuǐ", "ʂwei↓"),
            ("qióng", "ʨʰjʊ↗ŋ"),
            ("bō", "pwo→"),
            ("yō", "wo→"),
            ("èr", "ɚ↘"),
            ("r", "ɚ"),
            ("ńg", "ŋ↗"),
            ("ề", "ɛ↘"),
            ("hm", "hm"),
        ] {
            assert_eq!(said(pinyin), phonemes, "{pinyin}");
        }
    }

    #[test]
    fn what_is_no_syllable_is_refused_and_writes_nothing() {
        for wrong in ["", "x", "zh", "hello", "zhong1", "ā ", "zhx", "世", "\u{304}", "vü"] {
            let mut phonemes = String::new();
            assert!(!write(wrong, &mut phonemes) && phonemes.is_empty(), "{wrong:?}: {phonemes:?}");
        }
    }

    #[test]
    fn every_symbol_is_one_that_the_voices_know() {
        let initials = "b p m f d t n l g k h j q x zh ch sh r z c s y w".split(' ').chain([""]);
        for initial in initials {
            for rest in
                "a ai an ang ao e ei en eng er i ia ian iang iao ie in ing iong iu ong ou u ua uai uan \
                         uang ue ui un uo o ü üe"
                    .split_whitespace()
            {
                let mut phonemes = String::new();
                write(&format!("{initial}{rest}"), &mut phonemes);
                assert!(phonemes.chars().all(|symbol| alphabet::SYMBOLS.contains(symbol)), "{phonemes}");
            }
        }
        assert!(ARROWS.iter().all(|arrow| alphabet::SYMBOLS.contains(arrow)));
    }
}
