//! Kana to the symbols that the voices were taught with: those of the package misaki (`cutlet`),
//! which writes the sounds of each mora alone and knows no pitch accent. A final or inner ン takes the
//! place of the sound after it within a word.

/// Two kana that are one mora, and their symbols.
const PAIRS: &[(&str, &str)] = &[
    ("イェ", "je"),
    ("ウィ", "βi"),
    ("ウェ", "βe"),
    ("ウォ", "βo"),
    ("キェ", "kʲe"),
    ("キャ", "kʲa"),
    ("キュ", "kʲɨ"),
    ("キョ", "kʲo"),
    ("ギャ", "ɡʲa"),
    ("ギュ", "ɡʲɨ"),
    ("ギョ", "ɡʲo"),
    ("クァ", "kᵝa"),
    ("クヮ", "kᵝa"),
    ("クィ", "kᵝi"),
    ("クェ", "kᵝe"),
    ("クォ", "kᵝo"),
    ("グァ", "ɡᵝa"),
    ("グヮ", "ɡᵝa"),
    ("グィ", "ɡᵝi"),
    ("グェ", "ɡᵝe"),
    ("グォ", "ɡᵝo"),
    ("シェ", "ɕe"),
    ("シャ", "ɕa"),
    ("シュ", "ɕɨ"),
    ("ショ", "ɕo"),
    ("ジェ", "ʥe"),
    ("ジャ", "ʥa"),
    ("ジュ", "ʥɨ"),
    ("ジョ", "ʥo"),
    ("チェ", "ʨe"),
    ("チャ", "ʨa"),
    ("チュ", "ʨɨ"),
    ("チョ", "ʨo"),
    ("ヂャ", "ʥa"),
    ("ヂュ", "ʥɨ"),
    ("ヂョ", "ʥo"),
    ("ツァ", "ʦa"),
    ("ツィ", "ʦʲi"),
    ("ツェ", "ʦe"),
    ("ツォ", "ʦo"),
    ("ティ", "tʲi"),
    ("テュ", "tʲɨ"),
    ("ディ", "dʲi"),
    ("デュ", "dʲɨ"),
    ("トゥ", "tɯ"),
    ("ドゥ", "dɯ"),
    ("ニェ", "ɲe"),
    ("ニャ", "ɲa"),
    ("ニュ", "ɲɨ"),
    ("ニョ", "ɲo"),
    ("ヒェ", "çe"),
    ("ヒャ", "ça"),
    ("ヒュ", "çɨ"),
    ("ヒョ", "ço"),
    ("ビャ", "bʲa"),
    ("ビュ", "bʲɨ"),
    ("ビョ", "bʲo"),
    ("ピャ", "pʲa"),
    ("ピュ", "pʲɨ"),
    ("ピョ", "pʲo"),
    ("ファ", "ɸa"),
    ("フィ", "ɸʲi"),
    ("フェ", "ɸe"),
    ("フォ", "ɸo"),
    ("フュ", "ɸʲɨ"),
    ("フョ", "ɸʲo"),
    ("ミャ", "mʲa"),
    ("ミュ", "mʲɨ"),
    ("ミョ", "mʲo"),
    ("リャ", "ɾʲa"),
    ("リュ", "ɾʲɨ"),
    ("リョ", "ɾʲo"),
    ("ヴァ", "va"),
    ("ヴィ", "vʲi"),
    ("ヴェ", "ve"),
    ("ヴォ", "vo"),
    ("ヴュ", "bʲɨ"),
    ("ヴョ", "bʲo"),
];

/// The symbols of each katakana from ァ to ヶ, and of ヷ to ヺ; those of ッ and ン hang on what follows.
const SINGLES: &[&str] = &[
    "a", "a", "i", "i", "ɯ", "ɯ", "e", "e", "o", "o", "ka", "ɡa", "kʲi", "ɡʲi", "kɯ", "ɡɯ", "ke", "ɡe", "ko",
    "ɡo", "sa", "ʣa", "ɕi", "ʥi", "sɨ", "zɨ", "se", "ʣe", "so", "ʣo", "ta", "da", "ʨi", "ʥi", "", "ʦɨ", "zɨ",
    "te", "de", "to", "do", "na", "ɲi", "nɯ", "ne", "no", "ha", "ba", "pa", "çi", "bʲi", "pʲi", "ɸɯ", "bɯ",
    "pɯ", "he", "be", "pe", "ho", "bo", "po", "ma", "mʲi", "mɯ", "me", "mo", "ja", "ja", "jɯ", "jɯ", "jo",
    "jo", "ɾa", "ɾʲi", "ɾɯ", "ɾe", "ɾo", "βa", "βa", "i", "e", "o", "", "vɯ", "ka", "ke", "va", "vʲi", "ve",
    "vo",
];

/// The kana for the small ones of Ainu.
const SMALL: (u32, &str) = (0x31F0, "クシストヌハヒフヘホムラリルレロ");

/// Whether a character is katakana that has a sound or is part of one.
pub(super) fn is_katakana(c: char) -> bool {
    matches!(c, 'ァ'..='ヺ' | 'ー')
}

/// Whether a character is hiragana.
pub(super) const fn is_hiragana(c: char) -> bool {
    matches!(c, 'ぁ'..='ゖ')
}

/// Hiragana as katakana; other characters as they are.
pub(super) fn katakana(text: &str) -> String {
    let of = |c: char| match c {
        'ぁ'..='ゖ' => char::from_u32(c as u32 + 0x60).unwrap_or(c),
        c => {
            (c as u32).checked_sub(SMALL.0).and_then(|index| SMALL.1.chars().nth(index as usize)).unwrap_or(c)
        }
    };
    text.chars().map(of).collect()
}

/// The vowel that a text in kana ends with.
pub(super) fn vowel(text: &str) -> Option<char> {
    let last = katakana(&text.chars().next_back()?.to_string());
    let vowel = single(last.chars().next()?).chars().next_back()?;
    Some(if vowel == 'ɨ' { 'ɯ' } else { vowel })
}

/// Whether a small kana belongs to the one before it.
const fn is_small(c: char) -> bool {
    matches!(c, 'ァ' | 'ィ' | 'ゥ' | 'ェ' | 'ォ' | 'ャ' | 'ュ' | 'ョ' | 'ヮ')
}

/// The symbols of a word in katakana; characters that are none have no symbols.
pub(super) fn symbols(word: &str) -> String {
    let kana: Vec<char> = word.chars().filter(|&c| is_katakana(c)).collect();
    let mut written = String::with_capacity(2 * word.len());
    let mut at = 0;
    while let Some(&c) = kana.get(at) {
        let next = kana.get(at + 1).copied();
        at += 1;
        match c {
            // A lengthening sign lengthens a vowel, once.
            'ー' if written.ends_with(['a', 'i', 'ɯ', 'ɨ', 'e', 'o']) => written.push('ː'),
            'ッ' if next.is_some_and(|next| !matches!(next, 'ッ' | 'ー')) => written.push('ʔ'),
            'ー' | 'ッ' => {}
            'ン' => written.push_str(nasal(&kana[at..])),
            c => {
                let (symbols, length) = mora(c, next);
                written.push_str(&symbols);
                at += length - 1;
            }
        }
    }
    written
}

/// The symbols of the mora that begins with a kana, and how many kana it has.
fn mora(c: char, next: Option<char>) -> (String, usize) {
    let single = single(c);
    let Some(small) = next.filter(|&next| is_small(next)) else { return (single.to_owned(), 1) };
    let pair: String = [c, small].iter().collect();
    if let Some((_, symbols)) = PAIRS.iter().find(|(kana, _)| *kana == pair) {
        return ((*symbols).to_owned(), 2);
    }
    // A small vowel that lengthens or stands alone: ねぇ, あぁ.
    if matches!(small, 'ァ' | 'ィ' | 'ゥ' | 'ェ' | 'ォ') && single.ends_with(self::single(small)) {
        return (format!("{single}ː"), 2);
    }
    let consonant = single.trim_end_matches(['a', 'i', 'ɯ', 'ɨ', 'e', 'o']);
    (format!("{consonant}{}", self::single(small)), 2)
}

fn single(c: char) -> &'static str {
    let index = match c {
        'ァ'..='ヶ' => c as usize - 'ァ' as usize,
        'ヷ'..='ヺ' => c as usize - 'ヷ' as usize + ('ヶ' as usize - 'ァ' as usize + 1),
        _ => return "",
    };
    SINGLES.get(index).copied().unwrap_or("")
}

/// The nasal before the kana that follow.
fn nasal(rest: &[char]) -> &'static str {
    let Some(&c) = rest.first() else { return "ɴ" };
    let (next, _) = mora(c, rest.get(1).copied());
    match next.chars().next() {
        Some('m' | 'p' | 'b') => "m",
        Some('k' | 'ɡ') => "ŋ",
        Some('ɲ' | 'ʨ' | 'ʥ') => "ɲ",
        Some('n' | 't' | 'd' | 'ɾ' | 'z') => "n",
        _ => "ɴ",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_written_as_the_voices_were_taught() {
        for (word, wanted) in [
            ("ガッコー", "ɡaʔkoː"),
            ("ニホンゴ", "ɲihoŋɡo"),
            ("シンブン", "ɕimbɯɴ"),
            ("キョーワ", "kʲoːβa"),
            ("コンニチワ", "koɲɲiʨiβa"),
            ("センセー", "seɴseː"),
            ("パーティー", "paːtʲiː"),
            ("フィンランド", "ɸʲinɾando"),
            ("ヴァイオリン", "vaioɾʲiɴ"),
            ("ネェ", "neː"),
            ("アッ", "a"),
            ("ーン", "ɴ"),
            ("スィ", "si"),
            ("ヵヶヺ", "kakevo"),
        ] {
            assert_eq!(symbols(word), wanted, "{word}");
        }
        assert_eq!(katakana("ゔぁかゝㇰ"), "ヴァカゝク");
    }

    #[test]
    fn every_kana_has_symbols_of_the_alphabet() {
        for code in 'ァ' as u32..='ヺ' as u32 {
            let Some(c) = char::from_u32(code) else { continue };
            let said = symbols(&format!("ア{c}ア"));
            assert!(said.len() > 1, "{c}");
            for symbol in said.chars() {
                assert!(crate::phonemes::alphabet::SYMBOLS.contains(symbol), "{c}: {symbol}");
            }
        }
    }
}
