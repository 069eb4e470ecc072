//! The headings inside chapters.

use lectern_types::{AccountId, MaterialId};

use super::HeadingAt;
use crate::{Environment, Result, Store, db::sql, materials::read_marks};

/// The chunks of a material of the account that have headings, in order: the index and the headings of each.
pub async fn find(
    store: &Store,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
) -> Result<Vec<(u32, Vec<HeadingAt>)>> {
    let rows = store
        .all(sql!(
            "SELECT t.idx, t.headings FROM chunk_texts t JOIN materials m ON m.id = t.material_id
             WHERE t.material_id = $1 AND m.account_id = $2 AND m.environment = $3 AND t.headings <> '[]'
             ORDER BY t.idx",
            material,
            account,
            environment
        ))
        .await?;
    rows.iter().map(|row| Ok((row.get("idx")?, read_marks(&row.get::<String>("headings")?)?))).collect()
}
