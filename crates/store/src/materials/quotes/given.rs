//! What the owner of a material said of its quotes, kept when a text changes or is divided anew.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use lectern_types::MaterialId;
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use super::{Said, give};
use crate::{
    Result,
    db::{Tx, sql},
    materials::{NewChunk, NewText, SpokenBy},
};

/// How long two lists of quotes are compared. What is not compared by then counts as different.
const PATIENCE: Duration = Duration::from_secs(1);

/// The speakers of a chunk's new text, with what its owner said of the quotes that it had before.
pub(in crate::materials) async fn kept(
    tx: &mut Tx,
    material: MaterialId,
    chunk: u32,
    new: &NewText,
) -> Result<Vec<SpokenBy>> {
    let row = tx
        .one(sql!(
            "SELECT text, speakers FROM chunk_texts WHERE material_id = $1 AND idx = $2",
            material,
            chunk
        ))
        .await?;
    let mut speakers = new.speakers.clone();
    if let Some(row) = &row {
        let given = Given::of([Said::read(row)?]);
        given.carry([(new.text.as_str(), &mut speakers)].into_iter());
    }
    Ok(speakers)
}

/// What the owner of a locked material said of its quotes, for when its text is divided anew.
pub(in crate::materials) async fn given(tx: &mut Tx, material: MaterialId) -> Result<Given> {
    let any = tx
        .one(sql!(
            "SELECT idx FROM chunk_texts WHERE material_id = $1 AND speakers LIKE '%\"is_given\":true%' LIMIT 1",
            material
        ))
        .await?;
    if any.is_none() {
        return Ok(Given::default());
    }
    let rows = tx
        .all(sql!(
            "SELECT text, speakers FROM chunk_texts WHERE material_id = $1 AND speakers <> '[]' ORDER BY idx",
            material
        ))
        .await?;
    Ok(Given::of(rows.iter().map(Said::read).collect::<Result<Vec<_>>>()?))
}

/// The quotes of a material in the order of the text, and whose the owner said they are.
#[derive(Debug, Default)]
pub(in crate::materials) struct Given(Vec<(String, Option<Whose>)>);

/// Whose a quote is: a speaker's, or `None` for the narrator's.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Whose(Option<String>);

impl Given {
    fn of(chunks: impl IntoIterator<Item = Said>) -> Self {
        let mut quotes: Vec<(String, Option<Whose>)> = Vec::new();
        for Said { text, stretches } in chunks {
            for stretch in stretches {
                let words = text.get(stretch.start as usize..stretch.end as usize).unwrap_or_default();
                // A quote across chunks is one, wherever it is cut.
                if let Some((whole, _)) = quotes.last_mut().filter(|_| stretch.goes_on) {
                    whole.push_str(words);
                } else {
                    quotes.push((words.to_owned(), stretch.is_given.then_some(Whose(stretch.name))));
                }
            }
        }
        Self(quotes)
    }

    pub(in crate::materials) fn is_empty(&self) -> bool {
        self.0.iter().all(|(_, whose)| whose.is_none())
    }

    /// Carries it over to the chunks of a text that was divided anew.
    pub(in crate::materials) fn carry_to(&self, chunks: &mut [NewChunk]) {
        self.carry(chunks.iter_mut().map(|chunk| (chunk.text.as_str(), &mut chunk.speakers)));
    }

    /// Finds the quotes again in a new text, by their words and their order, and gives them as before. What is new, or
    /// was not found again, stays as the text tells.
    fn carry<'a>(&self, chunks: impl Iterator<Item = (&'a str, &'a mut Vec<SpokenBy>)>) {
        if self.is_empty() {
            return;
        }
        let mut words: Vec<String> = Vec::new();
        let mut pieces: Vec<Vec<&mut SpokenBy>> = Vec::new();
        for (text, stretches) in chunks {
            for stretch in stretches {
                let piece = text.get(stretch.start as usize..stretch.end as usize).unwrap_or_default();
                match (words.last_mut(), pieces.last_mut()) {
                    (Some(whole), Some(all)) if stretch.goes_on => {
                        whole.push_str(piece);
                        all.push(stretch);
                    }
                    _ => {
                        words.push(piece.to_owned());
                        pieces.push(vec![stretch]);
                    }
                }
            }
        }
        let before =
            numbered(self.0.iter().map(|(words, _)| words.as_str()).chain(words.iter().map(String::as_str)));
        let (before, after) = before.split_at(self.0.len());
        let until = Instant::now() + PATIENCE;
        for operation in capture_diff_slices_deadline(Algorithm::Myers, before, after, Some(until)) {
            let DiffOp::Equal { old_index, new_index, len } = operation else { continue };
            for at in 0..len {
                if let Some(Whose(speaker)) = &self.0[old_index + at].1 {
                    pieces[new_index + at].iter_mut().for_each(|piece| give(piece, speaker.clone()));
                }
            }
        }
    }
}

/// A number for each text, the same for those that differ in white space at their ends alone.
fn numbered<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<usize> {
    let mut numbers = HashMap::new();
    texts
        .map(|text| {
            let next = numbers.len();
            *numbers.entry(text.trim()).or_insert(next)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHO: [&str; 2] = ["Ines", "Tom"];

    /// A chunk of quotes and who says each: proposed, or in capitals as the owner said. One that begins with `…` goes
    /// on with the one before.
    fn chunk(quotes: &[(&str, &str)]) -> Said {
        let (mut text, mut stretches) = (String::new(), Vec::new());
        for (words, name) in quotes {
            let goes_on = words.starts_with('…');
            let start = text.len() as u32;
            text.push_str(words.trim_start_matches('…'));
            let end = text.len() as u32;
            let is_given = name.chars().all(char::is_uppercase);
            let name = WHO.iter().find(|who| who.eq_ignore_ascii_case(name)).map(|who| (*who).to_owned());
            stretches.push(SpokenBy { start, end, name, characters: 1, confidence: None, is_given, goes_on });
            text.push_str("\n\n");
        }
        Said { text, stretches }
    }

    /// Who says each after the change, in capitals as the owner said.
    fn carried(before: &[&[(&str, &str)]], after: &[&[(&str, &str)]]) -> Vec<String> {
        let mut after: Vec<Said> = after.iter().map(|quotes| chunk(quotes)).collect();
        let given = Given::of(before.iter().map(|quotes| chunk(quotes)));
        given.carry(after.iter_mut().map(|said| (said.text.as_str(), &mut said.stretches)));
        let name = |one: SpokenBy| {
            let name = one.name.unwrap_or_default();
            if one.is_given { name.to_uppercase() } else { name }
        };
        after.into_iter().flat_map(|said| said.stretches).map(name).collect()
    }

    #[test]
    fn what_the_owner_said_stays_with_its_quote() {
        let before: &[_] = &[("“Yes.”", "Ines"), ("“No.”", "TOM"), ("“Yes.”", "TOM")];
        let after: &[_] = &[("“Oh!”", "Ines"), ("“Yes.”", "Ines"), ("“No.”", "Ines"), ("“Yes.”", "Ines")];
        assert_eq!(carried(&[before], &[after]), ["Ines", "Ines", "TOM", "TOM"]);
    }

    #[test]
    fn a_quote_that_was_not_there_is_the_texts() {
        let before: &[_] = &[("“Hm.”", "Ines"), ("“Yes.”", "TOM")];
        let after: &[_] = &[("“Hm.”", "Ines"), ("“Yes.”", "Ines"), ("“Yes.”", "Ines")];
        let given = carried(&[before], &[after]).into_iter().filter(|name| name == "TOM");
        assert_eq!(given.count(), 1);
    }

    #[test]
    fn a_quote_that_is_cut_elsewhere_is_the_same() {
        // The blank line that ends a chunk of the test is within the words.
        let cut: [&[_]; 2] = [&[("“It is", "TOM")], &[("… late.”", "TOM"), ("“No.”", "Ines")]];
        let elsewhere: [&[_]; 2] = [&[("“It", "Ines")], &[("…\u{20}is late.”", "Ines"), ("“No.”", "Ines")]];
        assert_eq!(carried(&cut, &elsewhere), ["TOM", "TOM", "Ines"]);
    }

    #[test]
    fn the_narrator_is_said_by_the_owner_too() {
        let mut said = chunk(&[("“Yes.”", "Tom")]);
        said.stretches[0].name = None;
        said.stretches[0].is_given = true;
        let mut after = chunk(&[("“Yes.”", "Tom")]);
        Given::of([said]).carry([(after.text.as_str(), &mut after.stretches)].into_iter());
        assert_eq!((after.stretches[0].name.as_deref(), after.stretches[0].is_given), (None, true));
    }
}
