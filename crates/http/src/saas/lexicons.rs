//! `/v1/saas/lexicons`: words, and how they are said.

pub mod create;
pub mod delete;
pub mod get;
pub mod list;
pub mod replace;
mod sent;

use axum::extract::{RawPathParams, rejection::RawPathParamsRejection};
use lectern_types::LexiconId;

use crate::extract::path;
use lectern_service::error::Result;

/// The path parameters of a route.
type Path = Result<RawPathParams, RawPathParamsRejection>;

/// The lexicon that the path names; `None` for what is no lexicon's id.
fn lexicon(path: Path) -> Option<LexiconId> {
    path::id(path, "id")
}
