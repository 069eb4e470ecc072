//! `GET /v1/bff/credits/statement/{id}`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{RawPathParams, State, rejection::RawPathParamsRejection},
    http::Uri,
};
use lectern_store::ledger::statement;
use lectern_types::{Environment, ErrorCode, StatementPart, StatementParts};

use crate::{
    envelope::Failure,
    extract::{auth::Read, page::Parameters, path, web::Web},
};
use lectern_service::app::App;

/// The failures of this route besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] =
    &[ErrorCode::ConsentRequired, ErrorCode::MaterialNotFound, ErrorCode::ValidationFailed];

/// Get the price of each part of a book
///
/// The parts of a material that were charged, in the book's order. After the material was deleted,
/// they are still listed, without titles.
#[utoipa::path(
    get,
    path = "/v1/bff/credits/statement/{id}",
    tag = "Web application",
    operation_id = "web_get_statement_parts",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = lectern_types::MaterialId, Path, description = "The material's id"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The parts", body = StatementParts))
)]
pub async fn web_get_statement_parts(
    State(app): State<Arc<App>>,
    Web(caller): Web<Read>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    uri: Uri,
) -> Result<Json<StatementParts>, Failure> {
    Parameters::of(&uri).finish()?;
    let id = path::id(path, "id").ok_or(ErrorCode::MaterialNotFound)?;
    let parts = statement::parts(&app.base.store, caller.authenticated.account, id).await?;
    let parts = parts.ok_or(ErrorCode::MaterialNotFound)?.into_iter().map(|part| StatementPart {
        index: part.index,
        title: part.title,
        characters: part.characters,
        credits: part.credits,
        at: part.at,
    });
    Ok(Json(StatementParts { data: parts.collect() }))
}
