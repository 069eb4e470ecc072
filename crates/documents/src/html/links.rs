//! Collects what is needed to find the notes of a page before it is written: its blocks, the places
//! of its ids, and its links.

use std::collections::HashMap;

use super::{
    elements::{self, Element, ElementKind, NoteType},
    marks::PendingMark,
    tokens::Handler,
};

/// Links beyond this number in a page are ignored.
const MAX_LINKS: usize = 100_000;

/// The longest heading that may name a list of notes, and the longest text of a link that is kept.
const MAX_TEXT_CHARACTERS: usize = 24;

/// A block of a page.
#[derive(Debug)]
pub(super) struct LinkedBlock {
    pub ordinal: u32,
    pub kind: ElementKind,
    /// Letters and digits of the page before it, and before its end.
    pub letters: (u32, u32),
    pub parent: Option<usize>,
    pub note_type: Option<NoteType>,
    /// The text of a short heading.
    pub heading: String,
}

/// A link to another place.
#[derive(Debug)]
pub(super) struct Link {
    pub ordinal: u32,
    pub target: String,
    pub block: Option<usize>,
    /// Letters and digits of the page before it.
    pub letters: u32,
    /// Whether the file says that it refers to a note.
    pub is_typed: bool,
    pub mark: PendingMark,
}

/// The place of an id.
#[derive(Debug, Clone, Copy)]
pub(super) struct Anchor {
    pub block: usize,
    /// Whether the block itself has the id.
    pub is_block: bool,
}

/// The links of a page.
#[derive(Debug, Default)]
pub(crate) struct PageLinks {
    pub(super) blocks: Vec<LinkedBlock>,
    pub(super) anchors: HashMap<String, Anchor>,
    pub(super) links: Vec<Link>,
    /// All letters and digits of the page.
    pub(super) letters: u32,
}

impl PageLinks {
    /// The block and those around it, innermost first.
    pub(super) fn around(&self, block: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(block), |&block| self.blocks[block].parent).take(32)
    }
}

/// An open element.
struct Open {
    block: Option<usize>,
    link: Option<usize>,
    is_raised: bool,
    is_skipped: bool,
}

#[derive(Default)]
pub(super) struct LinkCollector {
    page: PageLinks,
    open: Vec<Open>,
    blocks: Vec<usize>,
    links: Vec<usize>,
    raised: usize,
    skipped: usize,
}

impl LinkCollector {
    pub(super) fn finish(self) -> PageLinks {
        self.page
    }

    fn anchors(&mut self, element: &Element<'_>, own: Option<usize>) {
        let Some(block) = own.or(self.blocks.last().copied()) else { return };
        let name = (element.kind == ElementKind::Link).then(|| element.attribute("name")).flatten();
        for id in element.attribute("id").or_else(|| element.attribute("xml:id")).into_iter().chain(name) {
            self.page.anchors.entry(id.to_owned()).or_insert(Anchor { block, is_block: own.is_some() });
        }
    }
}

impl Handler for LinkCollector {
    fn open(&mut self, element: &Element<'_>) {
        let is_block = element.kind.is_block() && !element.void;
        let block = is_block.then(|| {
            self.page.blocks.push(LinkedBlock {
                ordinal: element.ordinal,
                kind: element.kind,
                letters: (self.page.letters, self.page.letters),
                parent: self.blocks.last().copied(),
                note_type: elements::note_type(element),
                heading: String::new(),
            });
            self.page.blocks.len() - 1
        });
        self.anchors(element, block);
        let target = (element.kind == ElementKind::Link).then(|| element.attribute("href")).flatten();
        let is_raised = element.kind == ElementKind::Raised;
        let mut link = None;
        if let Some(target) = target.filter(|target| target.contains('#') && target.len() < 1_000)
            && !element.void
            && self.page.links.len() < MAX_LINKS
        {
            let raised = self.raised > 0;
            self.page.links.push(Link {
                ordinal: element.ordinal,
                target: target.to_owned(),
                block: self.blocks.last().copied(),
                letters: self.page.letters,
                is_typed: elements::is_note_reference(element),
                mark: PendingMark { raised, is_link: true, ..PendingMark::default() },
            });
            link = Some(self.page.links.len() - 1);
        }
        if element.void {
            return;
        }
        if is_raised && let Some(&link) = self.links.last() {
            self.page.links[link].mark.raised = true;
        }
        let is_skipped = element.kind == ElementKind::Skipped || element.kind == ElementKind::Title;
        self.raised += usize::from(is_raised);
        self.skipped += usize::from(is_skipped);
        self.blocks.extend(block);
        self.links.extend(link);
        self.open.push(Open { block, link, is_raised, is_skipped });
    }

    fn close(&mut self, _: ElementKind) {
        let Some(open) = self.open.pop() else { return };
        self.raised -= usize::from(open.is_raised);
        self.skipped -= usize::from(open.is_skipped);
        if let Some(block) = open.block {
            self.page.blocks[block].letters.1 = self.page.letters;
            self.blocks.pop();
        }
        if open.link.is_some() {
            self.links.pop();
        }
    }

    fn text(&mut self, text: &str) {
        if self.skipped > 0 {
            return;
        }
        if let Some(&link) = self.links.last() {
            let mark = &mut self.page.links[link].mark.text;
            let room = (MAX_TEXT_CHARACTERS + 1).saturating_sub(mark.chars().count());
            mark.extend(text.chars().take(room));
        }
        if let Some(&block) = self.blocks.last()
            && matches!(self.page.blocks[block].kind, ElementKind::Heading(_) | ElementKind::Paragraph)
        {
            let heading = &mut self.page.blocks[block].heading;
            let room = (MAX_TEXT_CHARACTERS + 1).saturating_sub(heading.chars().count());
            heading.extend(text.chars().take(room));
        }
        let letters = text.chars().filter(|c| c.is_alphanumeric()).count();
        self.page.letters = self.page.letters.saturating_add(u32::try_from(letters).unwrap_or(u32::MAX));
    }
}
