//! `/v1/bff/preferences`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Request, State},
    http::Uri,
};
use lectern_service::app::App;
use lectern_store::preferences as stored;
use lectern_types::{ErrorCode, ErrorCode as Code, PageLanguage, Preferences, PreferencesRequest};

use crate::{
    envelope::Failure,
    extract::{page::Parameters, post, session::Session},
};

/// The failures of reading them besides those that every route with a session has.
pub const GET_ERRORS: &[ErrorCode] = &[Code::ValidationFailed];

/// The failures of changing them besides those that every route with a session has.
pub const PATCH_ERRORS: &[ErrorCode] = &[Code::ValidationFailed, Code::RequestTimeout];

fn shown(preferences: stored::Preferences) -> Preferences {
    Preferences {
        language: preferences.language.unwrap_or(PageLanguage::En),
        mail_book_ready: preferences.mail_book_ready,
        mail_low_credits: preferences.mail_low_credits,
    }
}

/// Get the preferences
///
/// The language of the account's mails and invoices, and which mails it gets. Open to accounts that owe consent.
#[utoipa::path(
    get,
    path = "/v1/bff/preferences",
    tag = "Web application",
    operation_id = "web_get_preferences",
    security(("session" = []), ("session_cookie" = [])),
    extensions(("x-errors" = json!(GET_ERRORS))),
    responses((status = 200, description = "The preferences", body = Preferences))
)]
pub async fn web_get_preferences(
    State(app): State<Arc<App>>,
    Session(signed_in): Session,
    uri: Uri,
) -> Result<Json<Preferences>, Failure> {
    Parameters::of(&uri).finish()?;
    Ok(Json(shown(stored::get(&app.base.store, signed_in.account.id).await?)))
}

/// Change the preferences
///
/// Sets the fields that are sent. Open to accounts that owe consent.
#[utoipa::path(
    patch,
    path = "/v1/bff/preferences",
    tag = "Web application",
    operation_id = "web_set_preferences",
    security(("session" = []), ("session_cookie" = [])),
    request_body = PreferencesRequest,
    extensions(("x-errors" = json!(PATCH_ERRORS))),
    responses((status = 200, description = "The preferences", body = Preferences))
)]
pub async fn web_set_preferences(
    State(app): State<Arc<App>>,
    Session(signed_in): Session,
    request: Request,
) -> Result<Json<Preferences>, Failure> {
    let wanted: PreferencesRequest = post::parse(&app.base, request).await?;
    let account = signed_in.account.id;
    let change = stored::Change {
        language: wanted.language,
        mail_book_ready: wanted.mail_book_ready,
        mail_low_credits: wanted.mail_low_credits,
    };
    stored::change(&app.base.store, account, change).await?;
    Ok(Json(shown(stored::get(&app.base.store, account).await?)))
}
