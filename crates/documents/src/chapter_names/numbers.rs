//! Numbers of chapters: figures of several scripts, Roman and Chinese numerals, and words.

/// The longest figure: no book has a chapter 10,000.
const MAX_FIGURES: usize = 4;

/// How a number is written. A word is weaker evidence: "Parte dos" is the second part in Spanish and
/// "some of the" in Portuguese.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    Figures,
    English,
    Words,
}

/// How a word in Latin or Cyrillic script writes a number; `None` if it is none.
pub(super) fn latin(word: &str) -> Option<Written> {
    if is_figures(word.trim_end_matches(['º', 'ª', '°'])) || is_roman(word) {
        return Some(Written::Figures);
    }
    let lower = word.to_lowercase();
    if lower.split('-').all(|part| ENGLISH.contains(&part)) {
        return Some(Written::English);
    }
    (OTHERS.contains(&lower.as_str()) || is_ordinal(&lower)).then_some(Written::Words)
}

/// "1re", "2e", "3ème", "4.", `XIIe`, "1º", and words such as "première": what may stand before its
/// noun. In lower case.
pub(super) fn is_ordinal(lower: &str) -> bool {
    let bare = ["ère", "ème", "ième", "re", "er", "nd", "nde", "e", "º", "ª", "°", "."]
        .iter()
        .find_map(|ending| lower.strip_suffix(ending));
    ORDINALS.contains(&lower)
        || bare.is_some_and(|bare| is_figures(bare) || (is_roman(&bare.to_uppercase()) && bare.len() > 1))
}

fn is_figures(word: &str) -> bool {
    (1..=MAX_FIGURES).contains(&word.chars().count()) && word.chars().all(|c| digit(c).is_some())
}

/// A decimal digit: ASCII, full width or Devanagari.
pub(crate) fn digit(c: char) -> Option<u32> {
    match c {
        '0'..='9' => c.to_digit(10),
        '０'..='９' => Some(c as u32 - '０' as u32),
        '०'..='९' => Some(c as u32 - '०' as u32),
        _ => None,
    }
}

fn is_roman(word: &str) -> bool {
    // "Ⅻ" is one character.
    let letters =
        !word.is_empty() && word.len() <= 9 && word.bytes().all(|byte| b"IVXLCDMivxlc".contains(&byte));
    letters || (word.chars().count() == 1 && word.starts_with(|c| matches!(c, '\u{2160}'..='\u{217F}')))
}

/// The value of a Roman numeral in capitals, of Chinese numerals, or of a Hindi number word: a
/// heading that is a number alone. Figures are no such headings: they may be page numbers.
pub(super) fn bare(line: &str) -> Option<u32> {
    let line = line.trim().trim_end_matches(['.', '．', '、', '।']).trim_end();
    if line.is_empty() || line.len() > 40 {
        return None;
    }
    roman_value(line).or_else(|| chinese_value(line)).or_else(|| {
        let at = HINDI.iter().position(|word| *word == line)?;
        u32::try_from(at + 1).ok()
    })
}

fn roman_value(text: &str) -> Option<u32> {
    let value = |byte: u8| match byte {
        b'I' => Some(1),
        b'V' => Some(5),
        b'X' => Some(10),
        b'L' => Some(50),
        b'C' => Some(100),
        _ => None,
    };
    if text.len() > 9 {
        return None;
    }
    let values: Vec<u32> = text.bytes().map(value).collect::<Option<_>>()?;
    let mut sum = 0;
    for (at, own) in values.iter().enumerate() {
        let before_larger = values.get(at + 1).is_some_and(|next| next > own);
        sum = if before_larger { sum - i64::from(*own) } else { sum + i64::from(*own) };
    }
    u32::try_from(sum).ok().filter(|sum| *sum > 0)
}

/// The value of a number below a thousand in Chinese numerals.
fn chinese_value(text: &str) -> Option<u32> {
    if text.chars().count() > 5 {
        return None;
    }
    let (mut sum, mut digit) = (0_u32, None);
    let mut figures = 0;
    for c in text.chars() {
        let unit = match c {
            '十' => 10,
            '百' => 100,
            '〇' | '零' | '○' => {
                (digit, figures) = (Some(digit.unwrap_or(0) * 10), figures + 1);
                continue;
            }
            _ => {
                let own =
                    u32::try_from("一二三四五六七八九".chars().position(|known| known == c)? + 1).ok()?;
                digit = Some(digit.unwrap_or(0) * 10 + own);
                figures += 1;
                continue;
            }
        };
        sum += digit.take().unwrap_or(1) * unit;
    }
    let value = sum + digit.unwrap_or(0);
    (value > 0 && figures <= 3).then_some(value)
}

/// Whether a character is part of a number before 章 or 回.
pub(super) fn is_east_asian_digit(c: char) -> bool {
    c.is_ascii_digit()
        || matches!(c, '０'..='９')
        || "〇○零一二三四五六七八九十百千两兩壹壱贰貳弐叁參参肆伍陆陸柒捌玖拾廿卅".contains(c)
}

/// Whether a word of Hindi is a number: a cardinal or an ordinal.
pub(super) fn is_hindi(word: &str) -> bool {
    is_figures(word) || is_roman(word) || HINDI.contains(&word) || is_hindi_ordinal(word)
}

pub(super) fn is_hindi_ordinal(word: &str) -> bool {
    HINDI_ORDINALS.contains(&word)
}

/// English number words, in lower case.
#[rustfmt::skip]
const ENGLISH: &[&str] = &[
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "thirty", "forty", "fifty", "sixty",
    "seventy", "eighty", "ninety", "hundred", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth",
    "ninth", "tenth", "eleventh", "twelfth", "last",
];

/// Ordinals of French, Italian, Spanish, Portuguese and German.
#[rustfmt::skip]
const ORDINALS: &[&str] = &[
    "premier", "première", "second", "seconde", "deuxième", "troisième", "quatrième", "cinquième", "sixième",
    "septième", "huitième", "neuvième", "dixième", "onzième", "douzième", "treizième", "quatorzième", "quinzième",
    "seizième", "dernier", "dernière",
    "primo", "prima", "secondo", "seconda", "terzo", "terza", "quarto", "quarta", "quinto", "quinta", "sesto", "sesta",
    "settimo", "settima", "ottavo", "ottava", "nono", "nona", "decimo", "decima", "undicesimo", "undecimo",
    "dodicesimo", "tredicesimo", "quattordicesimo", "quindicesimo", "ventesimo", "ultimo", "ultima",
    "primero", "primera", "primer", "segundo", "segunda", "tercero", "tercera", "tercer", "cuarto", "cuarta", "sexto",
    "sexta", "séptimo", "séptima", "octavo", "octava", "noveno", "novena", "décimo", "décima", "undécimo",
    "duodécimo", "último", "última",
    "primeiro", "primeira", "terceiro", "terceira", "sétimo", "sétima", "oitavo", "oitava",
    "erster", "erste", "erstes", "zweiter", "zweite", "zweites", "dritter", "dritte", "drittes", "vierter", "vierte",
    "viertes", "fünfter", "fünfte", "fünftes", "sechster", "sechste", "sechstes", "siebter", "siebte", "siebtes",
    "siebenter", "siebente", "siebentes", "achter", "achte", "achtes", "neunter", "neunte", "neuntes", "zehnter",
    "zehnte", "zehntes", "elftes", "zwölftes", "letzter", "letztes", "letzte",
];

/// Cardinals of the same languages that stand after their noun.
#[rustfmt::skip]
const OTHERS: &[&str] = &[
    "un", "une", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze", "treize",
    "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf", "vingt", "vingt-et-un", "vingt-deux",
    "uno", "due", "tre", "quattro", "cinque", "sei", "sette", "otto", "nove", "dieci", "undici", "dodici", "tredici",
    "quattordici", "quindici", "sedici", "diciassette", "diciotto", "diciannove", "venti", "ventuno",
    "una", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once", "doce", "trece",
    "catorce", "quince", "dieciséis", "diecisiete", "dieciocho", "diecinueve", "veinte", "veintiuno",
    "um", "uma", "dois", "duas", "três", "quatro", "sete", "oito", "dez", "doze", "quinze", "dezesseis", "dezasseis",
    "dezessete", "dezoito", "dezenove", "vinte",
    "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf", "dreizehn",
    "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn", "zwanzig", "einundzwanzig",
];

/// Cardinals of Hindi from one on.
#[rustfmt::skip]
const HINDI: &[&str] = &[
    "एक", "दो", "तीन", "चार", "पाँच", "छह", "सात", "आठ", "नौ", "दस", "ग्यारह", "बारह", "तेरह", "चौदह", "पंद्रह", "सोलह",
    "सत्रह", "अठारह", "उन्नीस", "बीस", "इक्कीस", "बाईस", "तेईस", "चौबीस", "पच्चीस", "छब्बीस", "सत्ताईस", "अट्ठाईस", "उनतीस", "तीस",
    "इकतीस", "बत्तीस", "तैंतीस", "चौंतीस", "पैंतीस", "छत्तीस", "सैंतीस", "अड़तीस", "उनतालीस", "चालीस",
];

/// Ordinals of Hindi and of Sanskrit, and other spellings of cardinals.
#[rustfmt::skip]
const HINDI_ORDINALS: &[&str] = &[
    "पहला", "पहली", "दूसरा", "दूसरी", "तीसरा", "तीसरी", "चौथा", "चौथी", "पाँचवाँ", "पाँचवीं", "पांचवां", "पांचवीं", "छठा", "छठी", "सातवाँ",
    "सातवां", "सातवीं", "आठवाँ", "आठवां", "आठवीं", "नौवाँ", "नौवां", "नवाँ", "दसवाँ", "दसवां", "दसवीं", "ग्यारहवाँ", "बारहवाँ", "अंतिम", "अन्तिम",
    "प्रथम", "द्वितीय", "तृतीय", "चतुर्थ", "पंचम", "पञ्चम", "षष्ठ", "षष्ठम", "सप्तम", "अष्टम", "नवम", "दशम", "एकादश", "द्वादश",
    "पांच", "छः", "छै", "पन्द्रह", "पंद्रह",
];

#[cfg(test)]
mod tests {
    use super::bare;

    #[test]
    fn numbers_alone_have_their_values() {
        for (line, value) in [
            ("I", Some(1)),
            ("XIV.", Some(14)),
            ("XC", Some(90)),
            ("一", Some(1)),
            ("十", Some(10)),
            ("二十三", Some(23)),
            ("二三", Some(23)),
            ("百二", Some(102)),
            ("एक", Some(1)),
            ("ग्यारह", Some(11)),
            ("12", None),
            ("Ich", None),
            ("一个", None),
            ("MIX", None),
            ("", None),
        ] {
            assert_eq!(bare(line), value, "{line}");
        }
    }
}
