//! What the owner of a material said of its quotes, kept when a text changes or is divided anew.

use std::collections::HashMap;

use lectern_types::MaterialId;

use super::{give, said};
use crate::{
    Result,
    db::{Tx, sql},
    materials::{NewChunk, NewText, SpokenBy},
};

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
        let given = Given::of([said(row)?]);
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
    Ok(Given::of(rows.iter().map(said).collect::<Result<Vec<_>>>()?))
}

/// What the owner of a material said of its quotes, by their words. A quote is known again by its words and, where
/// several have the same, by its place among those.
#[derive(Debug, Default)]
pub(in crate::materials) struct Given {
    /// For each of the quotes with these words, who says it if the owner said so.
    by_words: HashMap<String, Vec<Option<Whose>>>,
}

/// Whose the owner said a quote is: a speaker's, or `None` for the narrator's.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Whose(Option<String>);

impl Given {
    fn of(chunks: impl IntoIterator<Item = (String, Vec<SpokenBy>)>) -> Self {
        let mut by_words: HashMap<String, Vec<_>> = HashMap::new();
        for (text, stretches) in chunks {
            for stretch in stretches {
                let Some(words) = text.get(stretch.start as usize..stretch.end as usize) else { continue };
                let given = stretch.is_given.then_some(Whose(stretch.name));
                by_words.entry(words.trim().to_owned()).or_default().push(given);
            }
        }
        by_words.retain(|_, quotes| quotes.iter().any(Option::is_some));
        Self { by_words }
    }

    pub(in crate::materials) fn is_empty(&self) -> bool {
        self.by_words.is_empty()
    }

    /// Carries it over to the chunks of a text that was divided anew.
    pub(in crate::materials) fn carry_to(&self, chunks: &mut [NewChunk]) {
        self.carry(chunks.iter_mut().map(|chunk| (chunk.text.as_str(), &mut chunk.speakers)));
    }

    fn carry<'a>(&self, chunks: impl Iterator<Item = (&'a str, &'a mut Vec<SpokenBy>)>) {
        if self.is_empty() {
            return;
        }
        let mut found: HashMap<&str, Vec<&mut SpokenBy>> = HashMap::new();
        for (text, stretches) in chunks {
            for stretch in stretches {
                let words = text.get(stretch.start as usize..stretch.end as usize).unwrap_or_default();
                if let Some((words, _)) = self.by_words.get_key_value(words.trim()) {
                    found.entry(words).or_default().push(stretch);
                }
            }
        }
        for (words, stretches) in found {
            let given = &self.by_words[words];
            let is_same = given.len() == stretches.len();
            for (place, stretch) in stretches.into_iter().enumerate() {
                // More or fewer than before are not the same ones. What all of them were, these are, too.
                let said = if is_same { &given[place] } else { &self.of_all(words) };
                if let Some(Whose(speaker)) = said {
                    give(stretch, speaker.clone());
                }
            }
        }
    }

    /// What the owner said of every quote with these words, if that is the same.
    fn of_all(&self, words: &str) -> Option<Whose> {
        let given = self.by_words.get(words)?;
        let first = given.first()?;
        first.clone().filter(|_| given.iter().all(|one| one == first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHO: [&str; 2] = ["Ines", "Tom"];

    /// A chunk of quotes, each on a line of its own, and who says it: proposed, or in capitals as the owner said.
    fn chunk(quotes: &[(&str, &str)]) -> (String, Vec<SpokenBy>) {
        let (mut text, mut stretches) = (String::new(), Vec::new());
        for (words, name) in quotes {
            let start = text.len() as u32;
            text.push_str(words);
            let end = text.len() as u32;
            let is_given = name.chars().all(char::is_uppercase);
            let name = WHO.iter().find(|who| who.eq_ignore_ascii_case(name)).map(|who| (*who).to_owned());
            stretches.push(SpokenBy {
                start,
                end,
                name,
                characters: 1,
                confidence: None,
                is_given,
                goes_on: false,
            });
            text.push_str("\n\n");
        }
        (text, stretches)
    }

    fn carried(before: &[(&str, &str)], after: &[(&str, &str)]) -> Vec<(String, bool)> {
        let (text, mut stretches) = chunk(after);
        Given::of([chunk(before)]).carry([(text.as_str(), &mut stretches)].into_iter());
        stretches.into_iter().map(|one| (one.name.unwrap_or_default(), one.is_given)).collect()
    }

    fn is(name: &str, is_given: bool) -> (String, bool) {
        (name.to_owned(), is_given)
    }

    #[test]
    fn what_the_owner_said_stays_with_the_words() {
        let before = [("“Yes.”", "Ines"), ("“No.”", "TOM"), ("“Yes.”", "TOM")];
        let after = [("“Oh!”", "Ines"), ("“Yes.”", "Ines"), ("“Yes.”", "Ines"), ("“No.”", "Ines")];
        assert_eq!(
            carried(&before, &after),
            [is("Ines", false), is("Ines", false), is("Tom", true), is("Tom", true)]
        );
    }

    #[test]
    fn of_more_or_fewer_quotes_only_what_was_said_of_all_stays() {
        let after = [("“Yes.”", "Ines"), ("“Yes.”", "Ines"), ("“Yes.”", "Ines")];
        let one = [("“Yes.”", "Ines"), ("“Yes.”", "TOM")];
        assert_eq!(carried(&one, &after), vec![is("Ines", false); 3]);
        let all = [("“Yes.”", "TOM"), ("“Yes.”", "TOM")];
        assert_eq!(carried(&all, &after), vec![is("Tom", true); 3]);
    }

    #[test]
    fn nobody_is_said_by_the_owner_too() {
        let nobody = |is_given| {
            let (text, mut stretches) = chunk(&[("“Yes.”", "Tom")]);
            stretches[0].name = None;
            stretches[0].is_given = is_given;
            let (new, mut after) = chunk(&[("“Yes.”", "Tom")]);
            Given::of([(text, stretches)]).carry([(new.as_str(), &mut after)].into_iter());
            after[0].name.clone()
        };
        assert_eq!((nobody(true), nobody(false)), (None, Some("Tom".to_owned())));
    }
}
