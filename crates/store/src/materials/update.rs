//! Changes to a material by its owner.

use lectern_types::{AccountId, LanguageSource, MaterialId, Timestamp};

use super::{Language, Material, lock};
use crate::{Environment, Result, Store, db::sql};

/// The changes that an owner requests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    pub language: NewLanguage,
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

/// Changes a material of the account. Returns the material in its new state, or `None` when there
/// is none.
pub async fn update(
    store: &Store,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
    changes: &Changes,
    now: Timestamp,
) -> Result<Option<Material>> {
    let mut tx = store.begin().await?;
    let found = lock(&mut tx, material).await?;
    let Some(mut material) =
        found.filter(|found| (found.account, found.environment) == (account, environment))
    else {
        return Ok(None);
    };
    material.language = match &changes.language {
        NewLanguage::Kept => return Ok(Some(material)),
        NewLanguage::Unknown => None,
        NewLanguage::Given(tag) => Some(Language { tag: tag.clone(), source: LanguageSource::Given }),
    };
    material.updated_at = now;
    tx.run(sql!(
        "UPDATE materials SET language = $2, language_source = $3, updated_at = $4 WHERE id = $1",
        material.id,
        material.language.as_ref().map(|language| language.tag.as_str()),
        material.language.as_ref().map(|language| language.source),
        now
    ))
    .await?;
    tx.commit().await?;
    Ok(Some(material))
}
