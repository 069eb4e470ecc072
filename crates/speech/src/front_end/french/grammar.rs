//! What is French in the reading of texts: see [`Grammar`].

use super::{Variety, amounts::AMOUNTS, emoji, figures, genders, phonemes, signs::SIGNS, words::WORDS};
use crate::front_end::romance::{
    figures::{Form, group},
    grammar::{Amounts, Clock, Grammar, Romans, Signs, Words},
    phonemes::Word,
};

#[derive(Debug)]
pub(super) struct French(pub(super) Variety);

const CLOCK: Clock = Clock {
    hours_after: &["h", "H", "hrs", "heures", "heure"],
    introductions: &[],
    hour: ("heure", "heures"),
    minute: ("minute", "minutes"),
    second: ("seconde", "secondes"),
    minute_form: Form::Feminine,
    second_form: Form::Feminine,
    duration_join: "",
    durations: &[],
};

const ROMANS: Romans = Romans {
    regal: &[
        "Alexandre",
        "Amédée",
        "Baudouin",
        "Benoît",
        "Boniface",
        "Catherine",
        "Charles",
        "Christian",
        "Clément",
        "Clotaire",
        "Clovis",
        "Édouard",
        "Elizabeth",
        "Élisabeth",
        "Ferdinand",
        "François",
        "Frédéric",
        "Georges",
        "Grégoire",
        "Guillaume",
        "Gustave",
        "Henri",
        "Hassan",
        "Innocent",
        "Isabelle",
        "Jacques",
        "Jean",
        "Jules",
        "Léon",
        "Léopold",
        "Louis",
        "Marguerite",
        "Marie",
        "Mohammed",
        "Napoléon",
        "Nicolas",
        "Paul",
        "Philippe",
        "Pie",
        "Pierre",
        "Ptolémée",
        "Ramsès",
        "Rainier",
        "Richard",
        "Robert",
        "Rodolphe",
        "Urbain",
        "Victor",
        "Albert",
        "Alphonse",
        "Constantin",
        "Darius",
        "Théodose",
        "Umberto",
        "Juan",
    ],
    century: &["siècle", "siècles", "s"],
    things: &["siècle", "siècles", "arrondissement", "république", "dynastie", "congrès", "anniversaire"],
    feminine_articles: &["la"],
    articles: &["le", "la", "les", "du", "au"],
};

/// Words with an h that stops elision among the names of units, currencies and counted things.
const ASPIRATED: &[&str] = &[
    "hectos",
    "héros",
    "hamburgers",
    "haricots",
    "hauts",
    "hommages",
    "huit",
    "hongrois",
    "hollandais",
    "hasard",
];

impl Grammar for French {
    fn words(&self) -> &'static Words {
        &WORDS
    }

    fn amounts(&self) -> &'static Amounts {
        &AMOUNTS
    }

    fn clock(&self) -> &'static Clock {
        &CLOCK
    }

    fn signs(&self) -> &'static Signs {
        &SIGNS
    }

    fn romans(&self) -> &'static Romans {
        &ROMANS
    }

    fn number(&self, value: u64, form: Form) -> String {
        figures::number(value, form, self.0)
    }

    fn ordinal(&self, value: u64, feminine: bool) -> String {
        figures::ordinal(value, feminine, self.0)
    }

    /// `2nd`: "second".
    fn ordinal_before(&self, value: u64, feminine: bool) -> String {
        match value {
            2 => (if feminine { "seconde" } else { "second" }).to_owned(),
            _ => self.ordinal(value, feminine),
        }
    }

    fn part(&self, bottom: u64, many: bool) -> Option<String> {
        figures::part(bottom, many, self.0)
    }

    /// "La quatre-vingtième minute", but "deux personnes minimum".
    fn meaning(&self, written: &str, said: &str) -> Option<&'static str> {
        let said = said.trim_end();
        let games = [" aux", " des", " les", " Les"].iter().any(|article| said.ends_with(article));
        match written {
            "min" if !said.ends_with("ième") => Some("minimum"),
            "J.O." if games || said == "Les" => Some("jeux olympiques"),
            _ => None,
        }
    }

    /// "À la quatre-vingt-septième".
    fn minute_of_match(&self, value: u64, before: &str) -> Option<String> {
        Some(match before {
            "la" => self.ordinal(value, true),
            "minute" => self.number(value, Form::Alone),
            _ => format!("{} minutes", self.number(value, Form::Feminine)),
        })
    }

    fn of(&self, noun: &str) -> String {
        let vowel = noun.to_lowercase().starts_with(|c| "aeiouyhâàéèêëîïôûœæ".contains(c));
        if vowel && !ASPIRATED.contains(&noun) && !noun.starts_with("ye") {
            format!("d'{noun}")
        } else {
            format!("de {noun}")
        }
    }

    fn is_singular_below_two(&self) -> bool {
        true
    }

    fn per(&self, unit: &str) -> String {
        format!("par {unit}")
    }

    /// "Du lundi au vendredi", "de janvier à mars".
    fn span_of_names(&self, first: &str, second: &str, opens: bool) -> String {
        match (opens, WORDS.months.contains(&first)) {
            (true, true) => format!("{} à {second}", self.of(first)),
            (true, false) => format!("du {first} au {second}"),
            (false, true) => format!("{first} à {second}"),
            (false, false) => format!("{first} au {second}"),
        }
    }

    fn date(&self, day: u64, month: &str, year: Option<u64>) -> String {
        let year = year.map(|year| format!(" {}", self.number(year, Form::Alone)));
        format!("{} {month}{}", self.day(day), year.unwrap_or_default())
    }

    fn day(&self, day: u64) -> String {
        if day == 1 { "premier".to_owned() } else { self.number(day, Form::Alone) }
    }

    fn time(&self, hour: u64, minute: u64, _hours: bool) -> String {
        let hours =
            format!("{} {}", self.number(hour, Form::Feminine), if hour < 2 { "heure" } else { "heures" });
        if minute == 0 { hours } else { format!("{hours} {}", self.number(minute, Form::Feminine)) }
    }

    fn part_of_day(&self, hour: u64, after_noon: bool) -> &'static str {
        match (hour, after_noon) {
            (12, true) => "",
            (_, false) => "du matin",
            (1..=5, true) => "de l'après-midi",
            (_, true) => "du soir",
        }
    }

    /// Ten digits, the first a zero, in pairs; or a free number, `0 800 123 456`.
    fn is_phone(&self, groups: &[&str], sign: Option<char>, _counted: bool) -> bool {
        let lengths: Vec<usize> = groups.iter().map(|group| group.len()).collect();
        let zero = groups.first().is_some_and(|first| first.starts_with('0'));
        match lengths.as_slice() {
            [10] => zero,
            // `0475 12 34 56` in Belgium, `044 668 18 00` in Switzerland.
            [2, 2, 2, 2, 2] | [4, 2, 2, 2] | [4, 3, 3] | [3, 3, 2, 2] => zero && sign.is_some(),
            // `514 555-1234` in Canada.
            [3, 3, 4] => !zero && matches!(sign, Some(' ' | '-')),
            [1, 3, 3, 3] => zero && sign != Some('.'),
            _ => false,
        }
    }

    fn phone_groups(&self, digits: &str) -> Vec<usize> {
        let pairs = vec![2; digits.len() / 2];
        if digits.len() % 2 == 1 { [vec![1], pairs].concat() } else { pairs }
    }

    fn phone_group(&self, digits: &str) -> String {
        group(self, digits)
    }

    fn has_thousands(&self, sign: char) -> bool {
        matches!(sign, '.' | ' ' | '\'')
    }

    fn has_sides_as_parts(&self) -> bool {
        true
    }

    fn is_feminine(&self, noun: &str) -> bool {
        genders::is_feminine(noun)
    }

    fn is_neutral(&self, word: &str) -> bool {
        ["autres", "grandes", "petites", "nouvelles", "jeunes", "premières", "dernières", "mille", "bonnes"]
            .contains(&word)
    }

    fn is_plural(&self, noun: &str) -> bool {
        noun.ends_with(['s', 'x', 'z'])
    }

    fn century(&self, value: u64) -> String {
        self.number(value, Form::Alone)
    }

    /// Only the first is an ordinal: "François premier", "Louis quatorze".
    fn regal(&self, value: u64, name: &str) -> String {
        let feminine = name.ends_with("beth")
            || name.ends_with('a')
            || matches!(name, "Catherine" | "Isabelle" | "Marie" | "Marguerite");
        if value == 1 { self.ordinal(value, feminine) } else { self.number(value, Form::Alone) }
    }

    /// `XIXe`, `Ier`. Single letters with -e are words, but for those of small numbers: `Le`, `De`.
    fn roman_ending(&self, numeral: &str, letters: &str) -> Option<bool> {
        let small = numeral.len() > 1 || matches!(numeral, "I" | "V" | "X");
        match letters {
            "e" | "è" | "ème" | "ième" | "eme" | "es" | "èmes" if small => Some(false),
            "er" if numeral == "I" => Some(false),
            "re" | "ère" if numeral == "I" => Some(true),
            "d" | "nd" if numeral == "II" => Some(false),
            "de" | "nde" if numeral == "II" => Some(true),
            _ => None,
        }
    }

    fn can_say(&self, letter: char) -> bool {
        matches!(letter as u32, 0x41..=0x24F | 0x1E00..=0x1EFF)
    }

    fn emoji(&self, emoji: char) -> Option<&'static str> {
        emoji::name(emoji)
    }

    fn flag(&self, country: &str, is_name: bool) -> String {
        let of = if is_name { "de " } else { "" };
        format!("drapeau {of}{country}").replace("de le ", "du ").replace("de les ", "des ")
    }

    fn clause(&self, words: &[Word<'_>]) -> Vec<String> {
        phonemes::clause(words)
    }
}
