//! `GET /v1/saas/ereaders`.

use axum::{Json, extract::State, http::Uri};
use lectern_store::{Tier, ereaders};
use lectern_types::{Ereader, ErrorCode, Page, kinds, language::is_tag};

use crate::{
    app::App,
    http::{
        envelope::Failure,
        extract::{
            auth::{AnyKey, Caller},
            page::{CursorScope, Parameters},
        },
        shapes,
    },
};

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
    responses((status = 200, description = "A page of e-readers", body = Page<Ereader>))
)]
pub async fn list_ereaders(
    State(app): State<App>,
    caller: Caller<AnyKey>,
    uri: Uri,
) -> Result<Json<Page<Ereader>>, Failure> {
    let scope = CursorScope::new(&app.secrets.cursors, "ereaders", caller.account);
    let mut parameters = Parameters::of(&uri);
    let language = parameters.take("language");
    if language.as_deref().is_some_and(|tag| !is_tag(tag)) {
        parameters.wrong("language", "must be a language tag such as en-US");
    }
    let tier = parameters.word("tier", "free, standard, premium", |word| word.parse::<Tier>().ok());
    let position = parameters.position::<kinds::Ereader>(&scope);
    parameters.finish()?;
    let filter = ereaders::Filter { language: language.as_deref(), tier, include_inactive: false };
    // A catalogue is short: it is read whole and cut here.
    let mut all = ereaders::list(&app.store, filter).await?;
    all.sort_by_key(|ereader| std::cmp::Reverse(ereader.id));
    all.retain(|ereader| position.before.is_none_or(|before| ereader.id < before));
    let page = scope.page(all, position.limit, |ereader| ereader.id);
    let Page { data, next_cursor } = page;
    Ok(Json(Page { data: data.into_iter().map(shapes::ereader).collect(), next_cursor }))
}
