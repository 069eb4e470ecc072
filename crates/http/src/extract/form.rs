//! The body of a route that takes no API key: registering, signing in, and what mails' links lead
//! to. Its checks come in the contract's order: declared length, the client's velocity limit, form
//! of the idempotency header, the body itself, unknown parameters. What is limited by the address
//! in the body is the route's to check. An `Authorization` header is not looked at.

use std::{marker::PhantomData, sync::Arc, time::Duration};

use axum::{
    extract::{FromRequest, FromRequestParts as _, Request},
    http::{HeaderMap, header::USER_AGENT},
};
use secrecy::SecretString;

use super::{
    client_ip::ClientIp,
    idempotency,
    json::{self, Fields},
    page::Parameters,
    session,
};
use crate::envelope::Failure;
use lectern_service::{
    app::App,
    error::Result,
    services::accounts::{
        passwords::policy,
        sessions::{Client, MAX_USER_AGENT_CHARS},
        velocity::Action,
    },
};

/// What a form tries, by which its attempts are limited.
pub trait Tries: Send + Sync + 'static {
    /// As the velocity limits know it.
    const ACTION: Action;
}

/// Makes a type for what a form tries.
macro_rules! tries {
    ($($name:ident $action:ident $about:literal;)+) => {$(
        #[doc = $about]
        #[derive(Debug)]
        pub struct $name;

        impl Tries for $name {
            const ACTION: Action = Action::$action;
        }
    )+};
}

tries! {
    ToRegister Register "Registering.";
    ToSignIn Login "Signing in.";
    ToConfirm Confirm "Confirming an address.";
    ToRecover Forgot "Asking for a new password.";
    ToReset Reset "Setting a new password.";
    ToLookUp Invitation "Looking an invitation up.";
    ToJudge Judge "Asking what a password is worth.";
}

/// A JSON body, and where it came from.
#[derive(Debug)]
pub struct Form<T> {
    pub fields: Fields,
    /// Where the client is, and what it calls itself.
    pub client: Client,
    /// Whether a browser says that another site's page sent it.
    pub is_foreign: bool,
    tries: PhantomData<T>,
}

impl<T: Tries> FromRequest<Arc<App>> for Form<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Failure> {
        let (mut parts, body) = request.into_parts();
        let (cap, patience) = (app.base.config.limits.body_bytes, app.base.config.http.body_seconds);
        json::check_declared_length(&parts.headers, cap)?;
        let Ok(ClientIp(ip)) = ClientIp::from_request_parts(&mut parts, app).await;
        app.velocity.check_client(T::ACTION, ip, app.base.clock.now()).await?;
        idempotency::key(&parts.headers)?;
        let bytes = json::read(body, cap, Duration::from_secs(patience)).await?;
        let fields = Fields::of(json::parse_object(&parts.headers, &bytes)?);
        Parameters::of(&parts.uri).finish()?;
        let client = Client { ip, user_agent: user_agent(&parts.headers) };
        let is_foreign = !session::is_from_here(&parts.headers, &app.public_url);
        Ok(Self { fields, client, is_foreign, tries: PhantomData })
    }
}

/// What a program calls itself, as far as it is kept.
fn user_agent(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(USER_AGENT)?.to_str().ok()?;
    Some(text.chars().take(MAX_USER_AGENT_CHARS).collect())
}

/// Takes a password that is about to be set: a text that is not longer than any may be. Whether it
/// is good enough is the policy's matter, later.
pub fn new_password(fields: &mut Fields) -> Option<SecretString> {
    let password = fields.text("password")?;
    if password.chars().count() > policy::MAX_CHARS {
        return fields.wrong("password", format!("must have at most {} characters", policy::MAX_CHARS));
    }
    Some(password.into())
}
