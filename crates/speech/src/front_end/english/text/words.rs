//! The small closed lists of words that the rules use. Tables only, which is why the file is long; `normalize` reads them.

/// Titles that keep their meaning before a name without a period, as in British spelling.
pub(super) const STOPLESS_TITLES: [&str; 14] =
    ["Mr", "Mrs", "Ms", "Dr", "Prof", "Capt", "Lt", "Sgt", "Rev", "Gen", "Col", "Maj", "Mt", "Ft"];

/// Words of closed classes. A capital on one in the middle of a text means that a sentence starts.
pub(super) fn starts_sentence(word: &str) -> bool {
    STARTERS.binary_search(&word).is_ok()
}

/// Sorted for binary search.
const STARTERS: &[&str] = &[
    "A",
    "After",
    "All",
    "Also",
    "Although",
    "An",
    "And",
    "Another",
    "Are",
    "As",
    "At",
    "Because",
    "Before",
    "Both",
    "But",
    "By",
    "Can",
    "Could",
    "Did",
    "Do",
    "Does",
    "Each",
    "Even",
    "Every",
    "Few",
    "For",
    "From",
    "Had",
    "Has",
    "Have",
    "He",
    "He'd",
    "He'll",
    "He's",
    "Her",
    "Here",
    "Hers",
    "His",
    "How",
    "However",
    "I",
    "I'd",
    "I'll",
    "I'm",
    "I've",
    "If",
    "In",
    "Is",
    "It",
    "It'll",
    "It's",
    "Its",
    "Just",
    "Later",
    "Let",
    "Many",
    "Maybe",
    "Meanwhile",
    "More",
    "Most",
    "My",
    "Nearly",
    "No",
    "Nobody",
    "None",
    "Nor",
    "Not",
    "Nothing",
    "Now",
    "Of",
    "Often",
    "Oh",
    "On",
    "Once",
    "One",
    "Only",
    "Or",
    "Other",
    "Our",
    "Over",
    "Perhaps",
    "Please",
    "Several",
    "She",
    "She'd",
    "She'll",
    "She's",
    "Should",
    "Since",
    "So",
    "Some",
    "Someone",
    "Something",
    "Soon",
    "Still",
    "Such",
    "Suddenly",
    "Than",
    "That",
    "That's",
    "The",
    "Their",
    "Then",
    "There",
    "There's",
    "These",
    "They",
    "They'd",
    "They'll",
    "They're",
    "They've",
    "This",
    "Those",
    "Though",
    "Through",
    "Thus",
    "To",
    "Today",
    "Tomorrow",
    "Tonight",
    "Too",
    "Two",
    "Under",
    "Until",
    "Up",
    "Upon",
    "Was",
    "We",
    "We'd",
    "We'll",
    "We're",
    "We've",
    "Well",
    "Were",
    "What",
    "What's",
    "When",
    "Where",
    "Whether",
    "Which",
    "While",
    "Who",
    "Whoever",
    "Whose",
    "Why",
    "Will",
    "With",
    "Without",
    "Would",
    "Yes",
    "Yesterday",
    "Yet",
    "You",
    "You'd",
    "You'll",
    "You're",
    "You've",
    "Your",
];

/// Capitalized words that can follow `10 a.m.` within a sentence: days, months, time zones.
pub(super) fn follows_hour(word: &str) -> bool {
    const ZONES: [&str; 22] = [
        "EST", "EDT", "ET", "CST", "CDT", "CT", "MST", "MDT", "MT", "PST", "PDT", "PT", "GMT", "UTC", "BST",
        "CET", "CEST", "Eastern", "Central", "Mountain", "Pacific", "IST",
    ];
    ZONES.contains(&word) || is_weekday(word) || month(word).is_some()
}

/// The names of the days.
pub(super) fn is_weekday(word: &str) -> bool {
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"].contains(&word)
}

/// A month's full name, from its name or its abbreviation (without period).
pub(super) fn month(word: &str) -> Option<&'static str> {
    MONTHS
        .into_iter()
        .find(|name| {
            *name == word
                || (word.len() >= 3
                    && word.len() <= 4
                    && name.starts_with(word)
                    && *name != "June"
                    && *name != "July")
        })
        .or(match word {
            "Jun" => Some("June"),
            "Jul" => Some("July"),
            "Sept" => Some("September"),
            _ => None,
        })
        .or_else(|| {
            // `APR` is a rate, and `AUG` and `MAR` are names of other things, too.
            let is_short = ["JAN", "FEB", "JUN", "JUL", "SEP", "OCT", "NOV", "DEC"].contains(&word);
            let same =
                |name: &&str| name.to_uppercase() == word || (is_short && name[..3].to_uppercase() == word);
            MONTHS.into_iter().find(same)
        })
}

/// The months in order.
pub(in crate::front_end::english) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Words without a period that are spoken differently: whole words only, case-sensitive.
pub(super) fn shorthand(word: &str) -> Option<&'static str> {
    Some(match word {
        "vs" => "versus",
        "aka" | "AKA" => "also known as",
        "approx" => "approximately",
        "govt" => "government",
        "WWI" => "World War one",
        "WWII" => "World War two",
        "Hols" => "Holidays",
        "hols" => "holidays",
        "Qty" => "Quantity",
        "qty" => "quantity",
        "Ctrl" => "Control",
        "ctrl" => "control",
        _ => return None,
    })
}

/// `WWI` and `WWII`, which are never written with a period: one after them ends the sentence.
pub(super) fn is_numbered_war(word: &str) -> bool {
    matches!(word, "WWI" | "WWII")
}

/// The name of a Greek letter.
pub(super) fn greek_letter(letter: char) -> Option<&'static str> {
    GREEK.iter().find(|(letters, _)| letters.contains(letter)).map(|(_, name)| *name)
}

/// Greek letters, small and capital, and their names.
const GREEK: [(&str, &str); 24] = [
    ("αΑ", "alpha"),
    ("βΒ", "beta"),
    ("γΓ", "gamma"),
    ("δΔ", "delta"),
    ("εΕ", "epsilon"),
    ("ζΖ", "zeta"),
    ("ηΗ", "eta"),
    ("θΘ", "theta"),
    ("ιΙ", "iota"),
    ("κΚ", "kappa"),
    ("λΛ", "lambda"),
    ("μΜ", "mu"),
    ("νΝ", "nu"),
    ("ξΞ", "xi"),
    ("οΟ", "omicron"),
    ("πΠ", "pi"),
    ("ρΡ", "rho"),
    ("σΣς", "sigma"),
    ("τΤ", "tau"),
    ("υΥ", "upsilon"),
    ("φΦϕ", "phi"),
    ("χΧ", "chi"),
    ("ψΨ", "psi"),
    ("ωΩ", "omega"),
];

/// The full name of a day, from its name or its short form.
pub(super) fn weekday(word: &str) -> Option<&'static str> {
    Some(match word {
        "Mon" | "Monday" => "Monday",
        "Tue" | "Tues" | "Tuesday" => "Tuesday",
        "Wed" | "Weds" | "Wednesday" => "Wednesday",
        "Thu" | "Thur" | "Thurs" | "Thursday" => "Thursday",
        "Fri" | "Friday" => "Friday",
        "Sat" | "Saturday" => "Saturday",
        "Sun" | "Sunday" => "Sunday",
        _ => return None,
    })
}

/// The abbreviations of street types that are also written without a period: `12 Main St,
/// Springfield`.
pub(super) fn street(word: &str) -> Option<&'static str> {
    Some(match word {
        "St" => "Street",
        "Ave" => "Avenue",
        "Blvd" => "Boulevard",
        "Rd" => "Road",
        "Ln" => "Lane",
        "Hwy" => "Highway",
        "Pkwy" => "Parkway",
        _ => return None,
    })
}

/// Short forms of places that need no period before a number: `Hwy 101`.
pub(super) fn place(word: &str) -> Option<&'static str> {
    Some(match word {
        "Apt" => "Apartment",
        "Bldg" => "Building",
        "Hwy" => "Highway",
        "Rm" => "Room",
        "Rte" => "Route",
        "Ste" => "Suite",
        _ => return None,
    })
}

/// Initialisms and acronyms that stay in capitals on a line written all in capitals.
pub(super) fn is_initialism(word: &str) -> bool {
    const KNOWN: [&str; 66] = [
        "ABC", "AI", "AIDS", "API", "ATM", "BBC", "BMW", "CBS", "CD", "CEO", "CFO", "CIA", "CNN", "CPU",
        "CSS", "CTO", "CV", "DIY", "DJ", "DNA", "DVD", "EU", "FAQ", "FBI", "FIFA", "GDP", "GPS", "GPU",
        "HBO", "HIV", "HR", "HTML", "IBM", "ID", "IMF", "IRS", "JFK", "KGB", "LGBT", "MIT", "MTV", "NASA",
        "NATO", "NBA", "NBC", "NFL", "NGO", "NHL", "NHS", "NSA", "NYC", "OECD", "OPEC", "PC", "PDF", "PR",
        "RAF", "RNA", "TV", "UFO", "UK", "UN", "URL", "USA", "USB", "VIP",
    ];
    KNOWN.contains(&word)
}

/// Words that a Roman numeral numbers: the numeral is read as a cardinal.
pub(super) fn counts(word: &str) -> bool {
    const COUNTED: &[&str] = &[
        "act", "apollo", "appendix", "article", "book", "bowl", "canto", "chapter", "class", "division",
        "episode", "fantasy", "figure", "gemini", "grade", "group", "lesson", "level", "mark", "no",
        "number", "page", "part", "phase", "plate", "rocky", "round", "scene", "schedule", "section",
        "stage", "step", "symphony", "table", "title", "tome", "type", "unit", "verse", "vol", "volume",
        "wars", "war", "world",
    ];
    let lower = word.to_lowercase();
    COUNTED.contains(&lower.as_str())
}

/// Names and titles of rulers and popes: the numeral after them is an ordinal.
pub(super) fn is_regal(word: &str) -> bool {
    RULERS.binary_search(&word).is_ok()
}

/// Sorted for binary search.
const RULERS: &[&str] = &[
    "Alexander",
    "Alfonso",
    "Anne",
    "Augustus",
    "Benedict",
    "Boniface",
    "Casimir",
    "Catherine",
    "Charles",
    "Christian",
    "Clement",
    "Constantine",
    "Darius",
    "Edward",
    "Elizabeth",
    "Emmanuel",
    "Emperor",
    "Ferdinand",
    "Francis",
    "Franz",
    "Frederick",
    "George",
    "Gregory",
    "Gustav",
    "Haakon",
    "Harald",
    "Henri",
    "Henry",
    "Innocent",
    "Isabella",
    "Ivan",
    "James",
    "John",
    "Joseph",
    "Juan",
    "Julius",
    "Justinian",
    "Kaiser",
    "King",
    "Leo",
    "Leopold",
    "Louis",
    "Margaret",
    "Mary",
    "Maximilian",
    "Mehmed",
    "Napoleon",
    "Nicholas",
    "Otto",
    "Paul",
    "Pedro",
    "Peter",
    "Philip",
    "Pius",
    "Pope",
    "Prince",
    "Ptolemy",
    "Queen",
    "Ramesses",
    "Ramses",
    "Richard",
    "Robert",
    "Rudolf",
    "Stephen",
    "Sultan",
    "Thutmose",
    "Tsar",
    "Umberto",
    "Urban",
    "Victor",
    "Vittorio",
    "Wilhelm",
    "William",
    "Xerxes",
];

/// Words whose first apostrophe replaces letters and is not a quotation mark.
pub(super) fn is_elided(word: &str) -> bool {
    const ELIDED: [&str; 20] = [
        "bout", "cause", "cept", "cos", "coz", "cuz", "em", "ere", "fore", "gainst", "n", "neath", "nother",
        "nuff", "round", "til", "tis", "twas", "tween", "twixt",
    ];
    let lower = word.to_lowercase();
    ELIDED.contains(&lower.as_str())
        || ["twere", "twill", "twould", "tisn't", "twasn't"].contains(&lower.as_str())
}

#[cfg(test)]
mod tests {
    use super::{RULERS, STARTERS};

    // Negative control: seen to fail with a word of either list in the wrong position.
    #[test]
    fn lists_that_are_searched_by_halves_are_in_order() {
        assert!(STARTERS.is_sorted());
        assert!(RULERS.is_sorted());
    }
}
