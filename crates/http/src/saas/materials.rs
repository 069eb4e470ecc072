//! `/v1/saas/materials`: books and other long texts, their chunks, their audio and their events.

pub mod audio;
pub mod cancel;
pub mod captions;
pub mod cast;
pub mod chapters;
pub mod chunks;
pub mod convert;
pub mod cover;
pub mod create;
pub mod delete;
pub mod events;
pub mod feed;
pub mod get;
pub mod list;
pub mod quotes;
pub mod update;

use axum::extract::{RawPathParams, rejection::RawPathParamsRejection};
use lectern_store::{idempotency::Response as Stored, materials::Material};
use lectern_types::{ErrorCode, MaterialId};

use crate::{
    extract::{path, post},
    shapes,
};
use lectern_service::error::Result;

/// The path parameters of a route.
type Path = Result<RawPathParams, RawPathParamsRejection>;

/// The material that the path names.
///
/// # Errors
/// `material_not_found` for anything that is not a material's id.
fn material(path: Path) -> Result<MaterialId> {
    path::id(path, "id").ok_or_else(|| ErrorCode::MaterialNotFound.into())
}

/// The response to an upload.
fn shown(material: &Material) -> Result<Stored> {
    post::json(202, &shapes::material(material))
}
