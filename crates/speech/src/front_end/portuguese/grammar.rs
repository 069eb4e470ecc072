//! What is Portuguese in the reading of texts: see [`Grammar`].

use super::{
    Variety::{self, Brazilian, European},
    amounts::AMOUNTS,
    emoji, european, figures, genders, phonemes,
    signs::SIGNS,
    words::WORDS,
};
use crate::front_end::romance::{
    figures::{Form, each},
    grammar::{Amounts, Clock, Grammar, Romans, Signs, Words},
    phonemes::Word,
};

#[derive(Debug)]
pub(super) struct Portuguese(pub(super) Variety);

const CLOCK: Clock = Clock {
    hours_after: &["h", "hs", "hrs", "horas", "hora"],
    introductions: &["às ", "as ", "das ", "até as ", "entre as ", "desde as ", "pelas ", "e as "],
    hour: ("hora", "horas"),
    minute: ("minuto", "minutos"),
    second: ("segundo", "segundos"),
    minute_form: Form::Masculine,
    second_form: Form::Masculine,
    duration_join: "e ",
    durations: &[
        "em", "por", "durante", "esperei", "esperou", "demora", "demorou", "demoram", "dura", "durou",
        "duram", "leva", "levou", "levei", "levam", "gasta", "gastei", "gastou", "faltam", "falta", "há",
        "após",
    ],
};

const ROMANS: Romans = Romans {
    regal: &[
        "Afonso",
        "Alexandre",
        "Alberto",
        "Bento",
        "Bonifácio",
        "Carlos",
        "Catarina",
        "Clemente",
        "Constantino",
        "Cristina",
        "Dario",
        "Duarte",
        "Eduardo",
        "Elizabeth",
        "Elisabete",
        "Fernando",
        "Filipe",
        "Felipe",
        "Francisco",
        "Frederico",
        "Gregório",
        "Guilherme",
        "Gustavo",
        "Henrique",
        "Inocêncio",
        "Isabel",
        "Jaime",
        "João",
        "Jorge",
        "José",
        "Júlio",
        "Leão",
        "Leopoldo",
        "Luís",
        "Luiz",
        "Manuel",
        "Margarida",
        "Maria",
        "Miguel",
        "Napoleão",
        "Nicolau",
        "Otto",
        "Paulo",
        "Pedro",
        "Pio",
        "Ptolomeu",
        "Ramsés",
        "Ricardo",
        "Rodolfo",
        "Sancho",
        "Sebastião",
        "Teodósio",
        "Urbano",
        "Vítor",
        "Vitório",
        "Victor",
    ],
    century: &["século", "séculos", "séc", "sécs"],
    things: &[
        "aniversário",
        "guerra",
        "ato",
        "parte",
        "milênio",
        "milénio",
        "trimestre",
        "semestre",
        "semana",
        "encontro",
        "volume",
        "capítulo",
        "edição",
        "congresso",
        "legislatura",
        "centenário",
        "dinastia",
        "festival",
        "prêmio",
        "prémio",
        "bienal",
    ],
    feminine_articles: &["a", "as", "da", "na", "à", "pela", "das", "nas"],
    articles: &["o", "a", "os", "as", "do", "da", "no", "na", "ao", "à", "pelo", "pela", "dos", "das"],
};

impl Grammar for Portuguese {
    fn words(&self) -> &'static Words {
        match self.0 {
            Brazilian => &WORDS,
            European => &european::WORDS,
        }
    }

    fn amounts(&self) -> &'static Amounts {
        match self.0 {
            Brazilian => &AMOUNTS,
            European => &european::AMOUNTS,
        }
    }

    fn clock(&self) -> &'static Clock {
        &CLOCK
    }

    fn signs(&self) -> &'static Signs {
        match self.0 {
            Brazilian => &SIGNS,
            European => &european::SIGNS,
        }
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

    /// "Terça-feira", "de terça a domingo".
    fn weekday_of(&self, value: u64, rest: &str) -> Option<&'static str> {
        const AFTER: [&str; 8] =
            ["-feira", " feira", " a qu", " a sex", " a sáb", " a dom", " a 5ª", " a 6ª"];
        (value == 3 && AFTER.iter().any(|after| rest.starts_with(after))).then_some("terça")
    }

    /// "Décimos quintos".
    fn ordinals(&self, ordinal: String) -> String {
        ordinal.split(' ').map(|word| format!("{word}s")).collect::<Vec<_>>().join(" ")
    }

    fn part(&self, bottom: u64, many: bool) -> Option<String> {
        figures::part(bottom, many, self.0)
    }

    /// "Na segunda", but "a página seguinte".
    fn meaning(&self, written: &str, said: &str) -> Option<&'static str> {
        let last = said.trim_end().rsplit(' ').next().unwrap_or("");
        match written {
            "c/c" if said.contains("agência") || said.contains("banco") => Some("conta corrente"),
            _ if ["a", "da", "à", "na", "pela"].contains(&last) && feminine(written).is_some() => {
                feminine(written)
            }
            "seg" if ["na", "à", "toda", "da", "de"].contains(&last) => Some("segunda"),
            "esq" if last == "à" => Some("esquerda"),
            "dir" if last == "à" => Some("direita"),
            "Est" if ["do", "no", "ao", "pelo", "o"].contains(&last) => Some("estado"),
            _ => None,
        }
    }

    fn minute_of_match(&self, value: u64, before: &str) -> Option<String> {
        let number = self.number(value, Form::Masculine);
        Some(if before == "minuto" { number } else { format!("{number} minutos") })
    }

    fn part_of_parts(&self, bottom: u64, many: bool) -> Option<String> {
        let part = match bottom {
            3 => "terça".to_owned(),
            4..=10 => self.ordinal(bottom, true),
            _ => return None,
        };
        Some(if many { part + "s" } else { part })
    }

    fn of(&self, noun: &str) -> String {
        format!("de {noun}")
    }

    /// "Dona Maria", "Santo Antônio", "Santa Clara".
    fn title(&self, said: &str, name: &str) -> Option<(&'static str, bool)> {
        let lower = name.to_lowercase();
        let feminine =
            lower.ends_with('a') && !matches!(lower.as_str(), "luca" | "batista" | "sousa" | "zeca");
        match said {
            "dom" if feminine => Some(("dona", false)),
            "São" if feminine => Some(("Santa", false)),
            "São" if lower.starts_with(['a', 'e', 'i', 'o', 'u', 'á', 'â', 'é', 'í', 'ó', 'ú']) => {
                Some(("Santo", false))
            }
            _ => None,
        }
    }

    fn is_singular_below_two(&self) -> bool {
        true
    }

    fn per(&self, unit: &str) -> String {
        format!("por {unit}")
    }

    fn date(&self, day: u64, month: &str, year: Option<u64>) -> String {
        let year = year.map(|year| format!(" de {}", self.number(year, Form::Alone)));
        format!("{} de {month}{}", self.day(day), year.unwrap_or_default())
    }

    fn day(&self, day: u64) -> String {
        if day == 1 && self.0 == Brazilian { "primeiro".to_owned() } else { self.number(day, Form::Alone) }
    }

    fn before_month(&self) -> &'static str {
        " de "
    }

    fn time(&self, hour: u64, minute: u64, hours: bool) -> String {
        let words = self.number(hour, Form::Feminine);
        let minutes = self.number(minute, Form::Alone);
        match (minute, hours) {
            (0, _) => format!("{words} {}", if hour < 2 { "hora" } else { "horas" }),
            (30, false) if (1..=12).contains(&hour) => format!("{words} e meia"),
            (_, false) => format!("{words} e {minutes}"),
            (_, true) => {
                let hours = if hour == 1 { "hora" } else { "horas" };
                format!("{words} {hours} e {minutes} {}", if minute == 1 { "minuto" } else { "minutos" })
            }
        }
    }

    fn part_of_day(&self, hour: u64, after_noon: bool) -> &'static str {
        match (hour, after_noon) {
            (12, true) => "do meio-dia",
            (12, false) => "da noite",
            (_, false) => "da manhã",
            (1..=6, true) => "da tarde",
            (_, true) => "da noite",
        }
    }

    /// `98765-4321`, `3456-7890`, `0800 123 4567`, and eleven digits with the code of a city; in Portugal
    /// `912 345 678`, `21 345 67 89`.
    fn is_phone(&self, groups: &[&str], sign: Option<char>, counted: bool) -> bool {
        let lengths: Vec<usize> = groups.iter().map(|group| group.len()).collect();
        let first = groups.first().copied().unwrap_or("");
        if counted || sign == Some('.') {
            return false;
        }
        if self.0 == European {
            return european::is_phone(groups, sign);
        }
        match lengths.as_slice() {
            [11] => !first.starts_with('0') && first.as_bytes().get(2) == Some(&b'9'),
            [5 | 4, 4] => sign == Some('-') && !first.starts_with(['0', '1']) && !are_years(groups),
            [2, 5 | 4, 4] => sign.is_some(),
            [4, 2 | 3, 4] => first == "0800" || first == "0300",
            // The code of a street: `01310-100`.
            [5, 3] => sign == Some('-'),
            _ => false,
        }
    }

    /// `1100-053 Lisboa`; in Brazil it is among the telephone numbers.
    fn is_postal_code(&self, written: &str) -> bool {
        let shape: Vec<usize> = written.split('-').map(str::len).collect();
        self.0 == European && shape == [4, 3]
    }

    fn phone_groups(&self, digits: &str) -> Vec<usize> {
        match digits.len() {
            9 if self.0 == European => vec![3, 3, 3],
            11 => vec![2, 5, 4],
            10 => vec![2, 4, 4],
            _ => vec![5, 4],
        }
    }

    /// Digit by digit; in Brazil 6 is "meia", to be told from 3, and the code of a city is a number.
    fn phone_group(&self, digits: &str) -> String {
        if self.0 == European {
            return each(self, digits);
        }
        match digits {
            "0800" => return "zero oitocentos".to_owned(),
            "0300" => return "zero trezentos".to_owned(),
            _ if digits.len() == 2 && !digits.starts_with('0') => {
                return self.number(digits.parse().unwrap_or(0), Form::Alone);
            }
            _ => {}
        }
        each(self, digits).replace("seis", "meia")
    }

    /// Portugal sets thousands apart with spaces, too.
    fn has_thousands(&self, sign: char) -> bool {
        sign == '.' || sign == ' ' && self.0 == European
    }

    fn has_whole_years(&self) -> bool {
        true
    }

    /// The CPF of a person, the CNPJ of a company, the CEP of a street, the number of a lawsuit.
    fn is_identity(&self, written: &str) -> bool {
        let shape: String = written.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
        matches!(
            shape.as_str(),
            "000.000.000-00"
                | "00.000.000/0000-00"
                | "00.000.000-0"
                | "00.000-000"
                | "0000000-00.0000.0.00.0000"
        )
    }

    fn is_score(&self, head: &str, tail: &str) -> bool {
        const WORDS: [&str; 12] = [
            "fez", "fizeram", "venc", "ganh", "perd", "empat", "placar", "gole", "vitória", "derrot",
            "partida", "bateu",
        ];
        let near = head[head.ceil_char_boundary(head.len().saturating_sub(40))..].to_lowercase();
        let team = |word: &str| word.starts_with(char::is_uppercase);
        let between_teams = team(head.trim_end().rsplit(' ').next().unwrap_or(""))
            && tail.strip_prefix(' ').is_some_and(team);
        let penalties =
            ["nos pênaltis", "nos penáltis"].iter().any(|how| tail.trim_start_matches(' ').starts_with(how));
        between_teams
            || penalties
            || near.split(' ').any(|word| WORDS.iter().any(|stem| word.starts_with(stem)))
    }

    fn is_feminine(&self, noun: &str) -> bool {
        genders::is_feminine(noun)
    }

    fn is_neutral(&self, word: &str) -> bool {
        [
            "grandes",
            "maiores",
            "melhores",
            "piores",
            "principais",
            "diferentes",
            "jovens",
            "mil",
            "últimos",
            "importantes",
        ]
        .contains(&word)
    }

    fn is_plural(&self, noun: &str) -> bool {
        noun.ends_with('s') || matches!(noun, "mil" | "gente")
    }

    /// Centuries up to the tenth are ordinals.
    fn century(&self, value: u64) -> String {
        if value <= 10 { self.ordinal(value, false) } else { self.number(value, Form::Alone) }
    }

    fn regal(&self, value: u64, name: &str) -> String {
        let feminine = name.ends_with('a') || matches!(name, "Isabel" | "Elizabeth" | "Elisabete");
        if value <= 10 { self.ordinal(value, feminine) } else { self.number(value, Form::Alone) }
    }

    fn can_say(&self, letter: char) -> bool {
        matches!(letter as u32, 0x41..=0x24F | 0x1E00..=0x1EFF)
    }

    fn emoji(&self, emoji: char) -> Option<&'static str> {
        match self.0 {
            Brazilian => emoji::name(emoji),
            European => european::emoji(emoji),
        }
    }

    fn flag(&self, country: &str, is_name: bool) -> String {
        let of = if is_name { "de " } else { "" };
        let words = format!("bandeira {of}{country}");
        words.replace("de os ", "dos ").replace("de o ", "do ").replace("de a ", "da ")
    }

    fn clause(&self, words: &[Word<'_>]) -> Vec<String> {
        phonemes::clause(words)
    }
}

/// What a shortened title is for a woman: `a Sen. Lima`.
fn feminine(written: &str) -> Option<&'static str> {
    Some(match written {
        "Dep" | "dep" => "deputada",
        "Sen" | "sen" => "senadora",
        "Gov" | "gov" => "governadora",
        "Min" => "ministra",
        "Prof" | "prof" => "professora",
        "Dr" | "dr" => "doutora",
        "Eng" | "eng" => "engenheira",
        "Arq" => "arquiteta",
        "Adv" => "advogada",
        "Ver" => "vereadora",
        "Pref" | "pref" => "prefeita",
        "Des" | "des" => "desembargadora",
        _ => return None,
    })
}

/// Whether `2008-2009` are years.
fn are_years(groups: &[&str]) -> bool {
    let years: Vec<u64> = groups.iter().filter_map(|group| group.parse().ok()).collect();
    years.iter().all(|year| (1900..2100).contains(year)) && years.is_sorted() && years.len() == 2
}
