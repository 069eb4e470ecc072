//! Speaks a formula: elements in sequence, functions with their arguments, fractions and roots.
//! Recursion is bounded: the tree has at most [`MAX_DEPTH`] levels, and brackets inside a row are
//! followed to [`MAX_BRACKETS`].

use super::{
    node::{Kind, MAX_DEPTH, Node},
    words::Words,
};

/// The largest depth of nested brackets in a row; deeper brackets are spoken as symbols.
pub(super) const MAX_BRACKETS: usize = 32;

/// The largest size of a spoken formula; the rest is dropped.
const MAX_SPOKEN_BYTES: usize = 1 << 20;

/// A formula in words; the first node is its root.
pub(super) fn spoken(nodes: &[Node], words: &'static Words) -> String {
    let mut speaker = Speaker { nodes, words, output: String::new(), brackets: 0, bound: false };
    speaker.speak(0);
    speaker.output
}

pub(super) struct Speaker<'a> {
    pub(super) nodes: &'a [Node],
    pub(super) words: &'static Words,
    output: String,
    /// The number of enclosing brackets.
    pub(super) brackets: usize,
    /// Whether the bound of a limit is being spoken.
    bound: bool,
}

/// A value for a placeholder in a template.
#[derive(Clone, Copy)]
pub(super) enum Part<'p> {
    Node(usize),
    /// Elements of a flattened row.
    Row(&'p [usize]),
    Text(&'p str),
}

impl Speaker<'_> {
    pub(super) fn speak(&mut self, node: usize) {
        self.row(&self.flatten(&[node]));
    }

    /// Adds words; punctuation is attached to the word before.
    pub(super) fn word(&mut self, word: &str) {
        let word = word.trim();
        if word.is_empty() || self.is_full() {
            return;
        }
        if !self.output.is_empty() && !word.starts_with([',', ';', ':', '.', '?']) {
            self.output.push(' ');
        }
        self.output.push_str(word);
    }

    fn is_full(&self) -> bool {
        self.output.len() > MAX_SPOKEN_BYTES
    }

    pub(super) fn join(&mut self, letters: &str) {
        if !self.is_full() {
            self.output.push_str(letters);
        }
    }

    /// Speaks a template with its placeholders filled.
    pub(super) fn fill(&mut self, template: &str, parts: &[Part<'_>]) {
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            self.word(before);
            let (place, following) = after.split_once('}').unwrap_or((after, ""));
            match place.parse().ok().and_then(|place: usize| parts.get(place)) {
                Some(Part::Node(node)) => self.speak(*node),
                Some(Part::Row(row)) => self.row(row),
                Some(Part::Text(text)) => self.word(text),
                None => {}
            }
            rest = following;
        }
        self.word(rest);
    }

    /// The elements of a row, with nested rows expanded and silent elements dropped.
    pub(super) fn flatten(&self, nodes: &[usize]) -> Vec<usize> {
        let mut flatten = Vec::new();
        let mut stack: Vec<usize> = nodes.iter().rev().copied().collect();
        while let Some(node) = stack.pop() {
            let Node { kind, children, text } = &self.nodes[node];
            match kind {
                Kind::Row | Kind::Cell => stack.extend(children.iter().rev()),
                Kind::First => stack.extend(children.first()),
                Kind::Hidden | Kind::Nothing | Kind::Prescripts => {}
                Kind::Operator | Kind::Identifier | Kind::Number | Kind::Text if is_invisible(text) => {}
                _ => flatten.push(node),
            }
        }
        flatten
    }

    pub(super) fn row(&mut self, row: &[usize]) {
        let closing = self.closing(row);
        let mut at = 0;
        while let Some(&node) = row.get(at) {
            if self.is_full() {
                return;
            }
            if let Some(end) = self.bracketed(row, at, &closing) {
                at = self.applied(row, end, &closing, end > at + 1 && self.is_function(row[end - 1]));
                continue;
            }
            self.part(row, at, node);
            at = self.applied(row, at + 1, &closing, self.is_function(node));
        }
    }

    /// Speaks an element of a row that is not a bracket.
    fn part(&mut self, row: &[usize], at: usize, node: usize) {
        let Node { kind, children, text } = &self.nodes[node];
        match kind {
            Kind::Identifier => self.identifier(text),
            Kind::Number => self.number(row, at, text),
            Kind::Operator => self.operator(text),
            Kind::Text => self.word(text),
            Kind::NewLine | Kind::Line => self.word(","),
            Kind::Fraction { bar } => self.fraction(children, *bar),
            Kind::SquareRoot => self.root(children, None),
            Kind::Root => self.root(children.get(..1).unwrap_or_default(), children.get(1).copied()),
            Kind::Sub
            | Kind::Sup
            | Kind::SubSup
            | Kind::Under
            | Kind::Over
            | Kind::UnderOver
            | Kind::Multiscripts => self.scripts(node),
            Kind::Table => self.table(node, ""),
            Kind::TableRow => self.cells(node),
            Kind::Fenced { open, close, separators } => self.fenced(children, open, close, separators),
            Kind::Enclosed { notation } => self.enclosed(children, notation),
            Kind::Stack => self.stack(children),
            Kind::LongDivision => self.long_division(children),
            Kind::Row | Kind::Cell | Kind::First | Kind::Hidden | Kind::Nothing | Kind::Prescripts => {}
        }
    }

    fn identifier(&mut self, text: &str) {
        let words = self.words;
        let named = find(words.functions, text).or_else(|| find(words.symbols, text));
        match named {
            Some(name) => self.word(name),
            None if find(words.optima, text).is_some() => {
                self.word(find(words.optima, text).unwrap_or_default());
            }
            None => self.symbols(text),
        }
    }

    /// Speaks each symbol of a token by its name, and letters and digits as they are.
    fn symbols(&mut self, text: &str) {
        let mut plain = String::new();
        for c in text.chars() {
            if self.is_full() {
                return;
            }
            match (self.words.symbol)(c) {
                Some(name) => {
                    self.word(&std::mem::take(&mut plain));
                    self.word(name);
                }
                None => plain.push(c),
            }
        }
        self.word(&plain);
    }

    fn number(&mut self, row: &[usize], at: usize, text: &str) {
        match text.strip_prefix(['-', '−', '–']) {
            Some(number) => {
                self.word(self.words.minus);
                self.word(number);
            }
            None if text.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | ',' | ' ')) => {
                self.word(text);
            }
            None => self.symbols(text),
        }
        let whole = text.bytes().all(|byte| byte.is_ascii_digit());
        if whole && row.get(at + 1).is_some_and(|&next| self.common_fraction(next).is_some()) {
            self.word(self.words.mixed);
        }
    }

    pub(super) fn operator(&mut self, text: &str) {
        let words = self.words;
        if self.bound && matches!(text, "→" | "⟶" | "->" | "⟼") {
            self.word(words.approaches);
        } else if let Some(name) = find(words.large, text).filter(|_| !matches!(text, "Σ" | "Π")) {
            self.fill(words.unbounded, &[Part::Text(name)]);
        } else if let Some(name) = find(words.symbols, text).or_else(|| find(words.functions, text)) {
            self.word(name);
        } else if let Some(name) = find(words.optima, text) {
            self.word(name);
        } else {
            match text {
                "\u{2064}" => self.word(words.mixed),
                "" | "\u{2061}" | "\u{2062}" | "\u{2063}" => {}
                _ => self.symbols(text),
            }
        }
    }

    /// Speaks "of" and a function's argument, without brackets if it is short. Returns the next
    /// index.
    fn applied(&mut self, row: &[usize], at: usize, closing: &[Option<usize>], function: bool) -> usize {
        let explicit = row.get(at).is_some_and(|&node| self.text(node) == "\u{2061}");
        let next = at + usize::from(explicit);
        let Some(&argument) = row.get(next) else { return next };
        let bracket = closing.get(next).copied().flatten().filter(|_| self.text(argument) == "(");
        let letter = at.checked_sub(1).is_some_and(|last| self.is_function_letter(row[last]));
        let fenced = match &self.nodes[argument].kind {
            Kind::Fenced { open, .. } => open == "(",
            _ => false,
        };
        let called = bracket.is_some() || fenced;
        if !(function || called && (letter || explicit)) || !self.starts_operand(row, next) {
            return next;
        }
        // "f of the fraction …", but "sine of open parenthesis a plus b close parenthesis".
        if !self.output.ends_with(" of") {
            self.word(self.words.of);
        }
        if let Some(end) = bracket
            && self.text(row[end]) == ")"
        {
            let inside = &row[next + 1..end];
            if self.is_list_of_leaves(inside) {
                self.row(inside);
                return end + 1;
            }
        } else if fenced {
            let inside = self.flatten(&self.nodes[argument].children);
            if inside.len() == self.nodes[argument].children.len()
                && inside.iter().all(|&node| self.is_leaf(node))
            {
                let separators = self.separators(argument);
                self.speak_separated(&inside, &separators);
                return next + 1;
            }
        }
        next
    }

    fn fraction(&mut self, children: &[usize], bar: bool) {
        let words = self.words;
        let [above, below] = children else { return self.row(&self.flatten(children)) };
        let (above, below) = (self.flatten(&[*above]), self.flatten(&[*below]));
        let parts = [Part::Row(&above), Part::Row(&below)];
        if !bar {
            return self.fill(words.choose, &parts);
        }
        if let Some((count, (one, several))) = self.common(&above, &below) {
            let count = count.to_string();
            return match count.as_str() {
                "1" => self.fill(words.one_part, &[Part::Text(one)]),
                _ => self.fill(words.parts, &[Part::Text(&count), Part::Text(several)]),
            };
        }
        let template = match (self.is_short(&above), self.is_short(&below)) {
            (true, true) => words.short_fraction,
            (true, false) => words.fraction_of_short,
            (false, _) => words.fraction,
        };
        self.fill(template, &parts);
    }

    /// A fraction of small numbers with a name: "3 quarters".
    fn common_fraction(&self, node: usize) -> Option<(u32, (&'static str, &'static str))> {
        let Node { kind: Kind::Fraction { bar: true }, children, .. } = &self.nodes[node] else {
            return None;
        };
        let [above, below] = children.as_slice() else { return None };
        self.common(&self.flatten(&[*above]), &self.flatten(&[*below]))
    }

    fn common(&self, above: &[usize], below: &[usize]) -> Option<(u32, (&'static str, &'static str))> {
        let number = |row: &[usize]| -> Option<u32> {
            let [node] = row else { return None };
            self.text(*node).parse().ok()
        };
        let (count, parts) = (number(above)?, number(below)?);
        let name = self.words.denominators.get((parts as usize).checked_sub(2)?)?;
        (1..=20).contains(&count).then_some((count, *name))
    }

    fn root(&mut self, under: &[usize], index: Option<usize>) {
        let words = self.words;
        let under = self.flatten(under);
        let index = index.map(|index| self.flatten(&[index])).unwrap_or_default();
        let under_root = Part::Row(&under);
        let name: String = index.iter().map(|&node| self.text(node)).collect();
        match name.as_str() {
            "" | "2" if index.len() < 2 => {
                let template = if under.len() == 1 && self.is_short(&under) {
                    words.short_square_root
                } else {
                    words.square_root
                };
                self.fill(template, &[under_root]);
            }
            "3" => self.fill(words.cube_root, &[under_root]),
            _ if index.len() == 1 && self.is_leaf(index[0]) => {
                let name = find(words.symbols, &name).map_or(name.clone(), str::to_owned);
                let ordinal = (words.ordinal)(&name);
                self.fill(words.root, &[Part::Text(&ordinal), under_root]);
            }
            _ => self.fill(words.root, &[Part::Row(&index), under_root]),
        }
    }

    fn enclosed(&mut self, children: &[usize], notation: &str) {
        let words = self.words;
        let inside = self.flatten(children);
        let has = |mark: &str| notation.split_whitespace().any(|item| item == mark);
        let template = if has("radical") {
            return self.root(children, None);
        } else if notation.contains("strike") {
            words.crossed_out
        } else if has("circle") {
            words.circled
        } else if has("box") || has("roundedbox") {
            words.boxed
        } else {
            "{0}"
        };
        self.fill(template, &[Part::Row(&inside)]);
    }

    /// Speaks the rows of an addition, for example.
    fn stack(&mut self, children: &[usize]) {
        for &row in children {
            if self.nodes[row].kind != Kind::Line {
                if !self.output.is_empty() {
                    self.word(",");
                }
                self.speak(row);
            }
        }
    }

    fn long_division(&mut self, children: &[usize]) {
        let [divisor, result, dividend, steps @ ..] = children else { return self.stack(children) };
        let parts = [Part::Node(*dividend), Part::Node(*divisor), Part::Node(*result)];
        self.fill(self.words.long_division, &parts);
        self.stack(steps);
    }

    /// Speaks the bound of a limit, where an arrow is "approaches".
    pub(super) fn limit(&mut self, name: &str, bound: usize) {
        let (before, after) = self.words.limit.split_once("{1}").unwrap_or((self.words.limit, ""));
        self.fill(before, &[Part::Text(name)]);
        let outer = std::mem::replace(&mut self.bound, true);
        self.speak(bound);
        self.bound = outer;
        self.word(after);
    }

    /// The text of a token; empty for other nodes.
    pub(super) fn text(&self, node: usize) -> &str {
        &self.nodes[node].text
    }

    /// The token that a node consists of, if there is only one.
    pub(super) fn token(&self, node: usize) -> Option<usize> {
        match self.flatten(&[node]).as_slice() {
            [only] if self.nodes[*only].kind.is_token() => Some(*only),
            _ => None,
        }
    }

    pub(super) fn is_leaf(&self, node: usize) -> bool {
        matches!(self.nodes[node].kind, Kind::Identifier | Kind::Number)
    }

    /// Whether the end of the row is unambiguous: at most two letters or numbers, after at most one
    /// sign.
    pub(super) fn is_short(&self, row: &[usize]) -> bool {
        let unsigned = match row {
            [sign, rest @ ..] if matches!(self.text(*sign), "-" | "−" | "+" | "±" | "∂") => rest,
            row => row,
        };
        let leaves = unsigned.iter().filter(|&&node| self.text(node) != "\u{2062}");
        let short = leaves.clone().count() <= 2;
        short
            && !unsigned.is_empty()
            && leaves.clone().all(|&node| self.is_leaf(node) || matches!(self.text(node), "∞" | "∂"))
    }

    /// Letters and numbers separated by commas.
    fn is_list_of_leaves(&self, row: &[usize]) -> bool {
        row.iter().enumerate().all(|(at, &node)| match at % 2 {
            0 => self.is_leaf(node),
            _ => matches!(self.text(node), "," | "\u{2063}"),
        })
    }

    /// Whether an operand of a function starts there.
    fn starts_operand(&self, row: &[usize], at: usize) -> bool {
        let Some(&node) = row.get(at) else { return false };
        let text = self.text(node);
        self.nodes[node].kind != Kind::Operator
            || matches!(text, "-" | "−" | "±" | "∂" | "∇")
            || super::brackets::opens(text)
            || find(self.words.large, text).is_some()
    }

    /// Whether it is a function name, possibly with a script: "sine squared", "log base 2".
    pub(super) fn is_function(&self, node: usize) -> bool {
        let base = self.base(node);
        let text = self.text(base);
        matches!(self.nodes[base].kind, Kind::Identifier | Kind::Operator | Kind::Text)
            && (find(self.words.functions, text).is_some()
                || (base == node && find(self.words.optima, text).is_some()))
    }

    /// Letters that are functions if brackets follow.
    fn is_function_letter(&self, node: usize) -> bool {
        let base = self.base(node);
        self.nodes[base].kind == Kind::Identifier
            && matches!(
                self.text(base),
                "f" | "g" | "h" | "F" | "G" | "H" | "P" | "φ" | "ϕ" | "ψ" | "Φ" | "Ψ" | "Γ" | "ζ"
            )
    }

    /// The base of a script.
    pub(super) fn base(&self, node: usize) -> usize {
        let mut base = node;
        for _ in 0..MAX_DEPTH {
            let scripted = matches!(self.nodes[base].kind, Kind::Sub | Kind::Sup | Kind::SubSup);
            match self.nodes[base].children.first() {
                Some(&child) if scripted => base = self.token(child).unwrap_or(child),
                _ => break,
            }
        }
        base
    }
}

/// The name of a symbol.
pub(super) fn find(table: &'static [(&'static str, &'static str)], symbol: &str) -> Option<&'static str> {
    table.iter().find(|(known, _)| *known == symbol).map(|(_, name)| *name)
}

/// Whether a token is silent and separates nothing: invisible multiplication or an invisible comma.
fn is_invisible(text: &str) -> bool {
    matches!(text, "" | "\u{2062}" | "\u{2063}" | "\u{2060}" | "\u{A0}")
}
