//! `GET /v1/bff/library`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_service::{
    app::App,
    services::materials::library::{self, Asked, Book},
};
use lectern_types::{
    Environment, ErrorCode, LibraryBook, LibraryPage, LibraryShow, LibrarySort, MAX_TAG, request::parse_word,
};

use crate::{
    bff::listening,
    envelope::Failure,
    extract::{
        auth::Read,
        page::{CursorScope, Parameters, Position},
        web::Web,
    },
    shapes,
};

/// The failures of this route besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::ConsentRequired, ErrorCode::ValidationFailed];

/// The most characters of a search.
const MOST: usize = 200;

/// Look into the library
///
/// The account's materials with their tags and the listener's place in each. `q` finds those whose title, author, series and
/// tags have each of its words, whatever their case and accents.
#[utoipa::path(
    get,
    path = "/v1/bff/library",
    tag = "Web application",
    operation_id = "web_list_library",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
        ("q" = Option<String>, Query, description = "Words to find", min_length = 1, max_length = 200),
        ("tag" = Option<String>, Query, description = "A tag that they have", min_length = 1, max_length = 50),
        ("show" = inline(Option<LibraryShow>), Query, description = "Which are shown; `all` when absent"),
        ("sort" = inline(Option<LibrarySort>), Query, description = "Their order; `newest` when absent"),
        ("limit" = Option<u32>, Query, description = "Items on a page", minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before, with the same parameters"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "A page of the library", body = LibraryPage))
)]
pub async fn web_list_library(
    State(app): State<Arc<App>>,
    Web(caller): Web<Read>,
    uri: Uri,
) -> Result<Json<LibraryPage>, Failure> {
    let mut parameters = Parameters::of(&uri);
    let words = parameters.read("q", |text| within(text, MOST));
    let tag = parameters.read("tag", |text| within(text, MAX_TAG));
    let show = parameters.read("show", parse_word::<LibraryShow>).unwrap_or(LibraryShow::All);
    let sort = parameters.read("sort", parse_word::<LibrarySort>).unwrap_or(LibrarySort::Newest);
    let scope = CursorScope::new(&app.base.secrets.cursors, "library", caller.authenticated.account);
    let Position { limit, before } = parameters.position(&scope);
    parameters.finish()?;
    let asked = Asked { words, tag, show, sort, after: before, limit: limit as usize };
    let found = library::look(&app.base.store, &caller.authenticated, asked).await?;
    let last = found.books.last().filter(|_| found.has_more);
    let next_cursor = last.map(|book| scope.cursor(book.material.id));
    Ok(Json(LibraryPage {
        next_cursor,
        total: u32::try_from(found.total).unwrap_or(u32::MAX),
        tags: found.tags,
        data: found.books.into_iter().map(shown).collect(),
    }))
}

fn within(text: &str, most: usize) -> Result<String, String> {
    let fits = !text.is_empty() && text.chars().nth(most).is_none() && !text.contains('\0');
    if fits { Ok(text.to_owned()) } else { Err(format!("must be 1 to {most} characters, none of them NUL")) }
}

fn shown(book: Book) -> LibraryBook {
    LibraryBook {
        material: shapes::material(&book.material),
        tags: book.tags,
        place: book.place.as_ref().map(listening::shown),
    }
}
