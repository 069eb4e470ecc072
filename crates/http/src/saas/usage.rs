//! `GET /v1/saas/usage`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_store::usage;
use lectern_types::{ErrorCode, Timestamp, Usage, UsageGroup, UsageSum, request::parse_word};

use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Read},
        page::Parameters,
    },
};
use lectern_service::app::App;

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::InsufficientScope, ErrorCode::ValidationFailed];

const DAY: i64 = 86_400;

/// The span in days of a request without `from`.
const USUAL_DAYS: i64 = 30;

/// The longest span, in days: a leap year.
const MOST_DAYS: i64 = 366;

/// Get usage
///
/// Characters, credits and syntheses of the key's environment, by day, e-reader or key. Without
/// `from` and `to`: the last 30 UTC days, including today.
#[utoipa::path(
    get,
    path = "/v1/saas/usage",
    tag = "Credits",
    operation_id = "get_usage",
    params(
        ("from" = Option<String>, Query, description = "From this instant on: RFC 3339, or a day, which stands for \
            its beginning (UTC). 30 days before `to` when absent", example = "2026-11-01"),
        ("to" = Option<String>, Query, description = "Up to this instant, not including it: RFC 3339, or a day, which \
            stands for its beginning (UTC). The end of today when absent; at most 366 days after `from`",
            example = "2026-12-01"),
        ("group_by" = Option<UsageGroup>, Query, description = "What to add up by; `day` when absent"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The usage", body = Usage, example = json!({
        "data": [{ "key": "2026-11-21", "characters": 1_033, "credits": 1_033, "requests": 4 }],
        "from": "2026-11-01T00:00:00.000Z",
        "to": "2026-12-01T00:00:00.000Z",
        "group_by": "day",
    })))
)]
pub async fn get_usage(
    State(app): State<Arc<App>>,
    caller: Caller<Read>,
    uri: Uri,
) -> Result<Json<Usage>, Failure> {
    let mut parameters = Parameters::of(&uri);
    let group_by = parameters.read("group_by", parse_word::<UsageGroup>);
    let (from, to) = span(&mut parameters, app.base.clock.now());
    parameters.finish()?;
    let group_by: UsageGroup = group_by.unwrap_or_default();
    let sums = usage::sums(
        &app.base.store,
        caller.authenticated.account,
        caller.authenticated.key.environment,
        from,
        to,
        group_by,
    )
    .await?;
    let data = sums
        .into_iter()
        .map(|sum| UsageSum {
            key: sum.key,
            characters: sum.characters,
            credits: sum.credits,
            requests: sum.requests,
        })
        .collect();
    Ok(Json(Usage { data, from, to, group_by }))
}

/// The span from `from` to `to`. Errors are recorded in `parameters`.
fn span(parameters: &mut Parameters, now: Timestamp) -> (Timestamp, Timestamp) {
    let from = instant(parameters, "from");
    let to = instant(parameters, "to").unwrap_or_else(|| {
        let days = now.unix_seconds().div_euclid(DAY) + 1;
        Timestamp(0).plus_seconds(days * DAY)
    });
    let from = from.unwrap_or_else(|| to.plus_seconds(-USUAL_DAYS * DAY));
    if from > to {
        parameters.wrong("from", format!("must not be after to, {to}"));
    } else if to > from.plus_seconds(MOST_DAYS * DAY) {
        parameters.wrong("from", format!("must be at most {MOST_DAYS} days before to, {to}"));
    }
    (from, to)
}

/// The time or day of a parameter. Errors are recorded in `parameters`.
pub(crate) fn instant(parameters: &mut Parameters, name: &str) -> Option<Timestamp> {
    let sentence =
        "must be a time in RFC 3339, such as 2026-11-21T07:08:11.524Z, or a day, such as 2026-11-21";
    parameters.read(name, |text| {
        let midnight = (text.len() == "2026-11-21".len()).then(|| format!("{text}T00:00:00Z"));
        Timestamp::parse_rfc_3339(midnight.as_deref().unwrap_or(text)).ok_or_else(|| sentence.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    // 2026-11-21T07:08:11.524Z.
    const NOW: Timestamp = Timestamp(1_795_244_891_524_000);

    fn read(query: &str) -> Result<String, String> {
        let mut parameters = Parameters::of(&format!("/x?{query}").parse().unwrap());
        let (from, to) = span(&mut parameters, NOW);
        parameters.finish().map_err(|error| error.to_string())?;
        Ok(format!("{from} {to}"))
    }

    #[test]
    fn what_is_not_said_is_the_thirty_days_that_end_with_today() {
        let usual = "2026-10-23T00:00:00.000Z 2026-11-22T00:00:00.000Z";
        assert_eq!(read(""), Ok(usual.to_owned()));
        assert_eq!(read("to=2026-11-22"), Ok(usual.to_owned()));
        assert_eq!(read("from=2026-10-23"), Ok(usual.to_owned()));
        assert_eq!(
            read("from=2026-11-21T01:00:00%2B01:00&to=2026-11-21T00:00:00.001Z"),
            Ok("2026-11-21T00:00:00.000Z 2026-11-21T00:00:00.001Z".to_owned())
        );
    }

    #[test]
    fn a_span_is_at_most_a_leap_year_and_forward() {
        assert!(read("from=2024-01-01&to=2025-01-01").is_ok());
        assert!(read("from=2026-11-21&to=2026-11-21").is_ok(), "an empty query has a span, too");
        for (query, wrong) in [
            ("from=2024-01-01&to=2025-01-01T00:00:00.001Z", "from"),
            ("from=2026-11-23", "from"),
            ("from=2026-11-21&to=2026-11-20", "from"),
            ("from=0001-01-01&to=9999-01-01", "from"),
            ("from=yesterday", "from"),
            ("from=", "from"),
            ("to=2026-11-2x", "to"),
            ("to=2026-02-30", "to"),
            ("to=2026-11-21T00:00:00", "to"),
            ("from=2026-11-21%00", "from"),
            ("to=2026-11-20&to=2026-11-20", "to"),
            ("til=2026-11-20", "til"),
        ] {
            assert_eq!(read(query), Err(format!("the request is not valid: {wrong}")), "{query}");
        }
    }
}
