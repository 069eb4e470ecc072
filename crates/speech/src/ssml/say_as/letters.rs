//! Characters and digits one after the other.

use unicode_segmentation::UnicodeSegmentation as _;

use crate::language::Language;

/// The names of marks: of the mark, and in English, French, Spanish, Italian and Portuguese.
const MARKS: [(char, [&str; 5]); 17] = [
    ('.', ["dot", "point", "punto", "punto", "ponto"]),
    (',', ["comma", "virgule", "coma", "virgola", "vírgula"]),
    ('-', ["dash", "tiret", "guion", "trattino", "hífen"]),
    ('_', ["underscore", "tiret bas", "guion bajo", "trattino basso", "sublinhado"]),
    ('/', ["slash", "barre oblique", "barra", "barra", "barra"]),
    ('\\', ["backslash", "barre inverse", "barra invertida", "barra inversa", "barra invertida"]),
    (':', ["colon", "deux-points", "dos puntos", "due punti", "dois pontos"]),
    (';', ["semicolon", "point-virgule", "punto y coma", "punto e virgola", "ponto e vírgula"]),
    ('@', ["at", "arobase", "arroba", "chiocciola", "arroba"]),
    ('#', ["hash", "dièse", "almohadilla", "cancelletto", "cerquilha"]),
    ('*', ["asterisk", "astérisque", "asterisco", "asterisco", "asterisco"]),
    ('+', ["plus", "plus", "más", "più", "mais"]),
    ('&', ["ampersand", "esperluette", "et", "e commerciale", "e comercial"]),
    ('%', ["percent", "pour cent", "por ciento", "per cento", "por cento"]),
    ('!', ["exclamation mark", "point d'exclamation", "exclamación", "punto esclamativo", "exclamação"]),
    ('?', ["question mark", "point d'interrogation", "interrogación", "punto interrogativo", "interrogação"]),
    ('=', ["equals", "égal", "igual", "uguale", "igual"]),
];

/// Letters whose name a front end would take for a word: of the language, the letter and what is read.
const LETTERS: [(&str, char, &str); 7] = [
    ("en", 'A', "[A](/ˈA/)"),
    ("es", 'Y', "i griega"),
    ("fr", 'Y', "i grec"),
    ("it", 'Y', "ipsilon"),
    ("pt", 'A', "á"),
    ("pt", 'E', "é"),
    ("pt", 'O', "ó"),
];

/// One character after the other, with the names of marks.
pub(super) fn spell(text: &str, language: Language) -> String {
    let mut read: Vec<String> = Vec::new();
    for grapheme in text.graphemes(true) {
        let mut characters = grapheme.chars();
        let first = characters.next().unwrap_or(' ');
        if first.is_whitespace() {
            continue;
        }
        let is_single = characters.next().is_none();
        read.push(match mark(first, language).filter(|_| is_single) {
            Some(name) => name.to_owned(),
            None => letter(grapheme, language),
        });
    }
    read.join(" ")
}

fn letter(grapheme: &str, language: Language) -> String {
    let capital = grapheme.to_uppercase();
    // ß has none of one letter.
    let capital = if capital.chars().count() > grapheme.chars().count() { grapheme } else { &capital };
    let own =
        LETTERS.iter().find(|(of, letter, _)| *of == language.primary() && capital.chars().eq([*letter]));
    own.map_or(capital, |(_, _, read)| read).to_owned()
}

fn mark(c: char, language: Language) -> Option<&'static str> {
    let column = match language.primary() {
        "fr" => 1,
        "es" => 2,
        "it" => 3,
        "pt" => 4,
        // Front ends of other scripts read English words.
        _ => 0,
    };
    MARKS.iter().find(|(mark, _)| *mark == c).map(|(_, names)| names[column])
}

/// One digit after the other; what is no digit stays.
pub(super) fn digits(text: &str) -> String {
    let mut read = String::with_capacity(text.len() * 2);
    for c in text.chars() {
        if c.is_numeric() && read.ends_with(char::is_numeric) {
            read.push(' ');
        }
        read.push(c);
    }
    read
}

/// A telephone number in groups of digits.
pub(super) fn telephone(text: &str, language: Language) -> String {
    let is_bare = text.bytes().all(|byte| byte.is_ascii_digit());
    let groups: Vec<&str> = match (language.primary(), text.len()) {
        ("en", 7) if is_bare => vec![&text[..3], &text[3..]],
        ("en", 10) if is_bare => vec![&text[..3], &text[3..6], &text[6..]],
        ("en", 11) if is_bare && text.starts_with('1') => {
            vec![&text[..1], &text[1..4], &text[4..7], &text[7..]]
        }
        _ => {
            text.split(|c: char| !c.is_alphanumeric() && c != '+').filter(|group| !group.is_empty()).collect()
        }
    };
    let read: Vec<String> = groups.into_iter().map(digits).collect();
    read.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_single_letters_digits_and_names_of_marks() {
        for (text, language, expected) in [
            ("hello", Language::EN_US, "H E L L O"),
            ("Ab-1", Language::EN_US, "[A](/ˈA/) B dash 1"),
            ("x.y", Language::FR_FR, "X point i grec"),
            ("aeo", Language::PT_BR, "á é ó"),
            ("straße", Language::EN_US, "S T R [A](/ˈA/) ß E"),
            ("e\u{301}a", Language::FR_FR, "E\u{301} A"),
        ] {
            assert_eq!(spell(text, language), expected, "{text}");
        }
    }

    #[test]
    fn digits_stand_alone_and_telephone_numbers_have_groups() {
        assert_eq!(digits("1102"), "1 1 0 2");
        assert_eq!(digits("A12-3"), "A1 2-3");
        assert_eq!(telephone("2122241555", Language::EN_US), "2 1 2, 2 2 4, 1 5 5 5");
        assert_eq!(telephone("+44 20 7946", Language::EN_GB), "+4 4, 2 0, 7 9 4 6");
    }
}
