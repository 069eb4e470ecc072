//! What is Spanish in the reading of texts: see [`Grammar`].

use super::{
    Accent, amounts::AMOUNTS, emoji, figures, foreign, genders, phonemes, signs::SIGNS, words::WORDS,
};
use crate::front_end::romance::{
    figures::{Form, group},
    grammar::{Amounts, Clock, Currency, Grammar, Romans, Signs, Words},
    phonemes::Word,
};

/// The grammar of an accent.
#[derive(Debug)]
pub(super) struct Spanish(pub(super) Accent);

const CLOCK: Clock = Clock {
    hours_after: &["h", "hs", "hrs", "hr", "horas", "hora"],
    introductions: &[
        "a las ",
        "a la ",
        "desde las ",
        "hasta las ",
        "de las ",
        "sobre las ",
        "hacia las ",
        "entre las ",
        "y las ",
    ],
    hour: ("hora", "horas"),
    minute: ("minuto", "minutos"),
    second: ("segundo", "segundos"),
    minute_form: Form::Masculine,
    second_form: Form::Masculine,
    duration_join: "y ",
    durations: &[
        "en", "durante", "dura", "duró", "duran", "tarda", "tardó", "tardan", "tardé", "esperé", "esperó",
        "lleva", "llevó", "faltan",
    ],
};

const ROMANS: Romans = Romans {
    regal: &[
        "Alejandro",
        "Alfonso",
        "Amadeo",
        "Benedicto",
        "Bonifacio",
        "Carlos",
        "Catalina",
        "Clemente",
        "Enrique",
        "Eduardo",
        "Felipe",
        "Fernando",
        "Francisco",
        "Federico",
        "Gregorio",
        "Guillermo",
        "Gustavo",
        "Inocencio",
        "Isabel",
        "Jaime",
        "Jorge",
        "Juan",
        "Juana",
        "Julio",
        "León",
        "Leopoldo",
        "Luis",
        "Margarita",
        "María",
        "Nicolás",
        "Napoleón",
        "Pablo",
        "Pedro",
        "Pío",
        "Ramiro",
        "Ramsés",
        "Ricardo",
        "Rodolfo",
        "Sancho",
        "Urbano",
        "Víctor",
        "Alberto",
        "Balduino",
        "Constantino",
        "Darío",
        "Jacobo",
        "Maximiliano",
        "Otón",
        "Ptolomeo",
        "Tolomeo",
        "Teodosio",
        "Cristián",
        "Harald",
        "Haakon",
    ],
    century: &["siglo", "siglos", "s", "ss"],
    things: &[
        "aniversario",
        "edición",
        "congreso",
        "legislatura",
        "centenario",
        "jornadas",
        "dinastía",
        "concurso",
        "festival",
        "premio",
    ],
    feminine_articles: &["la", "las"],
    articles: &["el", "la", "del", "los", "las"],
};

impl Grammar for Spanish {
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
        figures::number(value, form)
    }

    fn ordinal(&self, value: u64, feminine: bool) -> String {
        figures::ordinal(value, feminine)
    }

    fn ordinal_before(&self, value: u64, feminine: bool) -> String {
        figures::ordinal_before(value, feminine)
    }

    fn part(&self, bottom: u64, many: bool) -> Option<String> {
        figures::part(bottom, many)
    }

    /// "Tres habitaciones", but "dos mil habitantes".
    fn meaning(&self, written: &str, said: &str) -> Option<&'static str> {
        let last = said.trim_end().rsplit(' ').next().unwrap_or("");
        let few = (1..=10).any(|value| figures::number(value, Form::Feminine) == last || last == "un");
        match written {
            "hab" if few && !said.contains(" mil ") => Some("habitaciones"),
            "Dir" | "dir" if last == "el" || last == "del" => Some("director"),
            "esc" if said.to_lowercase().contains("acto ") => Some("escena"),
            _ => None,
        }
    }

    /// "En el minuto ochenta y siete".
    fn minute_of_match(&self, value: u64, before: &str) -> Option<String> {
        let number = figures::number(value, Form::Alone);
        Some(match before {
            "minuto" => number,
            "el" | "al" | "del" => format!("minuto {number}"),
            _ => format!("{} minutos", figures::number(value, Form::Masculine)),
        })
    }

    fn part_of_parts(&self, bottom: u64, many: bool) -> Option<String> {
        let part = match bottom {
            3 => "tercera".to_owned(),
            4..=10 => figures::ordinal(bottom, true),
            _ => return None,
        };
        Some(if many { part + "s" } else { part })
    }

    fn of(&self, noun: &str) -> String {
        format!("de {noun}")
    }

    fn per(&self, unit: &str) -> String {
        format!("por {unit}")
    }

    fn date(&self, day: u64, month: &str, year: Option<u64>) -> String {
        let year = year.map(|year| format!(" de {}", figures::number(year, Form::Alone)));
        format!("{} de {month}{}", self.day(day), year.unwrap_or_default())
    }

    /// In America the first is "primero".
    fn day(&self, day: u64) -> String {
        if day == 1 && self.0 == Accent::American {
            "primero".to_owned()
        } else {
            figures::number(day, Form::Alone)
        }
    }

    fn before_month(&self) -> &'static str {
        " de "
    }

    fn time(&self, hour: u64, minute: u64, hours: bool) -> String {
        let words = figures::number(hour, Form::Feminine);
        let minutes = figures::number(minute, Form::Alone);
        let all_hours = if hour == 1 { "hora" } else { "horas" };
        match (minute, hours, (1..=12).contains(&hour)) {
            (0, true, _) => format!("{words} {all_hours}"),
            (0, false, true) => words,
            (0, false, false) => format!("{words} horas"),
            (_, true, _) if hour == 1 => format!("{words} {all_hours} {minutes}"),
            (1..=9, true, _) => format!("{words} cero {minutes} {all_hours}"),
            (_, true, _) => format!("{words} {minutes} {all_hours}"),
            (15, false, true) => format!("{words} y cuarto"),
            (30, false, true) => format!("{words} y media"),
            (1..=29, false, true) => format!("{words} y {minutes}"),
            (1..=9, false, false) => format!("{words} cero {minutes}"),
            (_, false, _) => format!("{words} {minutes}"),
        }
    }

    fn part_of_day(&self, hour: u64, after_noon: bool) -> &'static str {
        match (hour, after_noon) {
            (12, true) => "del mediodía",
            (12, false) | (8..=11, true) => "de la noche",
            (_, false) => "de la mañana",
            (_, true) => "de la tarde",
        }
    }

    fn is_phone(&self, groups: &[&str], sign: Option<char>, counted: bool) -> bool {
        let total: usize = groups.iter().map(|group| group.len()).sum();
        let (first, last) = (groups.first().copied().unwrap_or(""), groups.last().copied().unwrap_or(""));
        let mobile = first.starts_with(['6', '7', '8', '9']);
        let threes = groups.iter().skip(1).all(|group| group.len() == 3);
        if sign == Some('.') || groups.iter().skip(1).any(|group| group.len() > 4) {
            return false;
        }
        match groups.len() {
            1 => total == 9 && mobile && !last.ends_with("000") && !counted,
            // Thousands are also separated with spaces.
            _ if sign == Some(' ') && threes => total == 9 && mobile && !counted && !last.ends_with("000"),
            2 => false,
            _ => (9..=12).contains(&total),
        }
    }

    fn phone_groups(&self, digits: &str) -> Vec<usize> {
        match digits.len() {
            9 => vec![3, 2, 2, 2],
            // As in Mexico.
            10 => vec![2, 4, 4],
            length => vec![3; length / 3],
        }
    }

    /// A group of four is said as two pairs.
    fn phone_group(&self, digits: &str) -> String {
        if digits.len() == 4 && !digits.starts_with('0') {
            let (head, tail) = digits.split_at(2);
            return format!("{} {}", group(self, head), group(self, tail));
        }
        group(self, digits)
    }

    fn has_thousands(&self, sign: char) -> bool {
        sign == if self.0 == Accent::Castilian { '.' } else { ',' }
    }

    /// In Mexico `$` is the peso.
    fn currency_names(&self, currency: &'static Currency, written: &str) -> (&'static str, &'static str) {
        if self.0 == Accent::American && written == "$" {
            return ("peso", "pesos");
        }
        (currency.one, currency.many)
    }

    fn is_feminine(&self, noun: &str) -> bool {
        genders::is_feminine(noun)
    }

    fn is_neutral(&self, word: &str) -> bool {
        genders::is_neutral(word)
    }

    fn is_plural(&self, noun: &str) -> bool {
        noun.ends_with('s') || noun == "mil" || noun == "gente"
    }

    /// Centuries up to the tenth are ordinals.
    fn century(&self, value: u64) -> String {
        if value <= 10 { figures::ordinal(value, false) } else { figures::number(value, Form::Alone) }
    }

    fn regal(&self, value: u64, name: &str) -> String {
        let feminine = name.ends_with('a') || name == "Isabel";
        if value <= 10 { figures::ordinal(value, feminine) } else { figures::number(value, Form::Alone) }
    }

    fn can_say(&self, letter: char) -> bool {
        matches!(letter as u32, 0x41..=0x24F | 0x1E00..=0x1EFF) || foreign::is_known(letter)
    }

    fn emoji(&self, emoji: char) -> Option<&'static str> {
        emoji::name(emoji)
    }

    fn flag(&self, country: &str, is_name: bool) -> String {
        let of = if is_name { "de " } else { "" };
        format!("bandera {of}{country}").replace("de el ", "del ")
    }

    fn clause(&self, words: &[Word<'_>]) -> Vec<String> {
        phonemes::clause(words, self.0)
    }
}
