//! Lexicons: words of an account, and how they are said. [`contents`] checks what a request sends,
//! this module stores it, and [`choice`] finds the lexicons of a text that is spoken.

pub mod choice;
pub mod contents;

use lectern_store::{
    idempotency::Response,
    keys::Authenticated,
    lexicons::{self as stored, CreateOutcome, Lexicon},
};
use lectern_types::{ErrorCode, LexiconEntry, LexiconId};

use self::contents::Contents;
use crate::{
    base::Base,
    error::Result,
    services::idempotency::{self, Attempt, IdempotentRequest, IdempotentResponse},
};

/// Makes a lexicon, once for each `Idempotency-Key`. `show` writes the response.
///
/// # Errors
/// `too_many_lexicons`.
pub async fn create(
    base: &Base,
    caller: &Authenticated,
    contents: Contents,
    idempotent: Option<IdempotentRequest>,
    show: impl Fn(&Lexicon) -> Result<Response>,
) -> Result<IdempotentResponse> {
    let now = base.clock.now();
    let lexicon = Lexicon {
        id: base.ids.make(),
        name: contents.name,
        language: contents.language,
        is_default: contents.is_default,
        entries_count: contents.entries.count,
        created_at: now,
        updated_at: now,
    };
    let response = show(&lexicon)?;
    let (account, environment) = (caller.account, caller.key.environment);
    let request = idempotent.as_ref().map(IdempotentRequest::request);
    let record = request.as_ref().map(|request| (request, &response));
    let attempt = || async {
        let entries = contents.entries.json.as_str();
        match stored::create(&base.store, account, environment, &lexicon, entries, record).await? {
            CreateOutcome::Created => Ok(Attempt::Done(response.clone())),
            CreateOutcome::Replay(replay) => Ok(Attempt::Replay(replay)),
            CreateOutcome::TooMany => Err(ErrorCode::TooManyLexicons.into()),
        }
    };
    Ok(idempotency::once(base, idempotent.as_ref(), attempt).await?.into())
}

/// Replaces a lexicon.
///
/// # Errors
/// `lexicon_not_found`.
pub async fn replace(
    base: &Base,
    caller: &Authenticated,
    lexicon: Option<LexiconId>,
    contents: Contents,
) -> Result<Lexicon> {
    let found = find(base, caller, lexicon).await?;
    let new = Lexicon {
        name: contents.name,
        language: contents.language,
        is_default: contents.is_default,
        entries_count: contents.entries.count,
        updated_at: base.clock.now(),
        ..found
    };
    let (account, environment) = (caller.account, caller.key.environment);
    let replaced = stored::replace(&base.store, account, environment, &new, &contents.entries.json).await?;
    replaced.ok_or_else(|| ErrorCode::LexiconNotFound.into())
}

/// Deletes a lexicon and returns its last state. Chunks that are queued keep their copy of it.
///
/// # Errors
/// `lexicon_not_found`.
pub async fn delete(base: &Base, caller: &Authenticated, lexicon: Option<LexiconId>) -> Result<Lexicon> {
    let id = lexicon.ok_or(ErrorCode::LexiconNotFound)?;
    let deleted = stored::delete(&base.store, caller.account, caller.key.environment, id).await?;
    deleted.ok_or_else(|| ErrorCode::LexiconNotFound.into())
}

/// A lexicon that `caller` can see.
///
/// # Errors
/// `lexicon_not_found`.
pub async fn find(base: &Base, caller: &Authenticated, lexicon: Option<LexiconId>) -> Result<Lexicon> {
    let id = lexicon.ok_or(ErrorCode::LexiconNotFound)?;
    let found = stored::find(&base.store, caller.account, caller.key.environment, id).await?;
    found.ok_or_else(|| ErrorCode::LexiconNotFound.into())
}

/// The entries of a lexicon that `caller` can see.
///
/// # Errors
/// `lexicon_not_found`.
pub async fn entries(base: &Base, caller: &Authenticated, lexicon: LexiconId) -> Result<Vec<LexiconEntry>> {
    let json = stored::entries(&base.store, caller.account, caller.key.environment, lexicon).await?;
    contents::read(&json.ok_or(ErrorCode::LexiconNotFound)?)
}
