//! Turns `MathML` formulas into sentences that can be read aloud, following the rules of screen
//! readers (`MathSpeak`, `ClearSpeak`): fractions, roots and scripts are named, and ambiguous
//! constructs are closed by "end fraction" and the like.
//!
//! [`Formula`] collects a formula element by element and `speech` speaks it. `scripts`, `fences`
//! and `tables` contain the rules of one construct each, and `words` contains all words, so that
//! another language is another table. The tree's depth and size are bounded: deeper elements join
//! the deepest level, and further elements are spoken as plain symbols.

mod alternative;
mod brackets;
mod fences;
mod node;
mod scripts;
mod speech;
mod tables;
mod words;

pub(crate) use alternative::worth_saying;
use node::{Kind, MAX_DEPTH, Node};

/// The largest number of nodes; further elements become plain symbols.
const MAX_NODES: usize = 50_000;

/// The largest length of a symbol token, and of all elements beyond [`MAX_NODES`] together. Each of
/// these characters is looked up.
const MAX_TOKEN_BYTES: usize = 4_000;
const REST_BYTES: usize = 1 << 20;

/// A formula being read.
#[derive(Debug)]
pub(crate) struct Formula {
    nodes: Vec<Node>,
    /// The open nodes from the root.
    path: Vec<usize>,
    open: Vec<Open>,
    /// The symbols of elements beyond [`MAX_NODES`].
    rest: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    /// A node of its own.
    Node,
    /// Its children belong to its parent: it is too deep or has no meaning.
    Transparent,
    /// Its text belongs to the enclosing token.
    InToken,
    /// Not spoken.
    Hidden,
    /// Beyond [`MAX_NODES`].
    Overflow,
}

impl Formula {
    /// An empty formula with its outermost element open.
    pub(crate) fn new() -> Self {
        Self { nodes: vec![Node::new(Kind::Row)], path: vec![0], open: Vec::new(), rest: String::new() }
    }

    /// Opens an element of this name inside the formula.
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
        if self.path.len() >= MAX_DEPTH && !kind.is_token() {
            return Open::Transparent;
        }
        // The deepest level contains all deeper elements in a row.
        let kind = if self.path.len() + 1 == MAX_DEPTH && !kind.is_token() { Kind::Row } else { kind };
        if self.nodes.len() >= MAX_NODES {
            return Open::Overflow;
        }
        let node = self.nodes.len();
        self.nodes.push(Node::new(kind));
        if let Some(&around) = self.path.last() {
            self.nodes[around].children.push(node);
        }
        self.path.push(node);
        Open::Node
    }

    /// Closes the last open element.
    pub(crate) fn close(&mut self) -> bool {
        match self.open.pop() {
            Some(Open::Node) => {
                self.path.pop();
            }
            Some(Open::Overflow) => push(&mut self.rest, " ", REST_BYTES),
            Some(_) => {}
            None => return false,
        }
        true
    }

    /// Adds text; only that of tokens is spoken.
    pub(crate) fn text(&mut self, text: &str) {
        match self.open.last() {
            Some(Open::Hidden) => {}
            Some(Open::Overflow) => push(&mut self.rest, text, REST_BYTES),
            _ => {
                if let Some(token) = self.path.last().map(|&node| &mut self.nodes[node])
                    && token.kind.is_token()
                {
                    let max_bytes = if token.kind == Kind::Text { usize::MAX } else { MAX_TOKEN_BYTES };
                    push(&mut token.text, text, max_bytes);
                }
            }
        }
    }

    /// The formula in words; empty if it has no content.
    pub(crate) fn spoken(mut self) -> String {
        for node in &mut self.nodes {
            node.tidy();
        }
        let mut output = speech::spoken(&self.nodes, &words::ENGLISH);
        if !self.rest.trim().is_empty() {
            output.push(' ');
            output.push_str(self.rest.trim());
        }
        output
    }
}

fn push(text_so_far: &mut String, text: &str, max_bytes: usize) {
    text_so_far.push_str(&text[..text.floor_char_boundary(max_bytes.saturating_sub(text_so_far.len()))]);
}

#[cfg(test)]
mod tests;
