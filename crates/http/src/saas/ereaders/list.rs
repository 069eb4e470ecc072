//! `GET /v1/saas/ereaders`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_store::{Tier, ereaders};
use lectern_types::{Ereader, EreaderId, ErrorCode, Page, language::is_tag, request::parse_word};

use crate::{
    envelope::Failure,
    extract::{
        auth::{AnyKey, Caller},
        page::{self, CursorScope, Parameters},
    },
    shapes,
};
use lectern_service::app::App;

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::ValidationFailed];

/// List e-readers
///
/// The voices and their prices, newest first. Inactive ones are not listed.
#[utoipa::path(
    get,
    path = "/v1/saas/ereaders",
    tag = "E-readers",
    operation_id = "list_ereaders",
    params(
        ("language" = Option<String>, Query, description = "Only those that read this language, whatever the \
            region: `en-GB` finds `en-US`", example = "en-US", pattern = "^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$",
            max_length = 35),
        ("tier" = Option<lectern_types::Tier>, Query, description = "Only those of this tier"),
        ("limit" = Option<u32>, Query, description = "Items on a page", minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "A page of e-readers", body = Page<Ereader>))
)]
pub async fn list_ereaders(
    State(app): State<Arc<App>>,
    caller: Caller<AnyKey>,
    uri: Uri,
) -> Result<Json<Page<Ereader>>, Failure> {
    let scope = CursorScope::new(&app.base.secrets.cursors, "ereaders", caller.authenticated.account);
    let mut parameters = Parameters::of(&uri);
    let language = parameters.take("language");
    if language.as_deref().is_some_and(|tag| !is_tag(tag)) {
        parameters.wrong("language", "must be a language tag such as en-US");
    }
    let tier = parameters.read("tier", parse_word::<Tier>);
    let filter = ereaders::Filter { language: language.as_deref(), tier, include_inactive: false };
    // A catalogue is short: it is read whole, and the page is cut from it.
    let rows = async |before: Option<EreaderId>, _| {
        let mut all = ereaders::list(&app.base.store, filter).await?;
        all.sort_by_key(|ereader| std::cmp::Reverse(ereader.id));
        all.retain(|ereader| before.is_none_or(|before| ereader.id < before));
        Ok::<_, lectern_store::Error>(all)
    };
    page::list(&scope, parameters, rows, |ereader| ereader.id, shapes::ereader).await
}
