//! Numbers in words. The numbers to 99 are words of their own; from there on they are counted in
//! hundreds, thousands, lakhs (a hundred thousand) and crores (ten million). How each sounds when it
//! is written in digits is a fact of what the voices were taught with (espeak-ng's output), which
//! differs a little from how its letters are read.

/// The numbers to 99, and their phonemes.
const TO_99: [(&str, &str); 100] = [
    ("शून्य", "ʃˈuːnjə"),
    ("एक", "ˈeːk"),
    ("दो", "dˈoː"),
    ("तीन", "tˈiːn"),
    ("चार", "cˈaːɾ"),
    ("पाँच", "pˈa\u{303}c"),
    ("छह", "cʰˈʌh"),
    ("सात", "sˈaːt"),
    ("आठ", "ˈaːʈʰ"),
    ("नौ", "nˈɔː"),
    ("दस", "dˈʌs"),
    ("ग्यारह", "ɡjˈaːɾəh"),
    ("बारह", "bˈaːɾəh"),
    ("तेरह", "tˈeːɾəh"),
    ("चौदह", "cˈɔːdəh"),
    ("पंद्रह", "pˈʌndɾəh"),
    ("सोलह", "sˈoːləh"),
    ("सत्रह", "sˈʌtɾəh"),
    ("अठारह", "ʌʈʰˈaːɾəh"),
    ("उन्नीस", "ʊnnˈɪs"),
    ("बीस", "bˈiːs"),
    ("इक्कीस", "ɪkːˈis"),
    ("बाईस", "bˈaːis"),
    ("तेईस", "tˈeːis"),
    ("चौबीस", "cˈɔːbis"),
    ("पच्चीस", "pˈʌcːis"),
    ("छब्बीस", "cʰəbbˈis"),
    ("सत्ताईस", "sətːˈaːis"),
    ("अट्ठाईस", "atʰːˈaːis"),
    ("उनतीस", "ˈʊntis"),
    ("तीस", "tˈiːs"),
    ("इकतीस", "ˌɪkətˈis"),
    ("बत्तीस", "bˈatːis"),
    ("तैंतीस", "tˈɛ\u{303}tis"),
    ("चौंतीस", "cˈɔ\u{303}tis"),
    ("पैंतीस", "pˈɛ\u{303}tis"),
    ("छत्तीस", "cʰˈʌtːis"),
    ("सैंतीस", "sˈɛ\u{303}tis"),
    ("अ\u{95C}तीस", "ˈʌɾtis"),
    ("उनतालीस", "ʊntˈaːlis"),
    ("चालीस", "cˈaːlis"),
    ("इकतालीस", "ɪktˈaːlis"),
    ("बयालीस", "bIˈaːlis"),
    ("तैंतालीस", "tɛ\u{303}tˈaːlis"),
    ("चौवालीस", "cɔːʋˈaːlis"),
    ("पैंतालीस", "pIntˈaːlis"),
    ("छियालीस", "cʰɪjˈaːlis"),
    ("सैंतालीस", "sɛ\u{303}tˈaːlis"),
    ("अ\u{95C}तालीस", "ʌɾtˈaːlis"),
    ("उनचास", "ˈʊncaːs"),
    ("पचास", "pəcˈaːs"),
    ("इक्यावन", "ɪkjˈaːwən"),
    ("बावन", "bˈaːwən"),
    ("तिरपन", "tˈɪɾeːpˌən"),
    ("चौवन", "cˈɔːwən"),
    ("पचपन", "pˈʌcpən"),
    ("छप्पन", "cʰˈʌpːən"),
    ("सत्तावन", "sətˈaːwən"),
    ("अट्ठावन", "aʈʰʈʰˈaːwən"),
    ("उनसठ", "ˈʊnsəʈʰ"),
    ("साठ", "sˈaːʈʰ"),
    ("इकसठ", "ˈɪksəʈʰ"),
    ("बासठ", "bˈaːsəʈʰ"),
    ("तिरसठ", "tˈɪɾeːsˌəʈʰ"),
    ("चौंसठ", "cˈɔ\u{303}səʈʰ"),
    ("पैंसठ", "pˈɛ\u{303}səʈʰ"),
    ("छियासठ", "cʰɪjˈaːsəʈʰ"),
    ("स\u{95C}सठ", "sˈʌr.səʈʰ"),
    ("अ\u{95C}सठ", "ˈʌr.səʈʰ"),
    ("उनहत्तर", "ˈʊnəhtːˌəɾ"),
    ("सत्तर", "sˈʌtːəɾ"),
    ("इकहत्तर", "ˈɪkhətːˌəɾ"),
    ("बहत्तर", "bˈʌhətːˌəɾ"),
    ("तिहत्तर", "tˈɪhətːˌəɾ"),
    ("चौहत्तर", "cɔːhˈʌtːəɾ"),
    ("पचहत्तर", "pəchˈʌtːəɾ"),
    ("छिहत्तर", "cʰɪhˈʌtːəɾ"),
    ("सतहत्तर", "səthˈʌtːəɾ"),
    ("अठहत्तर", "ʌthˈʌtːəɾ"),
    ("उन्यासी", "ʊnˈaːsi"),
    ("अस्सी", "ˈʌssi"),
    ("इक्यासी", "ɪkjˈaːsi"),
    ("बयासी", "bəjˈaːsi"),
    ("तिरासी", "tɪɾˈaːsi"),
    ("चौरासी", "cɔːɾˈaːsi"),
    ("पचासी", "pəcˈaːsi"),
    ("छियासी", "cʰɪjˈaːsi"),
    ("सत्तासी", "sətːˈaːsi"),
    ("अट्ठासी", "atʰːˈaːsi"),
    ("नवासी", "nəwˈaːsi"),
    ("नब्बे", "nˈʌbːeː"),
    ("इक्यानवे", "ɪkːjˈaːnəbˌeː"),
    ("बानवे", "bˈaːnəbˌeː"),
    ("तिरानवे", "tɪɾˈaːnəbˌeː"),
    ("चौरानवे", "cɔːɾˈaːməbˌeː"),
    ("पंचानवे", "pəncˈaːnəbˌeː"),
    ("छियानवे", "cʰɪjˈaːnəbˌeː"),
    ("सत्तानवे", "sətːˈaːnəbˌeː"),
    ("अट्ठानवे", "ʌtʰːˈaːnəbˌeː"),
    ("निन्यानवे", "nɪɲjˈaːnəbˌeː"),
];

/// The names of the powers, largest first, and their phonemes.
const POWERS: [(u64, &str, &str); 7] = [
    (10_000_000_000_000, "नील", "nˈiːl"),
    (100_000_000_000, "खरब", "kʰˈʌɾəb"),
    (1_000_000_000, "अरब", "ˈʌɾəb"),
    (10_000_000, "करो\u{95C}", "kəɾˈoːr."),
    (100_000, "लाख", "lˈaːkʰ"),
    (1_000, "ह\u{95B}ार", "hˈʌɟaːɾ"),
    (100, HUNDRED, "sˈɔː"),
];

/// A hundred: it follows its number without a pause.
pub(super) const HUNDRED: &str = "सौ";

/// From this many digits on, a number is read digit by digit.
const MOST_DIGITS: usize = 15;

/// The first and the last year that is counted in hundreds.
const IN_HUNDREDS: std::ops::RangeInclusive<u64> = 1100..=1999;

/// The phonemes of a word of a number that was written in digits, with the ending of an ordinal.
pub(super) fn phonemes(word: &str) -> Option<String> {
    const ENDINGS: [(&str, &str); 3] = [("वाँ", "ʋˌa\u{303}"), ("वें", "ʋˌe\u{303}ː"), ("वीं", "ʋˌi\u{303}")];
    if let Some(known) = of(word) {
        return Some(known.to_owned());
    }
    let (stem, ending) =
        ENDINGS.iter().find_map(|(ending, said)| Some((word.strip_suffix(ending)?, *said)))?;
    Some(format!("{}{ending}", of(stem)?))
}

fn of(word: &str) -> Option<&'static str> {
    let small = TO_99.iter().find(|(own, _)| *own == word).map(|(_, said)| *said);
    small.or_else(|| POWERS.iter().find(|(_, own, _)| *own == word).map(|(.., said)| *said))
}

/// A number from 0 to 99.
pub(super) fn small(value: usize) -> &'static str {
    TO_99.get(value).map_or("", |(word, _)| *word)
}

/// A whole number of any length; very long ones digit by digit.
pub(super) fn cardinal(digits: &str) -> String {
    match digits.parse() {
        Ok(value) if digits.len() <= MOST_DIGITS => number(value),
        _ => each(digits),
    }
}

/// A number in words.
pub(super) fn number(value: u64) -> String {
    let mut words = Vec::new();
    let mut rest = value;
    for (power, name, _) in POWERS {
        if rest >= power {
            words.push(number(rest / power));
            words.push(name.to_owned());
            rest %= power;
        }
    }
    if rest > 0 || words.is_empty() {
        words.push(small(rest as usize).to_owned());
    }
    words.join(" ")
}

/// A year: 1947 is nineteen hundred and forty-seven.
pub(super) fn year(value: u64) -> String {
    if !IN_HUNDREDS.contains(&value) {
        return number(value);
    }
    let hundreds = format!("{} {HUNDRED}", small((value / 100) as usize));
    if value.is_multiple_of(100) { hundreds } else { format!("{hundreds} {}", small((value % 100) as usize)) }
}

/// Digits one by one.
pub(super) fn each(digits: &str) -> String {
    let words: Vec<&str> =
        digits.chars().filter_map(|c| c.to_digit(10)).map(|digit| small(digit as usize)).collect();
    words.join(" ")
}

/// The number of a king: the first ten have the words of Sanskrit.
pub(super) fn regal(value: u64) -> String {
    const FIRST: [&str; 10] = ["प्रथम", "द्वितीय", "तृतीय", "चतुर्थ", "पंचम", "षष्ठम", "सप्तम", "अष्टम", "नवम", "दशम"];
    let word = (value as usize).checked_sub(1).and_then(|index| FIRST.get(index));
    word.map_or_else(|| ordinal(&value.to_string(), "वें"), |word| (*word).to_owned())
}

/// The ordinal of a number, in the form that its written ending has: `5वीं`, `2रा`.
pub(super) fn ordinal(digits: &str, ending: &str) -> String {
    let vowel = match ending.chars().find(|c| matches!(c, 'ा' | 'ी' | 'े')) {
        Some('ी') => 'ी',
        Some('े') => 'े',
        _ => 'ा',
    };
    let stem = match digits {
        "1" => "पहल",
        "2" => "दूसर",
        "3" => "तीसर",
        "4" => "चौथ",
        "6" => "छठ",
        _ => {
            let ending = match vowel {
                'ी' => "वीं",
                'े' => "वें",
                _ => "वाँ",
            };
            return format!("{}{ending}", cardinal(digits));
        }
    };
    format!("{stem}{vowel}")
}
