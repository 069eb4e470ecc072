//! How much each speaker of a material says, counted anew when that has changed.

use std::{cmp::Reverse, collections::HashMap};

use lectern_types::{MAX_CAST, MaterialId};

use super::Speaker;
use crate::{
    Result,
    db::{Tx, sql},
    materials::marks::{SURE, SpokenBy, read_marks},
};

/// Counts in the cast of a locked material what each speaker says. One who says nothing stays only with an e-reader
/// of their own.
pub(in crate::materials) async fn count_quotes(tx: &mut Tx, material: MaterialId) -> Result<()> {
    let before = super::of(tx, material).await?;
    let rows = tx
        .all(sql!(
            "SELECT speakers FROM chunk_texts WHERE material_id = $1 AND speakers <> '[]' ORDER BY idx",
            material
        ))
        .await?;
    let mut count =
        Count { known: before.iter().map(|one| (one.name.as_str(), one)).collect(), ..Count::default() };
    for row in &rows {
        for stretch in read_marks::<SpokenBy>(&row.get::<String>("speakers")?)? {
            count.add(stretch);
        }
    }
    let after = count.finish(&before);
    tx.run(sql!("DELETE FROM material_cast WHERE material_id = $1", material)).await?;
    super::insert(tx, material, &after).await
}

/// What each speaker says, counted stretch by stretch.
#[derive(Default)]
struct Count<'a> {
    known: HashMap<&'a str, &'a Speaker>,
    /// In the order of the text.
    speakers: Vec<Sum>,
    places: HashMap<String, usize>,
    last: Option<String>,
}

struct Sum {
    speaker: Speaker,
    confidences: u64,
    /// Whether the owner gave them a quote.
    is_changed: bool,
}

impl Count<'_> {
    fn add(&mut self, stretch: SpokenBy) {
        let goes_on = stretch.goes_on && stretch.name == self.last;
        self.last.clone_from(&stretch.name);
        let Some(name) = stretch.name.filter(|_| !goes_on) else { return };
        let known = self.known.get(name.as_str());
        let speakers = &mut self.speakers;
        let place = *self.places.entry(name).or_insert_with_key(|name| {
            let ereader = known.and_then(|known| known.ereader);
            let speaker = Speaker { name: name.clone(), ereader, quotes: 0, confidence: 0 };
            speakers.push(Sum { speaker, confidences: 0, is_changed: false });
            speakers.len() - 1
        });
        let sum = &mut speakers[place];
        sum.speaker.quotes += 1;
        sum.is_changed |= stretch.is_given;
        // What a program of before stored has the mean of all quotes.
        let confidence = stretch.confidence.or(known.map(|known| known.confidence)).unwrap_or(SURE);
        sum.confidences += u64::from(confidence);
    }

    fn finish(self, before: &[Speaker]) -> Vec<Speaker> {
        let with_mean = |Sum { speaker, confidences, is_changed }: Sum| {
            let quotes = u64::from(speaker.quotes).max(1);
            let mean = ((confidences + quotes / 2) / quotes) as u32;
            // Full certainty says that the text itself names the speaker.
            Speaker { confidence: mean.min(if is_changed { SURE - 1 } else { SURE }), ..speaker }
        };
        let mut speakers: Vec<Speaker> = self.speakers.into_iter().map(with_mean).collect();
        let silent =
            before.iter().filter(|one| one.ereader.is_some() && !self.places.contains_key(&one.name));
        speakers.extend(silent.map(|one| Speaker { quotes: 0, confidence: 0, ..one.clone() }));
        // Those with an e-reader are at most as many, and stay.
        speakers.sort_by_key(|speaker| Reverse((speaker.ereader.is_some(), speaker.quotes)));
        speakers.truncate(MAX_CAST);
        speakers.sort_by_key(|speaker| Reverse(speaker.quotes));
        speakers
    }
}
