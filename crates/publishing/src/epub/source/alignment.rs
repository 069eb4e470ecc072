//! Finds a text in another that has more, less or different words here and there.
//!
//! Sequences of words that are unique in both texts are anchors (as in Bram Cohen's patience diff);
//! the texts between two anchors are compared the same way, with shorter sequences, until they are
//! small enough for a table of longest common subsequences. Each step takes time in proportion to
//! the words, there are few steps, and the tables are bounded.

use std::{collections::HashMap, ops::Range};

/// No partner.
pub(super) const NONE: u32 = u32::MAX;

/// The largest table, in cells.
const TABLE_CELLS: usize = 250_000;

/// How often a stretch is divided.
const MAX_DEPTH: u8 = 12;

/// The lengths of anchors that are tried, the safest first.
const ANCHOR_WORDS: [usize; 4] = [6, 4, 2, 1];

/// Short matches count only this near to others, in words: "of the" is everywhere.
const NEAR: usize = 5;

/// From this length on, a match counts wherever it is.
const LONG: usize = 4;

/// For each word of `documents`, the position of its partner in `spoken`, or [`NONE`]. Partners are
/// in order.
pub(super) fn align(documents: &[u32], spoken: &[u32]) -> Vec<u32> {
    let mut alignment = Alignment { a: documents, b: spoken, partners: vec![NONE; documents.len()] };
    let mut stretches =
        vec![Stretch { a: 0..documents.len(), b: 0..spoken.len(), depth: 0, after: false, before: false }];
    while let Some(stretch) = stretches.pop() {
        alignment.divide(stretch, &mut stretches);
    }
    alignment.drop_strays();
    alignment.partners
}

/// Two stretches that belong together.
struct Stretch {
    a: Range<usize>,
    b: Range<usize>,
    depth: u8,
    /// Whether an anchor is before both, so that equal words at their start belong together. The
    /// start of a book is no anchor: a list of contents may begin as the first chapter does.
    after: bool,
    /// Whether an anchor is after both.
    before: bool,
}

struct Alignment<'a> {
    a: &'a [u32],
    b: &'a [u32],
    partners: Vec<u32>,
}

impl Alignment<'_> {
    fn pair(&mut self, a: usize, b: usize) {
        self.partners[a] = u32::try_from(b).unwrap_or(NONE);
    }

    fn divide(&mut self, mut stretch: Stretch, stretches: &mut Vec<Stretch>) {
        self.trim(&mut stretch);
        let Stretch { a, b, depth, .. } = &stretch;
        if a.is_empty() || b.is_empty() {
            return;
        }
        if a.len().saturating_mul(b.len()) <= TABLE_CELLS {
            self.compare(a.clone(), b.clone());
            return;
        }
        if *depth == MAX_DEPTH {
            return;
        }
        let anchors =
            ANCHOR_WORDS.iter().map(|words| self.anchors(a, b, *words)).find(|found| !found.is_empty());
        let anchors = anchors.unwrap_or_default();
        if anchors.is_empty() {
            return;
        }
        let (mut a, mut b, mut after) = (a.start, b.start, stretch.after);
        for (at, bt) in anchors {
            self.pair(at, bt);
            let depth = depth + 1;
            stretches.push(Stretch { a: a..at, b: b..bt, depth, after, before: true });
            (a, b, after) = (at + 1, bt + 1, true);
        }
        let (a, b) = (a..stretch.a.end, b..stretch.b.end);
        stretches.push(Stretch { a, b, depth: depth + 1, after, before: stretch.before });
    }

    /// Pairs what is equal at the ends that touch anchors.
    fn trim(&mut self, stretch: &mut Stretch) {
        let Stretch { a, b, after, before, .. } = stretch;
        while *after && a.start < a.end && b.start < b.end && self.a[a.start] == self.b[b.start] {
            self.pair(a.start, b.start);
            (a.start, b.start) = (a.start + 1, b.start + 1);
        }
        while *before && a.start < a.end && b.start < b.end && self.a[a.end - 1] == self.b[b.end - 1] {
            (a.end, b.end) = (a.end - 1, b.end - 1);
            self.pair(a.end, b.end);
        }
    }

    /// The first words of sequences of `words` words that are in both stretches once, in an order
    /// that is the same in both.
    fn anchors(&self, a: &Range<usize>, b: &Range<usize>, words: usize) -> Vec<(usize, usize)> {
        let in_a = once(self.a, a, words);
        let in_b = once(self.b, b, words);
        let mut pairs: Vec<(usize, usize)> = in_a
            .into_iter()
            .filter_map(|(sequence, at)| Some((at?, in_b.get(&sequence).copied().flatten()?)))
            .filter(|(at, bt)| self.a[*at..*at + words] == self.b[*bt..*bt + words])
            .collect();
        pairs.sort_unstable();
        longest_rising(&pairs)
    }

    /// The longest common subsequence by a table. Where there are several, the words nearest to the
    /// end are paired.
    fn compare(&mut self, a: Range<usize>, b: Range<usize>) {
        let width = b.len() + 1;
        let mut lengths = vec![0_u16; (a.len() + 1) * width];
        for (row, at) in a.clone().enumerate() {
            for (column, bt) in b.clone().enumerate() {
                let cell = (row + 1) * width + column + 1;
                lengths[cell] = if self.a[at] == self.b[bt] {
                    lengths[cell - width - 1].saturating_add(1)
                } else {
                    lengths[cell - 1].max(lengths[cell - width])
                };
            }
        }
        let (mut row, mut column) = (a.len(), b.len());
        while row > 0 && column > 0 {
            let cell = row * width + column;
            if self.a[a.start + row - 1] == self.b[b.start + column - 1] {
                (row, column) = (row - 1, column - 1);
                self.pair(a.start + row, b.start + column);
            } else if lengths[cell - width] >= lengths[cell - 1] {
                row -= 1;
            } else {
                column -= 1;
            }
        }
    }

    /// Takes short matches that stand alone away again. They are in notes or tables that were not
    /// read, which have the same common words.
    fn drop_strays(&mut self) {
        let runs = self.runs();
        let is_near = |first: &Run, second: &Run| {
            second.a - (first.a + first.length) <= NEAR && second.b - (first.b + first.length) <= NEAR
        };
        let mut previous: Option<Run> = None;
        for (at, run) in runs.iter().enumerate() {
            let follows = previous.as_ref().is_some_and(|previous| is_near(previous, run));
            let leads = || runs.get(at + 1).is_some_and(|next| next.length >= LONG && is_near(run, next));
            if run.length >= LONG || follows || leads() {
                previous = Some(*run);
            } else {
                self.partners[run.a..run.a + run.length].fill(NONE);
            }
        }
    }

    /// The stretches of words that follow each other in both texts.
    fn runs(&self) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for (a, partner) in self.partners.iter().enumerate().filter(|(_, partner)| **partner != NONE) {
            let b = *partner as usize;
            match runs.last_mut() {
                Some(run) if (run.a + run.length, run.b + run.length) == (a, b) => run.length += 1,
                _ => runs.push(Run { a, b, length: 1 }),
            }
        }
        runs
    }
}

#[derive(Clone, Copy)]
struct Run {
    a: usize,
    b: usize,
    length: usize,
}

/// The sequences of `words` words in a stretch: where each is, or `None` if it is there twice.
fn once(text: &[u32], stretch: &Range<usize>, words: usize) -> HashMap<u64, Option<usize>> {
    let mut found: HashMap<u64, Option<usize>> = HashMap::with_capacity(stretch.len());
    for (at, sequence) in text[stretch.clone()].windows(words).enumerate() {
        let key = sequence.iter().fold(0_u64, |key, word| {
            (key ^ u64::from(*word)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
        });
        found.entry(key).and_modify(|place| *place = None).or_insert(Some(stretch.start + at));
    }
    found
}

/// The longest subsequence of pairs in which the second number rises too. The first does already.
fn longest_rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // The pair that ends the best subsequence of each length so far, and each pair's predecessor.
    let (mut ends, mut before): (Vec<usize>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
    for (at, (_, b)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].1 < *b);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if length == ends.len() {
            ends.push(at);
        } else {
            ends[length] = at;
        }
    }
    let chain = std::iter::successors(ends.last().copied(), |at| before[*at]);
    let mut rising: Vec<(usize, usize)> = chain.map(|at| pairs[at]).collect();
    rising.reverse();
    rising
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Prose without repeated sequences.
    fn prose(seed: u32, words: usize) -> Vec<u32> {
        let mut state = seed;
        let next = |state: &mut u32| {
            *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // As in a language, some words are frequent.
            (*state >> 16) % (1 + (*state >> 8) % 4_000)
        };
        (0..words).map(|_| next(&mut state)).collect()
    }

    #[test]
    fn a_text_is_found_among_notes_and_edits() {
        let spoken = prose(1, 60_000);
        let (mut documents, mut expected) = (Vec::new(), Vec::new());
        for (at, word) in spoken.iter().enumerate() {
            if at % 5_000 == 2_000 {
                // A note that is not read.
                let note = prose(77 + at as u32, 300);
                expected.extend(note.iter().map(|_| NONE));
                documents.extend(note);
            }
            // A word that was edited.
            documents.push(if at % 97 == 5 { u32::MAX } else { *word });
            expected.push(if at % 97 == 5 { NONE } else { at as u32 });
        }
        let found = align(&documents, &spoken);
        let wrong = found.iter().zip(&expected).filter(|(found, expected)| found != expected).count();
        assert!(wrong < 60, "{wrong} of {} words are wrong", found.len());
    }

    // Negative control: with equal words trimmed at the start of a book, this fails.
    #[test]
    fn a_list_of_contents_is_not_taken_for_the_chapters() {
        let text = prose(5, 40_000);
        let heading: Vec<u32> = (10_000..10_006).collect();
        let spoken: Vec<u32> = [&heading[..], &text[..]].concat();
        let documents: Vec<u32> = [&heading[..], &prose(9, 30), &heading, &text].concat();
        let found = align(&documents, &spoken);
        assert_eq!(found[..36], [NONE; 36]);
        assert_eq!(found[36..42], [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn partners_are_in_order_whatever_the_texts_are() {
        for (seed, words) in [(1, 500), (2, 3_000), (3, 20_000)] {
            let found = align(&prose(seed, words), &prose(seed + 10, words));
            let partners: Vec<u32> = found.into_iter().filter(|partner| *partner != NONE).collect();
            assert!(partners.windows(2).all(|pair| pair[0] < pair[1]));
        }
    }

    #[test]
    fn a_text_of_one_word_takes_no_time() {
        let documents = vec![7; 300_000];
        assert!(align(&documents, &documents[..200_000]).iter().all(|partner| *partner == NONE));
    }
}
