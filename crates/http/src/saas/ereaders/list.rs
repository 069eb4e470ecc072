//! `GET /v1/saas/ereaders`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_store::{
    Tier,
    ereaders::{self, Ereader as Row},
};
use lectern_types::{AccountId, Ereader, EreaderId, ErrorCode, Page, language::is_tag, request::parse_word};

use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        RefOr, Schema,
        schema::{ObjectBuilder, Type},
    },
};

use crate::{
    envelope::Failure,
    extract::{
        auth::{AnyKey, Caller},
        page::{self, CursorScope, Parameters},
    },
    shapes,
};
use lectern_service::{app::App, services::speech::ereader_catalog};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::ValidationFailed];

/// The longest `gender` that is looked for, in characters.
const LONGEST_GENDER: usize = 40;

/// The name of an engine that an e-reader can be on, in the document: a word of the engines' table.
pub enum EngineName {}

impl PartialSchema for EngineName {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .enum_values(Some(ereader_catalog::engine_names()))
            .into()
    }
}

impl ToSchema for EngineName {}

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
        ("engine" = inline(Option<EngineName>), Query, description = "Only those on this engine",
            example = "hibari"),
        ("gender" = Option<String>, Query, description = "Only those of this gender", example = "female",
            min_length = 1, max_length = 40),
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
    page(&app, caller.authenticated.account, &uri, shapes::ereader).await
}

/// The page of e-readers that a request's parameters ask for. `show` makes of each what is answered.
///
/// # Errors
/// `validation_failed` for a parameter, or the store's.
pub async fn page<T>(
    app: &App,
    account: AccountId,
    uri: &Uri,
    show: impl FnMut(Row) -> T,
) -> Result<Json<Page<T>>, Failure> {
    let scope = CursorScope::new(&app.base.secrets.cursors, "ereaders", account);
    let mut parameters = Parameters::of(uri);
    let language = parameters.take("language");
    if language.as_deref().is_some_and(|tag| !is_tag(tag)) {
        parameters.wrong("language", "must be a language tag such as en-US");
    }
    let tier = parameters.read("tier", parse_word::<Tier>);
    let engine = parameters.read("engine", |name| {
        let known = ereader_catalog::engine_names();
        let found = known.iter().find(|known| **known == name);
        found.copied().ok_or_else(|| format!("must be one of: {}", known.join(", ")))
    });
    let gender = parameters.take("gender");
    if gender.as_deref().is_some_and(|text| text.is_empty() || text.chars().count() > LONGEST_GENDER) {
        parameters.wrong("gender", "must be a word such as female");
    }
    let filter = ereaders::Filter {
        language: language.as_deref(),
        tier,
        engine,
        gender: gender.as_deref(),
        include_inactive: false,
    };
    // A catalogue is short: it is read whole, and the page is cut from it.
    let rows = async |before: Option<EreaderId>, _| {
        let mut all = ereaders::list(&app.base.store, filter).await?;
        all.sort_by_key(|ereader| std::cmp::Reverse(ereader.id));
        all.retain(|ereader| before.is_none_or(|before| ereader.id < before));
        Ok::<_, lectern_store::Error>(all)
    };
    page::list(&scope, parameters, rows, |ereader| ereader.id, show).await
}
