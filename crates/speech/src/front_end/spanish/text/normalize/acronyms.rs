//! Acronyms: which of them are read as words and which are spelled out, and the names of the
//! letters.

/// Acronyms that are spelled out although they could be read as words.
const SPELLED: &[&str] = &[
    "ADN", "ARN", "CD", "CEO", "DNI", "DVD", "FBI", "GPS", "HTML", "IA", "IRPF", "IP", "IT", "LED", "LGTBI",
    "MP", "ONG", "OMS", "PC", "PDF", "PIB", "PP", "PS", "RTVE", "SMS", "SOS", "SUV", "TV", "UE", "UHF", "UI",
    "URL", "USB", "UV", "VIH", "VHS", "WC", "XML", "AC", "DC", "EGB", "ESO", "BUP", "COU", "OCDE", "RH",
    "ID", "OK", "UCE", "UBA", "IPC", "ETT", "AMPA",
];

/// Acronyms that are read as words although they could be spelled out, and words in capitals.
const READ: &[&str] = &[
    "AVE", "BOE", "CIA", "COVID", "DGT", "EFE", "ERTE", "ERE", "EURIBOR", "FIFA", "IBEX", "INE", "INEM",
    "ISO", "IVA", "LOE", "LOGSE", "MERCOSUR", "NASA", "NIE", "NIF", "OEA", "ONCE", "ONU", "OPA", "OPEP",
    "OTAN", "OVNI", "PIN", "PYME", "RAE", "RENFE", "ROM", "RAM", "SIDA", "SIM", "SEAT", "TIC", "TAC", "UCI",
    "UEFA", "UNAM", "UNED", "UNESCO", "UNICEF", "UVI", "ZARA", "ETA", "FARC", "PEMEX", "ASEAN", "OPUS",
    "LASER", "RADAR", "CSIC", "PSOE", "PAN", "SEPE", "MIR", "JASP", "AENA", "ABBA", "IKEA", "TAE", "TIN",
    "PISA",
];

/// Acronyms that are read in full, or in a special way.
const MEANT: &[(&str, &str)] = &[
    ("EEUU", "Estados Unidos"),
    ("USA", "usa"),
    ("URSS", "urs"),
    ("CSIC", "cesic"),
    ("PSOE", "pesoe"),
    ("DGT", "de ge te"),
    ("IBEX", "íbex"),
    ("UVI", "uvi"),
    ("RRHH", "recursos humanos"),
    ("CCOO", "Comisiones Obreras"),
    ("JJOO", "Juegos Olímpicos"),
    ("CCAA", "comunidades autónomas"),
    ("WWW", "tres uves dobles"),
    ("OK", "okey"),
    ("NBA", "ene be a"),
    ("IVA", "iva"),
    ("SIDA", "sida"),
    ("UNICEF", "únicef"),
    ("ETA", "eta"),
    ("WIFI", "wifi"),
    ("TIC", "tic"),
];

const LETTERS: [(char, &str); 27] = [
    ('a', "a"),
    ('b', "be"),
    ('c', "ce"),
    ('d', "de"),
    ('e', "e"),
    ('f', "efe"),
    ('g', "ge"),
    ('h', "hache"),
    ('i', "i"),
    ('j', "jota"),
    ('k', "ka"),
    ('l', "ele"),
    ('m', "eme"),
    ('n', "ene"),
    ('ñ', "eñe"),
    ('o', "o"),
    ('p', "pe"),
    ('q', "cu"),
    ('r', "erre"),
    ('s', "ese"),
    ('t', "te"),
    ('u', "u"),
    ('v', "uve"),
    ('w', "uve doble"),
    ('x', "equis"),
    ('y', "i griega"),
    ('z', "zeta"),
];

/// The name of a single letter.
pub(super) fn letter_of(written: &str) -> Option<&'static str> {
    let mut chars = written.chars().flat_map(char::to_lowercase);
    let (Some(c), None) = (chars.next(), chars.next()) else { return None };
    LETTERS.iter().find(|(letter, _)| *letter == c).map(|(_, name)| *name)
}

/// The names of the letters of a word; letters without a name are skipped.
pub(super) fn spelled(word: &str) -> String {
    let names: Vec<&str> =
        word.chars().filter_map(|c| letter_of(plain(c).encode_utf8(&mut [0; 4]))).collect();
    names.join(" ")
}

/// A vowel without its accent.
fn plain(c: char) -> char {
    match c {
        'Á' | 'á' => 'a',
        'É' | 'é' => 'e',
        'Í' | 'í' => 'i',
        'Ó' | 'ó' => 'o',
        'Ú' | 'ú' | 'Ü' | 'ü' => 'u',
        _ => c,
    }
}

/// The words for an acronym, if it is neither spelled out nor read as a word.
pub(super) fn meant(word: &str) -> Option<&'static str> {
    MEANT.iter().find(|(written, _)| *written == word).map(|(_, said)| *said)
}

/// Whether an acronym is always spelled out.
pub(super) fn is_spelled(word: &str) -> bool {
    SPELLED.contains(&word)
}

/// Whether a word in capitals is read as a word: it is in the list, or it has Spanish syllables.
pub(super) fn is_word(word: &str) -> bool {
    if READ.contains(&word) {
        return true;
    }
    !is_spelled(word) && word.chars().count() > 3 && is_readable(word)
}

/// Whether a word can be divided into Spanish syllables: consonant clusters are ones that Spanish
/// has, and a vowel is always near.
pub(super) fn is_readable(word: &str) -> bool {
    let lower = word.to_lowercase();
    let is_vowel = |c: char| "aeiouáéíóúü".contains(c);
    let letters: Vec<char> = lower.chars().collect();
    if !letters.iter().any(|&c| is_vowel(c)) {
        return false;
    }
    let mut run = String::new();
    let mut first = true;
    for &c in &letters {
        if is_vowel(c) {
            let fits = if first { is_onset(&run) } else { is_middle(&run) };
            if !fits {
                return false;
            }
            run.clear();
            first = false;
        } else {
            run.push(c);
        }
    }
    run.is_empty()
        || (run.chars().count() == 1 && !"hjkqvwñ".contains(&run))
        || ["ns", "rs", "ls", "rt", "nt", "x"].contains(&run.as_str())
}

/// Whether a word can begin with this run of consonants.
fn is_onset(run: &str) -> bool {
    match run.chars().count() {
        0 | 1 => true,
        2 => {
            let mut chars = run.chars();
            let (first, second) = (chars.next().unwrap_or(' '), chars.next().unwrap_or(' '));
            ("bcdfgpt".contains(first) && second == 'r')
                || ("bcfgp".contains(first) && second == 'l')
                || ["ch", "ll", "qu", "ps", "gn"].contains(&run)
        }
        _ => false,
    }
}

/// Whether consonants can occur between two vowels.
fn is_middle(run: &str) -> bool {
    let count = run.chars().count();
    if count <= 1 || is_onset(run) || run == "rr" {
        return true;
    }
    let mut chars = run.chars();
    let coda = chars.next().unwrap_or(' ');
    "bcdglmnprstxz".contains(coda) && count <= 4 && {
        let rest = chars.as_str();
        is_onset(rest) || rest.strip_prefix('s').is_some_and(is_onset)
    }
}

/// Sounds written without vowels that are not names of letters.
pub(super) fn is_noise(word: &str) -> bool {
    let mut letters = word.to_lowercase();
    let mut last = None;
    letters.retain(|c| last.replace(c) != Some(c));
    ["m", "hm", "sh", "pst", "br", "z", "grr", "gr", "chs", "ps", "t", "f", "s", "r", "h"]
        .contains(&letters.as_str())
        && word.len() > 2
        || ["hm", "mm", "sh", "ps"].contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acronyms_that_look_like_words_are_read_and_others_spelled() {
        for word in ["OTAN", "UNESCO", "RENFE", "IVA", "INSALUD", "MERCOSUR"] {
            assert!(is_word(word), "{word}");
        }
        for word in ["ONG", "DVD", "IRPF", "BCE", "FMI", "UE", "BBVA", "HTML"] {
            assert!(!is_word(word), "{word}");
        }
        assert_eq!(spelled("ONG"), "o ene ge");
        assert_eq!(spelled("DVD"), "de uve de");
    }
}
