//! `GET /v1/saas/lexicons`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_store::lexicons;
use lectern_types::{ErrorCode, Lexicon, Page};

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

/// List lexicons
///
/// The account's lexicons in the key's environment, newest first, without their entries.
#[utoipa::path(
    get,
    path = "/v1/saas/lexicons",
    tag = "Lexicons",
    operation_id = "list_lexicons",
    params(
        ("limit" = Option<u32>, Query, description = "Items on a page", minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "A page of lexicons", body = Page<Lexicon>))
)]
pub async fn list_lexicons(
    State(app): State<Arc<App>>,
    caller: Caller<Read>,
    uri: Uri,
) -> Result<Json<Page<Lexicon>>, Failure> {
    let scope = CursorScope::new(&app.base.secrets.cursors, "lexicons", caller.authenticated.account);
    let (account, environment) = (caller.authenticated.account, caller.authenticated.key.environment);
    let rows =
        async |before, limit| lexicons::list(&app.base.store, account, environment, before, limit).await;
    let show = |lexicon| shapes::lexicon(&lexicon);
    page::list(&scope, Parameters::of(&uri), rows, |lexicon| lexicon.id, show).await
}
