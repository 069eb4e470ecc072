//! Links under which people without an account listen to a material.

use lectern_types::{AccountId, MaterialId, ShareId, Timestamp};

use crate::{
    Environment, Result, Store,
    db::{Row, sql},
    materials::{self, Material},
};

/// A link to a material. Its secret part is derived from its id.
#[derive(Clone, PartialEq, Eq)]
pub struct Share {
    pub id: ShareId,
    pub material: MaterialId,
    /// The Argon2 hash of its password; `None` when it has none.
    pub password_hash: Option<String>,
    /// When it ends; `None` when it does not.
    pub expires_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

impl std::fmt::Debug for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Share")
            .field("id", &self.id)
            .field("material", &self.material)
            .finish_non_exhaustive()
    }
}

/// What became of a new link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Made {
    There,
    /// The material has the most links that it may have.
    Full,
    NoMaterial,
}

fn read(row: &Row) -> Result<Share> {
    Ok(Share {
        id: row.get("id")?,
        material: row.get("material_id")?,
        password_hash: row.get("password_hash")?,
        expires_at: row.get("expires_at")?,
        created_at: row.get("created_at")?,
    })
}

/// The links to a material, the newest first. The caller must have checked that the material is the account's.
pub async fn list(store: &Store, material: MaterialId) -> Result<Vec<Share>> {
    let rows = store
        .all(sql!(
            "SELECT id, material_id, password_hash, expires_at, created_at FROM material_shares
             WHERE material_id = $1 ORDER BY id DESC",
            material
        ))
        .await?;
    rows.iter().map(read).collect()
}

/// Adds a link to a material of the account that has fewer than `most`. Links that have ended make room.
pub async fn make(
    store: &Store,
    account: AccountId,
    environment: Environment,
    new: &Share,
    most: u32,
) -> Result<Made> {
    let mut tx = store.begin().await?;
    let found = materials::lock(&mut tx, new.material).await?;
    if found.is_none_or(|found| (found.account, found.environment) != (account, environment)) {
        return Ok(Made::NoMaterial);
    }
    tx.run(sql!(
        "DELETE FROM material_shares WHERE material_id = $1 AND expires_at <= $2",
        new.material,
        new.created_at
    ))
    .await?;
    let made = tx
        .run(sql!(
            "INSERT INTO material_shares (id, material_id, password_hash, expires_at, created_at)
                 SELECT $1, m.id, $3, $4, $5 FROM materials m WHERE m.id = $2
                   AND (SELECT COUNT(*) FROM material_shares s WHERE s.material_id = $2) < $6",
            new.id,
            new.material,
            new.password_hash.as_deref(),
            new.expires_at,
            new.created_at,
            most
        ))
        .await?;
    tx.commit().await?;
    Ok(if made == 1 { Made::There } else { Made::Full })
}

/// Revokes a link to a material of the account. Returns it as it was; `None` when there is none.
pub async fn revoke(
    store: &Store,
    account: AccountId,
    environment: Environment,
    (material, share): (MaterialId, ShareId),
) -> Result<Option<Share>> {
    let rows = store
        .change(sql!(
            "DELETE FROM material_shares WHERE id = $1 AND material_id = $2 AND EXISTS (
                 SELECT 1 FROM materials WHERE id = $2 AND account_id = $3 AND environment = $4)
             RETURNING id, material_id, password_hash, expires_at, created_at",
            share,
            material,
            account,
            environment
        ))
        .await?;
    rows.first().map(read).transpose()
}

/// A link and its material; `None` when there is no such link, or it has ended. The caller must have checked the link's secret
/// part, or check it before it uses them.
pub async fn opened(store: &Store, share: ShareId, now: Timestamp) -> Result<Option<(Material, Share)>> {
    let row = store
        .one(sql!(
            "SELECT s.id, s.material_id, s.password_hash, s.expires_at, s.created_at, m.account_id, m.environment
             FROM material_shares s JOIN materials m ON m.id = s.material_id
             WHERE s.id = $1 AND (s.expires_at IS NULL OR s.expires_at > $2)",
            share,
            now
        ))
        .await?;
    let Some(row) = row else { return Ok(None) };
    let (account, environment) = row.pair("account_id", "environment")?;
    let share = read(&row)?;
    let found = materials::find(store, account, environment, share.material).await?;
    Ok(found.map(|found| (found, share)))
}
