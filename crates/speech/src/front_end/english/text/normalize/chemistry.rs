//! Chemical formulas, which are said letter by letter: `CO2`, `Na2CO3`, `Ca(OH)2`, `Fe3+`. Without this `NO2` would be the word
//! "no" and a number.

use super::{Reader, reading, scan};
use crate::front_end::normalize::symbols::{SUPERSCRIPTS, of_superscripts};

const ELEMENTS: &[&str] = &[
    "H", "He", "Li", "Be", "B", "C", "N", "O", "F", "Ne", "Na", "Mg", "Al", "Si", "P", "S", "Cl", "Ar", "K",
    "Ca", "Sc", "Ti", "V", "Cr", "Mn", "Fe", "Co", "Ni", "Cu", "Zn", "Ga", "Ge", "As", "Se", "Br", "Kr",
    "Rb", "Sr", "Y", "Zr", "Nb", "Mo", "Tc", "Ru", "Rh", "Pd", "Ag", "Cd", "In", "Sn", "Sb", "Te", "I", "Xe",
    "Cs", "Ba", "La", "Ce", "Nd", "Sm", "Eu", "Gd", "W", "Pt", "Au", "Hg", "Tl", "Pb", "Bi", "Po", "Rn",
    "Ra", "Th", "U", "Pu",
];

/// Symbols that are words or names as well: alone, with a number, they are no formula.
const WORDS: &[&str] = &["He", "Be", "As", "In", "Co", "La", "Mo", "Po", "Si", "Te", "Ra", "Ti"];

/// Formulas of capitals with one number at their end. Other names look the same: `POP3`, `SOC2`, `BUS4`.
const IN_CAPITALS: &[&str] = &[
    "BF3", "BH3", "BH4", "CF4", "CH3", "CH4", "CO2", "CO3", "CS2", "HCO3", "HNO2", "HNO3", "HPO4", "HSO4",
    "KNO3", "NF3", "NH2", "NH3", "NH4", "NO2", "NO3", "OF2", "PF5", "PF6", "PH3", "PO4", "SF6", "SO2", "SO3",
    "SO4", "NOx", "NOₓ", "SOx", "SOₓ",
];

/// Formulas without a number: a capital, a small letter and a capital could be many other things.
const IN_LETTERS: &[&str] = &[
    "AgBr", "AgCl", "CaO", "CaS", "CuO", "CuS", "FeO", "FeS", "GaAs", "GaN", "HBr", "HCl", "HgO", "HgS",
    "KBr", "KCl", "LiF", "LiCl", "MgO", "MnO", "NaBr", "NaCl", "NaF", "NaOH", "NiO", "PbO", "PbS", "SiC",
    "SiO", "ZnO", "ZnS",
];

#[derive(Debug, Default)]
struct Formula {
    /// The letters and numbers, each with its end.
    parts: Vec<(Part, usize)>,
    elements: Vec<&'static str>,
    /// How many numbers there are, and whether one is before an element.
    numbers: usize,
    is_counted_inside: bool,
    end: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Letter(char),
    Number,
    Bracket,
}

/// `¹⁴C`: the mass of an isotope, said after its element.
pub(super) fn isotope(r: &mut Reader<'_>) -> bool {
    let end = scan::run(r.t, r.at, |c| SUPERSCRIPTS.contains(c));
    let Some(symbol) = element(scan::tail(r.t, end)).filter(|_| end > r.at) else { return false };
    let mass = of_superscripts(scan::slice(r.t, r.at..end));
    let after = end + symbol.len();
    // "²He was born": the mark of a footnote.
    let is_mass = match symbol {
        "H" => matches!(mass.as_str(), "1" | "2" | "3"),
        "He" => matches!(mass.as_str(), "3" | "4"),
        // "¹²In 1919" is a footnote, ¹²³I an isotope.
        symbol if symbol == "I" || WORDS.contains(&symbol) => mass.len() == 3,
        _ => (2..=3).contains(&mass.len()),
    };
    if !scan::edge(r.t, after) || !is_mass || r.before().is_some_and(char::is_alphanumeric) {
        return false;
    }
    let letters: Vec<String> = symbol.to_uppercase().chars().map(String::from).collect();
    let number = reading::name_number(r, &mass);
    r.say(&format!("{} {number}", letters.join(" ")), after);
    true
}

/// Reads a formula that starts here.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let Some(formula) = parse(r.t, r.at).filter(|formula| formula.is_meant(r.t, r.at)) else { return false };
    for &(part, end) in &formula.parts {
        match part {
            // Not the article.
            Part::Letter('A') => pronounce_a(r, end),
            Part::Letter(letter) => r.say(&letter.to_string(), end),
            Part::Number => {
                let words = reading::name_number(r, scan::slice(r.t, r.at..end));
                r.say(&words, end);
            }
            Part::Bracket => r.skip(end),
        }
    }
    true
}

/// `A4`, `A-10`, `an A`, `plan A.`: the letter is no article.
pub(super) fn letter_a(r: &mut Reader<'_>) -> bool {
    let Some(rest) = r.rest().strip_prefix('A') else { return false };
    let is_letter = match rest.chars().next() {
        Some(next) if next.is_ascii_digit() => true,
        Some(dash @ ('-' | '–')) => scan::digit_at(r.t, r.at + 1 + dash.len_utf8()),
        None | Some('+' | '−' | ',' | ';' | ':' | '?' | '!' | ')') => true,
        Some('.') => scan::edge(r.t, r.at + 2),
        Some(next) => !next.is_alphabetic() && ["an", "An"].contains(&r.word_before()),
    };
    if is_letter {
        pronounce_a(r, r.at + 1);
    }
    is_letter
}

/// Whether the arrow at `at` stands between formulas: `2H₂ + O₂ → 2H₂O`.
pub(super) fn is_reaction(t: &str, at: usize) -> bool {
    let head = scan::slice(t, ..at).trim_end();
    let before = &head[head.rfind(' ').map_or(0, |space| space + 1)..];
    let after = scan::tail(t, at + '→'.len_utf8()).trim_start();
    let after = &after[..after.find(' ').unwrap_or(after.len())];
    let is_formula = |written: &str| {
        let written =
            written.trim_start_matches(|c: char| c.is_ascii_digit()).trim_end_matches(['.', ',', ';']);
        let plain: String = written
            .chars()
            .map(|c| {
                "₀₁₂₃₄₅₆₇₈₉"
                    .chars()
                    .position(|below| below == c)
                    .map_or(c, |digit| (b'0' + digit as u8) as char)
            })
            .collect();
        parse(&plain, 0)
            .is_some_and(|formula| formula.end > 0 && formula.numbers + formula.elements.len() > 1)
    };
    is_formula(before) && is_formula(after) && t.contains('+')
}

pub(super) fn pronounce_a(r: &mut Reader<'_>, end: usize) {
    r.out.pronounce("A", "ˈeɪ".to_owned(), r.at..end);
    r.skip(end);
}

fn parse(t: &str, start: usize) -> Option<Formula> {
    let mut formula = Formula::default();
    let (mut at, mut depth) = (start, 0_u8);
    while let Some(c) = scan::char_at(t, at) {
        match c {
            '(' if depth == 0 && scan::char_at(t, at + 1).is_some_and(|next| next.is_ascii_uppercase()) => {
                depth = 1;
                at += 1;
                formula.parts.push((Part::Bracket, at));
            }
            ')' if depth == 1 && scan::digit_at(t, at + 1) => {
                depth = 0;
                at += 1;
                formula.parts.push((Part::Bracket, at));
            }
            'A'..='Z' => {
                let symbol = element(scan::tail(t, at))?;
                for letter in symbol.chars() {
                    at += 1;
                    formula.parts.push((Part::Letter(letter.to_ascii_uppercase()), at));
                }
                formula.is_counted_inside |= formula.numbers > 0;
                formula.elements.push(symbol);
            }
            '1'..='9' if !formula.elements.is_empty() => {
                let end = scan::digits(t, at);
                if end - at > 3 {
                    return None;
                }
                at = end;
                formula.numbers += 1;
                formula.parts.push((Part::Number, at));
            }
            // `NOₓ`, also written `NOx`.
            'ₓ' | 'x' if !formula.elements.is_empty() && scan::edge(t, at + c.len_utf8()) => {
                at += c.len_utf8();
                formula.numbers += 1;
                formula.parts.push((Part::Letter('x'), at));
            }
            '¹' | '²' | '³' | '⁴' => break,
            _ if c.is_alphanumeric() => return None,
            _ => break,
        }
    }
    formula.end = at;
    (depth == 0 && !formula.elements.is_empty()).then_some(formula)
}

/// The symbol that a text starts with: the longer one, unless the word goes on.
fn element(text: &str) -> Option<&'static str> {
    let letters = text.bytes().skip(1).take_while(u8::is_ascii_lowercase).count();
    let letters = if is_x_after(text, letters) { 0 } else { letters };
    ELEMENTS.iter().copied().find(|symbol| symbol.len() == letters + 1 && text.starts_with(symbol))
}

/// Whether the small letter after a capital is the `x` of `NOx`.
fn is_x_after(text: &str, small: usize) -> bool {
    small == 1 && text.as_bytes().get(1) == Some(&b'x') && !text.starts_with("Xe") && scan::edge(text, 2)
}

impl Formula {
    /// Whether it is one: other names have letters and numbers, too.
    fn is_meant(&self, t: &str, start: usize) -> bool {
        let charge = scan::tail(t, self.end).trim_start_matches(['¹', '²', '³', '⁴']);
        let charged = charge.strip_prefix(['+', '⁺', '⁻']);
        let charged = charged.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
        let has_small = self.elements.iter().any(|symbol| symbol.len() == 2);
        match self.elements.as_slice() {
            [symbol] => symbol.len() == 2 && !WORDS.contains(symbol) && (self.numbers == 1 || charged),
            _ if self.numbers == 0 => IN_LETTERS.contains(&scan::slice(t, start..self.end)),
            _ if has_small || self.is_counted_inside => true,
            _ => IN_CAPITALS.contains(&scan::slice(t, start..self.end)),
        }
    }
}
