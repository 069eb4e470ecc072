//! `GET /v1/bff/consent`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_store::{
    Store,
    consent::{self, Published, Standing},
    sessions::SignedIn,
};
use lectern_types::{ConsentDocument, ConsentDocuments, DocumentKind, ErrorCode};

use crate::{
    envelope::Failure,
    extract::{page::Parameters, session::Session},
};
use lectern_service::{app::App, error::Result};

/// The failures of this route besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::ValidationFailed];

/// Get the documents in force
///
/// Terms and privacy policy with their texts, and, where the account accepted an earlier version, that version's text.
#[utoipa::path(
    get,
    path = "/v1/bff/consent",
    tag = "Web application",
    operation_id = "web_get_consent",
    security(("session" = []), ("session_cookie" = [])),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The documents", body = ConsentDocuments))
)]
pub async fn web_get_consent(
    State(app): State<Arc<App>>,
    Session(signed_in): Session,
    uri: Uri,
) -> Result<Json<ConsentDocuments>, Failure> {
    Parameters::of(&uri).finish()?;
    Ok(Json(documents(&app.base.store, &signed_in, &signed_in.consent).await?))
}

/// The documents in force, with the account's consent state.
pub(super) async fn documents(
    store: &Store,
    signed_in: &SignedIn,
    standing: &Standing,
) -> Result<ConsentDocuments> {
    let mut data = Vec::new();
    for document in [DocumentKind::Terms, DocumentKind::Privacy] {
        if let Some(published) = consent::current_document(store, document).await? {
            data.push(show(store, signed_in, standing, published).await?);
        }
    }
    Ok(ConsentDocuments { data, owed: standing.owed() })
}

async fn show(
    store: &Store,
    signed_in: &SignedIn,
    standing: &Standing,
    published: Published,
) -> Result<ConsentDocument> {
    let Published { document, version, body, published_at } = published;
    let accepted = match document {
        DocumentKind::Terms => standing.accepted.terms.clone(),
        DocumentKind::Privacy => standing.accepted.privacy.clone(),
    };
    let is_accepted = accepted.as_ref() == Some(&version);
    let accepted_text = match &accepted {
        Some(accepted) if !is_accepted => consent::text(store, document, accepted).await?,
        _ => None,
    };
    let acceptance = consent::acceptance(store, signed_in.account.id, document, &version).await?;
    Ok(ConsentDocument {
        kind: document,
        published_at,
        text: body,
        owed: !is_accepted,
        accepted_version: accepted,
        accepted_text,
        accepted_at: acceptance.filter(|_| is_accepted).map(|acceptance| acceptance.at),
        version,
    })
}
