//! Materials as their owner's library: what a search and an order need of all, and their tags.

use std::collections::BTreeMap;

use lectern_types::{AccountId, MaterialId, MaterialStatus, Timestamp};

use crate::{
    Environment, Result, Store,
    db::{Bound as _, Row, many, sql},
    materials,
};

/// What a search and an order need of a material. What was not read ([`Columns`]) is `None`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    pub id: MaterialId,
    pub title: String,
    pub author: Option<String>,
    pub series: Option<String>,
    /// The place in the series, in hundredths.
    pub series_index: Option<u32>,
    pub status: Option<MaterialStatus>,
    /// How far the owner has listened.
    pub listened: Option<Listened>,
}

/// How far the owner has listened, without the point in the audio.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listened {
    pub progress_millionths: u32,
    pub finished: bool,
    pub at: Timestamp,
}

/// What is read of each material: each column of ten thousand rows costs some milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Columns {
    /// The titles.
    Titles,
    /// Titles, authors and series.
    Names,
    /// Everything.
    All,
}

/// `$columns` of all materials of an account, the newest first.
macro_rules! cards {
    ($columns:literal, $join:literal) => {
        concat!(
            "SELECT m.id, m.title",
            $columns,
            " FROM materials m ",
            $join,
            " WHERE m.account_id = $1 AND m.environment = $2 AND m.status <> 'deleted' ORDER BY m.id DESC"
        )
    };
}

/// The cards of all materials of an account, the newest first. Ten thousand are some two megabytes. What is not
/// among `columns` is left out of them.
pub async fn cards(
    store: &Store,
    account: AccountId,
    environment: Environment,
    columns: Columns,
) -> Result<Vec<Card>> {
    let sql = match columns {
        Columns::Titles => cards!("", ""),
        Columns::Names => cards!(", m.author, m.series, m.series_index", ""),
        Columns::All => cards!(
            ", m.author, m.series, m.series_index, m.status, p.progress_millionths, p.finished, p.updated_at",
            "LEFT JOIN material_places p ON p.material_id = m.id"
        ),
    };
    let rows = store.all(sql!(sql, account, environment)).await?;
    rows.iter().map(|row| card(row, columns)).collect()
}

fn card(row: &Row, columns: Columns) -> Result<Card> {
    let (id, title) = row.pair("id", "title")?;
    let mut card =
        Card { id, title, author: None, series: None, series_index: None, status: None, listened: None };
    if columns != Columns::Titles {
        (card.author, card.series) = row.pair("author", "series")?;
        card.series_index = row.get("series_index")?;
    }
    if columns == Columns::All {
        card.status = Some(row.get("status")?);
        let at: Option<Timestamp> = row.get("updated_at")?;
        card.listened = match at {
            Some(at) => {
                let (progress_millionths, finished) = row.pair("progress_millionths", "finished")?;
                Some(Listened { progress_millionths, finished, at })
            }
            None => None,
        };
    }
    Ok(card)
}

/// How many materials an account has.
pub async fn count(store: &Store, account: AccountId, environment: Environment) -> Result<u32> {
    let row = store
        .one(sql!(
            "SELECT COUNT(*) FROM materials WHERE account_id = $1 AND environment = $2 AND status <> 'deleted'",
            account,
            environment
        ))
        .await?;
    row.as_ref().map_or(Ok(0), Row::scalar)
}

/// The tags of an account with how many materials have each: those that most have, at most `most`, in any order.
pub async fn tag_counts(
    store: &Store,
    account: AccountId,
    environment: Environment,
    most: u32,
) -> Result<Vec<(String, u32)>> {
    let rows = store
        .all(sql!(
            "SELECT t.tag, COUNT(*) AS materials FROM material_tags t JOIN materials m ON m.id = t.material_id
             WHERE t.account_id = $1 AND t.environment = $2 AND m.status <> 'deleted'
             GROUP BY t.tag ORDER BY materials DESC, t.tag LIMIT $3",
            account,
            environment,
            most
        ))
        .await?;
    rows.iter().map(|row| row.pair("tag", "materials")).collect()
}

/// The tags of all materials of an account, in order.
pub async fn all_tags(
    store: &Store,
    account: AccountId,
    environment: Environment,
) -> Result<BTreeMap<MaterialId, Vec<String>>> {
    let rows = store
        .all(sql!(
            "SELECT material_id, tag FROM material_tags WHERE account_id = $1 AND environment = $2 ORDER BY material_id, tag",
            account,
            environment
        ))
        .await?;
    by_material(&rows)
}

/// The tags of these materials, in order.
pub async fn tags_of_some(store: &Store, ids: &[MaterialId]) -> Result<BTreeMap<MaterialId, Vec<String>>> {
    let mut found = Vec::new();
    let before = "SELECT material_id, tag FROM material_tags WHERE material_id IN (";
    for statement in many(before, &[], ids.iter().map(|id| [id.bind()]), ")") {
        found.extend(store.all(statement).await?);
    }
    let mut tags = by_material(&found)?;
    for tags in tags.values_mut() {
        tags.sort();
    }
    Ok(tags)
}

fn by_material(rows: &[Row]) -> Result<BTreeMap<MaterialId, Vec<String>>> {
    let mut found: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for row in rows {
        let (material, tag) = row.pair("material_id", "tag")?;
        found.entry(material).or_default().push(tag);
    }
    Ok(found)
}

/// The tags of a material, in order. The caller must have checked that the material is the account's.
pub async fn tags_of(store: &Store, material: MaterialId) -> Result<Vec<String>> {
    let rows = store
        .all(sql!("SELECT tag FROM material_tags WHERE material_id = $1 ORDER BY tag", material))
        .await?;
    rows.iter().map(Row::scalar).collect()
}

/// Replaces the tags of a material of the account. Returns them in order; `None` when there is no such material.
pub async fn set_tags(
    store: &Store,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
    mut tags: Vec<String>,
) -> Result<Option<Vec<String>>> {
    let mut tx = store.begin().await?;
    let found = materials::lock(&mut tx, material).await?;
    if found.is_none_or(|found| (found.account, found.environment) != (account, environment)) {
        return Ok(None);
    }
    tags.sort();
    tx.run(sql!("DELETE FROM material_tags WHERE material_id = $1", material)).await?;
    let rows =
        tags.iter().map(|tag| [material.bind(), account.bind(), environment.bind(), tag.as_str().bind()]);
    let before = "INSERT INTO material_tags (material_id, account_id, environment, tag) VALUES ";
    tx.run_all(many(before, &[], rows, "")).await?;
    tx.commit().await?;
    Ok(Some(tags))
}
