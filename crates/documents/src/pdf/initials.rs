//! Joins initials to their words. An initial is the large first letter of a chapter, next to two or
//! three lines; it belongs to the first of them.

use super::fragment::Fragment;

/// The minimum size of an initial, relative to the text next to it.
const MIN_SIZE_RATIO: f32 = 1.7;

/// A page with more single letters is a table or an index, which has no initials.
const MAX_INITIALS: usize = 20;

/// Joins initials to the words that they start.
pub(super) fn attach(fragments: &mut Vec<Fragment>) {
    let initials: Vec<Fragment> =
        fragments.iter().filter(|part| is_letter(&part.text)).take(MAX_INITIALS + 1).cloned().collect();
    if initials.len() > MAX_INITIALS {
        return;
    }
    for initial in initials {
        let is_adjacent = |part: &Fragment| {
            part.size * MIN_SIZE_RATIO < initial.size
                && part.left > initial.right - 0.2 * initial.size
                && part.left < initial.right + 0.5 * initial.size
                && part.base > initial.base - 0.3 * part.size
                && part.base < initial.base + initial.size
        };
        let first = fragments.iter().enumerate().filter(|(_, part)| is_adjacent(part));
        let Some((first, _)) = first.max_by(|(_, a), (_, b)| a.base.total_cmp(&b.base)) else { continue };
        let word = &mut fragments[first];
        let letter = initial.text.trim();
        // "A harbour" or "After": if the letter could be a word, the gap decides.
        let whole = matches!(letter, "A" | "I" | "O") && word.left - initial.right > 0.12 * word.size;
        word.text = format!("{letter}{}{}", if whole { " " } else { "" }, word.text.trim_start());
        // The lines next to the initial start at its left edge, so that they do not look indented.
        for part in fragments.iter_mut().filter(|part| is_adjacent(part)) {
            part.left = initial.left;
        }
        fragments.retain(|part| *part != initial);
    }
}

fn is_letter(text: &str) -> bool {
    let mut letters = text.trim().chars().filter(|c| !matches!(c, '“' | '"' | '‘' | '\'' | '«' | '„'));
    letters.next().is_some_and(char::is_uppercase) && letters.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::{Fragment, attach};

    fn part(text: &str, left: f32, base: f32, size: f32) -> Fragment {
        let right = left + 0.5 * size * text.len() as f32;
        Fragment {
            text: text.to_owned(),
            left,
            right,
            base,
            size,
            bold: false,
            note_number: false,
            marks: Vec::new(),
            pagination: false,
            cells: 1,
        }
    }

    #[test]
    fn an_initial_joins_the_first_of_the_lines_beside_it() {
        let mut page = vec![
            part("H", 40.0, 476.0, 36.0),
            part("er grandmother kept", 62.0, 500.0, 10.0),
            part("the tide tables and", 62.0, 488.0, 10.0),
            part("nothing else.", 62.0, 476.0, 10.0),
            part("Below, at the edge.", 40.0, 464.0, 10.0),
        ];
        attach(&mut page);
        let lines: Vec<(&str, f32)> = page.iter().map(|part| (part.text.as_str(), part.left)).collect();
        assert_eq!(
            lines,
            [
                ("Her grandmother kept", 40.0),
                ("the tide tables and", 40.0),
                ("nothing else.", 40.0),
                ("Below, at the edge.", 40.0)
            ]
        );
    }

    /// Negative control: with each letter compared to the whole page this took 50 seconds.
    #[test]
    fn a_page_of_single_letters_is_not_searched_for_initials() {
        let letters = |count: usize| (0..count).map(|n| part("H", n as f32, 476.0, 36.0));
        let mut page: Vec<Fragment> = letters(300_000).collect();
        let began = std::time::Instant::now();
        attach(&mut page);
        assert!(began.elapsed().as_secs() < 30, "it took {:?}", began.elapsed());
        assert_eq!(page.len(), 300_000);
        let mut page: Vec<Fragment> = letters(19).map(|letter| Fragment { left: 900.0, ..letter }).collect();
        page.extend([part("H", 40.0, 476.0, 36.0), part("er grandmother", 62.0, 500.0, 10.0)]);
        attach(&mut page);
        assert_eq!(page.last().map(|part| part.text.as_str()), Some("Her grandmother"));
    }

    #[test]
    fn a_letter_that_is_a_word_stays_one_and_a_letter_alone_stays_alone() {
        let mut page = vec![part("A", 40.0, 488.0, 24.0), part("harbour", 56.0, 500.0, 10.0)];
        attach(&mut page);
        assert_eq!(page[0].text, "A harbour");
        let mut page = vec![part("A", 40.0, 500.0, 24.0), part("The first entry", 40.0, 470.0, 10.0)];
        attach(&mut page);
        assert_eq!(page.len(), 2, "the letter of an index");
    }
}
