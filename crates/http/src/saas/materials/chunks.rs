//! `/v1/saas/materials/{id}/chunks`: the pieces of a material.

pub mod audio;
pub mod list;
pub mod set_text;
pub mod text;
pub mod timestamps;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use lectern_types::{ErrorCode, MaterialId};

use super::Path;
use lectern_service::error::Result;

/// Marks the audio or the word times of before, of a chunk that is to be spoken again.
pub const STALE: HeaderName = HeaderName::from_static("lectern-stale");

/// The chunk or chapter that the path names: its material, and its index or `None` when it is not a number.
/// Callers check the index after they have found the material.
///
/// # Errors
/// `material_not_found` for anything that is not a material's id.
pub(super) fn place(path: Path) -> Result<(MaterialId, Option<u32>)> {
    let path = path.map_err(|_| ErrorCode::MaterialNotFound)?;
    let value = |wanted: &str| path.iter().find(|(name, _)| *name == wanted).map_or("", |(_, value)| value);
    let material = value("id").parse().map_err(|_| ErrorCode::MaterialNotFound)?;
    Ok((material, index(value("index"))))
}

/// Parses a number from 0 in its canonical spelling.
fn index(text: &str) -> Option<u32> {
    let plain = text == "0" || text.bytes().next().is_some_and(|first| matches!(first, b'1'..=b'9'));
    text.parse().ok().filter(|_| plain)
}

/// Marks a response about the audio of before.
fn mark_stale(headers: &mut HeaderMap, is_stale: bool) {
    if is_stale {
        headers.insert(STALE, HeaderValue::from_static("true"));
    }
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
