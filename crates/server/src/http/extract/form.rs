//! The body of a route that takes no API key: registering, signing in, and what mails' links lead to. Its checks come
//! in the contract's order: declared length, form of the idempotency header, the body itself, unknown parameters.
//! An `Authorization` header is not looked at.

use std::{net::IpAddr, time::Duration};

use axum::extract::{FromRequest, FromRequestParts as _, Request};
use secrecy::SecretString;

use super::{
    client_ip::ClientIp,
    idempotency,
    json::{self, Fields},
    page::Parameters,
};
use crate::{app::App, error::Result, http::envelope::Failure, services::passwords::policy};

/// A JSON body, and where it came from.
#[derive(Debug)]
pub struct Form {
    /// The body's fields.
    pub fields: Fields,
    /// The client's address.
    pub ip: IpAddr,
}

impl FromRequest<App> for Form {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &App) -> Result<Self, Failure> {
        let (mut parts, body) = request.into_parts();
        let (cap, patience) = (app.config.limits.body_bytes, app.config.http.body_seconds);
        json::check_declared_length(&parts.headers, cap)?;
        let Ok(ClientIp(ip)) = ClientIp::from_request_parts(&mut parts, app).await;
        idempotency::key(&parts.headers)?;
        let bytes = json::read(body, cap, Duration::from_secs(patience)).await?;
        let fields = Fields::of(json::parse_object(&parts.headers, &bytes)?);
        Parameters::of(&parts.uri).finish()?;
        Ok(Self { fields, ip })
    }
}

/// Takes a password that is about to be set: a text that is not longer than any may be. Whether it is good enough is
/// the policy's matter, later.
pub fn new_password(fields: &mut Fields) -> Option<SecretString> {
    let password = fields.text("password")?;
    if password.chars().count() > policy::LONGEST {
        return fields.wrong("password", format!("must have at most {} characters", policy::LONGEST));
    }
    Some(password.into())
}
