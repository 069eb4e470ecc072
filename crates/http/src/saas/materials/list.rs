//! `GET /v1/saas/materials`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_store::materials;
use lectern_types::{ErrorCode, Material, Page};

use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Read},
        page::{self, CursorScope, Parameters},
    },
    shapes,
};
use lectern_service::app::App;

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
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "A page of materials", body = Page<Material>))
)]
pub async fn list_materials(
    State(app): State<Arc<App>>,
    caller: Caller<Read>,
    uri: Uri,
) -> Result<Json<Page<Material>>, Failure> {
    let scope = CursorScope::new(&app.base.secrets.cursors, "materials", caller.authenticated.account);
    let (account, environment) = (caller.authenticated.account, caller.authenticated.key.environment);
    let rows =
        async |before, limit| materials::list(&app.base.store, account, environment, before, limit).await;
    let show = |material| shapes::material(&material);
    page::list(&scope, Parameters::of(&uri), rows, |material| material.id, show).await
}
