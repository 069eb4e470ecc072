//! Parameters of the path.

use axum::extract::{RawPathParams, rejection::RawPathParamsRejection};
use lectern_types::{Id, Kind};

/// The id in the path; `None` for what is no id of this kind, which routes answer like an unknown one.
pub fn id<K: Kind>(path: Result<RawPathParams, RawPathParamsRejection>, name: &str) -> Option<Id<K>> {
    let path = path.ok()?;
    let (_, text) = path.iter().find(|(found, _)| *found == name)?;
    text.parse().ok()
}
