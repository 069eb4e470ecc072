//! `PATCH /v1/saas/materials/{id}`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Request, State},
};
use lectern_store::materials::{Changes, NewLanguage, NewValue};
use lectern_types::{ErrorCode, Material, MaterialId, OrNull, UpdateMaterialRequest};

use super::Path;
use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Write},
        post,
    },
    shapes,
};
use lectern_service::{app::App, services::materials::update};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::RequestTooLarge,
    ErrorCode::RequestTimeout,
    ErrorCode::ValidationFailed,
    ErrorCode::MaterialNotFound,
];

/// Change a material
///
/// Changes the fields that are sent. `null` makes one unknown; while the material is `processing`, the document
/// may still supply it. `language` decides which e-readers can read the material; chunks that are
/// queued or completed stay as they are. The other fields are what whole-book files say of the book, so
/// these files are made anew.
#[utoipa::path(
    patch,
    path = "/v1/saas/materials/{id}",
    tag = "Materials",
    operation_id = "update_material",
    params(("id" = MaterialId, Path, description = "The material's id")),
    request_body = UpdateMaterialRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The material, as it is now", body = Material))
)]
pub async fn update_material(
    State(app): State<Arc<App>>,
    caller: Caller<Write>,
    path: Path,
    request: Request,
) -> Result<Json<Material>, Failure> {
    let changes = changes(post::parse(&app.base, request).await?);
    // Errors in the body are reported before a missing material.
    let material = update::update(&app.base, &caller.authenticated, super::material(path)?, &changes).await?;
    Ok(Json(shapes::material(&material)))
}

fn changes(request: UpdateMaterialRequest) -> Changes {
    fn new<T, U>(field: Option<OrNull<T>>, value: impl Fn(T) -> U) -> NewValue<U> {
        field.map_or(NewValue::Kept, |OrNull(set)| NewValue::Set(set.map(value)))
    }
    Changes {
        title: request.title.map(|title| title.0),
        author: new(request.author, |name| name.0),
        narrator: new(request.narrator, |name| name.0),
        publisher: new(request.publisher, |name| name.0),
        year: new(request.year, |year| year.0),
        language: match request.language {
            None => NewLanguage::Kept,
            Some(OrNull(None)) => NewLanguage::Unknown,
            Some(OrNull(Some(tag))) => NewLanguage::Given(tag.0),
        },
        description: new(request.description, |text| text.0),
        series: new(request.series, |name| name.0),
        series_index: new(request.series_index, |index| index.0),
        isbn: new(request.isbn, |isbn| isbn.0),
        copyright: new(request.copyright, |statement| statement.0),
    }
}
