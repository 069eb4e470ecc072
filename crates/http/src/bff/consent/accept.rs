//! `POST /v1/bff/consent`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Request, State},
};
use lectern_store::consent::{self, AcceptOutcome, AcceptedBy, Act};
use lectern_types::{AcceptRequest, ConsentDocuments, DocumentKind, ErrorCode, Fields, Request as _};
use serde_json::Value;

use crate::{
    envelope::Failure,
    extract::{client_ip::ClientIp, post, session::Session},
};
use lectern_service::{
    app::App,
    error::{Error, FieldErrors},
};

/// The failures of this route besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::ValidationFailed, ErrorCode::RequestTimeout];

/// Accept documents
///
/// Accepts the versions that the owner was shown. Each must be the version in force: a version that
/// was replaced meanwhile is `validation_failed`, so that nobody accepts a text that they have not
/// seen. The service records who accepted which version, when and from which address. The account's
/// keys work again at once.
#[utoipa::path(
    post,
    path = "/v1/bff/consent",
    tag = "Web application",
    operation_id = "web_accept_consent",
    security(("session" = []), ("session_cookie" = [])),
    request_body = AcceptRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The documents, as they stand now", body = ConsentDocuments))
)]
pub async fn web_accept_consent(
    State(app): State<Arc<App>>,
    Session(mut signed_in): Session,
    Ok(ClientIp(ip)): Result<ClientIp, std::convert::Infallible>,
    request: Request,
) -> Result<Json<ConsentDocuments>, Failure> {
    let object = post::fields(&app.base, request).await?;
    let is_named = |field: &str| object.get(field).is_some_and(Value::is_string);
    let any = is_named("terms_version") || is_named("privacy_version");
    let mut fields = Fields::of(object);
    let accepted = AcceptRequest::take(&mut fields);
    if !any {
        fields.wrong("terms_version", "or privacy_version must be there");
    }
    let AcceptRequest { terms_version, privacy_version } = fields.finish(accepted)?;
    let named = [
        (DocumentKind::Terms, "terms_version", terms_version),
        (DocumentKind::Privacy, "privacy_version", privacy_version),
    ];
    let ip = ip.to_string();
    let act = Act { by: AcceptedBy::Owner, ip: Some(&ip) };
    let mut wrong = FieldErrors::default();
    for (document, field, version) in named {
        let Some(version) = version else { continue };
        let (account, now) = (signed_in.account.id, app.base.clock.now());
        match consent::accept(&app.base.store, account, document, &version, act, now).await? {
            AcceptOutcome::Accepted => {
                tracing::info!(account.id = %account, consent.document = %document, "a document was accepted");
                let accepted = &mut signed_in.consent.accepted;
                match document {
                    DocumentKind::Terms => accepted.terms = Some(version),
                    DocumentKind::Privacy => accepted.privacy = Some(version),
                }
            }
            AcceptOutcome::NotCurrent => wrong.add(field, "is not the version in force; read that one"),
            AcceptOutcome::NoAccount => return Err(Error::from(ErrorCode::InvalidCredentials).into()),
        }
    }
    wrong.into_result()?;
    Ok(Json(super::get::documents(&app.base.store, &signed_in, &signed_in.consent).await?))
}
