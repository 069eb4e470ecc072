//! `/v1/saas/materials/{id}/chunks`: the pieces of a material.

pub mod audio;
pub mod list;
pub mod text;
pub mod timestamps;

use lectern_types::{ErrorCode, MaterialId};

use super::Path;
use lectern_service::error::Result;

/// The chunk that the path names: its material, and its index unless that is none, which is found out only when the
/// material is there.
///
/// # Errors
/// `material_not_found` for what is no id of a material.
fn place(path: Path) -> Result<(MaterialId, Option<u32>)> {
    let path = path.map_err(|_| ErrorCode::MaterialNotFound)?;
    let value = |wanted: &str| path.iter().find(|(name, _)| *name == wanted).map_or("", |(_, value)| value);
    let material = value("id").parse().map_err(|_| ErrorCode::MaterialNotFound)?;
    Ok((material, index(value("index"))))
}

/// A number from 0 in its one spelling.
fn index(text: &str) -> Option<u32> {
    let plain = text == "0" || text.bytes().next().is_some_and(|first| matches!(first, b'1'..=b'9'));
    text.parse().ok().filter(|_| plain)
}

#[cfg(test)]
mod tests {
    use super::index;

    #[test]
    fn an_index_has_one_spelling() {
        assert_eq!((index("0"), index("10"), index("4294967295")), (Some(0), Some(10), Some(u32::MAX)));
        for bad in ["", "-1", "+1", "00", "01", "1.0", "x", " 1", "4294967296"] {
            assert_eq!(index(bad), None, "{bad}");
        }
    }
}
