//! Turns a page into events for elements and text. It closes elements that authors left open, as
//! far as a reader of text needs. The stack of open elements is bounded, and each step looks at a
//! fixed number of them.

use std::{cell::RefCell, collections::HashMap};

use html5ever::{
    LocalName,
    buffer_queue::BufferQueue,
    tendril::StrTendril,
    tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts},
};

use super::{
    elements::{self, Element, ElementKind},
    syntax::Syntax,
};

/// Elements nested deeper than this are read as part of their parent.
const MAX_OPEN: usize = 10_000;

/// How far an end tag, explicit or implied, searches past inline elements that were left open.
const MAX_SEARCH: usize = 64;

/// How many bytes are read between two checks of whether the handler is done.
const FEED_BYTES: usize = 64 << 10;

/// Receives parse events, as in SAX.
pub(super) trait Handler {
    /// Each element that is not void is later closed by [`Handler::close`], in stack order.
    fn open(&mut self, element: &Element<'_>);
    /// Closes the last open element.
    fn close(&mut self, kind: ElementKind);
    fn text(&mut self, text: &str);
    /// Whether the rest of the page can be skipped.
    fn is_done(&self) -> bool {
        false
    }
}

/// Passes the events of a page to a handler.
pub(super) fn read<L: Handler>(source: &str, syntax: Syntax, handler: L) -> L {
    let state = State { handler, open: Vec::new(), counts: HashMap::new(), untracked: 0, ordinal: 0 };
    let tokenizer = Tokenizer::new(Sink { state: RefCell::new(state), syntax }, TokenizerOpts::default());
    let queue = BufferQueue::default();
    let mut rest = source;
    while !rest.is_empty() && !tokenizer.sink.state.borrow().handler.is_done() {
        let (portion, after) = rest.split_at(rest.floor_char_boundary(FEED_BYTES));
        rest = after;
        queue.push_back(StrTendril::from_slice(portion));
        let _ = tokenizer.feed(&queue);
    }
    tokenizer.end();
    let mut state = tokenizer.sink.state.into_inner();
    while let Some(open) = state.open.pop() {
        state.handler.close(open.kind);
    }
    state.handler
}

struct Sink<L> {
    state: RefCell<State<L>>,
    syntax: Syntax,
}

struct State<L> {
    handler: L,
    open: Vec<Open>,
    /// Open elements by name, so that a stray end tag needs no search.
    counts: HashMap<LocalName, u32>,
    /// Open elements beyond [`MAX_OPEN`].
    untracked: usize,
    ordinal: u32,
}

struct Open {
    name: LocalName,
    kind: ElementKind,
}

impl<L: Handler> TokenSink for Sink<L> {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut state = self.state.borrow_mut();
        match token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => return state.start(&tag, self.syntax),
            Token::TagToken(tag) => state.end(&tag.name),
            Token::CharacterTokens(text) => state.handler.text(&text),
            _ => {}
        }
        TokenSinkResult::Continue
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.syntax == Syntax::Xhtml
    }
}

impl<L: Handler> State<L> {
    fn start(&mut self, tag: &Tag, syntax: Syntax) -> TokenSinkResult<()> {
        let kind = elements::kind(&tag.name);
        let foreign = |name: &LocalName| self.counts.get(name).is_some_and(|&open| open > 0);
        let void = elements::is_void(&tag.name)
            || elements::is_closed(tag, syntax)
            // In a formula, a self-closing tag closes in HTML, too.
            || (tag.self_closing && foreign(&LocalName::from("math")));
        self.close_implied(kind);
        let element = Element { kind, ordinal: self.ordinal, void, tag };
        self.ordinal = self.ordinal.saturating_add(1);
        if void {
            self.handler.open(&element);
            return TokenSinkResult::Continue;
        }
        if self.open.len() < MAX_OPEN {
            self.handler.open(&element);
            self.open.push(Open { name: tag.name.clone(), kind });
            *self.counts.entry(tag.name.clone()).or_default() += 1;
        } else {
            self.untracked += 1;
        }
        elements::content_model(tag, syntax)
    }

    fn end(&mut self, name: &LocalName) {
        if self.untracked > 0 {
            self.untracked -= 1;
            return;
        }
        if self.counts.get(name).copied().unwrap_or(0) == 0 {
            // `</p>` without a start tag is an empty paragraph; `</br>` is a line break.
            if matches!(&**name, "p" | "br") {
                self.handler.text("\n");
            }
            return;
        }
        if elements::kind(name).is_block() {
            while self.close_last().is_some_and(|closed| closed != *name) {}
        } else if let Some(at) = self.find_open(|open| open.name == *name, |open| open.kind.is_block()) {
            // An inline element does not close a block opened inside it.
            while self.open.len() > at {
                self.close_last();
            }
        }
    }

    /// Closes elements that a new one ends: any block ends a paragraph, an item an item, a cell a
    /// cell.
    fn close_implied(&mut self, kind: ElementKind) {
        if !kind.is_block() || self.untracked > 0 {
            return;
        }
        let inside = |open: &Open| open.kind.is_block();
        let at = match kind {
            ElementKind::Item => self.find_open(
                |open| open.kind == ElementKind::Item,
                |open| matches!(open.kind, ElementKind::List | ElementKind::Table),
            ),
            ElementKind::Row => self.find_open(
                |open| open.kind == ElementKind::Row,
                |open| matches!(open.kind, ElementKind::Table),
            ),
            ElementKind::Cell => self.find_open(
                |open| open.kind == ElementKind::Cell,
                |open| matches!(open.kind, ElementKind::Row | ElementKind::Table),
            ),
            _ => self.find_open(|open| open.kind == ElementKind::Paragraph, inside),
        };
        if let Some(at) = at {
            while self.open.len() > at {
                self.close_last();
            }
        }
    }

    /// The index of the last open element that `matches`, if no `barrier` comes after it.
    fn find_open(&self, matches: impl Fn(&Open) -> bool, barrier: impl Fn(&Open) -> bool) -> Option<usize> {
        for (at, open) in self.open.iter().enumerate().rev().take(MAX_SEARCH) {
            if matches(open) {
                return Some(at);
            }
            if barrier(open) {
                return None;
            }
        }
        None
    }

    fn close_last(&mut self) -> Option<LocalName> {
        let Open { name, kind } = self.open.pop()?;
        if let Some(count) = self.counts.get_mut(&name) {
            *count -= 1;
        }
        self.handler.close(kind);
        Some(name)
    }
}
