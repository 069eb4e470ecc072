//! Changes to a material by its owner.

use lectern_types::{AccountId, LanguageSource, MaterialId};

use super::{About, Language, Material, again, lock};
use crate::{Environment, Result, Store, db::sql, writing::Writing};

/// The changes that an owner requests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    pub title: Option<String>,
    pub author: Change<String>,
    pub narrator: Change<String>,
    pub publisher: Change<String>,
    pub year: Change<u32>,
    pub language: NewLanguage,
    pub description: Change<String>,
    pub series: Change<String>,
    /// In hundredths.
    pub series_index: Change<u32>,
    /// Its digits.
    pub isbn: Change<String>,
    pub copyright: Change<String>,
}

/// The change to what may be unknown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Change<T> {
    /// Keep it.
    #[default]
    Kept,
    /// Set it, or make it unknown.
    Set(Option<T>),
}

impl<T> Change<T> {
    /// What it is after the change.
    pub(super) fn apply(&self, now: &mut Option<T>)
    where
        T: Clone,
    {
        if let Self::Set(value) = self {
            now.clone_from(value);
        }
    }
}

/// The change to a material's language.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum NewLanguage {
    /// Keep the language.
    #[default]
    Kept,
    /// Remove the language.
    Unknown,
    /// Set the language to this BCP 47 tag.
    Given(String),
}

impl Changes {
    /// The material after the changes.
    fn apply(&self, before: &Material) -> Material {
        let mut material = before.clone();
        if let Some(title) = &self.title {
            material.title.clone_from(title);
        }
        self.author.apply(&mut material.author);
        let about = &mut material.about;
        self.narrator.apply(&mut about.narrator);
        self.publisher.apply(&mut about.publisher);
        self.year.apply(&mut about.year);
        self.description.apply(&mut about.description);
        self.series.apply(&mut about.series);
        self.series_index.apply(&mut about.series_index);
        self.isbn.apply(&mut about.isbn);
        self.copyright.apply(&mut about.copyright);
        match &self.language {
            NewLanguage::Kept => {}
            NewLanguage::Unknown => material.language = None,
            NewLanguage::Given(tag) => {
                material.language = Some(Language { tag: tag.clone(), source: LanguageSource::Given });
            }
        }
        material
    }
}

/// Changes a material of the account. What is made of the whole book is made anew, because it names what was
/// changed. Returns the material in its new state, or `None` when there is none.
pub async fn update(
    store: &Store,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
    changes: &Changes,
    writing: Writing<'_>,
) -> Result<Option<Material>> {
    let mut tx = store.begin().await?;
    let found = lock(&mut tx, material).await?;
    let Some(before) = found.filter(|found| (found.account, found.environment) == (account, environment))
    else {
        return Ok(None);
    };
    let mut after = changes.apply(&before);
    if after == before && changes.title.is_none() {
        return Ok(Some(before));
    }
    after.updated_at = writing.now;
    let About { narrator, publisher, year, description, series, series_index, isbn, copyright } =
        &after.about;
    tx.run(sql!(
        "UPDATE materials SET title = $2, title_given = CASE WHEN $3 = 1 THEN 1 ELSE title_given END, author = $4,
             language = $5, language_source = $6, narrator = $7, publisher = $8, year = $9, description = $10,
             series = $11, series_index = $12, isbn = $13, copyright = $14, updated_at = $15
         WHERE id = $1",
        after.id,
        after.title.as_str(),
        changes.title.is_some(),
        after.author.as_deref(),
        after.language.as_ref().map(|language| language.tag.as_str()),
        after.language.as_ref().map(|language| language.source),
        narrator.as_deref(),
        publisher.as_deref(),
        *year,
        description.as_deref(),
        series.as_deref(),
        *series_index,
        isbn.as_deref(),
        copyright.as_deref(),
        after.updated_at
    ))
    .await?;
    if after != (Material { updated_at: after.updated_at, ..before }) {
        again::forget_books(&mut tx, material, writing.now).await?;
    }
    tx.commit().await?;
    Ok(Some(after))
}
