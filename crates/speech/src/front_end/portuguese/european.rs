//! What is said otherwise in Portugal: names of units, money and letters, and acronyms. The tables are
//! those of Brazil with other words, made when a text first needs them.

use std::sync::LazyLock;

use super::{amounts, currencies::CURRENCIES, emoji::NAMES, signs, words};
use crate::front_end::romance::{
    grammar::{Amounts, Before, Currency, Signs, Words},
    words::{Abbreviation, Kind},
};

/// Words of the tables, and what they are in Portugal.
const FORMS: &[(&str, &str)] = &[
    ("Crônicas", "Crónicas"),
    ("Deuteronômio", "Deuteronómio"),
    ("Gênesis", "Génesis"),
    ("Papai Noel", "Pai Natal"),
    ("astronômica", "astronómica"),
    ("astronômicas", "astronómicas"),
    ("banheiro", "casa de banho"),
    ("basquete", "basquetebol"),
    ("bebê", "bebé"),
    ("berinjela", "beringela"),
    ("bilhão", "mil milhões"),
    ("buquê", "ramo"),
    ("cachorro", "cão"),
    ("camundongo", "rato"),
    ("canadense", "canadiano"),
    ("canadenses", "canadianos"),
    ("celular", "telemóvel"),
    ("centavo", "cêntimo"),
    ("centavos", "cêntimos"),
    ("cerquilha", "cardinal"),
    ("cocô", "cocó"),
    ("câmera", "câmara"),
    ("dáblio", "dâblio"),
    ("elétron-volt", "eletrão-volt"),
    ("elétrons-volt", "eletrões-volt"),
    ("fones de ouvido", "auscultadores"),
    ("hectômetro", "hectómetro"),
    ("hectômetros", "hectómetros"),
    ("laptop", "portátil"),
    ("litro a cada cem quilômetros", "litro aos cem quilómetros"),
    ("litros a cada cem quilômetros", "litros aos cem quilómetros"),
    ("lixeira", "caixote do lixo"),
    ("marrom", "castanho"),
    ("megaelétron-volt", "megaeletrão-volt"),
    ("megaelétrons-volt", "megaeletrões-volt"),
    ("megapixel", "megapíxel"),
    ("megapixels", "megapíxeis"),
    ("micrômetro", "micrómetro"),
    ("micrômetros", "micrómetros"),
    ("milimol", "milimole"),
    ("milimols", "milimoles"),
    ("mol", "mole"),
    ("mols", "moles"),
    ("nanômetro", "nanómetro"),
    ("nanômetros", "nanómetros"),
    ("pixel", "píxel"),
    ("pixels", "píxeis"),
    ("pêni", "péni"),
    ("quadro por segundo", "fotograma por segundo"),
    ("quadros por segundo", "fotogramas por segundo"),
    ("quilômetro", "quilómetro"),
    ("quilômetros", "quilómetros"),
    ("registro", "registo"),
    ("respectivamente", "respetivamente"),
    ("rô", "ró"),
    ("senhorita", "menina"),
    ("sinal de pare", "sinal de stop"),
    ("tcheca", "checa"),
    ("tchecas", "checas"),
    ("telefone celular", "telemóvel"),
    ("termômetro", "termómetro"),
    ("videogame", "videojogo"),
    ("xícara", "chávena"),
    ("xícaras", "chávenas"),
    ("zíper", "fecho de correr"),
    ("ômega", "ómega"),
    ("ômicron", "ómicron"),
    ("ônibus", "autocarro"),
];

/// Currencies whose hundredth is a "centavo" in Portugal, too.
const WITH_CENTAVOS: [&str; 3] = ["BRL", "ARS", "CR$"];

/// Acronyms of Portugal that are spelled out, and those that are read as words.
const SPELLED: &[&str] = &[
    "ADSE", "BCP", "BE", "BPI", "CDS", "CDU", "CGD", "CP", "CPLP", "CTT", "EDP", "GNR", "ICNF", "IEFP", "IL",
    "IMI", "IMT", "INE", "IRC", "IRS", "IUC", "PCP", "PJ", "PRR", "PSD", "PSP", "PTA", "RTP", "SNS", "TSU",
    "TVI",
];
const READ: &[&str] = &[
    "ANACOM", "ASAE", "CAM", "DECO", "ERSE", "IBAN", "INEM", "INFARMED", "IVA", "NIB", "NIF", "PALOP", "PAN",
    "SEF", "SIC", "TAP",
];

/// Abbreviations, beside those of Brazil.
const ABBREVIATIONS: &[Abbreviation] = &[
    ("Dt", "direito", Kind::Anywhere),
    ("Dto", "direito", Kind::Anywhere),
    ("dto", "direito", Kind::Anywhere),
    ("Esq", "esquerdo", Kind::Anywhere),
    ("esq", "esquerdo", Kind::Anywhere),
    ("Telef", "telefone", Kind::Anywhere),
    ("telef", "telefone", Kind::Anywhere),
    ("Telm", "telemóvel", Kind::Anywhere),
    ("telm", "telemóvel", Kind::Anywhere),
    ("Tlm", "telemóvel", Kind::Anywhere),
    ("tlm", "telemóvel", Kind::Anywhere),
];

/// What needs no stop: `3.º Dto, Lisboa`.
const SHORT_SIGNS: &[(&str, &str, Before)] = &[
    ("Dto", "direito", Before::Edge),
    ("Esq", "esquerdo", Before::Edge),
    ("R/C", "rés do chão", Before::Edge),
    ("r/c", "rés do chão", Before::Edge),
];

/// Words before a number, beside those of Brazil.
const NUMBERED: &[&str] = &["autocarro", "carruagem", "comboio", "fração", "quilómetro", "secção"];

const MULTIPLIERS: &[(&str, &str, &str)] = &[
    ("bilião", "bilião", "biliões"),
    ("biliões", "biliões", "biliões"),
    ("trilião", "trilião", "triliões"),
    ("triliões", "triliões", "triliões"),
    ("bi", "mil milhões", "mil milhões"),
    ("tri", "bilião", "biliões"),
];

/// Letters with other names.
const LETTERS: &[(char, &str)] = &[('k', "capa"), ('m', "éme"), ('n', "éne"), ('w', "dâblio")];

pub(super) static AMOUNTS: LazyLock<Amounts> = LazyLock::new(|| Amounts {
    currencies: kept(CURRENCIES.iter().map(currency)),
    multipliers: kept(MULTIPLIERS.iter().copied().chain({
        let others = amounts::AMOUNTS.multipliers.iter().copied();
        others.filter(|(written, ..)| !MULTIPLIERS.iter().any(|(own, ..)| own == written))
    })),
    units: kept(
        amounts::AMOUNTS.units.iter().map(|&(sign, one, many, form)| (sign, local(one), local(many), form)),
    ),
    ..amounts::AMOUNTS
});

pub(super) static WORDS: LazyLock<Words> = LazyLock::new(|| Words {
    abbreviations: kept({
        let others = words::WORDS.abbreviations.iter().copied();
        let others = others.filter(|(written, ..)| !ABBREVIATIONS.iter().any(|(own, ..)| own == written));
        let others = others.map(|(written, said, kind)| (written, local(said), kind));
        ABBREVIATIONS.iter().copied().chain(others)
    }),
    joined: kept(words::WORDS.joined.iter().map(|&(sign, said, kind)| (sign, local(said), kind))),
    signs: kept({
        let others = words::WORDS.signs.iter().map(|&(sign, said, before)| (sign, local(said), before));
        SHORT_SIGNS.iter().copied().chain(others)
    }),
    numbered: kept(words::WORDS.numbered.iter().chain(NUMBERED).copied()),
    books: kept(words::WORDS.books.iter().map(|book| book.renamed(local))),
    ..words::WORDS
});

pub(super) static SIGNS: LazyLock<Signs> = LazyLock::new(|| Signs {
    spelled: kept(signs::SIGNS.spelled.iter().chain(SPELLED).copied()),
    read: kept(signs::SIGNS.read.iter().chain(READ).copied()),
    meant: kept(signs::SIGNS.meant.iter().map(|&(written, said)| (written, local(said)))),
    letters: kept(signs::SIGNS.letters.iter().map(|&(letter, name)| {
        let other = LETTERS.iter().find(|(other, _)| *other == letter);
        (letter, other.map_or(name, |(_, name)| name))
    })),
    greek: signs::SIGNS.greek.map(local),
    named: kept(signs::SIGNS.named.iter().map(|&(sign, name)| (sign, local(name)))),
    in_addresses: kept(signs::SIGNS.in_addresses.iter().map(|&(sign, name)| (sign, local(name)))),
    www: local(signs::SIGNS.www),
    ..signs::SIGNS
});

static EMOJI: LazyLock<Vec<(char, &'static str)>> =
    LazyLock::new(|| NAMES.iter().map(|&(emoji, name)| (emoji, local(name))).collect());

/// The name of an emoji.
pub(super) fn emoji(emoji: char) -> Option<&'static str> {
    EMOJI.binary_search_by_key(&emoji, |(own, _)| *own).ok().map(|index| EMOJI[index].1)
}

/// Whether groups of digits are a telephone number: `912 345 678`, `21 345 67 89`, `116 006`.
pub(super) fn is_phone(groups: &[&str], sign: Option<char>) -> bool {
    let lengths: Vec<usize> = groups.iter().map(|group| group.len()).collect();
    let begins_with = |prefixes: &[&str]| {
        groups.first().is_some_and(|first| prefixes.iter().any(|prefix| first.starts_with(prefix)))
    };
    let is_mobile = begins_with(&["91", "92", "93", "96"]);
    let is_round = groups.last().is_some_and(|last| *last == "000");
    match lengths.as_slice() {
        [9] => is_mobile,
        [3, 3, 3] | [2, 3, 2, 2] | [3, 2, 2, 2] | [2, 3, 4] => {
            let others = ["21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "70", "76", "80"];
            (is_mobile || begins_with(&others)) && matches!(sign, Some(' ' | '-')) && !is_round
        }
        // Of public use in all of Europe.
        [3, 3] => groups[0] == "116" && sign == Some(' ') && !is_round,
        _ => false,
    }
}

fn currency(currency: &Currency) -> Currency {
    let keeps_centavos = currency.written.iter().any(|written| WITH_CENTAVOS.contains(written));
    let cents = currency.cents.filter(|_| !keeps_centavos).map(|(one, many)| (local(one), local(many)));
    Currency {
        written: currency.written,
        one: local(currency.one),
        many: local(currency.many),
        form: currency.form,
        cents: cents.or(currency.cents),
    }
}

/// What is said in Brazil, as it is said in Portugal. What it makes stays for as long as the program runs, so only the
/// tables ask.
fn local(said: &'static str) -> &'static str {
    let form = |word: &str| FORMS.binary_search_by_key(&word, |(own, _)| own).ok().map(|at| FORMS[at].1);
    if let Some(whole) = form(said) {
        return whole;
    }
    let words: Vec<&str> = said.split(' ').map(|word| form(word).unwrap_or(word)).collect();
    let changed = words.join(" ");
    if changed == said { said } else { changed.leak() }
}

fn kept<T>(table: impl Iterator<Item = T>) -> &'static [T] {
    table.collect::<Vec<_>>().leak()
}

#[cfg(test)]
mod tests {
    use super::{FORMS, local};

    #[test]
    fn words_are_replaced_alone_in_phrases_and_as_phrases() {
        assert!(FORMS.is_sorted_by(|one, next| one.0 < next.0));
        for (brazilian, portuguese) in [
            ("quilômetro", "quilómetro"),
            ("habitantes por quilômetro quadrado", "habitantes por quilómetro quadrado"),
            ("telefone celular", "telemóvel"),
            ("metro", "metro"),
        ] {
            assert_eq!(local(brazilian), portuguese);
        }
    }
}
