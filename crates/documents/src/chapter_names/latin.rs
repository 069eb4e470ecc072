//! Chapter lines in Latin and Cyrillic script: "CHAPTER I. The Harbour", "Chapitre premier",
//! "Primeira parte", "Erstes Buch", "Prólogo".

use super::numbers::{self, Written};

/// As [`super::chapter_line`].
pub(super) fn chapter_line(line: &str) -> Option<bool> {
    let (word, rest) =
        line.split_at(line.find(|c: char| !c.is_alphabetic() && c != '-').unwrap_or(line.len()));
    let shouted = !line.chars().any(char::is_lowercase);
    let lower = word.to_lowercase();
    if word.starts_with(char::is_uppercase) && is_standalone(&lower) {
        let titled = shouted || rest.starts_with([':', '.', '—', '–']) || rest.starts_with(" —");
        return (rest.trim_matches(['.', ':', ' ']).is_empty() || titled).then_some(false);
    }
    if is_phrase(line) {
        return Some(false);
    }
    let Some(rest) = after_name(word, &lower, rest) else { return number_first(line, shouted) };
    let rest = ["the ", "THE ", "The "].iter().find_map(|article| rest.strip_prefix(article)).unwrap_or(rest);
    let (number, title) = rest.split_at(
        rest.find(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | 'º' | 'ª' | '°'))
            .unwrap_or(rest.len()),
    );
    let written = numbers::latin(number)?;
    let bare = bare_title(title);
    if bare.is_empty() {
        return Some(true);
    }
    // "Chapter 12 was the longest." is a sentence, "Chapter 12. The Longest" is a heading.
    let named = written != Written::Words
        && bare.starts_with(|c: char| c.is_uppercase() || c.is_numeric() || matches!(c, '¿' | '¡' | '«'))
        && !line.ends_with(['.', ',', ';']);
    (is_parted(title) || named || (shouted && written != Written::Words)).then_some(false)
}

/// What follows the name of a numbered part, without the space; its name may be shortened.
fn after_name<'a>(word: &str, lower: &str, rest: &'a str) -> Option<&'a str> {
    if !word.starts_with(char::is_uppercase) {
        return None;
    }
    let rest = if NUMBERED_WORDS.contains(&lower) {
        rest
    } else if ["chap", "cap", "kap", "vol"].contains(&lower) {
        rest.strip_prefix('.')?
    } else {
        return None;
    };
    Some(rest.strip_prefix([' ', '\u{A0}'])?.trim_start())
}

/// "Première partie", "3. Kapitel", "Segundo libro: La isla": the number comes first.
fn number_first(line: &str, shouted: bool) -> Option<bool> {
    let (number, rest) = line.split_once([' ', '\u{A0}'])?;
    if !number.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
        || !numbers::is_ordinal(&number.to_lowercase())
    {
        return None;
    }
    let rest = rest.trim_start();
    let (name, title) = rest.split_at(rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len()));
    let lower = name.to_lowercase();
    // English puts "first" before all kinds of nouns.
    if !NUMBERED_WORDS.contains(&lower.as_str()) || ENGLISH_NAMES.contains(&lower.as_str()) {
        return None;
    }
    if bare_title(title).is_empty() {
        return Some(true);
    }
    (is_parted(title) || shouted).then_some(false)
}

fn bare_title(title: &str) -> &str {
    title.trim_matches(|c: char| c.is_whitespace() || matches!(c, '.' | ':' | '—' | '–' | '-' | ']' | '/'))
}

/// Whether a mark stands between the number and the title.
fn is_parted(title: &str) -> bool {
    title.trim_start().starts_with(['.', ':', '—', '–', '-', '(', '/'])
}

fn is_standalone(lower: &str) -> bool {
    STANDALONE_WORDS.contains(&lower)
}

/// Whether a line is a heading of several words.
fn is_phrase(line: &str) -> bool {
    if !line.starts_with(char::is_uppercase) || line.len() > 60 {
        return false;
    }
    let lower = line.trim_end_matches(['.', ':']).to_lowercase().replace('’', "'");
    STANDALONE_PHRASES.contains(&lower.as_str())
}

/// Whether a title begins with the name of a part above chapters, in any of the languages; the
/// number may come first. In lower case.
pub(super) fn is_part(lower: &str) -> bool {
    let mut words = lower.split(|c: char| c.is_whitespace() || matches!(c, ':' | ',' | '—' | '–'));
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let is_name = |word: &str| PART_WORDS.contains(&word.trim_end_matches('.'));
    is_name(first) || (numbers::is_ordinal(first) && is_name(second))
}

/// The name of a part above chapters. In lower case.
pub(super) fn part_kind(lower: &str) -> String {
    let words = lower.split(|c: char| c.is_whitespace() || matches!(c, ':' | ',' | '—' | '–'));
    let mut names = words.take(2).map(|word| word.trim_end_matches('.'));
    names.find(|word| PART_WORDS.contains(word)).unwrap_or_default().to_owned()
}

/// Words before or after a number, in lower case.
#[rustfmt::skip]
const NUMBERED_WORDS: &[&str] = &[
    "chapter", "part", "book", "volume", "act", "canto", "letter", "stave", "section", "scene",
    "chapitre", "partie", "livre", "tome", "acte", "scène", "chant", "lettre", "épisode",
    "kapitel", "teil", "buch", "band", "akt", "aufzug", "auftritt", "szene", "gesang", "brief", "abschnitt",
    "capítulo", "capitulo", "parte", "libro", "tomo", "volumen", "acto", "escena", "carta", "sección", "jornada",
    "capitolo", "atto", "scena", "lettera", "sezione", "giornata",
    "livro", "ato", "cena", "seção", "secção",
    "hoofdstuk", "deel", "kapitola", "rozdział", "глава", "часть", "книга",
];

/// Those of them that are English, and not also of another language.
const ENGLISH_NAMES: &[&str] = &["chapter", "part", "book", "act", "letter", "stave", "scene"];

/// Names of parts above chapters, in lower case.
#[rustfmt::skip]
const PART_WORDS: &[&str] = &[
    "part", "book", "volume", "vol", "section", "act", "cycle", "teil", "buch", "band", "aufzug", "akt", "partie", "livre", "tome",
    "acte", "parte", "libro", "tomo", "volumen", "acto", "atto", "livro", "ato", "deel", "del", "часть",
];

/// Words that are a heading on their own, in lower case.
#[rustfmt::skip]
const STANDALONE_WORDS: &[&str] = &[
    "prologue", "epilogue", "preface", "foreword", "introduction", "afterword", "appendix", "conclusion", "interlude",
    "postscript", "acknowledgments", "acknowledgements", "dedication",
    "prolog", "epilog", "vorwort", "nachwort", "einleitung", "vorrede", "geleitwort", "anhang", "zwischenspiel",
    "danksagung", "widmung", "schlusswort",
    "préface", "avant-propos", "épilogue", "postface", "préambule", "avertissement", "dédicace", "remerciements",
    "appendice", "intermède",
    "prólogo", "epílogo", "prefacio", "introducción", "conclusión", "preámbulo", "apéndice", "dedicatoria",
    "agradecimientos", "posfacio", "epilogo", "prologo",
    "prefazione", "introduzione", "conclusione", "premessa", "postfazione", "proemio", "preambolo", "dedica",
    "ringraziamenti", "intermezzo",
    "prefácio", "introdução", "conclusão", "preâmbulo", "apêndice", "dedicatória", "agradecimentos", "posfácio",
    "пролог", "эпилог",
];

/// Headings of several words, in lower case.
#[rustfmt::skip]
const STANDALONE_PHRASES: &[&str] = &[
    "note de l'auteur", "note de l'éditeur", "note du traducteur", "au lecteur", "à suivre",
    "nota dell'autore", "nota del traduttore", "al lettore",
    "nota del autor", "nota del traductor", "al lector",
    "nota do autor", "nota do tradutor", "ao leitor",
    "an den leser", "anmerkung des autors", "author's note", "translator's note", "to the reader",
];

#[cfg(test)]
mod tests {
    use super::is_part;

    #[test]
    fn parts_are_named_before_or_after_their_number() {
        for title in [
            "Part One",
            "Vol. 2",
            "Première partie",
            "Parte prima",
            "Primera parte: El mar",
            "Erster Teil",
            "Livro II",
            "2. Teil",
        ] {
            assert!(is_part(&title.to_lowercase()), "{title}");
        }
        for title in ["Particles", "Bookish", "Première nuit", "Chapitre premier", "The last part"] {
            assert!(!is_part(&title.to_lowercase()), "{title}");
        }
    }
}
