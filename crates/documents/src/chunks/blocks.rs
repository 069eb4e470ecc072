//! The blocks of a text: its paragraphs, with headings told apart, in order; and the rests between those inside a
//! chunk.

use std::ops::Range;

use super::{Break, pause_between};
use crate::{Heading, characters, paragraphs};

/// A paragraph or a heading.
#[derive(Debug, Clone)]
pub(super) struct Block {
    /// Its bytes, without white space at either end.
    pub range: Range<usize>,
    pub heading: bool,
    /// Whether there is anything to say in it.
    pub speaks: bool,
}

/// All blocks of a text.
#[derive(Debug)]
pub(super) struct Blocks(Vec<Block>);

impl Blocks {
    pub(super) fn of(text: &str, headings: &[Heading]) -> Self {
        let mut blocks = Vec::new();
        let mut headings = headings.iter().peekable();
        let mut push = |range: Range<usize>, heading: bool| {
            let range = paragraphs::trimmed(text, range);
            if !range.is_empty() {
                let speaks = characters::is_speakable(&text[range.clone()]);
                blocks.push(Block { range, heading, speaks });
            }
        };
        for paragraph in paragraphs::paragraphs(text) {
            while headings.next_if(|heading| heading.range.end <= paragraph.start).is_some() {}
            let mut start = paragraph.start;
            // A heading may be the first line of its paragraph only.
            while let Some(heading) = headings.next_if(|heading| heading.range.start < paragraph.end) {
                let range = heading.range.start.max(start)..heading.range.end.min(paragraph.end).max(start);
                push(start..range.start, false);
                push(range.clone(), true);
                start = range.end;
            }
            push(start..paragraph.end, false);
        }
        Self(blocks)
    }

    /// The starts of blocks at which a chunk that began at `start` may end, latest first: up to `limit`, with something
    /// before them, and not right behind a heading, which belongs to what follows it.
    pub(super) fn ends(&self, start: usize, limit: usize) -> impl Iterator<Item = usize> {
        let behind = self.0.partition_point(|block| block.range.start <= limit);
        let candidates = self.0[..behind].windows(2).rev();
        candidates
            .take_while(move |pair| pair[0].range.start >= start)
            .filter(|pair| !pair[0].heading)
            .map(|pair| pair[1].range.start)
    }

    pub(super) fn walk(&self) -> Walk<'_> {
        Walk { blocks: &self.0, next: 0 }
    }
}

/// Goes through the blocks chunk by chunk.
pub(super) struct Walk<'a> {
    blocks: &'a [Block],
    next: usize,
}

/// The rests of a chunk.
pub(super) struct Rests {
    pub inside: Vec<Break>,
    /// The one behind it, if it ends where a block does.
    pub behind: u32,
}

impl Walk<'_> {
    /// The rests of the next chunk.
    pub(super) fn rests(&mut self, text: &str, chunk: &Range<usize>) -> Rests {
        let mut inside = Vec::new();
        let mut before: Option<&Block> = None;
        let mut scene = false;
        while let Some(block) = self.blocks.get(self.next).filter(|block| block.range.start < chunk.end) {
            if block.speaks {
                if let Some(before) = before {
                    let at = before.range.end - chunk.start;
                    inside.push(Break { at, pause_ms: pause_between(before, block, scene) });
                }
                before = Some(block);
            }
            scene = !block.speaks;
            if block.range.end > chunk.end {
                // It goes on in the next chunk.
                break;
            }
            self.next += 1;
        }
        let following = self.blocks.get(self.next);
        let behind = match (before, following) {
            (Some(before), Some(block)) => pause_between(before, block, scene || !block.speaks),
            _ => 0,
        };
        // White space at the end of a chunk is no part of a block; a block that was cut ends with its chunk.
        let said = text[chunk.clone()].trim_end().len();
        inside.retain(|rest| rest.at < said);
        Rests { inside, behind }
    }
}
