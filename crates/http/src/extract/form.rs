//! The body of a route that takes no API key: registering, signing in, and what mails' links lead
//! to. Its checks come in the contract's order: declared length, the client's velocity limit, form
//! of the idempotency header, the body itself, unknown parameters. What is limited by the address
//! in the body is the route's to check. An `Authorization` header is not looked at.

use std::{marker::PhantomData, sync::Arc, time::Duration};

use axum::{
    extract::{FromRequest, FromRequestParts as _, Request},
    http::{HeaderMap, header::USER_AGENT},
};
use serde_json::{Map, Value};

use super::{client_ip::ClientIp, idempotency, json, page::Parameters, session};
use crate::envelope::Failure;
use lectern_service::{
    app::App,
    error::Result,
    services::accounts::{
        sessions::{Client, MAX_USER_AGENT_CHARS},
        velocity::Action,
    },
};

/// A request that is limited by where it comes from.
pub trait Tries: lectern_types::Request {
    /// The action that the velocity limits count.
    const ACTION: Action;
}

/// Names the action of each request.
macro_rules! tries {
    ($($request:ident $action:ident;)+) => {$(
        impl Tries for lectern_types::$request {
            const ACTION: Action = Action::$action;
        }
    )+};
}

tries! {
    RegisterRequest Register;
    LoginRequest Login;
    ConfirmRequest Confirm;
    ForgotRequest Forgot;
    ResetRequest Reset;
    InvitationRequest Invitation;
    PasswordCheckRequest Judge;
}

/// A JSON body that is to be a `T`, and where it came from.
pub struct Form<T> {
    pub object: Map<String, Value>,
    /// Where the client is, and what it calls itself.
    pub client: Client,
    /// Whether a browser says that another site's page sent it.
    pub is_foreign: bool,
    tries: PhantomData<T>,
}

impl<T: Tries> Form<T> {
    /// What it asks for.
    pub fn parse(self) -> Result<T> {
        Ok(T::parse(self.object)?)
    }
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
        let object = json::parse_object(&parts.headers, &bytes)?;
        Parameters::of(&parts.uri).finish()?;
        let client = Client { ip, user_agent: user_agent(&parts.headers) };
        let is_foreign = !session::is_from_here(&parts.headers, &app.public_url);
        Ok(Self { object, client, is_foreign, tries: PhantomData })
    }
}

/// What a program calls itself, as far as it is kept.
fn user_agent(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(USER_AGENT)?.to_str().ok()?;
    Some(text.chars().take(MAX_USER_AGENT_CHARS).collect())
}
