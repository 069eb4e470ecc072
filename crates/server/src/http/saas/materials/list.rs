//! `GET /v1/saas/materials`.

use axum::{Json, extract::State, http::Uri};
use lectern_store::materials;
use lectern_types::{ErrorCode, Material, Page, kinds};

use crate::{
    app::App,
    http::{
        envelope::Failure,
        extract::{
            auth::{Caller, Read},
            page::{CursorScope, Parameters},
        },
        shapes,
    },
};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::InsufficientScope, ErrorCode::ValidationFailed];

/// List materials
///
/// The account's materials in the key's environment, newest first.
#[utoipa::path(
    get,
    path = "/v1/saas/materials",
    tag = "Materials",
    operation_id = "list_materials",
    params(
        ("limit" = Option<u32>, Query, description = "Items on a page", minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
    ),
    responses((status = 200, description = "A page of materials", body = Page<Material>))
)]
pub async fn list_materials(
    State(app): State<App>,
    caller: Caller<Read>,
    uri: Uri,
) -> Result<Json<Page<Material>>, Failure> {
    let scope = CursorScope::new(&app.secrets.cursors, "materials", caller.account);
    let mut parameters = Parameters::of(&uri);
    let position = parameters.position::<kinds::Material>(&scope);
    parameters.finish()?;
    let (account, environment) = (caller.account, caller.key.environment);
    let (before, limit) = (position.before, position.limit);
    let rows = materials::list(&app.store, account, environment, before, limit + 1).await?;
    let Page { data, next_cursor } = scope.page(rows, limit, |material| material.id);
    Ok(Json(Page { data: data.iter().map(shapes::material).collect(), next_cursor }))
}
