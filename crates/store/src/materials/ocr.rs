//! The progress of text recognition.

use lectern_types::{AccountId, MaterialId, MaterialStatus, Timestamp};

use super::Ocr;
use crate::{Result, Store, db::sql};

/// Records how many pages of a scan were read, while its text is being extracted.
pub async fn set_ocr(
    store: &Store,
    account: AccountId,
    material: MaterialId,
    ocr: &Ocr,
    now: Timestamp,
) -> Result<()> {
    store
        .run(sql!(
            "UPDATE materials SET ocr_pages = $1, ocr_pages_read = $2, ocr_confidence = $3, updated_at = $4
             WHERE id = $5 AND account_id = $6 AND status = $7",
            ocr.pages,
            ocr.pages_read,
            ocr.confidence,
            now,
            material,
            account,
            MaterialStatus::Processing
        ))
        .await?;
    Ok(())
}
