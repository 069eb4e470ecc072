//! `POST /v1/saas/keys`.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    response::Response,
};
use lectern_store::{Environment, Scope, Scopes};
use lectern_types::{CreateKeyRequest, ErrorCode, MAX_KEY_NAME, NewApiKey, Timestamp};
use secrecy::ExposeSecret as _;
use serde_json::{Map, Value};

use crate::{
    envelope::Failure,
    extract::{
        auth::{Admin, Caller},
        json::Fields,
        post::{self, ReplayStorage},
    },
    shapes,
};
use lectern_service::{
    app::App,
    error::Result,
    services::keys::create::{self, NewKeyRequest},
};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::RequestTooLarge,
    ErrorCode::RequestTimeout,
    ErrorCode::IdempotencyKeyReuse,
    ErrorCode::ValidationFailed,
    ErrorCode::ScopeEscalation,
];

/// How many wrong entries of `scopes` are named.
const NAMED_SCOPES: usize = 10;

/// Make a key
///
/// Makes a key with some or all of the calling key's permissions. `key` is shown in this response only and cannot be
/// had again; with an `Idempotency-Key`, repeating the call with the same API key answers the same response for 24
/// hours.
#[utoipa::path(
    post,
    path = "/v1/saas/keys",
    tag = "Keys",
    operation_id = "create_key",
    params(
        ("Idempotency-Key" = Option<String>, Header, description = "Makes the call safe to repeat for 24 hours: \
            1 to 128 characters of A-Z, a-z, 0-9, _ and -", max_length = 128, min_length = 1,
            pattern = "^[A-Za-z0-9_-]+$"),
    ),
    request_body = CreateKeyRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 201, description = "The key is made", body = NewApiKey, headers(
        ("Idempotent-Replayed" = Option<String>, description = "`true` when an earlier call made this response"),
    ), example = json!({
        "id": "key_019aa4f6c0de7000800000000000d001",
        "name": "nightly import",
        "scopes": ["read", "write"],
        "environment": "test",
        "status": "active",
        "key_hint": "0000",
        "created_at": "2026-11-21T07:08:11.524Z",
        "expires_at": null,
        "last_used_at": null,
        "revoked_at": null,
        "key": "svc_test_0000000000000000000000000000000000000000000000000",
    })))
)]
pub async fn create_key(
    State(app): State<Arc<App>>,
    caller: Caller<Admin>,
    request: Request,
) -> Result<Response, Failure> {
    let run = async |object, idempotent| {
        let show = |key: &_, secret: &secrecy::SecretString| {
            let about = shapes::api_key(key, key.created_at);
            post::json(201, &NewApiKey { about, key: secret.expose_secret().to_owned() })
        };
        create::create(&app.base, &caller.authenticated, params(object)?, idempotent, show).await
    };
    post::answer(&app.base, &caller, request, ReplayStorage::Sealed, run).await
}

fn params(object: Map<String, Value>) -> Result<NewKeyRequest> {
    let mut fields = Fields::of(object);
    let name = fields.text("name").and_then(|name| {
        let characters = name.chars().count();
        let fits = (1..=MAX_KEY_NAME).contains(&characters)
            && !name.chars().any(char::is_control)
            && !name.trim().is_empty();
        let sentence =
            "must be 1 to 100 characters, not only white space and none of them a control character";
        if fits { Some(name) } else { fields.wrong("name", sentence) }
    });
    let scopes = scopes(&mut fields);
    let environment = fields.word("environment", "test, live", |word| word.parse::<Environment>().ok());
    let expires_at = fields.optional_text("expires_at").and_then(|text| {
        let sentence =
            "must be a time in RFC 3339, not after the year 9999 of UTC, such as 2026-11-21T07:08:11.524Z";
        Timestamp::parse_rfc_3339(&text).or_else(|| fields.wrong("expires_at", sentence))
    });
    let (name, scopes) = fields.finish_with((name, scopes))?;
    Ok(NewKeyRequest { name, scopes, environment, expires_at })
}

/// The set that `scopes` lists; each entry that is wrong is named by its place.
fn scopes(fields: &mut Fields) -> Option<Scopes> {
    let sentence = "must be a list of at least one of: read, write, admin";
    let entries = match fields.take("scopes") {
        Some(Value::Array(entries)) if !entries.is_empty() => entries,
        Some(_) => return fields.wrong("scopes", sentence),
        None => return fields.wrong("scopes", "is required"),
    };
    let mut listed: Vec<Scope> = Vec::new();
    let mut wrong = 0;
    for (at, entry) in entries.iter().enumerate() {
        let sentence = match entry.as_str().and_then(|word| word.parse::<Scope>().ok()) {
            Some(scope) if !listed.contains(&scope) => {
                listed.push(scope);
                continue;
            }
            Some(_) => "is in the list twice",
            None => "must be one of: read, write, admin",
        };
        fields.wrong::<()>(&format!("scopes[{at}]"), sentence);
        wrong += 1;
        if wrong == NAMED_SCOPES {
            break;
        }
    }
    (wrong == 0).then(|| listed.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use lectern_service::error::Error;

    fn refusal(body: Value) -> Vec<String> {
        let Value::Object(object) = body else { panic!("not an object") };
        match params(object) {
            Ok(_) => Vec::new(),
            Err(Error::Invalid(fields)) => fields.0.into_keys().collect(),
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn each_wrong_field_and_entry_is_named() {
        assert_eq!(refusal(json!({})), ["name", "scopes"]);
        assert_eq!(
            refusal(json!({ "name": "", "scopes": [], "environment": "prod", "expires_at": 1, "x": 1 })),
            ["environment", "expires_at", "name", "scopes", "x"]
        );
        for (scopes, named) in [
            (json!(["read", "read"]), vec!["scopes[1]"]),
            (json!(["Read", "admin", null]), vec!["scopes[0]", "scopes[2]"]),
            (json!("read"), vec!["scopes"]),
            (json!(null), vec!["scopes"]),
            (json!(["read", "write", "admin"]), vec![]),
        ] {
            assert_eq!(refusal(json!({ "name": "n", "scopes": scopes })), named, "{scopes}");
        }
        assert_eq!(refusal(json!({ "name": "n", "scopes": vec!["x"; 10_000] })).len(), NAMED_SCOPES);
    }

    #[test]
    fn a_name_is_1_to_100_characters_that_can_be_shown() {
        for (name, fits) in [
            ("é".repeat(100), true),
            ("é".repeat(101), false),
            (" ".to_owned(), false),
            ("\u{a0}\u{2003}".to_owned(), false),
            (" n ".to_owned(), true),
            ("a\u{0}".to_owned(), false),
            ("a\nb".to_owned(), false),
        ] {
            assert_eq!(refusal(json!({ "name": name, "scopes": ["read"] })).is_empty(), fits, "{name:?}");
        }
    }
}
