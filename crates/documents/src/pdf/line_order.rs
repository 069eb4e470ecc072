//! Puts the fragments of a line into reading order.

use super::{
    fragment::Fragment,
    rtl::{Direction, direction, has_rtl, letters},
};

/// Whether most letters are written from right to left.
pub(super) fn is_rtl<'a>(parts: impl IntoIterator<Item = &'a Fragment>) -> bool {
    let add = |sum: (usize, usize), part: &Fragment| {
        let (to_left, to_right) = letters(&part.text);
        (sum.0 + to_left, sum.1 + to_right)
    };
    let (to_left, to_right) = parts.into_iter().fold((0, 0), add);
    to_left > to_right
}

/// Reorders fragments from page order, left to right, to reading order (UAX 9, rule L2).
pub(super) fn order(mut line: Vec<Fragment>) -> Vec<Fragment> {
    if !line.iter().any(|part| has_rtl(&part.text)) {
        return line;
    }
    let against = if is_rtl(&line) {
        line.reverse();
        Direction::LeftToRight
    } else {
        Direction::RightToLeft
    };
    let mut at = 0;
    while at < line.len() {
        if direction(&line[at].text) != against {
            at += 1;
            continue;
        }
        let run = line[at..]
            .iter()
            .take_while(|part| [against, Direction::Neutral].contains(&direction(&part.text)))
            .count();
        let last = line[at..at + run].iter().rposition(|part| direction(&part.text) == against).unwrap_or(0);
        line[at..=at + last].reverse();
        at += run;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::{Fragment, order};

    fn read(line: &[&str]) -> String {
        let part = |(at, text): (usize, &&str)| Fragment {
            text: (*text).to_owned(),
            left: 50.0 * at as f32,
            right: 50.0 * at as f32 + 40.0,
            base: 700.0,
            size: 10.0,
            bold: false,
            note_number: false,
            marks: Vec::new(),
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
}
