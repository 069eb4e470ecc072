//! Finds notes that are read after the sentence that refers to them and stand at the end of their
//! document. [`alignment`](super::alignment) does not: its partners are in order.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

use super::alignment::NONE;

/// What is read before a note and is not in the document, such as "Note:", has at most this many words.
const MOST_BEFORE: usize = 3;

/// A shorter sequence may stand anywhere.
const LEAST: usize = 3;

/// Places of one word that are looked at.
const MOST_PLACES: usize = 32;

pub(super) struct Texts<'a> {
    /// The words of all documents, and those of each.
    pub(super) words: &'a [u32],
    pub(super) documents: &'a [Range<usize>],
    pub(super) spoken: &'a [u32],
    /// The unit that a spoken token belongs to, if it is in the book.
    pub(super) unit: &'a dyn Fn(usize) -> Option<u32>,
}

/// Gives words of the documents that have no partner those spoken words that have none either. Words of
/// a unit that has a place already get none.
pub(super) fn place(texts: &Texts<'_>, partners: &mut [u32]) {
    let mut places = vec![NONE; texts.spoken.len()];
    let mut units_with_place: HashSet<u32> = HashSet::new();
    for (at, partner) in partners.iter().enumerate().filter(|(_, partner)| **partner != NONE) {
        places[*partner as usize] = u32::try_from(at).unwrap_or(NONE);
        units_with_place.extend((texts.unit)(*partner as usize));
    }
    let mut open = Unread::default();
    let mut start = 0;
    while start < places.len() {
        let length = places[start..].iter().take_while(|place| **place == NONE).count();
        let end = start + length;
        if length >= LEAST
            && let Some(before) = start.checked_sub(1).map(|before| places[before] as usize)
            && let Some(document) = texts.documents.iter().find(|range| range.contains(&before))
        {
            open.enter(texts, document, partners);
            open.place_run(texts, start..end, partners, &mut units_with_place);
        }
        start = end + 1;
    }
}

/// The words of a document without partners.
#[derive(Default)]
struct Unread {
    document: Range<usize>,
    places: HashMap<u32, Vec<usize>>,
}

impl Unread {
    fn enter(&mut self, texts: &Texts<'_>, document: &Range<usize>, partners: &[u32]) {
        if self.document == *document {
            return;
        }
        self.document = document.clone();
        self.places.clear();
        for at in document.clone().filter(|at| partners[*at] == NONE) {
            self.places.entry(texts.words[at]).or_default().push(at);
        }
    }

    fn place_run(
        &self,
        texts: &Texts<'_>,
        mut run: Range<usize>,
        partners: &mut [u32],
        units_with_place: &mut HashSet<u32>,
    ) {
        let mut skipped = 0;
        while run.len() >= LEAST && skipped <= MOST_BEFORE {
            let found = self.places.get(&texts.spoken[run.start]).into_iter().flatten().take(MOST_PLACES);
            let length = |at: usize| {
                let both = (at..self.document.end).zip(run.clone());
                both.take_while(|(at, spoken)| {
                    partners[*at] == NONE && texts.words[*at] == texts.spoken[*spoken]
                })
                .count()
            };
            let longest =
                found.map(|at| (length(*at), *at)).max_by_key(|(length, at)| (*length, usize::MAX - at));
            let Some((length, at)) = longest.filter(|(length, _)| *length >= LEAST) else {
                run.start += 1;
                skipped += 1;
                continue;
            };
            let mut units = HashSet::new();
            for offset in 0..length {
                let Some(unit) = (texts.unit)(run.start + offset) else { continue };
                if !units_with_place.contains(&unit) {
                    partners[at + offset] = u32::try_from(run.start + offset).unwrap_or(NONE);
                    units.insert(unit);
                }
            }
            units_with_place.extend(units);
            run.start += length;
            skipped = 0;
        }
    }
}
