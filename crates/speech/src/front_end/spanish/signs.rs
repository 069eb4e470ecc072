//! Acronyms, letters and signs of Spanish.

use crate::front_end::{
    normalize::symbols::Names,
    romance::{acronyms::Syllables, grammar::Signs},
};

pub(super) const SIGNS: Signs = Signs {
    spelled: SPELLED,
    read: READ,
    meant: MEANT,
    letters: LETTERS,
    syllables: Syllables {
        vowels: "aeiouáéíóúü",
        before_r: "bcdfgpt",
        before_l: "bcfgp",
        onsets: &["ch", "ll", "qu", "ps", "gn"],
        codas: "bcdglmnprstxz",
        not_final: "hjkqvwñ",
        endings: &["ns", "rs", "ls", "rt", "nt", "x"],
    },
    greek: [
        "alfa", "beta", "gamma", "delta", "épsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu",
        "nu", "xi", "ómicron", "pi", "ro", "sigma", "tau", "ípsilon", "fi", "ji", "psi", "omega",
    ],
    names: Names {
        arrow: "a",
        equals: "igual a",
        plus: "más",
        minus: "menos",
        less: "menor que",
        less_or_equal: "menor o igual que",
        greater: "mayor que",
        greater_or_equal: "mayor o igual que",
        times: "por",
        divided_by: "entre",
        backslash: "barra invertida",
        about: "unos",
        about_before: "",
        squared: "al cuadrado",
        cubed: "al cubo",
        to_the_power: "elevado a",
        and: "y",
        n: "ene",
    },
    named: &[
        ('@', "arroba"),
        ('%', "por ciento"),
        ('‰', "por mil"),
        ('$', "dólar"),
        ('€', "euro"),
        ('£', "libra"),
        ('¥', "yen"),
        ('₹', "rupia"),
        ('¢', "céntimo"),
        ('°', "grados"),
        ('§', "sección"),
        ('©', "copyright"),
        ('×', "por"),
        ('⨯', "por"),
        ('÷', "entre"),
        ('±', "más menos"),
        ('≈', "aproximadamente"),
        ('≃', "aproximadamente"),
        ('≠', "distinto de"),
        ('≤', "menor o igual que"),
        ('≥', "mayor o igual que"),
        ('≡', "idéntico a"),
        ('→', "a"),
        ('⇒', "a"),
        ('➔', "a"),
        ('➜', "a"),
        ('∞', "infinito"),
        ('√', "raíz cuadrada de"),
        ('∑', "suma de"),
        ('∫', "integral de"),
        ('∆', "delta"),
        ('∇', "delta"),
        ('∈', "en"),
        ('∪', "unión"),
        ('∩', "intersección"),
        ('♯', "sostenido"),
        ('♭', "bemol"),
    ],
    in_addresses: &[
        ('.', "punto"),
        ('/', "barra"),
        ('-', "guion"),
        ('_', "guion bajo"),
        ('?', "interrogación"),
        ('=', "igual"),
        ('&', "y"),
        ('#', "almohadilla"),
        (':', "dos puntos"),
        ('@', "arroba"),
        ('%', "por ciento"),
        ('+', "más"),
        ('~', "virgulilla"),
        ('*', "asterisco"),
    ],
    star: ("estrella", "estrellas"),
    arrow_sign: "flecha",
    www: "tres uves dobles",
    number: "número",
    hashtag: "hashtag",
    compass: ["norte", "sur", "este", "oeste"],
    times: "veces",
    countries: COUNTRIES,
    keeps_hyphens: false,
};

const SPELLED: &[&str] = &[
    "ADN", "ARN", "CD", "CEO", "DNI", "DVD", "FBI", "GPS", "HTML", "IA", "IRPF", "IP", "IT", "LED", "LGTBI",
    "MP", "ONG", "OMS", "PC", "PDF", "PP", "PS", "RTVE", "SMS", "SOS", "SUV", "TV", "UE", "UHF", "UI", "URL",
    "USB", "UV", "VIH", "VHS", "WC", "XML", "AC", "DC", "EGB", "BUP", "COU", "OCDE", "RH", "ID", "OK", "UCE",
    "UBA", "IPC", "ETT", "AMPA", "CEOE", "AEAT", "ANPE", "DGSE", "OCU", "IES", "ISBN", "SEO", "IBI",
];

const READ: &[&str] = &[
    "COP", "ESO", "PIB", "CIF", "PAC", "PEN", "AVE", "BOE", "CIA", "COVID", "DGT", "EFE", "ERTE", "ERE",
    "EURIBOR", "FIFA", "IBEX", "INE", "INEM", "ISO", "IVA", "LOE", "LOGSE", "MERCOSUR", "NASA", "NIE", "NIF",
    "OEA", "ONCE", "ONU", "OPA", "OPEP", "OTAN", "OVNI", "PIN", "PYME", "RAE", "RENFE", "ROM", "RAM", "SIDA",
    "SIM", "SEAT", "TIC", "TAC", "UCI", "UEFA", "UNAM", "UNED", "UNESCO", "UNICEF", "UVI", "ZARA", "ETA",
    "FARC", "PEMEX", "ASEAN", "OPUS", "LASER", "RADAR", "CSIC", "PSOE", "PAN", "SEPE", "MIR", "JASP", "AENA",
    "ABBA", "IKEA", "TAE", "TIN", "PISA", "CIS", "UME", "GEO", "GAL", "PAU", "ADIF", "AEMET", "IMSERSO",
    "SEPRONA", "ICEX", "INEF", "FAD", "VAR", "PIR", "BIR", "EIR", "COAG", "FEDER", "ERASMUS", "FROB",
    "SAREB", "SGAE", "ICO", "FOGASA", "INSERSO", "CECA",
];

const MEANT: &[(&str, &str)] = &[
    ("EEUU", "Estados Unidos"),
    ("USA", "usa"),
    ("URSS", "urss"),
    ("CSIC", "csic"),
    ("PSOE", "psoe"),
    ("DGT", "de ge te"),
    ("IBEX", "ibex"),
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
    ("UNICEF", "unicef"),
    ("ETA", "eta"),
    ("WIFI", "wifi"),
    ("TIC", "tic"),
];

const LETTERS: &[(char, &str)] = &[
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

const COUNTRIES: &[(&str, &str)] = &[
    ("AR", "Argentina"),
    ("BO", "Bolivia"),
    ("BR", "Brasil"),
    ("CL", "Chile"),
    ("CO", "Colombia"),
    ("CR", "Costa Rica"),
    ("CU", "Cuba"),
    ("DE", "Alemania"),
    ("DO", "la República Dominicana"),
    ("EC", "Ecuador"),
    ("ES", "España"),
    ("EU", "la Unión Europea"),
    ("FR", "Francia"),
    ("GB", "el Reino Unido"),
    ("GT", "Guatemala"),
    ("HN", "Honduras"),
    ("IT", "Italia"),
    ("MX", "México"),
    ("NI", "Nicaragua"),
    ("PA", "Panamá"),
    ("PE", "Perú"),
    ("PT", "Portugal"),
    ("PY", "Paraguay"),
    ("US", "Estados Unidos"),
    ("UY", "Uruguay"),
    ("VE", "Venezuela"),
];

#[cfg(test)]
mod tests {
    use super::SIGNS;
    use crate::front_end::romance::acronyms::{is_word, spelled};

    #[test]
    fn acronyms_that_look_like_words_are_read_and_others_spelled() {
        for word in ["OTAN", "UNESCO", "RENFE", "IVA", "INSALUD", "MERCOSUR"] {
            assert!(is_word(&SIGNS, word), "{word}");
        }
        for word in ["ONG", "DVD", "IRPF", "BCE", "FMI", "UE", "HTML"] {
            assert!(!is_word(&SIGNS, word), "{word}");
        }
        assert_eq!(spelled(&SIGNS, "ONG"), "o ene ge");
        assert_eq!(spelled(&SIGNS, "DVD"), "de uve de");
    }
}
