//! Recognizes tables, which must not be read column by column although they look like narrow
//! columns.

use super::fragment::{Fragment, rows};
use crate::characters::is_unspaced;

const MIN_ROWS: usize = 4;

/// Lines of prose in Chinese or Japanese, which have no lower case, are at least this long.
const MIN_UNSPACED_PROSE_CHARACTERS: usize = 10;

/// In columns of prose, at least one line in this many starts in lower case, and lines are longer.
const LOWERCASE_ONE_IN: usize = 7;
const MIN_PROSE_CHARACTERS: usize = 16;

/// Whether the fragments are cells of a table: rows of many cells, or rows of several cells of
/// which one is a figure.
pub(super) fn is_table(fragments: &[Fragment]) -> bool {
    let rows = rows(fragments.to_vec());
    let tabular = |row: &&Vec<Fragment>| row.len() >= 4 || row.len() == 3 && row.iter().any(is_figure);
    let found = rows.iter().filter(tabular).count();
    rows.len() >= MIN_ROWS && found * 4 >= rows.len() && !is_prose(fragments)
}

/// Whether a strip separates two tables side by side: it is near the middle, and many rows have
/// cells on one side only.
pub(super) fn separates_tables(fragments: &[Fragment], left: f32, right: f32) -> bool {
    let outer_left = fragments.iter().map(|part| part.left).fold(f32::INFINITY, f32::min);
    let outer_right = fragments.iter().map(|part| part.right).fold(f32::NEG_INFINITY, f32::max);
    let narrowest = (left - outer_left).min(outer_right - right);
    let is_left = |part: &Fragment| f32::midpoint(part.left, part.right) < f32::midpoint(left, right);
    let rows: Vec<(usize, usize)> = rows(fragments.to_vec())
        .iter()
        .map(|row| (row.iter().filter(|part| is_left(part)).count(), row.len()))
        .filter(|&(on_left, all)| on_left >= 2 || all - on_left >= 2)
        .collect();
    let both = rows.iter().filter(|&&(on_left, all)| on_left > 0 && on_left < all).count();
    narrowest > 0.3 * (outer_right - outer_left) && both * 4 < rows.len() * 3
}

/// Whether lines continue in the next one, as sentences do and cells do not.
fn is_prose(fragments: &[Fragment]) -> bool {
    let firsts = fragments.iter().filter_map(|part| part.text.chars().find(|c| c.is_alphanumeric()));
    let (mut lower, mut unspaced) = (0, 0);
    for first in firsts {
        lower += usize::from(first.is_lowercase());
        unspaced += usize::from(is_unspaced(first));
    }
    let characters: usize = fragments.iter().map(|part| part.text.chars().count()).sum();
    if unspaced * 2 > fragments.len() {
        return characters >= MIN_UNSPACED_PROSE_CHARACTERS * fragments.len();
    }
    lower * LOWERCASE_ONE_IN >= fragments.len() && characters >= MIN_PROSE_CHARACTERS * fragments.len()
}

fn is_figure(cell: &Fragment) -> bool {
    let count = |is: fn(&u8) -> bool| cell.text.bytes().filter(is).count();
    let figures = count(u8::is_ascii_digit);
    figures > 0 && figures * 2 >= count(|byte| !byte.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::{Fragment, is_table};

    fn page(rows: &[&[&str]]) -> Vec<Fragment> {
        let cell = |(row, column): (usize, usize)| Fragment {
            text: rows[row][column].to_owned(),
            left: 100.0 * column as f32,
            right: 100.0 * column as f32 + 80.0,
            base: 700.0 - 12.0 * row as f32,
            size: 10.0,
            bold: false,
            note_number: false,
            marks: Vec::new(),
            pagination: false,
            cells: 1,
        };
        (0..rows.len()).flat_map(|row| (0..rows[row].len()).map(move |at| (row, at))).map(cell).collect()
    }

    #[test]
    fn rows_of_cells_are_a_table_and_columns_of_sentences_are_none() {
        let dated: &[&str] = &["CITIBANK - TRAVEL CARD", "05/03/2019", "STAFF TRANSPORTATION"];
        assert!(is_table(&page(&[dated; 6])));
        let wide: &[&str] = &["Company", "Office", "Harbour", "Quill"];
        assert!(is_table(&page(&[wide; 6])));
        let prose: &[&str] = &[
            "the water was colder than",
            "it had any right to be in",
            "39, which the trout had",
            "understood long before",
        ];
        assert!(!is_table(&page(&[prose; 6])));
        let names: &[&str] = &["Smith, Alvaro", "Armer, Derek", "Kishi, Daniel"];
        assert!(!is_table(&page(&[names; 6])), "three columns of names");
    }
}
