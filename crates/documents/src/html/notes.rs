//! Finds the notes of a book's pages: what a file marks as a note, and what a link with a mark such as
//! "1" leads to if a link leads back. Decides which elements are notes, which links refer to them, and
//! which lists of notes are empty without them.
//!
//! A note that no link refers to stays where it is; so does a list most of whose notes are such.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{
    elements::{ElementKind, NoteType},
    links::{Link, PageLinks},
};
use crate::{ChapterRole, chapter_names};

/// Notes beyond this number stay in the text.
const MAX_NOTES: usize = 20_000;

/// The longest note, in letters and digits.
const MAX_NOTE_LETTERS: u32 = 20_000;

/// Lists beyond this number lose their notes, whatever else is in them.
const MAX_GIVEN_UP: usize = 500;

/// This many links of a note may lead back.
const MAX_LINKS_OF_NOTE: usize = 500;

/// This many links of a note are looked at for one that leads back.
const MAX_BACKLINKS: usize = 32;

/// The notes of a page by the ordinals of elements.
#[derive(Debug, Default)]
pub(crate) struct PageNotes {
    /// Links that refer to notes, with the index of the note.
    pub(super) references: HashMap<u32, usize>,
    /// Elements that are notes.
    pub(super) notes: HashMap<u32, usize>,
    /// Lists of notes and their headings, which have nothing else to say.
    pub(super) skipped: HashSet<u32>,
    /// Links from notes back to the text.
    pub(super) backlinks: HashSet<u32>,
}

/// A page of a book.
pub(crate) struct LinkedPage {
    pub(crate) links: PageLinks,
    /// Whether the book says that the page has notes.
    pub(crate) is_notes: bool,
}

/// Finds the notes. `resolve` finds the page and the id that a link of a page leads to.
pub(crate) fn find(
    pages: &[LinkedPage],
    resolve: impl Fn(usize, &str) -> Option<(usize, String)>,
) -> Vec<PageNotes> {
    let mut finder = Finder { pages, notes: BTreeMap::new(), references: Vec::new() };
    let places: Vec<Vec<Option<(usize, usize)>>> = pages
        .iter()
        .enumerate()
        .map(|(page, linked)| {
            let place = |link: &Link| {
                let (page, id) = resolve(page, &link.target)?;
                let anchor = pages.get(page)?.links.anchors.get(&id)?;
                finder.note_block(page, anchor.block, anchor.is_block).map(|_| (page, anchor.block))
            };
            linked.links.links.iter().map(place).collect()
        })
        .collect();
    let anchors_are_blocks = |page: usize, link: &Link| {
        let (page, id) = resolve(page, &link.target)?;
        pages.get(page)?.links.anchors.get(&id).map(|anchor| anchor.is_block)
    };
    for (page, linked) in pages.iter().enumerate() {
        for (index, link) in linked.links.links.iter().enumerate() {
            let Some((target, block)) = places[page][index] else { continue };
            let is_block = anchors_are_blocks(page, link).unwrap_or(false);
            finder.consider(page, link, (target, block, is_block), &places);
        }
    }
    finder.finish()
}

struct Finder<'a> {
    pages: &'a [LinkedPage],
    /// The notes by page and block, with their index.
    notes: BTreeMap<(usize, usize), usize>,
    /// The page and ordinal of each reference, with the page and block of its note.
    references: Vec<(usize, u32, (usize, usize))>,
}

impl Finder<'_> {
    /// The block that is the note at an anchor.
    fn note_block(&self, page: usize, block: usize, is_block: bool) -> Option<usize> {
        let links = &self.pages[page].links;
        let kind = |block: usize| links.blocks[block].kind;
        if let Some(typed) =
            links.around(block).find(|&around| links.blocks[around].note_type == Some(NoteType::Note))
        {
            return Some(typed);
        }
        let begins = |around: &usize| links.blocks[*around].letters.0 == links.blocks[block].letters.0;
        let outer = links.around(block).take_while(begins).take(3);
        let unit =
            outer.into_iter().find(|&around| matches!(kind(around), ElementKind::Item | ElementKind::Row));
        let unit = unit.unwrap_or(block);
        let is_unit = match kind(unit) {
            ElementKind::Item | ElementKind::Row | ElementKind::Paragraph | ElementKind::Aside => true,
            // A section is a note only if it has the id itself.
            ElementKind::Block => is_block && links.blocks[unit].parent.is_some(),
            _ => false,
        };
        let (start, end) = links.blocks[unit].letters;
        (is_unit && (1..=MAX_NOTE_LETTERS).contains(&(end - start))).then_some(unit)
    }

    fn is_inside_note(&self, page: usize, block: Option<usize>) -> bool {
        let links = &self.pages[page].links;
        block.is_some_and(|block| links.around(block).any(|around| self.notes.contains_key(&(page, around))))
    }

    /// Takes a link for a reference and its target for a note if they are.
    fn consider(
        &mut self,
        page: usize,
        link: &Link,
        (target, anchor, is_block): (usize, usize, bool),
        places: &[Vec<Option<(usize, usize)>>],
    ) {
        let Some(note) = self.note_block(target, anchor, is_block) else { return };
        let own = &self.pages[page].links;
        let holds = |block: usize| page == target && own.around(block).any(|around| around == note);
        let Some(block) = link.block.filter(|&block| !holds(block)) else { return };
        if self.is_inside_note(page, Some(block)) || (self.notes.len() >= MAX_NOTES) {
            return;
        }
        let links = &self.pages[target].links;
        let is_typed_note = links.blocks[note].note_type == Some(NoteType::Note);
        let is_listed = self.pages[target].is_notes
            || links.around(note).any(|around| links.blocks[around].note_type == Some(NoteType::List));
        let begins_block = link.letters == own.blocks[block].letters.0;
        let is_mark = is_note_mark(link);
        let is_note = link.is_typed
            || is_typed_note && is_mark
            || is_mark
                && !begins_block
                && (is_listed || self.leads_back((target, note), (page, block), places));
        if !is_note {
            return;
        }
        let next = self.notes.len();
        self.notes.entry((target, note)).or_insert(next);
        self.references.push((page, link.ordinal, (target, note)));
    }

    /// Whether a note has a link back to the block that refers to it: at its beginning, or an arrow.
    fn leads_back(
        &self,
        (page, note): (usize, usize),
        from: (usize, usize),
        places: &[Vec<Option<(usize, usize)>>],
    ) -> bool {
        let links = &self.pages[page].links;
        let (start, end) = links.blocks[note].letters;
        let is_item = matches!(links.blocks[note].kind, ElementKind::Item | ElementKind::Row);
        let first = links.links.partition_point(|link| link.ordinal < links.blocks[note].ordinal);
        let inside = links.links[first..].iter().enumerate().take(MAX_BACKLINKS);
        inside.take_while(|(_, link)| link.letters <= end).any(|(index, link)| {
            let is_inside = link.block.is_some_and(|block| links.around(block).any(|around| around == note));
            let at_edge = link.letters == start || is_item || is_arrow(link);
            is_inside && at_edge && places[page][first + index] == Some(from)
        })
    }

    fn finish(mut self) -> Vec<PageNotes> {
        self.add_typed();
        let mut pages: Vec<PageNotes> = self.pages.iter().map(|_| PageNotes::default()).collect();
        for page in 0..self.pages.len() {
            self.close_lists(page, &mut pages[page]);
        }
        for (&(page, block), &note) in &self.notes {
            let links = &self.pages[page].links;
            pages[page].notes.insert(links.blocks[block].ordinal, note);
            let first = links.links.partition_point(|link| link.ordinal < links.blocks[block].ordinal);
            let end = links.blocks[block].letters.1;
            for link in
                links.links[first..].iter().take(MAX_LINKS_OF_NOTE).take_while(|link| link.letters <= end)
            {
                let is_inside = link.block.is_some_and(|inside| links.around(inside).any(|one| one == block));
                if is_inside && (is_note_mark(link) || is_arrow(link)) {
                    pages[page].backlinks.insert(link.ordinal);
                }
            }
        }
        for (page, ordinal, note) in &self.references {
            if let Some(&note) = self.notes.get(note) {
                pages[*page].references.insert(*ordinal, note);
                pages[*page].backlinks.remove(ordinal);
            }
        }
        pages
    }

    /// Adds the notes that the file marks and no link refers to, unless they are in a list.
    fn add_typed(&mut self) {
        for (page, linked) in self.pages.iter().enumerate() {
            let links = &linked.links;
            for (index, block) in links.blocks.iter().enumerate() {
                let is_listed = linked.is_notes
                    || links
                        .around(index)
                        .any(|around| links.blocks[around].note_type == Some(NoteType::List));
                if block.note_type == Some(NoteType::Note)
                    && block.letters.1 > block.letters.0
                    && !is_listed
                    && !self.is_inside_note(page, Some(index))
                {
                    let next = self.notes.len();
                    self.notes.insert((page, index), next);
                }
            }
        }
    }

    /// Skips the lists of a page that have nothing but notes, and gives up the notes of lists that
    /// have mostly other text.
    fn close_lists(&mut self, page: usize, found: &mut PageNotes) {
        let linked = &self.pages[page];
        let links = &linked.links;
        let notes: Vec<usize> =
            self.notes.range((page, 0)..(page + 1, 0)).map(|((_, block), _)| *block).collect();
        if notes.is_empty() {
            return;
        }
        let headings = links.blocks.iter().filter(|block| matches!(block.kind, ElementKind::Heading(_)));
        let headings = Sums::of(headings.map(|block| block.letters));
        let sums = Sums::of(notes.iter().map(|&block| links.blocks[block].letters));
        let lists =
            links.blocks.iter().enumerate().filter(|(_, block)| block.note_type == Some(NoteType::List));
        let mut given_up: Vec<(u32, u32)> = Vec::new();
        for (_, list) in lists {
            let (start, end) = list.letters;
            let (all, taken) = (end - start, sums.within(start, end));
            let rest = all.saturating_sub(taken).saturating_sub(headings.within(start, end));
            if taken > 0 && rest <= all / 50 {
                found.skipped.insert(list.ordinal);
            } else if taken < rest && given_up.len() < MAX_GIVEN_UP {
                given_up.push((start, end));
            }
        }
        if linked.is_notes {
            let taken = sums.within(0, links.letters);
            let rest = links.letters.saturating_sub(taken).saturating_sub(headings.within(0, links.letters));
            if taken < rest {
                given_up.push((0, links.letters));
            }
        }
        for note in notes {
            let (start, end) = links.blocks[note].letters;
            if given_up.iter().any(|list| list.0 <= start && end <= list.1) {
                self.notes.remove(&(page, note));
            }
        }
        self.skip_headings(page, found);
    }

    /// Skips headings such as "Notes" over notes.
    fn skip_headings(&self, page: usize, found: &mut PageNotes) {
        let links = &self.pages[page].links;
        let notes = self.notes.range((page, 0)..(page + 1, 0));
        let starts: HashSet<u32> = notes.map(|((_, block), _)| links.blocks[*block].letters.0).collect();
        for block in &links.blocks {
            let is_short = !block.heading.trim().is_empty() && block.letters.1 > block.letters.0;
            if is_short
                && starts.contains(&block.letters.1)
                && matches!(
                    chapter_names::named_role(&block.heading),
                    Some(ChapterRole::Notes | ChapterRole::Bibliography)
                )
            {
                found.skipped.insert(block.ordinal);
            }
        }
    }
}

/// The letters of ranges that are in order and apart, or inside the one before.
struct Sums(Vec<(u32, u32)>);

impl Sums {
    fn of(ranges: impl Iterator<Item = (u32, u32)>) -> Self {
        let (mut sums, mut sum, mut last) = (Vec::new(), 0_u32, 0);
        for (start, end) in ranges {
            if start < last {
                continue;
            }
            last = end;
            sum = sum.saturating_add(end - start);
            sums.push((start, sum));
        }
        Self(sums)
    }

    /// The letters of the ranges that begin in a range.
    fn within(&self, start: u32, end: u32) -> u32 {
        let before = |at| self.0.partition_point(|(place, _)| *place < at).checked_sub(1);
        let sum = |index: Option<usize>| index.map_or(0, |index| self.0[index].1);
        sum(before(end)) - sum(before(start))
    }
}

/// Whether the text of a link is a mark: `1`, `[12]`, `*`, `a`, `iv`.
fn is_note_mark(link: &Link) -> bool {
    let text: String = link.mark.text.chars().filter(|c| !c.is_whitespace()).collect();
    let bare = text.trim_matches(['[', ']', '(', ')', '{', '}', '.', ':']);
    let is_number = (1..=4).contains(&bare.len()) && bare.bytes().all(|byte| byte.is_ascii_digit());
    is_number || link.mark.is_mark(None)
}

fn is_arrow(link: &Link) -> bool {
    let text = link.mark.text.trim();
    let lower = text.to_lowercase();
    text.starts_with(['↩', '↑', '^', '⤴', '⏎', '↵', '←'])
        || matches!(lower.as_str(), "back" | "return" | "zurück" | "retour")
}
