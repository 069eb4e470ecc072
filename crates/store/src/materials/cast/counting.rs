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
    let mut count = Count::of(&before);
    for row in &rows {
        for stretch in read_marks::<SpokenBy>(&row.get::<String>("speakers")?)? {
            count.add(stretch);
        }
    }
    let after = count.finish(&before);
    if after == before {
        return Ok(());
    }
    tx.run(sql!("DELETE FROM material_cast WHERE material_id = $1", material)).await?;
    super::insert(tx, material, &after).await
}

/// What each speaker says, counted stretch by stretch.
#[derive(Default)]
struct Count<'a> {
    known: HashMap<&'a str, &'a Speaker>,
    /// With the sums of their confidences, in the order of the text.
    speakers: Vec<(Speaker, u64)>,
    places: HashMap<String, usize>,
    last: Option<String>,
    /// Whether the text names its speakers. Dialogue is never attributed with full certainty.
    is_named: bool,
}

impl<'a> Count<'a> {
    fn of(before: &'a [Speaker]) -> Self {
        Self { known: before.iter().map(|one| (one.name.as_str(), one)).collect(), ..Self::default() }
    }

    fn add(&mut self, stretch: SpokenBy) {
        self.is_named |= stretch.confidence == Some(SURE);
        let goes_on = stretch.goes_on && stretch.name == self.last;
        self.last.clone_from(&stretch.name);
        let Some(name) = stretch.name.filter(|_| !goes_on) else { return };
        let known = self.known.get(name.as_str());
        // What a program of before stored has the mean of all quotes.
        let confidence = stretch.confidence.or(known.map(|known| known.confidence)).unwrap_or(SURE);
        let confidence = if stretch.is_given { SURE } else { confidence };
        self.is_named |= !stretch.is_given && confidence == SURE;
        let speakers = &mut self.speakers;
        let place = *self.places.entry(name).or_insert_with_key(|name| {
            let ereader = known.and_then(|known| known.ereader);
            speakers.push((Speaker { name: name.clone(), ereader, quotes: 0, confidence: 0 }, 0));
            speakers.len() - 1
        });
        let (speaker, sum) = &mut speakers[place];
        speaker.quotes += 1;
        *sum += u64::from(confidence);
    }

    fn finish(self, before: &[Speaker]) -> Vec<Speaker> {
        // Full certainty says that the text itself names the speakers.
        let most = if self.is_named { SURE } else { SURE - 1 };
        let with_mean = |(speaker, sum): (Speaker, u64)| {
            let quotes = u64::from(speaker.quotes).max(1);
            let confidence = ((sum + quotes / 2) / quotes) as u32;
            Speaker { confidence: confidence.min(most), ..speaker }
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

#[cfg(test)]
mod tests {
    use lectern_types::EreaderId;

    use super::*;

    fn said(name: &str, confidence: Option<u32>) -> SpokenBy {
        let name = Some(name.to_owned()).filter(|name| !name.is_empty());
        SpokenBy { start: 0, end: 1, name, characters: 1, confidence, is_given: false, goes_on: false }
    }

    fn counted(before: &[Speaker], stretches: Vec<SpokenBy>) -> Vec<(String, u32, u32)> {
        let mut count = Count::of(before);
        for stretch in stretches {
            count.add(stretch);
        }
        count.finish(before).into_iter().map(|one| (one.name, one.quotes, one.confidence)).collect()
    }

    fn is(name: &str, quotes: u32, confidence: u32) -> (String, u32, u32) {
        (name.to_owned(), quotes, confidence)
    }

    fn speaker(name: &str, ereader: Option<EreaderId>, confidence: u32) -> Speaker {
        Speaker { name: name.to_owned(), ereader, quotes: 1, confidence }
    }

    #[test]
    fn a_quote_across_chunks_is_one() {
        let on = SpokenBy { goes_on: true, ..said("Ines", Some(900)) };
        let stretches = vec![said("Ines", Some(900)), on.clone(), said("Tom", Some(700)), said("", None), on];
        // The last goes on with nobody's.
        assert_eq!(counted(&[], stretches), [is("Ines", 2, 900), is("Tom", 1, 700)]);
    }

    #[test]
    fn only_a_text_that_names_its_speakers_gives_full_certainty() {
        let given = |name, confidence| SpokenBy { is_given: true, ..said(name, confidence) };
        let attributed = counted(&[], vec![given("Ines", Some(960)), given("Tom", None)]);
        assert_eq!(attributed, [is("Ines", 1, 999), is("Tom", 1, 999)]);
        // Of the second, the line named another, and the owner gave it to the narrator.
        let named = counted(&[], vec![given("Ines", Some(1000)), given("", Some(1000))]);
        assert_eq!(named, [is("Ines", 1, 1000)]);
    }

    #[test]
    fn quotes_of_a_program_of_before_keep_the_mean() {
        let before = [speaker("Ines", None, 870), speaker("Tom", None, 600)];
        let given = SpokenBy { is_given: true, ..said("Ines", None) };
        let after = counted(&before, vec![said("Ines", None), given, said("Tom", None)]);
        assert_eq!(after, [is("Ines", 2, 935), is("Tom", 1, 600)]);
    }

    #[test]
    fn who_has_an_ereader_stays_in_a_cast_that_is_full() {
        let ereader: EreaderId = format!("erd_{}1", "0".repeat(31)).parse().unwrap();
        let before = [speaker("Silent", Some(ereader), 900), speaker("Gone", None, 900)];
        let stretches = (0..=MAX_CAST).map(|at| said(&format!("Person {at}"), Some(900))).collect();
        let after = counted(&before, stretches);
        assert_eq!((after.len(), after.last()), (MAX_CAST, Some(&is("Silent", 0, 0))));
    }
}
