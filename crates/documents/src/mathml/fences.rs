//! Speaks brackets, depending on their content.

use super::{
    brackets::{closes, is_bar, pair},
    node::Kind,
    speech::{MAX_BRACKETS, Part, Speaker},
};

impl Speaker<'_> {
    /// For each element of a row that opens a bracket, the index where the bracket closes. The
    /// closing symbol may differ from the opening one, as in half-open intervals. A bar opens where
    /// an operand is expected.
    pub(super) fn closing(&self, row: &[usize]) -> Vec<Option<usize>> {
        let mut closing = vec![None; row.len()];
        if self.brackets >= MAX_BRACKETS {
            return closing;
        }
        let mut open: Vec<usize> = Vec::new();
        // How many of the open brackets are not bars.
        let mut brackets = 0;
        // After an operand, a bar closes.
        let mut operand = false;
        for (at, &node) in row.iter().enumerate() {
            // An exponent may be attached only to the closing bracket.
            let text = self.text(self.base(node));
            let last = open.last().map(|&at| self.text(row[at]));
            let operator = self.nodes[self.base(node)].kind == Kind::Operator;
            if !operator {
                operand = true;
            } else if pair(text).is_some() && self.base(node) == node {
                open.push(at);
                brackets += 1;
                operand = false;
            } else if closes(text) && brackets > 0 {
                // A bar that is still open inside the bracket was not one.
                while let Some(start) = open.pop() {
                    if !is_bar(self.text(row[start])) {
                        closing[start] = Some(at);
                        brackets -= 1;
                        break;
                    }
                }
                operand = true;
            } else if is_bar(text) && operand && last == Some(text) {
                closing[open.pop().unwrap_or_default()] = Some(at);
                operand = true;
            } else if is_bar(text) && !operand && self.base(node) == node {
                open.push(at);
            } else {
                operand = text == "!" || text == "′";
            }
        }
        closing
    }

    /// Speaks the bracket that opens at an index of a row, if one does, and returns the next index.
    pub(super) fn bracketed(&mut self, row: &[usize], at: usize, closing: &[Option<usize>]) -> Option<usize> {
        let open = self.text(row[at]).to_owned();
        let Some(end) = closing[at] else {
            // An unclosed brace before a table lists cases.
            let table = row.get(at + 1).filter(|_| open == "{").copied();
            let table =
                table.filter(|&table| self.nodes[table].kind == Kind::Table && at + 2 == row.len())?;
            self.table(table, "{");
            return Some(at + 2);
        };
        let close = self.text(self.base(row[end])).to_owned();
        self.enclose(&row[at + 1..end], &open, &close);
        self.scripts_of(row[end]);
        Some(end + 1)
    }

    /// Speaks the content of two brackets, and the brackets where they matter.
    fn enclose(&mut self, inside: &[usize], open: &str, close: &str) {
        let words = self.words;
        let part = Part::Row(inside);
        self.brackets += 1;
        match inside {
            [only] if self.nodes[*only].kind == Kind::Table => {
                let fence = if is_bar(open) {
                    "|"
                } else if open == "{" && close != "}" {
                    "{"
                } else {
                    "("
                };
                self.table(*only, fence);
            }
            // A binomial implies its brackets.
            [only] if open == "(" && self.nodes[*only].kind == (Kind::Fraction { bar: false }) => {
                self.row(inside);
            }
            _ => {
                let template = match (open, close) {
                    ("|" | "∣" | "❘", _) => words.absolute,
                    ("‖" | "∥" | "||", _) => words.norm,
                    ("⌊", _) => words.floor,
                    ("⌈", _) => words.ceiling,
                    ("⟨" | "〈" | "❬", _) => words.angle_brackets,
                    ("(", ")") | ("⦅", _) => words.parentheses,
                    ("[", "]") => words.brackets,
                    ("{", "}") => {
                        self.set(inside);
                        self.brackets -= 1;
                        return;
                    }
                    _ => {
                        self.operator(open);
                        self.row(inside);
                        self.operator(close);
                        self.brackets -= 1;
                        return;
                    }
                };
                self.fill(template, &[part]);
            }
        }
        self.brackets -= 1;
    }

    /// "the set x such that x is greater than 0 end set"
    fn set(&mut self, inside: &[usize]) {
        let words = self.words;
        let (before, after) = words.set.split_once("{0}").unwrap_or((words.set, ""));
        self.word(before);
        let bar = inside.iter().position(|&node| matches!(self.text(node), "|" | "∣" | ":"));
        match bar.filter(|&at| at > 0 && at + 1 < inside.len()) {
            Some(at) => {
                self.row(&inside[..at]);
                self.word(words.such_that);
                self.row(&inside[at + 1..]);
            }
            None => self.row(inside),
        }
        self.word(after);
    }

    /// `mfenced`, whose brackets and separators are attributes.
    pub(super) fn fenced(&mut self, children: &[usize], open: &str, close: &str, separators: &str) {
        if self.brackets >= MAX_BRACKETS {
            return self.row(&self.flatten(children));
        }
        let inside = self.flatten(children);
        if let [only] = inside.as_slice()
            && (self.nodes[*only].kind == Kind::Table || children.len() == 1)
        {
            return self.enclose(&inside, open.trim(), close.trim());
        }
        if children.len() == 1 {
            return self.enclose(&inside, open.trim(), close.trim());
        }
        let words = self.words;
        self.brackets += 1;
        let template = match open.trim() {
            "[" => words.brackets,
            "{" => words.set,
            "⟨" | "〈" => words.angle_brackets,
            "|" => words.absolute,
            "" => "{0}",
            _ => words.parentheses,
        };
        let (before, after) = template.split_once("{0}").unwrap_or((template, ""));
        self.word(before);
        self.speak_separated(children, separators);
        self.word(after);
        self.brackets -= 1;
    }

    /// Speaks parts with separators between them; the last separator repeats.
    pub(super) fn speak_separated(&mut self, parts: &[usize], separators: &str) {
        let separators: Vec<char> = separators.chars().filter(|c| !c.is_whitespace()).collect();
        for (at, &part) in parts.iter().enumerate() {
            if let Some(separator) = at.checked_sub(1).and_then(|at| separators.get(at).or(separators.last()))
            {
                self.operator(separator.encode_utf8(&mut [0; 4]));
            }
            self.speak(part);
        }
    }

    pub(super) fn separators(&self, node: usize) -> String {
        match &self.nodes[node].kind {
            Kind::Fenced { separators, .. } => separators.clone(),
            _ => String::new(),
        }
    }
}
