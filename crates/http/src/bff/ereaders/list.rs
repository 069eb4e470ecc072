//! `GET /v1/bff/ereaders`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_store::ereaders::favorites;
use lectern_types::{Environment, ErrorCode, Page, WebEreader};

use crate::{
    envelope::Failure,
    extract::{auth::AnyKey, web::Web},
    saas::ereaders::list,
};
use lectern_service::app::App;

/// The failures of this route besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::ConsentRequired, ErrorCode::ValidationFailed];

/// List e-readers
///
/// As `GET /v1/saas/ereaders`, and whether the account marked each as a favorite.
#[utoipa::path(
    get,
    path = "/v1/bff/ereaders",
    tag = "Web application",
    operation_id = "web_list_ereaders",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("language" = Option<String>, Query, description = "Only those that read this language, whatever the \
            region: `en-GB` finds `en-US`", example = "en-US", pattern = "^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$",
            max_length = 35),
        ("tier" = Option<lectern_types::Tier>, Query, description = "Only those of this tier"),
        ("engine" = inline(Option<list::EngineName>), Query, description = "Only those on this engine",
            example = "hibari"),
        ("gender" = Option<String>, Query, description = "Only those of this gender", example = "female",
            min_length = 1, max_length = 40),
        ("limit" = Option<u32>, Query, description = "Items on a page", minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "A page of e-readers", body = Page<WebEreader>))
)]
pub async fn web_list_ereaders(
    State(app): State<Arc<App>>,
    Web(caller): Web<AnyKey>,
    uri: Uri,
) -> Result<Json<Page<WebEreader>>, Failure> {
    let account = caller.authenticated.account;
    let marked = favorites::list(&app.base.store, account).await?;
    list::page(&app, account, &uri, |ereader| {
        let favorite = marked.contains(&ereader.id);
        super::shape(ereader, favorite)
    })
    .await
}
