//! Creates a material: the stored file becomes a row with a job to extract it, once for each
//! `Idempotency-Key`.

use std::time::Duration;

use lectern_store::{
    idempotency::Response,
    keys::Authenticated,
    materials::{self, CreateOutcome, Material, NewMaterial},
};
use lectern_types::{AccountId, LanguageTag, Title};

use super::intake::{Intake, Stored};
use crate::{
    base::Base,
    error::{Error, Result},
    services::{
        idempotency::{self, Attempt, IdempotentRequest, IdempotentResponse, Once},
        limits::concurrency::{ConcurrencyLimit, Permit},
    },
};

/// The most concurrent uploads, in all and for one account. Each holds two parts of a file in
/// memory; a JSON upload holds its whole text.
const AT_ONCE: usize = 24;
const AT_ONCE_EACH: usize = 6;

/// How long an upload waits for a place.
const PATIENCE: Duration = Duration::from_secs(20);

/// The title of an untitled material.
const UNTITLED: &str = "Untitled";

/// A syntactically valid upload: the file's metadata.
pub struct Upload {
    pub intake: Intake,
    /// Whether it was sent as text.
    pub is_text: bool,
    /// The title, if given.
    pub title: Option<Title>,
    /// The language, if given.
    pub language: Option<LanguageTag>,
    /// The file's name, if it has one.
    pub filename: Option<String>,
    /// The address that it was fetched from.
    pub url: Option<String>,
}

/// The limit on concurrent uploads.
pub fn gate() -> ConcurrencyLimit {
    ConcurrencyLimit::new(AT_ONCE, AT_ONCE_EACH)
}

/// Waits for a place to upload.
///
/// # Errors
/// `service_unavailable`.
pub async fn turn(uploads: &ConcurrencyLimit, account: AccountId) -> Result<Permit> {
    uploads
        .acquire(account, PATIENCE)
        .await
        .map_err(|_| Error::Unavailable { what: "too many uploads are under way", retry_after_seconds: 5 })
}

/// Creates a material from the file, or returns the response of an earlier call. `show` writes the
/// response.
///
/// # Errors
/// `material_unreadable`, `idempotency_key_reuse`, the storage's or the store's. The file is deleted then, unless the material
/// may exist.
pub async fn create(
    base: &Base,
    caller: &Authenticated,
    upload: Upload,
    idempotent: Option<IdempotentRequest>,
    show: impl Fn(&Material) -> Result<Response>,
) -> Result<IdempotentResponse> {
    let Upload { intake, is_text, title, language, filename, url } = upload;
    let stored = intake.finish(is_text).await?;
    let made_up = title_of(filename.as_deref());
    let new = NewMaterial {
        id: stored.material,
        key: caller.key.id,
        title: title.as_ref().map_or(made_up, |title| &title.0),
        title_given: title.is_some(),
        language: language.as_ref().map(|tag| tag.0.as_str()),
        filename: filename.as_deref(),
        media_type: stored.kind.media_type(),
        source_bytes: stored.bytes,
        source_url: url.as_deref(),
        source_sha256: &stored.sha256,
        source_object: &stored.object,
    };
    match record(base, caller, &new, idempotent.as_ref(), show).await {
        Ok(Once::Ran(Recorded::Made(response))) => Ok(made(&stored, response)),
        Ok(Once::Replayed(response)) => {
            stored.withdraw(base).await;
            Ok(IdempotentResponse { response, replayed: true })
        }
        // Perhaps only the answer was lost.
        Ok(Once::Ran(Recorded::CommitUnknown(response, error))) => {
            match stored.cancel_reservation(&base.store).await {
                Ok(false) => Ok(made(&stored, response)),
                Ok(true) => {
                    stored.delete(&base.objects).await;
                    Err(error)
                }
                Err(_) => {
                    tracing::error!(material.id = %stored.material, "whether a material was made is not known");
                    Err(error)
                }
            }
        }
        Err(error) => {
            stored.withdraw(base).await;
            Err(error)
        }
    }
}

fn made(stored: &Stored, response: Response) -> IdempotentResponse {
    metrics::counter!("lectern_materials_uploaded_total", "kind" => stored.kind.media_type()).increment(1);
    IdempotentResponse { response, replayed: false }
}

/// How recording a material ended.
enum Recorded {
    /// It was created.
    Made(Response),
    /// The outcome is unknown.
    CommitUnknown(Response, Error),
}

async fn record(
    base: &Base,
    caller: &Authenticated,
    new: &NewMaterial<'_>,
    idempotent: Option<&IdempotentRequest>,
    show: impl Fn(&Material) -> Result<Response>,
) -> Result<Once<Recorded>> {
    let (account, environment) = (caller.account, caller.key.environment);
    let request = idempotent.map(IdempotentRequest::request);
    let attempt = || async {
        let writing = base.writing();
        let response = show(&new.made(account, environment, writing.now))?;
        let record = request.as_ref().map(|request| (request, &response));
        match materials::create(&base.store, account, environment, new, record, writing).await {
            Ok(CreateOutcome::Created(_)) => Ok(Attempt::Done(Recorded::Made(response))),
            Err(error) => Ok(Attempt::Done(Recorded::CommitUnknown(response, error.into()))),
            Ok(CreateOutcome::Expired) => {
                Err(Error::Unavailable { what: "the upload took too long", retry_after_seconds: 1 })
            }
            Ok(CreateOutcome::Replay(replay)) => Ok(Attempt::Replay(replay)),
        }
    };
    idempotency::once(base, idempotent, attempt).await
}

/// A file's name without its extension.
fn title_of(filename: Option<&str>) -> &str {
    let stem = filename.map(|name| name.rsplit_once('.').map_or(name, |(stem, _)| stem).trim());
    stem.filter(|stem| !stem.is_empty()).unwrap_or(UNTITLED)
}

#[cfg(test)]
mod tests {
    use super::title_of;

    #[test]
    fn a_file_names_its_material_when_nothing_else_does() {
        assert_eq!(title_of(Some("the harbour.v2.epub")), "the harbour.v2");
        assert_eq!(title_of(Some("notes")), "notes");
        for none in [None, Some(".epub"), Some(" .txt")] {
            assert_eq!(title_of(none), "Untitled");
        }
    }
}
