//! `/v1/saas/materials`: books and other long texts, their chunks, their audio and what happens to them.

pub mod audio;
pub mod captions;
pub mod chunks;
pub mod convert;
pub mod create;
pub mod delete;
pub mod events;
pub mod get;
pub mod list;
pub mod update;

use axum::extract::{RawPathParams, rejection::RawPathParamsRejection};
use lectern_store::{idempotency::Response as Stored, materials::Material};
use lectern_types::{ErrorCode, MaterialId, language::is_tag};

use crate::{
    extract::{json::Fields, path, post},
    shapes,
};
use lectern_service::error::Result;

/// What the path of a route names, as axum gives it.
type Path = Result<RawPathParams, RawPathParamsRejection>;

/// The material that the path names.
///
/// # Errors
/// `material_not_found` for what is no id of a material.
fn material(path: Path) -> Result<MaterialId> {
    path::id(path, "id").ok_or_else(|| ErrorCode::MaterialNotFound.into())
}

/// What is wrong with a language, if anything is.
fn check_language(tag: &str) -> Result<(), &'static str> {
    if is_tag(tag) { Ok(()) } else { Err("must be a language tag such as en-US") }
}

/// The field `language`, if it is present and has the form of a tag.
fn language(fields: &mut Fields) -> Option<String> {
    let tag = fields.optional_text("language")?;
    match check_language(&tag) {
        Ok(()) => Some(tag),
        Err(sentence) => fields.wrong("language", sentence),
    }
}

/// The response to an upload.
fn shown(material: &Material) -> Result<Stored> {
    post::json(202, &shapes::material(material))
}
