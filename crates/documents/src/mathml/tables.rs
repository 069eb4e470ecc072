//! Speaks tables: matrices, vectors, determinants, cases and aligned equations.

use super::{
    node::Kind,
    speech::{Part, Speaker, find},
};

impl Speaker<'_> {
    /// Speaks a table by its fence: empty for none, `(` for any bracket, `|` for bars, `{` for a
    /// brace that only opens.
    pub(super) fn table(&mut self, table: usize, fence: &str) {
        let words = self.words;
        let rows: Vec<Vec<usize>> = self.nodes[table]
            .children
            .iter()
            .map(|&row| self.cells_of(row))
            .filter(|row| !row.is_empty())
            .collect();
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let size = (rows.len(), columns);
        let counts = [rows.len().to_string(), columns.to_string()];
        let template = match (fence, size) {
            (_, (0, _)) => return,
            ("{", _) => return self.cases(&rows),
            ("" | "(", (1, 1)) => return self.speak(rows[0][0]),
            ("|", _) => words.determinant,
            ("(", (_, 1)) => return self.vector(words.column_vector, rows.iter().map(|row| row[0])),
            ("(", (1, _)) => return self.vector(words.row_vector, rows[0].iter().copied()),
            ("(", _) => words.matrix,
            _ if columns == 1 || rows.len() == 1 || self.is_aligned(&rows) => return self.lines(&rows),
            _ => words.table,
        };
        let (before, after) = template.split_once("{2}").unwrap_or((template, ""));
        self.fill(before, &[Part::Text(&counts[0]), Part::Text(&counts[1])]);
        for (at, row) in rows.iter().enumerate() {
            if at > 0 {
                self.word(";");
            }
            let (before, after) = words.row.split_once("{1}").unwrap_or((words.row, ""));
            let number = (at + 1).to_string();
            self.fill(before, &[Part::Text(&number)]);
            self.list(row.iter().copied());
            self.word(after);
        }
        self.word(after);
    }

    /// Speaks the cells of one row.
    pub(super) fn cells(&mut self, row: usize) {
        let cells = self.cells_of(row);
        self.list(cells.into_iter());
    }

    fn cells_of(&self, row: usize) -> Vec<usize> {
        match self.nodes[row].kind {
            Kind::TableRow => self.nodes[row].children.clone(),
            _ => vec![row],
        }
    }

    fn vector(&mut self, template: &str, entries: impl Iterator<Item = usize>) {
        let (before, after) = template.split_once("{0}").unwrap_or((template, ""));
        self.word(before);
        self.list(entries);
        self.word(after);
    }

    /// Speaks cells separated by commas, without empty ones.
    fn list(&mut self, cells: impl Iterator<Item = usize>) {
        let mut first = true;
        for cell in cells {
            if self.flatten(&[cell]).is_empty() {
                continue;
            }
            if !std::mem::take(&mut first) {
                self.word(",");
            }
            self.speak(cell);
        }
    }

    fn cases(&mut self, rows: &[Vec<usize>]) {
        let words = self.words;
        let (before, after) = words.cases.split_once("{1}").unwrap_or((words.cases, ""));
        let count = rows.len().to_string();
        self.fill(before, &[Part::Text(&count)]);
        for (at, row) in rows.iter().enumerate() {
            if at > 0 {
                self.word(";");
            }
            let (before, after) = words.case.split_once("{1}").unwrap_or((words.case, ""));
            let number = (at + 1).to_string();
            self.fill(before, &[Part::Text(&number)]);
            self.list(row.iter().copied());
            self.word(after);
        }
        self.word(after);
    }

    /// Aligned equations, whose columns only line up their signs.
    fn lines(&mut self, rows: &[Vec<usize>]) {
        for (at, row) in rows.iter().enumerate() {
            if at > 0 {
                self.word(";");
            }
            for &cell in row {
                self.speak(cell);
            }
        }
    }

    /// Whether cells continue the cell before them, for example with a relation sign.
    fn is_aligned(&self, rows: &[Vec<usize>]) -> bool {
        let mut later = rows.iter().flat_map(|row| row.iter().skip(1));
        later.any(|&cell| {
            let first = self.flatten(&[cell]).first().copied();
            first.is_some_and(|node| {
                let text = self.text(node);
                self.nodes[node].kind == Kind::Operator
                    && !super::brackets::opens(text)
                    && !matches!(text, "-" | "−" | "+" | "±" | "∂" | "∇")
                    && find(self.words.large, text).is_none()
            })
        })
    }
}
