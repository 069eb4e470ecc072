//! `/v1/saas/lexicons`: words, and how they are said.

pub mod create;
pub mod delete;
pub mod get;
pub mod list;
pub mod replace;
mod sent;

use axum::extract::{RawPathParams, rejection::RawPathParamsRejection};
use lectern_types::LexiconId;

use crate::extract::{page::Parameters, path};
use lectern_service::error::Result;

/// The path parameters of a route.
type Path = Result<RawPathParams, RawPathParamsRejection>;

/// The lexicon that the path names; `None` for what is no lexicon's id.
fn lexicon(path: Path) -> Option<LexiconId> {
    path::id(path, "id")
}

/// Takes `include`: whether entries are wanted.
fn includes_entries(parameters: &mut Parameters) -> bool {
    let include = |text: &str| if text == "entries" { Ok(()) } else { Err("must be: entries".to_owned()) };
    parameters.read("include", include).is_some()
}
