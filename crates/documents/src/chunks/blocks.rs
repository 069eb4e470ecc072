//! The blocks of a text in order: paragraphs and headings, and the pauses between those of a chunk.

use std::ops::Range;

use crate::{
    Heading, characters, paragraphs,
    pauses::{self, PauseAt},
};

#[derive(Debug, Clone)]
pub(super) struct Block {
    /// Its bytes, without surrounding white space.
    pub range: Range<usize>,
    pub heading: bool,
    pub is_speakable: bool,
}

#[derive(Debug)]
pub(super) struct Blocks(Vec<Block>);

impl Blocks {
    pub(super) fn of(text: &str, headings: &[Heading]) -> Self {
        let mut blocks = Vec::new();
        let mut headings = headings.iter().peekable();
        let mut push = |range: Range<usize>, heading: bool| {
            let range = paragraphs::trimmed(text, range);
            if !range.is_empty() {
                let is_speakable = characters::is_speakable(&text[range.clone()]);
                blocks.push(Block { range, heading, is_speakable });
            }
        };
        for paragraph in paragraphs::paragraphs(text) {
            while headings.next_if(|heading| heading.range.end <= paragraph.start).is_some() {}
            let mut start = paragraph.start;
            // The heading may be only the first line of its paragraph.
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

    /// Where a chunk that began at `start` may end: the starts of blocks up to `limit`, last one
    /// first. A chunk has at least one block and never ends right after a heading, which belongs to
    /// the text that follows it.
    pub(super) fn ends(&self, start: usize, limit: usize) -> impl Iterator<Item = usize> {
        let after = self.0.partition_point(|block| block.range.start <= limit);
        let candidates = self.0[..after].windows(2).rev();
        candidates
            .take_while(move |pair| pair[0].range.start >= start)
            .filter(|pair| !pair[0].heading)
            .map(|pair| pair[1].range.start)
    }

    pub(super) fn cursor(&self) -> BlockCursor<'_> {
        BlockCursor { blocks: &self.0, next: 0 }
    }
}

/// Steps through the blocks chunk by chunk.
pub(super) struct BlockCursor<'a> {
    blocks: &'a [Block],
    next: usize,
}

/// The pauses of a chunk.
pub(super) struct Pauses {
    pub inside: Vec<PauseAt>,
    /// The pause after it, if it ends at the end of a block.
    pub after: u32,
}

impl Pauses {
    /// Adds those pauses of a text that its document asks for in a chunk. Returns the one after the chunk.
    pub(super) fn add_asked(&mut self, text: &str, chunk: &Range<usize>, asked: &[PauseAt]) -> u32 {
        let end = chunk.start + text[chunk.clone()].trim_end().len();
        let first = asked.partition_point(|pause| pause.at <= chunk.start);
        let inside = asked[first..].iter().take_while(|pause| pause.at <= chunk.end);
        let mut after = 0;
        for pause in inside {
            if pause.at >= end {
                after = after.max(pause.pause_ms);
                continue;
            }
            let at = pause.at - chunk.start;
            match self.inside.binary_search_by_key(&at, |own| own.at) {
                Ok(own) => self.inside[own].pause_ms = self.inside[own].pause_ms.max(pause.pause_ms),
                Err(place) => self.inside.insert(place, PauseAt { at, pause_ms: pause.pause_ms }),
            }
        }
        after
    }
}

impl BlockCursor<'_> {
    /// The pauses of the next chunk.
    pub(super) fn pauses(&mut self, text: &str, chunk: &Range<usize>) -> Pauses {
        let mut inside = Vec::new();
        let mut before: Option<&Block> = None;
        let mut scene = false;
        while let Some(block) = self.blocks.get(self.next).filter(|block| block.range.start < chunk.end) {
            if block.is_speakable {
                if let Some(before) = before {
                    let at = before.range.end - chunk.start;
                    inside.push(PauseAt { at, pause_ms: pause_between(before, block, scene) });
                }
                before = Some(block);
            }
            scene = !block.is_speakable;
            if block.range.end > chunk.end {
                // The block continues in the next chunk.
                break;
            }
            self.next += 1;
        }
        let following = self.blocks.get(self.next);
        let after = match (before, following) {
            (Some(before), Some(block)) => pause_between(before, block, scene || !block.is_speakable),
            _ => 0,
        };
        // A chunk's trailing white space belongs to no block, and a block that was cut ends with
        // its chunk.
        let spoken_bytes = text[chunk.clone()].trim_end().len();
        inside.retain(|rest| rest.at < spoken_bytes);
        Pauses { inside, after }
    }
}

/// The pause between two blocks of a chapter. An ornament between them makes it a scene break.
fn pause_between(before: &Block, after: &Block, scene: bool) -> u32 {
    let mut pause = pauses::PARAGRAPH_MS;
    if before.heading {
        pause = pause.max(pauses::AFTER_HEADING_MS);
    }
    if after.heading {
        pause = pause.max(pauses::BEFORE_HEADING_MS);
    }
    if scene {
        pause = pause.max(pauses::SCENE_MS);
    }
    pause
}
