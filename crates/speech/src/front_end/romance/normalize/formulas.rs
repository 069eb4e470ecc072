//! Formulas of chemistry that have small letters: `NaCl`, `Ca2+`. Those in capitals are read like any
//! other letters and digits.

use super::Reader;
use crate::front_end::{romance::acronyms, scan};

/// The symbols of two letters; those of one letter are [`SINGLE`].
const DOUBLE: &str = "Ac Ag Al Am Ar As At Au Ba Be Bi Br Ca Cd Ce Cl Co Cr Cs Cu Dy Er Eu Fe Fr Ga Gd Ge He Hf Hg Ho In Ir Kr La Li \
                      Lu Mg Mn Mo Na Nb Nd Ne Ni Os Pa Pb Pd Po Pr Pt Pu Ra Rb Re Rh Rn Ru Sb Sc Se Si Sm Sn Sr Ta Tb Te Th Ti Tl \
                      Tm Xe Yb Zn Zr";
const SINGLE: &str = "BCFHIKNOPSUVWY";

/// Reads `NaCl` letter by letter, and the element before the charge of an ion, `Ca2+`.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let end = scan::letters(r.t, r.at);
    let word = scan::slice(r.t, r.at..end);
    if !(2..=8).contains(&word.len()) || !word.is_ascii() {
        return false;
    }
    let Some(elements) = elements(word) else { return false };
    let stop = scan::digits(r.t, end);
    let charge = scan::tail(r.t, stop).starts_with(['+', '⁺', '⁻']) && scan::edge(r.t, stop + 1);
    let digits = stop > end;
    let is_formula = match elements {
        1 => word.len() == 2 && digits && charge,
        _ => word.contains(|c: char| c.is_ascii_lowercase()) && (digits || scan::edge(r.t, end)),
    };
    if !is_formula || scan::char_at(r.t, end).is_some_and(|c| c == '\'' || c == '-') {
        return false;
    }
    let words = acronyms::spelled(r.signs(), &word.to_uppercase());
    r.say(&words, end);
    true
}

/// How many elements a word is made of, if it is made of nothing else.
fn elements(word: &str) -> Option<usize> {
    let mut count = 0;
    let mut at = 0;
    while at < word.len() {
        let two = word.get(at..at + 2).filter(|two| DOUBLE.split_whitespace().any(|one| one == *two));
        at += match two {
            Some(_) => 2,
            None if word[at..].starts_with(|c: char| SINGLE.contains(c)) => 1,
            None => return None,
        };
        count += 1;
    }
    Some(count)
}

#[cfg(test)]
mod tests {
    use super::elements;

    #[test]
    fn formulas_are_made_of_elements_and_names_are_not() {
        for (word, count) in [("NaCl", 2), ("NaOH", 3), ("HCl", 2), ("CaO", 2), ("Ca", 1), ("KMnO", 3)] {
            assert_eq!(elements(word), Some(count), "{word}");
        }
        for word in ["McDonald", "YouTube", "PhD", "LaTeX", "iPhone", "WhatsApp", "NoSQL", "Brasil"] {
            assert_eq!(elements(word), None, "{word}");
        }
    }
}
