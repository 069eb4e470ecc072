//! Which periods end a sentence, and which belong to an abbreviation, an initial, a number or a
//! list item.

use super::{
    abbreviations::{self, Abbreviation},
    figures,
    normalize::scripture,
    short_forms, words,
};

/// Whether a single period after `word` ends its sentence when `next` follows, which starts with
/// neither a lower-case letter nor a mark. `head` is the sentence before the word.
pub(super) fn ends_after(head: &str, word: &str, next: &str) -> bool {
    let next_word = &next[..next.find(|c: char| !c.is_alphanumeric() && c != '\'').unwrap_or(next.len())];
    let digit_follows = next.starts_with(|c: char| c.is_ascii_digit());
    let starter = words::starts_sentence(next_word);
    // The number of a list item or a heading.
    if head.trim_start_matches(['#', '>', ' ']).is_empty()
        && (word.bytes().all(|byte| byte.is_ascii_digit()) && word.len() <= 3)
    {
        return false;
    }
    let mut chars = word.chars();
    if let (Some(initial), None) = (chars.next(), chars.next())
        && initial.is_uppercase()
    {
        // An initial, unless the letter is a word: "plan B. The…".
        let previous = head.trim_end();
        let previous = &previous[previous.rfind(char::is_whitespace).map_or(0, |at| at + 1)..];
        let stands_alone = initial == 'I' || previous.chars().all(char::is_lowercase);
        return starter && stands_alone && !previous.is_empty();
    }
    let is_about = next.starts_with("c. ") || next.starts_with("ca. ");
    if (digit_follows || is_about) && takes_number(head, word, next) {
        return false;
    }
    // "36 mo. @ $29.99"
    if next.starts_with(['@', '&', '=']) {
        return false;
    }
    let is_signed = next.starts_with(['+', '-', '−']);
    match word {
        // `25 deg. C`, `dec. +22°`, `VAT reg. no. GB 123`
        "deg" if ["C", "F"].contains(&next_word) => return false,
        "dec" | "Dec" if is_signed => return false,
        // "¼ c. Parmesan"
        "c" if head.trim_end().ends_with(['¼', '½', '¾', '⅓', '⅔', '⅛']) => return false,
        "mi" if ["N", "E", "S", "W", "NE", "NW", "SE", "SW"].contains(&next_word) => return false,
        "art" | "amend" if head.trim_end().ends_with("Const.") && figures::roman(next_word).is_some() => {
            return false;
        }
        "Art" | "art" if next.starts_with("I,") => return false,
        // "Fed. R. Civ. P. 12(b)"
        "Fed" if next.starts_with("R.") => return false,
        "Civ" | "Crim" | "Evid" | "App" if head.trim_end().ends_with("R.") => {
            return !(digit_follows || next.starts_with("P."));
        }
        "Ex" if !digit_follows => return !short_forms::is_exhibit(head, next),
        "apt" => return !short_forms::is_home(head, next),
        "ex" => return !short_forms::is_exception(head, next),
        // "jump to the coda at b. 60"
        "b" if digit_follows && short_forms::is_of_bars(head) => return false,
        // `U.S. Pat. No. 9,482,117`: elsewhere a name.
        "Pat" => {
            return !(["U.S.", "US"].iter().any(|us| head.trim_end().ends_with(us))
                && (digit_follows || next.starts_with("No")));
        }
        "Arr" | "Dep" | "Lv" | "Ar" | "ar" if next.contains(':') => return false,
        "exp" | "Exp" => return !short_forms::is_month(next),
        "no" | "No" if short_forms::is_of_register(head) => return false,
        _ => {}
    }
    match abbreviations::abbreviation(word) {
        _ if word == "Reg" && (next.starts_with("No.") || ["EU", "EC", "EEC"].contains(&next_word)) => false,
        Some(Abbreviation::BeforeNumber) if word == "long" => {
            !head.contains("lat") && !head.contains("Lat") && !digit_follows
        }
        // "lat. -12.5"
        Some(Abbreviation::BeforeNumber) if ["lat", "Lat", "elev", "Elev"].contains(&word) => {
            !next.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '−'))
        }
        Some(Abbreviation::BeforeNumber) if ["Ref", "ref"].contains(&word) => {
            !short_forms::is_reference(head, next)
        }
        Some(Abbreviation::BeforeNumber)
            if ["Sched", "Sch", "Fig"].contains(&word) && short_forms::is_lettered(next) =>
        {
            false
        }
        Some(Abbreviation::Title) => false,
        Some(Abbreviation::BeforeNumber) => {
            !digit_follows && !next.starts_with('#') && !is_counted(word, next_word)
        }
        Some(Abbreviation::Anywhere) => !digit_follows,
        Some(Abbreviation::Place | Abbreviation::Ending) => starter,
        Some(Abbreviation::Month) if next.starts_with(['&', '–', '/']) => false,
        Some(Abbreviation::Month) => !digit_follows && (starter || !next.starts_with(char::is_uppercase)),
        Some(Abbreviation::Hour) => !digit_follows && !words::follows_hour(next_word),
        None if is_dotted(word) => starter,
        None if digit_follows && scripture::is_short_form(word) => {
            !next.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(':')
                && !scripture::takes_chapter(head, word)
        }
        None => true,
    }
}

/// Whether a number belongs to the short word before its period: `2 hrs. 15 mins.`, `Rs. 500`,
/// `c. 1450`, `(b. 1809)`.
fn takes_number(head: &str, word: &str, next: &str) -> bool {
    if short_forms::are_shillings(word, next) {
        return true;
    }
    let next = next.strip_prefix("c. ").or_else(|| next.strip_prefix("ca. ")).unwrap_or(next);
    let digits = next.len() - next.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let year = (3..=4).contains(&digits);
    match word {
        "hr" | "hrs" | "min" | "mins" | "ft" | "yd" | "yds" | "lb" | "lbs" | "yr" | "yrs" => {
            head.trim_end().ends_with(|c: char| c.is_ascii_digit())
        }
        "Rs" | "Bldg" => true,
        "c" => year || short_forms::is_about(head, next) || short_forms::is_century_before_amount(head, next),
        "b" | "d" | "fl" | "r" => year && short_forms::is_of_life(head, word),
        _ => false,
    }
}

/// Whether `next` is a Roman numeral after an abbreviation that it numbers: `vol. II`, `ch. I`. A
/// single letter is more likely a word after "no.", and a name elsewhere.
fn is_counted(word: &str, next: &str) -> bool {
    figures::roman(next).is_some() && (next.len() > 1 || ["vol", "Vol", "ch", "Ch"].contains(&word))
}

/// Whether a word is letters with periods between them: `U.S`, `J.R.R`, `Ph.D`.
fn is_dotted(word: &str) -> bool {
    let mut parts = word.split('.');
    word.contains('.')
        && parts.all(|part| (1..=2).contains(&part.chars().count()) && part.chars().all(char::is_alphabetic))
}
