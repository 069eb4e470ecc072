//! Taking a material in: the stored file becomes a row with a job to extract it, once for each `Idempotency-Key`.

use std::time::Duration;

use lectern_store::{
    idempotency::Response,
    keys::Authenticated,
    materials::{self, CreateOutcome, Material, NewMaterial},
};
use lectern_types::AccountId;

use super::intake::{Intake, Stored};
use crate::{
    app::App,
    error::{Error, Result},
    services::{
        gate::{Gate, Pass},
        idempotency::{self, Answer, Guarded},
    },
};

/// Uploads at once, in all and for one account: each holds two parts of a file in memory, one in JSON its whole text.
const AT_ONCE: usize = 24;
const AT_ONCE_EACH: usize = 6;

/// How long an upload waits for its turn.
const PATIENCE: Duration = Duration::from_secs(20);

/// The title of what has none.
const UNTITLED: &str = "Untitled";

/// A file and what was said of it, its form checked.
pub struct Upload {
    /// The file.
    pub intake: Intake,
    /// Whether it came as a text.
    pub is_text: bool,
    /// Its title, when one was given.
    pub title: Option<String>,
    /// Its language, when one was given.
    pub language: Option<String>,
    /// The file's name, when it has one.
    pub filename: Option<String>,
}

/// The gate in front of uploads.
pub fn gate() -> Gate {
    Gate::new(AT_ONCE, AT_ONCE_EACH)
}

/// Waits for the account's turn to upload.
///
/// # Errors
/// `service_unavailable`.
pub async fn turn(app: &App, account: AccountId) -> Result<Pass> {
    app.uploads
        .enter(account, PATIENCE)
        .await
        .map_err(|_| Error::Unavailable { what: "too many uploads are under way", retry_after_seconds: 5 })
}

/// Makes a material of the file, or finds the response of an earlier call. `show` writes the response.
///
/// # Errors
/// `material_unreadable`, `idempotency_key_reuse`, the storage's or the store's. Nothing of the file is left then, unless
/// it is not certain that there is no such material.
pub async fn create(
    app: &App,
    caller: &Authenticated,
    upload: Upload,
    guarded: Option<Guarded>,
    show: impl Fn(&Material) -> Result<Response>,
) -> Result<Answer> {
    let Upload { intake, is_text, title, language, filename } = upload;
    let stored = intake.bring_in(is_text).await?;
    let made_up = title_of(filename.as_deref());
    let new = NewMaterial {
        id: stored.material,
        key: caller.key.id,
        title: title.as_deref().unwrap_or(made_up),
        title_given: title.is_some(),
        language: language.as_deref(),
        filename: filename.as_deref(),
        media_type: stored.kind.media_type(),
        source_bytes: stored.bytes,
        source_sha256: &stored.sha256,
        source_object: &stored.object,
    };
    match record(app, caller, &new, guarded.as_ref(), show).await {
        Ok(Recorded::Made(response)) => Ok(made(app, &stored, response)),
        Ok(Recorded::Replayed(response)) => {
            stored.withdraw(app).await;
            Ok(Answer { response, replayed: true })
        }
        // The answer may be all that was lost.
        Ok(Recorded::Unheard(response, error)) => match stored.take_back(app).await {
            Ok(false) => Ok(made(app, &stored, response)),
            Ok(true) => {
                stored.delete(app).await;
                Err(error)
            }
            Err(_) => {
                tracing::error!(material.id = %stored.material, "whether a material was made is not known");
                Err(error)
            }
        },
        Err(error) => {
            stored.withdraw(app).await;
            Err(error)
        }
    }
}

fn made(app: &App, stored: &Stored, response: Response) -> Answer {
    app.signals.jobs_queued();
    metrics::counter!("lectern_materials_uploaded_total", "kind" => stored.kind.media_type()).increment(1);
    Answer { response, replayed: false }
}

/// How recording a material ended.
enum Recorded {
    /// It is there.
    Made(Response),
    /// Whether it is there was not heard.
    Unheard(Response, Error),
    /// An earlier call made one.
    Replayed(Response),
}

async fn record(
    app: &App,
    caller: &Authenticated,
    new: &NewMaterial<'_>,
    guarded: Option<&Guarded>,
    show: impl Fn(&Material) -> Result<Response>,
) -> Result<Recorded> {
    let (account, environment) = (caller.account, caller.key.environment);
    loop {
        let writing = app.writing();
        let response = show(&new.made(account, environment, writing.now))?;
        let request = guarded.map(Guarded::request);
        let record = request.as_ref().map(|request| (request, &response));
        let outcome = materials::create(&app.store, account, environment, new, record, writing).await;
        match (outcome, guarded) {
            (Ok(CreateOutcome::Created(_)), _) => return Ok(Recorded::Made(response)),
            (Err(error), _) => return Ok(Recorded::Unheard(response, error.into())),
            (Ok(CreateOutcome::Expired), _) => {
                return Err(Error::Unavailable { what: "the upload took too long", retry_after_seconds: 1 });
            }
            (Ok(CreateOutcome::Replay(replay)), Some(guarded)) => {
                if let Some(response) = idempotency::follow(app, guarded, replay).await? {
                    return Ok(Recorded::Replayed(response));
                }
            }
            (Ok(CreateOutcome::Replay(_)), None) => {
                return Err(Error::Internal("a replay without an Idempotency-Key".to_owned()));
            }
        }
    }
}

/// A file's name without its ending.
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
