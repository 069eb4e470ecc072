//! `GET /v1/bff/overview`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_store::usage;
use lectern_types::{Activity, DayUsage, Environment, ErrorCode, Overview, Timestamp};

use crate::{
    envelope::Failure,
    extract::{auth::Read, page::Parameters, web::Web},
    shapes,
};
use lectern_service::app::App;

/// The failures of this route besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::ConsentRequired, ErrorCode::ValidationFailed];

/// The number of days of usage in the overview.
const DAYS: i64 = 30;

const DAY: i64 = 86_400;

/// The number of recent activities in the overview.
const RECENT: u32 = 10;

/// Get the overview
///
/// The account's balance, its usage on each of the last 30 days (UTC), and its recent activity.
#[utoipa::path(
    get,
    path = "/v1/bff/overview",
    tag = "Web application",
    operation_id = "web_get_overview",
    security(("session" = []), ("session_cookie" = [])),
    params(("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent")),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The overview", body = Overview))
)]
pub async fn web_get_overview(
    State(app): State<Arc<App>>,
    Web(caller): Web<Read>,
    uri: Uri,
) -> Result<Json<Overview>, Failure> {
    Parameters::of(&uri).finish()?;
    let today = app.base.clock.now().unix_seconds().div_euclid(DAY);
    let (from, to) =
        (Timestamp(0).plus_seconds((today - DAYS + 1) * DAY), Timestamp(0).plus_seconds((today + 1) * DAY));
    let (account, environment) = (caller.authenticated.account, caller.authenticated.key.environment);
    let used = usage::by_day_and_ereader(&app.base.store, account, environment, from, to).await?;
    let recent = usage::recent(&app.base.store, account, environment, RECENT).await?;
    Ok(Json(Overview {
        balance: shapes::balance(caller.authenticated.balance),
        from,
        to,
        usage: used
            .into_iter()
            .map(|used| DayUsage {
                day: used.day,
                ereader_id: used.ereader,
                characters: used.characters,
                credits: used.credits,
            })
            .collect(),
        recent: recent
            .into_iter()
            .map(|spoken| Activity {
                id: spoken.id,
                at: spoken.at,
                ereader_id: spoken.ereader,
                title: spoken.title,
                characters: spoken.characters,
                credits: spoken.credits,
                requests: spoken.requests,
            })
            .collect(),
    }))
}
