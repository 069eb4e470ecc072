//! Formulas in `MathML` as a sentence that can be read aloud, after the rules that screen readers go by (`MathSpeak`,
//! `ClearSpeak`): fractions, roots and scripts are named, and what would be ambiguous is closed by "end fraction" and
//! the like.
//!
//! [`Formula`] gathers a formula element by element; `speech` says it by the rules, `scripts`, `fences` and `tables`
//! hold those of one construct each, and `words` holds all words, so that another language is another table. Depth and
//! size of the tree are bounded: what is deeper joins the deepest level, and what is more is said as plain symbols.

mod alternative;
mod fences;
mod node;
mod scripts;
mod speech;
mod tables;
mod words;

pub(crate) use alternative::worth_saying;
use node::{Kind, Node};

/// Levels of a formula that are told apart; the rules walk them by recursion.
const DEPTH: usize = 64;

/// Elements of a formula that are told apart.
const NODES: usize = 50_000;

/// A token of symbols has no more text than this, bytes: each character is looked up. What is beyond the bound on nodes
/// has no more than that.
const TOKEN_BYTES: usize = 4_000;
const REST_BYTES: usize = 1 << 20;

/// A formula while it is read.
#[derive(Debug)]
pub(crate) struct Formula {
    nodes: Vec<Node>,
    /// The nodes that are open, from the root.
    path: Vec<usize>,
    open: Vec<Open>,
    /// The symbols of elements beyond the bound on nodes.
    rest: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    /// A node of its own.
    Node,
    /// Its children are those of the element around it: it is too deep, or has no meaning of its own.
    Transparent,
    /// Its text is that of the token around it.
    InToken,
    /// Nothing in it is said.
    Hidden,
    /// Beyond the bound on nodes.
    Rest,
}

impl Formula {
    /// An empty formula, its outermost element open.
    pub(crate) fn new() -> Self {
        Self { nodes: vec![Node::new(Kind::Row)], path: vec![0], open: Vec::new(), rest: String::new() }
    }

    /// An element of this name opens inside the formula.
    pub(crate) fn open<'a>(&mut self, name: &str, attribute: impl Fn(&str) -> Option<&'a str>) {
        let name = name.rsplit_once(':').map_or(name, |(_, local)| local);
        let entry = self.entry(Kind::of(name, attribute));
        self.open.push(entry);
    }

    fn entry(&mut self, kind: Option<Kind>) -> Open {
        let around = self.path.last().map(|&node| &self.nodes[node].kind);
        if around.is_some_and(Kind::is_token) && self.open.last() != Some(&Open::Transparent) {
            return Open::InToken;
        }
        if self.open.last() == Some(&Open::Hidden) || matches!(kind, Some(Kind::Hidden)) {
            return Open::Hidden;
        }
        let Some(kind) = kind else { return Open::Transparent };
        if self.path.len() >= DEPTH && !kind.is_token() {
            return Open::Transparent;
        }
        // The deepest level takes whatever is below it, one after the other.
        let kind = if self.path.len() + 1 == DEPTH && !kind.is_token() { Kind::Row } else { kind };
        if self.nodes.len() >= NODES {
            return Open::Rest;
        }
        let node = self.nodes.len();
        self.nodes.push(Node::new(kind));
        if let Some(&around) = self.path.last() {
            self.nodes[around].children.push(node);
        }
        self.path.push(node);
        Open::Node
    }

    /// The element that opened last and has not closed closes. Whether there was one.
    pub(crate) fn close(&mut self) -> bool {
        match self.open.pop() {
            Some(Open::Node) => {
                self.path.pop();
            }
            Some(Open::Rest) => push(&mut self.rest, " ", REST_BYTES),
            Some(_) => {}
            None => return false,
        }
        true
    }

    /// Text inside the formula; only that of tokens is said.
    pub(crate) fn text(&mut self, text: &str) {
        match self.open.last() {
            Some(Open::Hidden) => {}
            Some(Open::Rest) => push(&mut self.rest, text, REST_BYTES),
            _ => {
                if let Some(token) = self.path.last().map(|&node| &mut self.nodes[node])
                    && token.kind.is_token()
                {
                    let most = if token.kind == Kind::Text { usize::MAX } else { TOKEN_BYTES };
                    push(&mut token.text, text, most);
                }
            }
        }
    }

    /// The formula in words; empty when there is nothing in it.
    pub(crate) fn spoken(mut self) -> String {
        for node in &mut self.nodes {
            node.tidy();
        }
        let mut said = speech::spoken(&self.nodes, &words::ENGLISH);
        if !self.rest.trim().is_empty() {
            said.push(' ');
            said.push_str(self.rest.trim());
        }
        said
    }
}

/// Adds as much of a text as there is room for.
fn push(held: &mut String, text: &str, most: usize) {
    held.push_str(&text[..text.floor_char_boundary(most.saturating_sub(held.len()))]);
}

#[cfg(test)]
mod tests;
