//! Word lists that the rules use: abbreviations, months, words before numbers, and words that begin
//! sentences.

/// Where an abbreviation can occur.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Before a name: `Sr.`; it never ends a sentence.
    BeforeName,
    /// Before a number: `pág. 5`. Elsewhere it is read as written, unless that is not a word.
    BeforeNumber,
    /// Anywhere: `etc.`
    Anywhere,
}

use Kind::{Anywhere, BeforeName, BeforeNumber};

/// Abbreviations of one word, without their period.
const ABBREVIATIONS: &[(&str, &str, Kind)] = &[
    ("Sr", "señor", BeforeName),
    ("Sra", "señora", BeforeName),
    ("Srta", "señorita", BeforeName),
    ("Sres", "señores", BeforeName),
    ("Sras", "señoras", BeforeName),
    ("sr", "señor", BeforeName),
    ("sra", "señora", BeforeName),
    ("Dr", "doctor", BeforeName),
    ("Dra", "doctora", BeforeName),
    ("Dres", "doctores", BeforeName),
    ("dr", "doctor", BeforeName),
    ("dra", "doctora", BeforeName),
    ("D", "don", BeforeName),
    ("Dña", "doña", BeforeName),
    ("Dn", "don", BeforeName),
    ("Prof", "profesor", BeforeName),
    ("Profa", "profesora", BeforeName),
    ("prof", "profesor", BeforeName),
    ("Ing", "ingeniero", BeforeName),
    ("Lic", "licenciado", BeforeName),
    ("Arq", "arquitecto", BeforeName),
    ("Abog", "abogado", BeforeName),
    ("Gral", "general", BeforeName),
    ("Cnel", "coronel", BeforeName),
    ("Cap", "capítulo", BeforeNumber),
    ("Tte", "teniente", BeforeName),
    ("Sgto", "sargento", BeforeName),
    ("Pdte", "presidente", BeforeName),
    ("Excmo", "excelentísimo", BeforeName),
    ("Excma", "excelentísima", BeforeName),
    ("Ilmo", "ilustrísimo", BeforeName),
    ("Ilma", "ilustrísima", BeforeName),
    ("Rvdo", "reverendo", BeforeName),
    ("Mons", "monseñor", BeforeName),
    ("Fr", "fray", BeforeName),
    ("Sto", "santo", BeforeName),
    ("Sta", "santa", BeforeName),
    ("Fco", "Francisco", BeforeName),
    ("Mtro", "maestro", BeforeName),
    ("Mtra", "maestra", BeforeName),
    ("Vda", "viuda", BeforeName),
    ("Ud", "usted", Anywhere),
    ("Uds", "ustedes", Anywhere),
    ("Vd", "usted", Anywhere),
    ("Vds", "ustedes", Anywhere),
    ("pág", "página", BeforeNumber),
    ("págs", "páginas", BeforeNumber),
    ("Pág", "página", BeforeNumber),
    ("pg", "página", BeforeNumber),
    ("p", "página", BeforeNumber),
    ("pp", "páginas", BeforeNumber),
    ("núm", "número", BeforeNumber),
    ("núms", "números", BeforeNumber),
    ("Núm", "número", BeforeNumber),
    ("num", "número", BeforeNumber),
    ("nro", "número", BeforeNumber),
    ("Nro", "número", BeforeNumber),
    ("art", "artículo", BeforeNumber),
    ("arts", "artículos", BeforeNumber),
    ("Art", "artículo", BeforeNumber),
    ("cap", "capítulo", BeforeNumber),
    ("caps", "capítulos", BeforeNumber),
    ("vol", "volumen", BeforeNumber),
    ("Vol", "volumen", BeforeNumber),
    ("vols", "volúmenes", BeforeNumber),
    ("t", "tomo", BeforeNumber),
    ("fig", "figura", BeforeNumber),
    ("figs", "figuras", BeforeNumber),
    ("Fig", "figura", BeforeNumber),
    ("ej", "ejemplo", BeforeNumber),
    ("s", "siglo", BeforeNumber),
    ("ss", "siguientes", Anywhere),
    ("sig", "siguiente", Anywhere),
    ("sigs", "siguientes", Anywhere),
    ("tel", "teléfono", Anywhere),
    ("Tel", "teléfono", Anywhere),
    ("tfno", "teléfono", Anywhere),
    ("Tfno", "teléfono", Anywhere),
    ("tlf", "teléfono", Anywhere),
    ("Tlf", "teléfono", Anywhere),
    ("etc", "etcétera", Anywhere),
    ("Etc", "etcétera", Anywhere),
    ("aprox", "aproximadamente", Anywhere),
    ("máx", "máximo", Anywhere),
    ("mín", "mínimo", Anywhere),
    ("vs", "versus", Anywhere),
    ("cf", "confróntese", Anywhere),
    ("cfr", "confróntese", Anywhere),
    ("Cía", "compañía", Anywhere),
    ("cía", "compañía", Anywhere),
    ("Av", "avenida", BeforeName),
    ("av", "avenida", BeforeName),
    ("Avda", "avenida", BeforeName),
    ("avda", "avenida", BeforeName),
    ("Pza", "plaza", BeforeName),
    ("pza", "plaza", BeforeName),
    ("Plza", "plaza", BeforeName),
    ("Ctra", "carretera", BeforeName),
    ("ctra", "carretera", BeforeName),
    ("Pº", "paseo", BeforeName),
    ("Urb", "urbanización", BeforeName),
    ("izq", "izquierda", Anywhere),
    ("izqda", "izquierda", Anywhere),
    ("dcha", "derecha", Anywhere),
    ("dpto", "departamento", Anywhere),
    ("Dpto", "departamento", Anywhere),
    ("depto", "departamento", Anywhere),
    ("admón", "administración", Anywhere),
    ("Admón", "administración", Anywhere),
    ("apdo", "apartado", Anywhere),
    ("Apdo", "apartado", Anywhere),
    ("ed", "edición", Anywhere),
    ("edit", "editorial", Anywhere),
    ("trad", "traducción", Anywhere),
    ("col", "colección", Anywhere),
    ("pral", "principal", Anywhere),
    ("tít", "título", Anywhere),
    ("gral", "general", Anywhere),
    ("atte", "atentamente", Anywhere),
    ("Atte", "atentamente", Anywhere),
    ("ref", "referencia", Anywhere),
    ("Ref", "referencia", Anywhere),
    ("prov", "provincia", Anywhere),
    ("ant", "anterior", Anywhere),
    ("cta", "cuenta", Anywhere),
    ("hab", "habitantes", Anywhere),
    ("univ", "universidad", Anywhere),
];

/// Abbreviations of several parts, without their spaces.
const JOINED: &[(&str, &str, Kind)] = &[
    ("EE.UU.", "Estados Unidos", Anywhere),
    ("EE.UU", "Estados Unidos", Anywhere),
    ("p.ej.", "por ejemplo", Anywhere),
    ("P.ej.", "por ejemplo", Anywhere),
    ("a.C.", "antes de Cristo", Anywhere),
    ("d.C.", "después de Cristo", Anywhere),
    ("A.C.", "antes de Cristo", Anywhere),
    ("D.C.", "después de Cristo", Anywhere),
    ("a.deC.", "antes de Cristo", Anywhere),
    ("d.deC.", "después de Cristo", Anywhere),
    ("a.m.", "a eme", Anywhere),
    ("p.m.", "pe eme", Anywhere),
    ("S.A.", "ese a", Anywhere),
    ("S.L.", "ese ele", Anywhere),
    ("S.M.", "Su Majestad", BeforeName),
    ("S.S.", "Su Santidad", BeforeName),
    ("S.A.R.", "Su Alteza Real", BeforeName),
    ("JJ.OO.", "Juegos Olímpicos", Anywhere),
    ("CC.AA.", "comunidades autónomas", Anywhere),
    ("FF.AA.", "Fuerzas Armadas", Anywhere),
    ("RR.HH.", "recursos humanos", Anywhere),
    ("RR.PP.", "relaciones públicas", Anywhere),
    ("DD.HH.", "derechos humanos", Anywhere),
    ("CC.OO.", "Comisiones Obreras", Anywhere),
    ("Bs.As.", "Buenos Aires", Anywhere),
    ("i.e.", "es decir", Anywhere),
    ("e.g.", "por ejemplo", Anywhere),
    ("q.e.p.d.", "que en paz descanse", Anywhere),
    ("D.E.P.", "descanse en paz", Anywhere),
    ("P.D.", "posdata", Anywhere),
    ("P.S.", "posdata", Anywhere),
    ("op.cit.", "obra citada", Anywhere),
    ("c.c.", "centímetros cúbicos", Anywhere),
    ("s.f.", "sin fecha", Anywhere),
    ("N.B.", "nota bene", Anywhere),
    ("C.P.", "código postal", Anywhere),
    ("V.O.", "versión original", Anywhere),
];

/// The length of the longest entry of [`JOINED`] in bytes, with a space after each period.
pub(super) const LONGEST_JOINED: usize = 12;

/// The meaning of an abbreviation of one word, given without its period.
pub(super) fn abbreviation(word: &str) -> Option<(&'static str, Kind)> {
    ABBREVIATIONS.iter().find(|(written, ..)| *written == word).map(|&(_, said, kind)| (said, kind))
}

/// The meaning of an abbreviation of several parts, given without its spaces.
pub(super) fn joined(written: &str) -> Option<(&'static str, Kind)> {
    JOINED.iter().find(|(own, ..)| *own == written).map(|&(_, said, kind)| (said, kind))
}

/// The longest abbreviation of several parts at the start of a text: its byte length and its
/// meaning. A space may follow each period.
pub(super) fn joined_at(text: &str) -> Option<(usize, &'static str)> {
    let written = |own: &str| {
        let mut at = 0;
        for c in own.chars() {
            if text[at..].starts_with(' ') && text[..at].ends_with('.') {
                at += 1;
            }
            at += text[at..].starts_with(c).then_some(c.len_utf8())?;
        }
        Some(at)
    };
    let found = JOINED.iter().filter_map(|(own, said, _)| Some((written(own)?, *said)));
    found.max_by_key(|(bytes, _)| *bytes)
}

const MONTHS: [&str; 12] = [
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
];

/// The name of a month by its number, from 1.
pub(super) fn month_name(number: u64) -> Option<&'static str> {
    MONTHS.get((number as usize).checked_sub(1)?).copied()
}

/// The month of a name or its abbreviation: `enero`, `ene`, `sept`.
pub(super) fn month(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    if word == "setiembre" {
        return Some("setiembre");
    }
    let short = (3..=4).contains(&word.len());
    MONTHS.into_iter().find(|name| *name == word || (short && name.starts_with(&word)))
}

/// Whether a capitalized word is likely the first of a sentence.
pub(super) fn starts_sentence(word: &str) -> bool {
    const STARTERS: &[&str] = &[
        "A", "Ahora", "Al", "Algunos", "Allí", "Ante", "Antes", "Así", "Aun", "Aunque", "Aún", "Cada",
        "Como", "Con", "Cuando", "De", "Desde", "Después", "Donde", "Durante", "E", "El", "Ella", "Ellas",
        "Ellos", "En", "Entonces", "Entre", "Era", "Es", "Esa", "Ese", "Eso", "Esta", "Estas", "Este",
        "Esto", "Estos", "Está", "Fue", "Ha", "Hasta", "Hay", "Hoy", "La", "Las", "Le", "Les", "Lo", "Los",
        "Luego", "Me", "Mi", "Mientras", "Mis", "Muchos", "Muy", "Más", "Nada", "Ni", "No", "Nos", "Nuestra",
        "Nuestro", "O", "Otro", "Para", "Pero", "Por", "Porque", "Pues", "Que", "Quien", "Qué", "Quién",
        "Se", "Según", "Ser", "Si", "Sin", "Sobre", "Solo", "Son", "Su", "Sus", "Sí", "También", "Tampoco",
        "Te", "Todo", "Todos", "Tras", "Tu", "Tú", "Un", "Una", "Unos", "Vamos", "Y", "Ya", "Yo", "Él",
        "Cuándo", "Cómo", "Dónde", "Cuánto", "Había", "Tenía", "Estaba", "Llegó", "Dijo", "Vino",
    ];
    STARTERS.contains(&word)
}

/// Function words, which cannot be the noun that a number before them counts.
pub(super) fn is_closed(word: &str) -> bool {
    const CLOSED: &[&str] = &[
        "a", "al", "ante", "así", "aunque", "bajo", "cada", "como", "con", "contra", "cuando", "de", "del",
        "desde", "donde", "durante", "e", "el", "en", "entre", "era", "eran", "es", "está", "están", "fue",
        "fueron", "ha", "hacia", "han", "hasta", "hay", "la", "las", "le", "les", "lo", "los", "me", "menos",
        "mientras", "más", "ni", "no", "nos", "o", "os", "para", "pero", "por", "porque", "pues", "que",
        "quien", "se", "según", "ser", "si", "sin", "sino", "sobre", "son", "su", "sus", "también", "te",
        "tras", "u", "un", "una", "unos", "y", "ya", "entonces", "además", "después", "antes", "jamás",
        "través", "detrás", "quizás", "apenas", "vamos", "somos",
    ];
    CLOSED.contains(&word)
}

/// Words after which a number is a name and not a count: `página 21`.
pub(super) fn numbers(word: &str) -> bool {
    const NUMBERED: &[&str] = &[
        "acto",
        "aparte",
        "apartado",
        "apéndice",
        "artículo",
        "autobús",
        "canal",
        "capítulo",
        "caso",
        "celda",
        "clase",
        "código",
        "cuadro",
        "día",
        "episodio",
        "escena",
        "fase",
        "fecha",
        "figura",
        "fila",
        "grupo",
        "habitación",
        "jornada",
        "lección",
        "libro",
        "línea",
        "lote",
        "lugar",
        "mesa",
        "módulo",
        "nivel",
        "nota",
        "número",
        "opción",
        "página",
        "paso",
        "piso",
        "planta",
        "problema",
        "pregunta",
        "puerta",
        "puesto",
        "punto",
        "ronda",
        "sala",
        "sección",
        "serie",
        "siglo",
        "sura",
        "tabla",
        "talla",
        "tema",
        "temporada",
        "tipo",
        "título",
        "tomo",
        "unidad",
        "versión",
        "volumen",
        "vuelo",
        "zona",
        "parte",
        "ley",
        "decreto",
        "canto",
        "salmo",
        "tramo",
        "andén",
        "vía",
        "kilómetro",
        "km",
        "programa",
        "anexo",
        "año",
    ];
    let word = word.to_lowercase();
    NUMBERED.contains(&word.as_str())
}
