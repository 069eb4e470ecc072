//! The quotes of a material: what is said in its text, and whose it is.

use lectern_store::{
    keys::Authenticated,
    materials::{self, Assigned, Quote, QuotesOutcome, WhichQuotes},
};
use lectern_types::{ErrorCode, MaterialId, QuoteSpeakers};

use crate::{
    base::Base,
    error::{Error, Result},
};

/// At most `limit` quotes of a material of the caller, and whether more follow. `after` is the last quote of the page
/// before: its chunk and its first byte there.
///
/// # Errors
/// `material_not_found`.
pub async fn list(
    base: &Base,
    caller: &Authenticated,
    material: MaterialId,
    which: WhichQuotes<'_>,
    after: Option<(u32, u32)>,
    limit: u32,
) -> Result<(Vec<Quote>, bool)> {
    let found = super::find(&base.store, caller, material).await?;
    Ok(materials::quotes(&base.store, &found, which, after, limit).await?)
}

/// Says whose quotes of a material of the caller are. Returns these quotes.
///
/// # Errors
/// In this order: `material_not_found`, `material_not_ready`, `ereader_locked` after the first conversion,
/// `validation_failed` for the first that is no quote.
pub async fn set(
    base: &Base,
    caller: &Authenticated,
    material: MaterialId,
    speakers: QuoteSpeakers,
) -> Result<Vec<Quote>> {
    let found = super::find(&base.store, caller, material).await?;
    super::check_has_text(found.status)?;
    let assigned = speakers.0.into_iter().map(|quote| Assigned {
        chunk: quote.chunk_index,
        start: quote.start,
        text: quote.text,
        speaker: quote.speaker,
    });
    let assigned: Vec<Assigned> = assigned.collect();
    let (account, environment) = (caller.account, caller.key.environment);
    let now = base.clock.now();
    match materials::assign_quotes(&base.store, account, environment, material, &assigned, now).await? {
        QuotesOutcome::NotFound => Err(ErrorCode::MaterialNotFound.into()),
        QuotesOutcome::NotReady { status } => Err(Error::MaterialNotReady { status }),
        QuotesOutcome::Locked { ereader } => Err(Error::EreaderLocked { ereader }),
        QuotesOutcome::NoSuchQuote { place } => {
            let sentence = "names no quote: none begins there";
            Err(Error::invalid(format!("quotes[{place}]"), sentence))
        }
        QuotesOutcome::OtherWords { place } => {
            let sentence = "has another text by now: list the quotes again";
            Err(Error::invalid(format!("quotes[{place}]"), sentence))
        }
        QuotesOutcome::Changed(quotes) => Ok(quotes),
    }
}
