//! A page as a stream of elements that open and close, and of text. Closes what authors leave open, as far as a reader
//! of text needs it; the height of what is open is bounded, and no step costs more than a fixed number of looks.

use std::{cell::RefCell, collections::HashMap};

use html5ever::{
    LocalName,
    buffer_queue::BufferQueue,
    tendril::StrTendril,
    tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts},
};

use super::{
    Syntax,
    elements::{self, Meaning},
};

/// Elements nested deeper than this are read, but not told apart.
const HEIGHT: usize = 10_000;

/// How far an end tag, or a tag that implies one, looks past inline elements left open.
const LOOKS: usize = 64;

/// So many bytes are read between two looks at whether anybody still listens.
const PORTION: usize = 64 << 10;

/// One who listens to a page.
pub(super) trait Listener {
    /// An element opens; it closes with [`Listener::close`], in the order of a stack, unless it is void.
    fn open(&mut self, element: &Element<'_>);
    /// The element that opened last and has not closed closes.
    fn close(&mut self, meaning: Meaning);
    /// Text.
    fn text(&mut self, text: &str);
    /// Whether nothing that follows matters any more.
    fn has_enough(&self) -> bool {
        false
    }
}

/// An element that opens.
pub(super) struct Element<'a> {
    pub meaning: Meaning,
    /// How many elements opened before it: the same in each reading of the page.
    pub ordinal: u32,
    /// Whether nothing can be in it: no close follows.
    pub void: bool,
    pub tag: &'a Tag,
}

impl Element<'_> {
    /// The value of an attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.tag
            .attrs
            .iter()
            .find(|attribute| &*attribute.name.local == name)
            .map(|attribute| &*attribute.value)
    }
}

/// Reads a page to a listener.
pub(super) fn read<L: Listener>(source: &str, syntax: Syntax, listener: L) -> L {
    let state = State { listener, open: Vec::new(), counts: HashMap::new(), beyond: 0, ordinal: 0 };
    let tokenizer = Tokenizer::new(Sink { state: RefCell::new(state), syntax }, TokenizerOpts::default());
    let queue = BufferQueue::default();
    let mut rest = source;
    while !rest.is_empty() && !tokenizer.sink.state.borrow().listener.has_enough() {
        let (portion, behind) = rest.split_at(rest.floor_char_boundary(PORTION));
        rest = behind;
        queue.push_back(StrTendril::from_slice(portion));
        let _ = tokenizer.feed(&queue);
    }
    tokenizer.end();
    let mut state = tokenizer.sink.state.into_inner();
    while let Some(open) = state.open.pop() {
        state.listener.close(open.meaning);
    }
    state.listener
}

struct Sink<L> {
    state: RefCell<State<L>>,
    syntax: Syntax,
}

struct State<L> {
    listener: L,
    open: Vec<Open>,
    /// How many of each name are open, so that a stray end tag costs no search.
    counts: HashMap<LocalName, u32>,
    /// Elements open above the greatest height.
    beyond: usize,
    ordinal: u32,
}

struct Open {
    name: LocalName,
    meaning: Meaning,
}

impl<L: Listener> TokenSink for Sink<L> {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut state = self.state.borrow_mut();
        match token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => return state.start(&tag, self.syntax),
            Token::TagToken(tag) => state.end(&tag.name),
            Token::CharacterTokens(text) => state.listener.text(&text),
            _ => {}
        }
        TokenSinkResult::Continue
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.syntax == Syntax::Xhtml
    }
}

impl<L: Listener> State<L> {
    fn start(&mut self, tag: &Tag, syntax: Syntax) -> TokenSinkResult<()> {
        let meaning = elements::meaning(&tag.name);
        let foreign = |name: &LocalName| self.counts.get(name).is_some_and(|&open| open > 0);
        let void = elements::is_void(&tag.name)
            || elements::is_closed(tag, syntax)
            // Inside a formula, a tag that closes itself does so in HTML, too.
            || (tag.self_closing && foreign(&LocalName::from("math")));
        self.close_implied(meaning);
        let element = Element { meaning, ordinal: self.ordinal, void, tag };
        self.ordinal = self.ordinal.saturating_add(1);
        if void {
            self.listener.open(&element);
            return TokenSinkResult::Continue;
        }
        if self.open.len() < HEIGHT {
            self.listener.open(&element);
            self.open.push(Open { name: tag.name.clone(), meaning });
            *self.counts.entry(tag.name.clone()).or_default() += 1;
        } else {
            self.beyond += 1;
        }
        elements::content(tag, syntax)
    }

    fn end(&mut self, name: &LocalName) {
        if self.beyond > 0 {
            self.beyond -= 1;
            return;
        }
        if self.counts.get(name).copied().unwrap_or(0) == 0 {
            // A paragraph that ends without having begun is an empty one; a break that does is one.
            if matches!(&**name, "p" | "br") {
                self.listener.text("\n");
            }
            return;
        }
        if elements::meaning(name).is_block() {
            while self.close_last().is_some_and(|closed| closed != *name) {}
        } else if let Some(at) = self.look(|open| open.name == *name, |open| open.meaning.is_block()) {
            // An inline element closes no block that was opened inside it.
            while self.open.len() > at {
                self.close_last();
            }
        }
    }

    /// Closes what a new element ends: a paragraph by any block, an item by an item, a cell by a cell.
    fn close_implied(&mut self, meaning: Meaning) {
        if !meaning.is_block() || self.beyond > 0 {
            return;
        }
        let inside = |open: &Open| open.meaning.is_block();
        let at = match meaning {
            Meaning::Item => self.look(
                |open| open.meaning == Meaning::Item,
                |open| matches!(open.meaning, Meaning::List | Meaning::Table),
            ),
            Meaning::Row => {
                self.look(|open| open.meaning == Meaning::Row, |open| matches!(open.meaning, Meaning::Table))
            }
            Meaning::Cell => self.look(
                |open| open.meaning == Meaning::Cell,
                |open| matches!(open.meaning, Meaning::Row | Meaning::Table),
            ),
            _ => self.look(|open| open.meaning == Meaning::Paragraph, inside),
        };
        if let Some(at) = at {
            while self.open.len() > at {
                self.close_last();
            }
        }
    }

    /// The place of the last open element that is `wanted`, above all that are a `wall`.
    fn look(&self, wanted: impl Fn(&Open) -> bool, wall: impl Fn(&Open) -> bool) -> Option<usize> {
        for (at, open) in self.open.iter().enumerate().rev().take(LOOKS) {
            if wanted(open) {
                return Some(at);
            }
            if wall(open) {
                return None;
            }
        }
        None
    }

    fn close_last(&mut self) -> Option<LocalName> {
        let Open { name, meaning } = self.open.pop()?;
        if let Some(count) = self.counts.get_mut(&name) {
            *count -= 1;
        }
        self.listener.close(meaning);
        Some(name)
    }
}
