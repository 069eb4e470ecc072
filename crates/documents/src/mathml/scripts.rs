//! Speaks scripts: powers, indices, bounds of sums and integrals, accents.

use super::{
    node::Kind,
    speech::{Part, Speaker, find},
};

impl Speaker<'_> {
    pub(super) fn scripts(&mut self, node: usize) {
        let children = self.nodes[node].children.clone();
        let Some(&base) = children.first() else { return };
        let part = |at: usize| children.get(at).copied().filter(|&part| !self.flatten(&[part]).is_empty());
        let (under, over) = match self.nodes[node].kind {
            Kind::Multiscripts => return self.multiscripts(&children),
            Kind::Sub | Kind::Under => (part(1), None),
            Kind::Sup | Kind::Over => (None, part(1)),
            _ => (part(1), part(2)),
        };
        if self.bounds(base, under, over) {
            return;
        }
        match self.nodes[node].kind {
            Kind::Sub | Kind::Sup | Kind::SubSup => {
                self.speak(base);
                self.sub_and_superscript(base, under, over);
            }
            _ => self.above_and_below(base, under, over),
        }
    }

    /// Speaks only the scripts attached to a closing bracket.
    pub(super) fn scripts_of(&mut self, node: usize) {
        let children = self.nodes[node].children.clone();
        let Some(&base) = children.first() else { return };
        self.scripts_of(self.token(base).unwrap_or(base));
        match self.nodes[node].kind {
            Kind::Sub => self.sub_and_superscript(base, children.get(1).copied(), None),
            Kind::Sup => self.sub_and_superscript(base, None, children.get(1).copied()),
            Kind::SubSup => {
                self.sub_and_superscript(base, children.get(1).copied(), children.get(2).copied());
            }
            _ => {}
        }
    }

    /// Speaks an operator with bounds (a sum, an integral, a limit, a maximum); `false` for
    /// anything else.
    fn bounds(&mut self, base: usize, under: Option<usize>, over: Option<usize>) -> bool {
        let words = self.words;
        let Some(token) = self.token(base) else { return false };
        let text = self.text(token).to_owned();
        let operator = self.nodes[token].kind == Kind::Operator;
        if let Some(name) = find(words.large, &text).filter(|_| operator) {
            let name = Part::Text(name);
            match (under, over) {
                (Some(under), Some(over)) => {
                    self.fill(words.from_to, &[name, Part::Node(under), Part::Node(over)]);
                }
                (Some(under), None) => self.fill(words.over_all, &[name, Part::Node(under)]),
                (None, Some(over)) => self.fill(words.up_to, &[name, Part::Node(over)]),
                (None, None) => self.fill(words.unbounded, &[name]),
            }
            return true;
        }
        let (Some(under), None) = (under, over) else { return false };
        if let Some(name) = find(words.optima, &text) {
            if text.starts_with("lim") {
                self.limit(name, under);
            } else {
                self.fill(words.optimum, &[Part::Text(name), Part::Node(under)]);
            }
            return true;
        }
        if matches!(text.as_str(), "log" | "lg") {
            self.fill(words.log_base, &[Part::Node(under)]);
            return true;
        }
        false
    }

    fn sub_and_superscript(&mut self, base: usize, sub: Option<usize>, sup: Option<usize>) {
        let words = self.words;
        if let Some(sub) = sub {
            let row = self.flatten(&[sub]);
            let short = row.len() <= 3 && row.iter().all(|&node| self.is_leaf(node));
            let template = if short { words.subscript } else { words.long_subscript };
            self.fill(template, &[Part::Row(&row)]);
        }
        if let Some(sup) = sup {
            self.power(base, sup);
        }
    }

    fn power(&mut self, base: usize, sup: usize) {
        let words = self.words;
        let row = self.flatten(&[sup]);
        let text: String = row.iter().map(|&node| self.text(node)).collect();
        let tokens = row.iter().all(|&node| self.nodes[node].kind.is_token());
        if tokens && let Some(name) = find(words.raised, &text) {
            return self.word(name);
        }
        match text.as_str() {
            "2" if tokens => self.word(words.squared),
            "3" if tokens => self.word(words.cubed),
            "-1" | "−1" if tokens && self.is_function(base) => self.word(words.inverse),
            // Ordinals: "the 5th".
            "st" | "nd" | "rd" | "th" if tokens && self.token(base).is_some() => self.join(&text),
            _ if row.len() == 1 && self.nodes[row[0]].kind == Kind::Operator && text != "∞" => {
                self.fill(words.superscript, &[Part::Row(&row)]);
            }
            _ => {
                let template = if self.is_short(&row) { words.power } else { words.long_power };
                self.fill(template, &[Part::Row(&row)]);
            }
        }
    }

    fn above_and_below(&mut self, base: usize, under: Option<usize>, over: Option<usize>) {
        let words = self.words;
        match (under, over) {
            (Some(under), Some(over)) => {
                self.fill(words.below_and_above, &[Part::Node(base), Part::Node(under), Part::Node(over)]);
            }
            (Some(mark), None) | (None, Some(mark)) => {
                let accent = self.token(mark).and_then(|token| find(words.accents, self.text(token)));
                let Some(accent) = accent else {
                    let template = if under.is_some() { words.below } else { words.above };
                    return self.fill(template, &[Part::Node(base), Part::Node(mark)]);
                };
                if accent == "brace" {
                    // The brace only connects a label with what it names.
                    self.speak(base);
                } else if self.token(base).is_some() {
                    self.speak(base);
                    self.word(accent);
                } else {
                    self.fill(words.long_accent, &[Part::Text(accent), Part::Node(base)]);
                }
            }
            (None, None) => self.speak(base),
        }
    }

    /// Scripts on both sides of a base, as in isotopes.
    fn multiscripts(&mut self, children: &[usize]) {
        let words = self.words;
        let Some((&base, scripts)) = children.split_first() else { return };
        let mut halves = scripts.split(|&node| self.nodes[node].kind == Kind::Prescripts);
        let after = halves.next().unwrap_or_default();
        for pair in halves.next().unwrap_or_default().chunks(2) {
            for (at, template) in [(1, words.presuperscript), (0, words.presubscript)] {
                let row = self.flatten(pair.get(at..=at).unwrap_or_default());
                if !row.is_empty() {
                    self.fill(template, &[Part::Row(&row)]);
                }
            }
        }
        self.speak(base);
        for pair in after.chunks(2) {
            let part = |at: usize| pair.get(at).copied().filter(|&part| !self.flatten(&[part]).is_empty());
            self.sub_and_superscript(base, part(0), part(1));
        }
    }
}
