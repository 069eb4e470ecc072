//! The body of a route that takes no API key: registration, sign-in, and the routes behind the
//! links in mails. Its checks come in the contract's order: declared length, the client's velocity
//! limit, form of the idempotency header, the body itself, unknown parameters. Limits on the
//! address in the body are checked by the route. An `Authorization` header is ignored.

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

/// A request that is limited by the client's address.
pub trait Tries: lectern_types::Request {
    /// The action that the velocity limits count.
    const ACTION: Action;
}

/// Sets the action of each request.
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
    OpenShareRequest Share;
    PasswordCheckRequest Judge;
}

/// A JSON body that should be a `T`, and the client that sent it.
pub struct Form<T> {
    pub object: Map<String, Value>,
    /// The client's address and user agent.
    pub client: Client,
    /// Whether the browser says that another site's page sent the request.
    pub is_foreign: bool,
    tries: PhantomData<T>,
}

impl<T: Tries> Form<T> {
    /// Parses the request.
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

/// The user agent, cut to the length that is stored.
fn user_agent(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(USER_AGENT)?.to_str().ok()?;
    Some(text.chars().take(MAX_USER_AGENT_CHARS).collect())
}
