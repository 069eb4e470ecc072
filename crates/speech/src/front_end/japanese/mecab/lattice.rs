//! The cheapest row of words that a text can be cut into (Viterbi's algorithm), with words of its
//! own that the caller fixes: numbers, words of another script and marks.
//!
//! The work is bounded by the length of the text: a run of unknown characters makes words of a
//! bounded number of characters.

use super::{Dictionary, lexicon::Entry};

/// The longest run of characters of one kind that is tried as a word.
const LONGEST_RUN: usize = 24;

/// A word that the caller fixes: nothing else is tried within its bytes.
#[derive(Debug, Clone)]
pub(in super::super) struct Fixed {
    /// Its bytes in the text.
    pub(in super::super) start: usize,
    pub(in super::super) end: usize,
    /// A dictionary's word in whose place it stands; `None`: a mark, like the ends of a text.
    pub(in super::super) like: Option<Entry>,
}

/// Where a word comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Source {
    /// The dictionary has it.
    Word(Entry),
    /// A run of characters that the dictionary does not have.
    Unknown(Entry),
    /// The caller fixed it, as one of a list.
    Fixed(usize),
}

/// A word of the cheapest row.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Node {
    /// Its bytes in the text.
    pub(in super::super) start: usize,
    pub(in super::super) end: usize,
    pub(in super::super) source: Source,
}

/// A word that was tried.
struct Tried {
    node: Node,
    right: u16,
    /// The word before it on the cheapest way here, and the cost of that way.
    before: u32,
    cost: i64,
    /// The next one of those that end at the same place.
    next_there: u32,
}

const NOTHING: u32 = u32::MAX;

struct Lattice<'a> {
    dictionary: &'a Dictionary,
    tried: Vec<Tried>,
    /// The first word of the list of those that end at each byte.
    ending: Vec<u32>,
}

impl Dictionary {
    /// The words of a text, in order; together they are all of it, but for its spaces. Fixed words are
    /// in order and do not overlap.
    pub(in super::super) fn analyze(&self, text: &str, fixed: &[Fixed]) -> Vec<Node> {
        let mut lattice =
            Lattice { dictionary: self, tried: Vec::new(), ending: vec![NOTHING; text.len() + 1] };
        let start = Node { start: 0, end: 0, source: Source::Fixed(usize::MAX) };
        lattice.tried.push(Tried { node: start, right: 0, before: NOTHING, cost: 0, next_there: NOTHING });
        lattice.ending[0] = 0;
        let mut coming = fixed.iter().enumerate().peekable();
        let mut at = 0;
        while at < text.len() {
            while coming.next_if(|(_, fixed)| fixed.start < at).is_some() {}
            let length = text[at..].chars().next().map_or(1, char::len_utf8);
            if lattice.ending[at] == NOTHING {
                at += length;
                continue;
            }
            if let Some((index, word)) = coming.next_if(|(_, fixed)| fixed.start == at) {
                let end = word.end.max(at + length).min(text.len());
                let (left, right) = word.like.map_or((0, 0), |like| (like.left, like.right));
                lattice.push(Node { start: at, end, source: Source::Fixed(index) }, left, right, 0);
                // Words that would end within it are none.
                at = end;
                continue;
            }
            let limit = coming.peek().map_or(text.len(), |(_, fixed)| fixed.start);
            if text[at..].starts_with([' ', '\u{3000}']) {
                let there = std::mem::replace(&mut lattice.ending[at], NOTHING);
                lattice.join(there, at + length);
            } else {
                lattice.words_at(text, at, limit);
            }
            at += length;
        }
        lattice.cheapest(text.len())
    }
}

impl Lattice<'_> {
    /// Tries every word that starts at a byte and ends at `limit` at the latest.
    fn words_at(&mut self, text: &str, at: usize, limit: usize) {
        let dictionary = self.dictionary;
        let rest = &text[at..limit];
        let mut any = false;
        dictionary.words.prefixes(rest.as_bytes(), |length, entry| {
            if length > 0 && rest.is_char_boundary(length) {
                any = true;
                self.push_entry(at, at + length, Source::Word(entry), entry);
            }
        });
        let Some(first) = rest.chars().next() else { return };
        let kind = dictionary.categories.of(first);
        if any && !kind.always {
            return;
        }
        let like = |c: &(usize, char)| dictionary.categories.of(c.1).is_like(kind);
        let run = rest.char_indices().take_while(like).take(LONGEST_RUN + 1);
        let ends: Vec<usize> = run.map(|(index, c)| index + c.len_utf8()).collect();
        let mut lengths: Vec<usize> = ends.iter().copied().take(kind.length).collect();
        if kind.group && ends.len() <= LONGEST_RUN {
            lengths.extend(ends.last());
        }
        if lengths.is_empty() {
            lengths.push(first.len_utf8());
        }
        lengths.dedup();
        let entries = dictionary.unknown_entries.get(kind.usual).or(dictionary.unknown_entries.first());
        for &length in &lengths {
            for &entry in entries.into_iter().flatten() {
                self.push_entry(at, at + length, Source::Unknown(entry), entry);
            }
        }
        // A dictionary without unknown words must not lose the way.
        if !any && entries.is_none_or(Vec::is_empty) {
            let node = Node { start: at, end: at + first.len_utf8(), source: Source::Fixed(usize::MAX) };
            self.push(node, 0, 0, 0);
        }
    }

    fn push_entry(&mut self, start: usize, end: usize, source: Source, entry: Entry) {
        self.push(Node { start, end, source }, entry.left, entry.right, entry.cost);
    }

    /// Tries a word after the cheapest of those that end where it starts.
    fn push(&mut self, node: Node, left: u16, right: u16, cost: i16) {
        let mut best: Option<(i64, u32)> = None;
        let mut before = self.ending[node.start];
        while let Some(tried) = self.tried.get(before as usize) {
            let total = tried.cost + i64::from(self.dictionary.costs.cost(tried.right, left));
            if best.is_none_or(|(least, _)| total < least) {
                best = Some((total, before));
            }
            before = tried.next_there;
        }
        let Some((total, before)) = best else { return };
        let index = self.tried.len() as u32;
        let next_there = std::mem::replace(&mut self.ending[node.end], index);
        self.tried.push(Tried { node, right, before, cost: total + i64::from(cost), next_there });
    }

    /// Moves a list of words that end before a space to after it.
    fn join(&mut self, first: u32, at: usize) {
        let mut last = first;
        while let Some(next) = self.tried.get(last as usize).map(|tried| tried.next_there)
            && next != NOTHING
        {
            last = next;
        }
        let there = std::mem::replace(&mut self.ending[at], first);
        if let Some(tried) = self.tried.get_mut(last as usize) {
            tried.next_there = there;
        }
    }

    /// The words on the cheapest way to the end.
    fn cheapest(&self, end: usize) -> Vec<Node> {
        let mut best: Option<(i64, u32)> = None;
        let mut at = self.ending.get(end).copied().unwrap_or(NOTHING);
        while let Some(tried) = self.tried.get(at as usize) {
            let total = tried.cost + i64::from(self.dictionary.costs.cost(tried.right, 0));
            if best.is_none_or(|(least, _)| total < least) {
                best = Some((total, at));
            }
            at = tried.next_there;
        }
        let mut nodes = Vec::new();
        let mut at = best.map_or(0, |(_, at)| at);
        while at != 0
            && let Some(tried) = self.tried.get(at as usize)
        {
            nodes.push(tried.node);
            at = tried.before;
        }
        nodes.reverse();
        nodes
    }
}
