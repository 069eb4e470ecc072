//! Text that runs from right to left. The library gives the letters of a run in the order in which they are read, runs
//! as they stand on the page; the letters may be those that only typesetters know, one for each place in a word.

use unicode_bidi::{BidiClass, bidi_class};
use unicode_normalization::UnicodeNormalization;

use super::page::Fragment;

/// Which way a piece of text runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Left,
    Right,
    /// As what is around it: spaces and signs.
    Either,
}

/// How many letters of a text run to the left, and how many to the right.
fn letters(text: &str) -> (usize, usize) {
    let count = |is: fn(BidiClass) -> bool| text.chars().filter(|&c| is(bidi_class(c))).count();
    (
        count(|class| matches!(class, BidiClass::R | BidiClass::AL)),
        count(|class| matches!(class, BidiClass::L | BidiClass::EN | BidiClass::AN)),
    )
}

/// Whether any of its letters runs to the left.
pub(super) fn has_any(text: &str) -> bool {
    letters(text).0 > 0
}

/// Whether one of two texts next to each other ends running one way and the other begins running the other way.
pub(super) fn turns(before: &str, after: &str) -> bool {
    let last = before.chars().next_back().map_or((0, 0), |c| letters(c.encode_utf8(&mut [0; 4])));
    let first = after.chars().next().map_or((0, 0), |c| letters(c.encode_utf8(&mut [0; 4])));
    last.0 > 0 && first.1 > 0 || last.1 > 0 && first.0 > 0
}

fn way(text: &str) -> Way {
    match letters(text) {
        (0, 0) => Way::Either,
        (to_left, to_right) if to_left > to_right => Way::Left,
        _ => Way::Right,
    }
}

/// Whether most letters of these run to the left.
pub(super) fn is_rtl<'a>(parts: impl IntoIterator<Item = &'a Fragment>) -> bool {
    let add = |sum: (usize, usize), part: &Fragment| {
        let (to_left, to_right) = letters(&part.text);
        (sum.0 + to_left, sum.1 + to_right)
    };
    let (to_left, to_right) = parts.into_iter().fold((0, 0), add);
    to_left > to_right
}

/// Puts parts of a line, which stand from left to right, into the order in which they are read (UAX 9, rule L2).
pub(super) fn order(mut line: Vec<Fragment>) -> Vec<Fragment> {
    if !line.iter().any(|part| has_any(&part.text)) {
        return line;
    }
    let against = if is_rtl(&line) {
        line.reverse();
        Way::Right
    } else {
        Way::Left
    };
    let mut at = 0;
    while at < line.len() {
        if way(&line[at].text) != against {
            at += 1;
            continue;
        }
        let run =
            line[at..].iter().take_while(|part| [against, Way::Either].contains(&way(&part.text))).count();
        let last = line[at..at + run].iter().rposition(|part| way(&part.text) == against).unwrap_or(0);
        line[at..=at + last].reverse();
        at += run;
    }
    line
}

/// A line of the other way has fewer letters that run to the left than one in so many: they are signs that its font
/// names wrongly, and the library turns none of its words.
const FEW: usize = 4;

/// A run's text in letters that everybody knows, with its Latin words the right way round: the library turns all of a
/// run of which some letters run to the left.
pub(super) fn plain(text: &str) -> String {
    let (to_left, to_right) = letters(text);
    if to_left * FEW < to_right || to_left == 0 {
        return text.to_owned();
    }
    let mut plain = String::with_capacity(text.len());
    let mut latin: Vec<char> = Vec::new();
    for c in text.chars() {
        if c.is_ascii_alphabetic() {
            latin.push(c);
            continue;
        }
        end_word(&mut latin, &mut plain);
        match c {
            // Marks by themselves stand on a space.
            '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}' => {
                plain.extend(c.nfkc().filter(|c| !c.is_whitespace()));
            }
            _ => plain.push(c),
        }
    }
    end_word(&mut latin, &mut plain);
    plain
}

fn end_word(latin: &mut Vec<char>, plain: &mut String) {
    // A capital tells where a word begins.
    if !latin.first().is_some_and(|c| c.is_uppercase()) || latin.last().is_some_and(|c| c.is_uppercase()) {
        latin.reverse();
    }
    plain.extend(latin.drain(..));
}

#[cfg(test)]
mod tests {
    use super::{Fragment, order, plain};

    fn read(line: &[&str]) -> String {
        let part = |(at, text): (usize, &&str)| Fragment {
            text: (*text).to_owned(),
            left: 50.0 * at as f32,
            right: 50.0 * at as f32 + 40.0,
            base: 700.0,
            size: 10.0,
            bold: false,
            marked: false,
            pagination: false,
            cells: 1,
        };
        let parts = line.iter().enumerate().map(part).collect();
        order(parts).iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn words_from_right_to_left_are_read_from_the_right_and_others_in_them_from_the_left() {
        assert_eq!(read(&["العربية", "الخطوط", "انواع"]), "انواع الخطوط العربية");
        assert_eq!(read(&["שלום", "12", "May", "עולם"]), "עולם 12 May שלום");
        assert_eq!(
            read(&["he", "said", "עולם", "שלום", "twice", "to", "them"]),
            "he said שלום עולם twice to them"
        );
        assert_eq!(read(&["left", "to", "right"]), "left to right");
    }

    #[test]
    fn letters_of_typesetters_become_those_that_everybody_knows() {
        assert_eq!(plain("اﻟﻌﺮﺑﻴﺔ"), "العربية");
        assert_eq!(plain("ﷲ"), "الله");
        assert_eq!(plain("ibibah يبيبَح"), "habibi يبيبَح");
        assert_eq!(plain("ﬁn"), "ﬁn");
        // A ligature that its font takes for a letter of Thaana. Before: "titep-tial iralcގ te rocludé".
        assert_eq!(plain("petit-lait clariގ et dulcoré"), "petit-lait clariގ et dulcoré");
    }
}
