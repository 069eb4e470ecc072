//! Parameters of the path.

use axum::extract::{RawPathParams, rejection::RawPathParamsRejection};
use lectern_types::{Id, Kind};

/// The text in the path; `None` when it cannot be decoded or contains NUL, which PostgreSQL refuses
/// and no stored text has.
pub fn text(path: Result<RawPathParams, RawPathParamsRejection>, name: &str) -> Option<String> {
    let path = path.ok()?;
    let text = path.iter().find(|(found, _)| *found == name).map(|(_, text)| text.to_owned());
    text.filter(|text| !text.contains('\0'))
}

/// The id in the path; `None` for anything that is not an id of this kind, which routes answer like
/// an unknown one.
pub fn id<K: Kind>(path: Result<RawPathParams, RawPathParamsRejection>, name: &str) -> Option<Id<K>> {
    text(path, name)?.parse().ok()
}
