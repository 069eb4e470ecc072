//! What is Italian in the reading of texts: see [`Grammar`].

use super::{amounts::AMOUNTS, emoji, figures, phonemes, signs::SIGNS, words::WORDS};
use crate::front_end::romance::word_set::WordSet;
use crate::front_end::romance::{
    figures::{Form, each},
    grammar::{Amounts, Clock, Grammar, Romans, Signs, Words},
    phonemes::Word,
};

#[derive(Debug)]
pub(super) struct Italian;

const CLOCK: Clock = Clock {
    hours_after: &["h", "ore", "ora"],
    introductions: &[
        "le ",
        "alle ",
        "alla ",
        "ore ",
        "h ",
        "dalle ",
        "delle ",
        "verso le ",
        "entro le ",
        "per le ",
        "tra le ",
        "fra le ",
        "e le ",
        "dopo le ",
        "sono le ",
    ],
    hour: ("ora", "ore"),
    minute: ("minuto", "minuti"),
    second: ("secondo", "secondi"),
    minute_form: Form::Masculine,
    second_form: Form::Masculine,
    duration_join: "e ",
    durations: &["in", "dura", "durata", "durato"],
};

const ROMANS: Romans = Romans {
    regal: &[
        "Adriano",
        "Alessandro",
        "Alfonso",
        "Amedeo",
        "Benedetto",
        "Bonifacio",
        "Carlo",
        "Caterina",
        "Clemente",
        "Cosimo",
        "Costantino",
        "Cristina",
        "Dario",
        "Edoardo",
        "Elisabetta",
        "Emanuele",
        "Enrico",
        "Ercole",
        "Eugenio",
        "Federico",
        "Ferdinando",
        "Filippo",
        "Francesco",
        "Galeazzo",
        "Giacomo",
        "Giorgio",
        "Giovanni",
        "Giulio",
        "Gregorio",
        "Guglielmo",
        "Gustavo",
        "Innocenzo",
        "Isabella",
        "Leone",
        "Leopoldo",
        "Lorenzo",
        "Luigi",
        "Margherita",
        "Maria",
        "Martino",
        "Napoleone",
        "Nicola",
        "Niccolò",
        "Onorio",
        "Ottone",
        "Paolo",
        "Pietro",
        "Pio",
        "Ramses",
        "Ranieri",
        "Riccardo",
        "Roberto",
        "Rodolfo",
        "Ruggero",
        "Sisto",
        "Tolomeo",
        "Umberto",
        "Urbano",
        "Vittorio",
        "Alberto",
    ],
    century: &["secolo", "secoli", "sec", "secc"],
    things: &[
        "secolo",
        "secoli",
        "sec",
        "guerra",
        "atto",
        "parte",
        "millennio",
        "dopoguerra",
        "legione",
        "trimestre",
        "semestre",
        "grado",
        "classe",
        "girone",
        "comma",
        "piano",
        "volume",
        "capitolo",
        "libro",
        "anniversario",
        "edizione",
        "congresso",
        "legislatura",
        "municipio",
        "dinastia",
    ],
    feminine_articles: &["la", "alla", "della", "nella", "dalla", "sulla", "una"],
    articles: &[
        "il", "la", "al", "del", "nel", "dal", "sul", "i", "lo", "dello", "alla", "della", "nella", "i",
        "dei",
    ],
};

impl Grammar for Italian {
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

    fn ordinals(&self, ordinal: String) -> String {
        figures::plural(ordinal)
    }

    fn part(&self, bottom: u64, many: bool) -> Option<String> {
        figures::part(bottom, many)
    }

    /// "Al novantesimo".
    fn minute_of_match(&self, value: u64, before: &str) -> Option<String> {
        const ARTICLES: [&str; 9] = ["il", "al", "dal", "del", "nel", "all'", "dall'", "dell'", "l'"];
        Some(match before {
            "minuto" => figures::number(value, Form::Alone),
            _ if ARTICLES.contains(&before) => figures::ordinal(value, false),
            _ => format!("{} minuti", figures::number(value, Form::Masculine)),
        })
    }

    /// "Articolo duemila codice civile", but "duemila centimetri cubici".
    fn meaning(&self, written: &str, said: &str) -> Option<&'static str> {
        let near = &said[said.ceil_char_boundary(said.len().saturating_sub(90))..];
        let law = ["articol", "comma", "codice"].iter().any(|word| near.contains(word));
        let month = WORDS.months.iter().any(|month| said.trim_end().ends_with(month));
        match written {
            "c.c." if law => Some("codice civile"),
            "s.n.c." if is_address(said) => Some("senza numero civico"),
            "sc" if near.contains("atto ") => Some("scena"),
            "c.a." if !month => Some("alla cortese attenzione"),
            _ => None,
        }
    }

    fn of(&self, noun: &str) -> String {
        format!("di {noun}")
    }

    fn of_year(&self, year: &str) -> String {
        format!("del {year}")
    }

    /// Feminine before a vowel, and masculine before s and a consonant, z and the like.
    fn one_before(&self, next: &str, form: Form) -> Option<&'static str> {
        let lower = next.to_lowercase();
        let mut letters = lower.chars();
        let (first, second) = (letters.next()?, letters.next().unwrap_or(' '));
        let vowel = |c: char| "aeiouàèéìòù".contains(c);
        match form {
            Form::Feminine => vowel(first).then_some("un'"),
            Form::Masculine => {
                let hard = matches!(first, 'z' | 'x' | 'y')
                    || (first == 's' && !vowel(second))
                    || matches!((first, second), ('g', 'n') | ('p', 's' | 'n'))
                    || (first == 'i' && vowel(second));
                hard.then_some("uno")
            }
            Form::Alone => None,
        }
    }

    /// "Santa Maria", "Sant'Antonio", "Santo Stefano", "San Marco".
    fn title(&self, said: &str, name: &str) -> Option<(&'static str, bool)> {
        if said != "San" {
            return None;
        }
        let lower = name.to_lowercase();
        let mut letters = lower.chars();
        let (first, second) = (letters.next()?, letters.next().unwrap_or(' '));
        let vowel = |c: char| "aeiouàèéìòù".contains(c);
        if vowel(first) {
            Some(("Sant'", true))
        } else if matches!(lower.as_str(), "croce" | "agnese" | "irene" | "matilde")
            || lower.ends_with('a')
                && !matches!(lower.as_str(), "andrea" | "luca" | "nicola" | "battista" | "mattia" | "tommaso")
        {
            Some(("Santa", false))
        } else if first == 's' && !vowel(second) {
            Some(("Santo", false))
        } else {
            None
        }
    }

    /// The preposition is joined with the article: `all'ora`, `al secondo`.
    fn per(&self, unit: &str) -> String {
        if matches!(unit, "donna" | "abitante" | "famiglia" | "alunno") {
            return format!("per {unit}");
        }
        if matches!(unit, "persona" | "testa") {
            return format!("a {unit}");
        }
        let mut letters = unit.chars();
        match (letters.next(), letters.next()) {
            (Some(c), _) if "aeiou".contains(c) => format!("all'{unit}"),
            (Some('s'), Some(c)) if !"aeiou".contains(c) => format!("allo {unit}"),
            _ if unit.ends_with('a') => format!("alla {unit}"),
            _ => format!("al {unit}"),
        }
    }

    /// "Dal lunedì al venerdì", "da gennaio a marzo".
    fn span_of_names(&self, first: &str, second: &str, opens: bool) -> String {
        let feminine = |name: &str| name == "domenica";
        let month = WORDS.months.contains(&first);
        let from = match (opens, month, feminine(first)) {
            (false, ..) => "",
            (true, true, _) => "da ",
            (true, false, true) => "dalla ",
            (true, false, false) => "dal ",
        };
        let to = match (month, feminine(second)) {
            (true, _) => "a",
            (false, true) => "alla",
            (false, false) => "al",
        };
        format!("{from}{first} {to} {second}")
    }

    fn date(&self, day: u64, month: &str, year: Option<u64>) -> String {
        let year = year.map(|year| format!(" {}", figures::number(year, Form::Alone)));
        format!("{} {month}{}", self.day(day), year.unwrap_or_default())
    }

    fn day(&self, day: u64) -> String {
        if day == 1 { "primo".to_owned() } else { figures::number(day, Form::Alone) }
    }

    fn time(&self, hour: u64, minute: u64, _hours: bool) -> String {
        let hours = if hour == 1 { "una".to_owned() } else { figures::number(hour, Form::Alone) };
        if minute == 0 { hours } else { format!("{hours} e {}", figures::number(minute, Form::Alone)) }
    }

    fn at_one(&self, preposition: &str) -> Option<&'static str> {
        match preposition {
            "alle" | "all" => Some("all'una"),
            "Alle" | "All" => Some("All'una"),
            "dalle" | "dall" => Some("dall'una"),
            "Dalle" => Some("Dall'una"),
            "delle" | "dell" => Some("dell'una"),
            "l" => Some("l'una"),
            _ => None,
        }
    }

    fn part_of_day(&self, hour: u64, after_noon: bool) -> &'static str {
        match (hour, after_noon) {
            (12, true) => "di mezzogiorno",
            (12, false) => "di notte",
            (_, false) => "del mattino",
            (1..=5, true) => "del pomeriggio",
            (_, true) => "di sera",
        }
    }

    /// A prefix with a zero, a mobile prefix or a free one, and the rest.
    fn is_phone(&self, groups: &[&str], sign: Option<char>, counted: bool) -> bool {
        let total: usize = groups.iter().map(|group| group.len()).sum();
        let first = groups.first().copied().unwrap_or("");
        let landline = first.starts_with('0') && first.len() > 1;
        let mobile = first.starts_with('3') && first.len() == 3;
        let free = matches!(first, "800" | "199" | "848" | "892" | "803");
        if sign == Some('.') || counted {
            return false;
        }
        match groups.len() {
            1 => {
                (9..=11).contains(&total) && (first.starts_with('3') && total == 10 || first.starts_with('0'))
            }
            _ => {
                (8..=11).contains(&total)
                    && ((landline && total > 8) || (mobile && total == 10) || (free && total >= 9))
            }
        }
    }

    fn phone_groups(&self, digits: &str) -> Vec<usize> {
        match digits.len() {
            9 => vec![2, 3, 4],
            11 => vec![3, 4, 4],
            _ => vec![3, 3, 4],
        }
    }

    /// Digit by digit.
    fn phone_group(&self, digits: &str) -> String {
        each(self, digits)
    }

    /// `1'500` in Switzerland.
    fn has_thousands(&self, sign: char) -> bool {
        matches!(sign, '.' | '\'')
    }

    fn is_postal_code(&self, written: &str) -> bool {
        written.len() == 5 && !written.contains('-')
    }

    fn has_degrees_as_ordinals(&self) -> bool {
        true
    }

    fn has_sides_as_parts(&self) -> bool {
        true
    }

    fn is_feminine(&self, noun: &str) -> bool {
        is_feminine(noun)
    }

    fn is_neutral(&self, word: &str) -> bool {
        ["grandi", "giovani", "forti", "ultimi", "primi", "principali", "diversi", "mila"].contains(&word)
    }

    fn is_plural(&self, noun: &str) -> bool {
        noun.ends_with(['i', 'e', 'à', 'ù']) || noun.ends_with("gente")
    }

    fn century(&self, value: u64) -> String {
        figures::ordinal(value, false)
    }

    /// Numbers of kings and popes are ordinals.
    fn regal(&self, value: u64, name: &str) -> String {
        figures::ordinal(value, name.ends_with('a') && !matches!(name, "Nicola" | "Andrea"))
    }

    fn numbered(&self, value: u64, word: &str) -> String {
        match word {
            "capitolo" | "libro" | "canto" | "atto" | "tomo" | "volume" | "titolo" | "cap" | "vol" => {
                figures::ordinal(value, false)
            }
            "parte" | "scena" | "sezione" | "classe" | "stagione" => figures::ordinal(value, true),
            _ => figures::number(value, Form::Alone),
        }
    }

    fn can_say(&self, letter: char) -> bool {
        matches!(letter as u32, 0x41..=0x24F | 0x1E00..=0x1EFF)
    }

    fn emoji(&self, emoji: char) -> Option<&'static str> {
        emoji::name(emoji)
    }

    fn flag(&self, country: &str, _is_name: bool) -> String {
        format!("bandiera {country}")
    }

    fn clause(&self, words: &[Word<'_>]) -> Vec<String> {
        phonemes::clause(words)
    }
}

/// Whether a street has been named.
fn is_address(said: &str) -> bool {
    const STREETS: [&str; 8] =
        ["via", "viale", "piazza", "strada", "località", "contrada", "corso", "lungotevere"];
    said.to_lowercase().split([' ', ',']).any(|word| STREETS.contains(&word))
}

/// The gender of a noun by its ending, and by lists of the common nouns whose ending does not show
/// it.
fn is_feminine(noun: &str) -> bool {
    static FEMININE: WordSet = WordSet::new(
        "mano mani parte parti nave navi notte notti voce voci chiave chiavi classe classi gente \
         legge leggi luce luci madre madri mente menti morte morti neve pelle pace rete reti sede \
         sedi serie sete specie stazione torre torri valle valli volpe volpi carne croce croci \
         estate estati fine frase frasi moglie mogli nube nubi ali armi radio foto auto moto tesi \
         crisi analisi ipotesi oasi sintesi diagnosi città dita uova miglia paia braccia ossa \
         lenzuola",
    );
    static MASCULINE: WordSet = WordSet::new(
        "trimestre semestre bimestre quadrimestre problema tema programma sistema poeta clima diploma dramma panorama papa pianeta artista \
         turista giornalista atleta collega cinema poema teorema schema fantasma mese paese fiore \
         cane padre nome pesce piede sale mare sole dottore ristorante studente giornale ospedale \
         animale re tè caffè \
         bicchiere cacciavite quartiere cantiere cameriere mestiere ingegnere infermiere carabiniere pompiere genere \
         potere piacere dovere carcere fiume lume volume costume legume latte ponte monte conte pane sangue bene \
         seme miele cognome rame esame legame salame bestiame pollame abete prete profete limite satellite \
         confine crimine termine fulmine margine pettine cardine giudice codice indice vertice apice calice pollice \
         ventre verme germe rene ordine disordine dicembre novembre ottobre settembre pepe",
    );
    if FEMININE.contains(noun) {
        return true;
    }
    if MASCULINE.contains(noun) {
        return false;
    }
    let endings = [
        "zione", "zioni", "sione", "sioni", "gione", "gioni", "tà", "tù", "trice", "trici", "udine", "udini",
        "ie",
    ];
    noun.ends_with('a')
        || endings.iter().any(|ending| noun.ends_with(ending))
        // Plurals in -e: "persone", "ore".
        || (noun.ends_with('e') && !["ore", "ale", "ile", "ante", "ente", "ese", "one"].iter().any(|end| noun.ends_with(end)))
        || matches!(noun, "persone" | "ore" | "donne" | "signore" | "scale" | "aziende" | "corone" | "zone" | "chiese")
}

#[cfg(test)]
mod tests {
    use super::is_feminine;

    #[test]
    fn nouns_have_a_gender_by_their_ending_or_by_the_lists() {
        for noun in
            ["ore", "persone", "stazioni", "mano", "città", "volta", "volte", "pagina", "navi", "lire"]
        {
            assert!(is_feminine(noun), "{noun}");
        }
        for noun in ["giorni", "euro", "problema", "mese", "anni", "studente", "libri", "fiore"] {
            assert!(!is_feminine(noun), "{noun}");
        }
    }
}
