//! The signed-in owner, as a caller of operations that keys can call, too. The page says with
//! `environment` which of the two it shows; the session then acts under the account's internal key
//! of that environment.

use std::sync::Arc;

use axum::{
    extract::FromRequestParts,
    http::{Uri, request::Parts, uri::PathAndQuery},
};
use lectern_store::Environment;

use super::{
    auth::{Access, Caller, limit_account},
    idempotency, session,
};
use crate::envelope::Failure;
use lectern_service::{
    app::App,
    error::{Error, Result},
    services::{accounts::authentication, keys::session_key},
};

/// The parameter that says which environment a page shows.
pub(crate) const ENVIRONMENT: &str = "environment";

/// The session's caller, with the access `A`, on a route that only the web application has.
#[derive(Debug)]
pub struct Web<A>(pub Caller<A>);

impl<A: Access> FromRequestParts<Arc<App>> for Web<A> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Failure> {
        Ok(Self(caller(parts, app).await?))
    }
}

/// The session's caller. This removes the parameter `environment` from the request's URI, so it
/// must run before anything else reads the URI.
///
/// # Errors
/// The errors of the checks of a key, except for the scope: a session has every scope.
pub(super) async fn caller<A: Access>(parts: &mut Parts, app: &App) -> Result<Caller<A>> {
    A::check_length(&app.base.config.limits, &parts.headers)?;
    let (signed_in, token) = session::find(parts, &app.base, &app.public_url).await?;
    limit_account(&app.request_limiter, parts, signed_in.account.id)?;
    if !A::CONSENT_EXEMPT {
        authentication::check_standing(&signed_in.consent)?;
    }
    let idempotency_key = idempotency::key(&parts.headers)?;
    let environment = take_environment(&mut parts.uri)?;
    let acting = session_key::find_or_create(&app.base, signed_in.account.id, environment).await?;
    Ok(Caller::new(acting, idempotency_key, token))
}

/// The environment that the URI names (`live` if it names none), and the URI without the parameter.
fn take_environment(uri: &mut Uri) -> Result<Environment> {
    let Some(query) = uri.query() else { return Ok(Environment::Live) };
    let (mut named, mut rest) = (Vec::new(), Vec::new());
    for pair in query.split('&') {
        match pair.split_once('=') {
            Some((ENVIRONMENT, value)) => named.push(value.to_owned()),
            _ => rest.push(pair),
        }
    }
    let environment = match &named[..] {
        [] => Environment::Live,
        [word] => word.parse().map_err(|_| Error::invalid(ENVIRONMENT, "must be one of: test, live"))?,
        _ => return Err(Error::invalid(ENVIRONMENT, "must be sent once")),
    };
    let query = rest.join("&");
    let whole = if query.is_empty() { uri.path().to_owned() } else { format!("{}?{query}", uri.path()) };
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = PathAndQuery::try_from(whole).ok();
    if let Ok(without) = Uri::from_parts(parts) {
        *uri = without;
    }
    Ok(environment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_is_taken_out_and_the_rest_stays_as_it_was() {
        let take = |text: &str| {
            let mut uri: Uri = text.parse().unwrap();
            let environment = take_environment(&mut uri).map_err(|error| error.to_string())?;
            Ok::<_, String>((environment, uri.to_string()))
        };
        for (text, environment, rest) in [
            ("/a", Environment::Live, "/a"),
            ("/a?environment=test", Environment::Test, "/a"),
            ("/a?x=%26&environment=live&y=", Environment::Live, "/a?x=%26&y="),
            ("/a?limit=1", Environment::Live, "/a?limit=1"),
        ] {
            assert_eq!(take(text), Ok((environment, rest.to_owned())), "{text}");
        }
        for bad in ["/a?environment=", "/a?environment=Live", "/a?environment=test&environment=test"] {
            assert!(take(bad).is_err(), "{bad}");
        }
    }
}
