//! Requests to convert chunks: chooses the e-reader and language, holds the whole price, and queues
//! the jobs; or refuses.

use lectern_store::{
    Environment, Store, Tier,
    ereaders::{self, Ereader},
    idempotency::Response,
    keys::Authenticated,
    materials::{self, Conversion, Convert, ConvertOutcome, DailyCap, Material, Recut, Which},
};
use lectern_types::{ConvertRequest, Credits, ErrorCode, MaterialId};

use crate::{
    base::Base,
    error::{Error, Result},
    services::{
        idempotency::{self, Attempt, IdempotentRequest, IdempotentResponse},
        lexicons::choice::{self, Copied},
        materials::recutting,
        speech::{language, synthesis, voices::UPSTREAM},
    },
};

/// Queues chunks of a material, once for each `Idempotency-Key`. `show` writes the response.
///
/// # Errors
/// In this order: `material_not_found`, `material_not_ready`, `ereader_not_found`, a format that the e-reader lacks,
/// `ereader_tier_not_available`, `ereader_locked`, a language that the e-reader lacks, `language_not_supported`,
/// `lexicon_not_found`, `notes_locked`, `chunk_not_found` or `chapter_not_found`, `material_chunks_already_converted`,
/// `api_access_requires_credits`, `insufficient_balance`, the daily characters of test keys.
pub async fn convert(
    base: &Base,
    caller: &Authenticated,
    material: MaterialId,
    params: ConvertRequest,
    idempotent: Option<IdempotentRequest>,
    show: impl Fn(&Conversion) -> Result<Response>,
) -> Result<IdempotentResponse> {
    if params.chunks.is_some() && params.chapters.is_some() {
        return Err(Error::invalid("chapters", "must not come together with chunks"));
    }
    if params.again && params.chunks.is_none() {
        return Err(Error::invalid("again", "must come with chunks, which says what is spoken again"));
    }
    let mut found = super::find(&base.store, caller, material).await?;
    // For `completed` the check of the chunks refuses.
    super::check_has_text(found.status)?;
    let ereader = ereader(&base.store, caller, &params).await?;
    if let Some(fixed) = found.ereader.filter(|&fixed| fixed != ereader.id) {
        return Err(Error::EreaderLocked { ereader: fixed });
    }
    check_cast(&base.store, caller, &found).await?;
    language::complete(&base.store, caller, &mut found).await?;
    let language = language::of_material(
        &ereader,
        &found,
        params.language.as_ref().map(|language| language.0.as_str()),
    )?;
    let indexes = params.chunks.as_ref().map(|chunks| chunks.0.as_slice());
    check_notes(&params, &found)?;
    let recut = recutting::recut(base, &found, params.notes).await?;
    let unspeakable = match recut.as_ref().and_then(Recut::chunks) {
        Some(chunks) => language::unspeakable_of(chunks, &language),
        None => language::unspeakable_chunks(&base.store, caller, &found, &language, indexes).await?,
    };
    let which = match (indexes, &params.chapters) {
        (Some(chunks), _) => Which::Chunks(chunks),
        (None, Some(chapters)) => Which::Chapters(&chapters.0),
        (None, None) => Which::Book,
    };
    let failure = language::chunk_failure(&language);
    let ids = params.lexicon_ids.as_ref();
    let chosen = choice::of_conversion(&base.store, caller, ids, &language, material).await?;
    if ids.is_some() && ereader.engine == UPSTREAM && chosen.has_pronunciations() {
        let why = format!("the engine {UPSTREAM} cannot follow pronunciations; give the words aliases");
        return Err(Error::invalid("lexicon_ids", why));
    }
    let copied = chosen.copied()?;
    let live = caller.key.environment == Environment::Live;
    let may_pay = !live || caller.tier != Tier::Free || caller.has_purchased_credits;
    // Checked only for a conversion that is valid otherwise, and before its price.
    let show = |conversion: &Conversion| {
        if may_pay { show(conversion) } else { Err(ErrorCode::ApiAccessRequiresCredits.into()) }
    };
    let convert = Convert {
        material,
        key: caller.key.id,
        ereader: ereader.id,
        engine: &ereader.engine,
        price_per_character: if live && may_pay { ereader.price_per_character } else { Credits::ZERO },
        format: params.format,
        language: Some(&language),
        unspeakable: Some((&unspeakable, &failure)),
        is_paid: live && may_pay,
        which,
        recut: recut.as_ref(),
        again: params.again,
        lexicon: copied.as_ref().map(Copied::stored),
        daily_cap: (!live).then(|| DailyCap {
            day: synthesis::day(base.clock.now()),
            characters: base.config.limits.sandbox_characters_per_day,
        }),
        is_watched: live && caller.key.is_of_pages(),
    };
    let (account, environment) = (caller.account, caller.key.environment);
    let request = idempotent.as_ref().map(IdempotentRequest::request);
    let attempt = || async {
        let outcome = materials::convert::<Error>(
            &base.store,
            account,
            environment,
            &convert,
            request.as_ref(),
            &show,
            base.writing(),
        );
        match outcome.await? {
            ConvertOutcome::Queued(_, response) => Ok(Attempt::Done(response)),
            ConvertOutcome::Replay(replay) => Ok(Attempt::Replay(replay)),
            ConvertOutcome::NotFound => Err(ErrorCode::MaterialNotFound.into()),
            ConvertOutcome::NotReady { status } => Err(Error::MaterialNotReady { status }),
            ConvertOutcome::Locked { ereader } => Err(Error::EreaderLocked { ereader }),
            ConvertOutcome::NoSuchChunk { .. } => Err(ErrorCode::ChunkNotFound.into()),
            ConvertOutcome::NotesLocked => Err(ErrorCode::NotesLocked.into()),
            ConvertOutcome::NoSuchChapter { .. } => Err(ErrorCode::ChapterNotFound.into()),
            ConvertOutcome::NothingIncluded => {
                Err(Error::invalid("chapters", "must name a chapter, because none is included in the book"))
            }
            ConvertOutcome::AlreadyConverted => Err(ErrorCode::MaterialChunksAlreadyConverted.into()),
            ConvertOutcome::Insufficient { .. } => Err(ErrorCode::InsufficientBalance.into()),
            ConvertOutcome::OverDailyCap => Err(synthesis::over_daily_cap(base.clock.now())),
        }
    };
    Ok(idempotency::once(base, idempotent.as_ref(), attempt).await?.into())
}

/// Refuses to divide a text anew that was converted or edited. The store asks again, and knows more; but dividing a
/// book takes a while.
fn check_notes(params: &ConvertRequest, material: &Material) -> Result<()> {
    if params.notes.is_none_or(|notes| notes == material.notes) {
        return Ok(());
    }
    if params.chunks.is_some() {
        return Err(Error::invalid("notes", "must not change together with chunks, which are divided anew"));
    }
    if material.edits > 0 || material.chunks_completed > 0 || material.chunks_queued > 0 {
        return Err(ErrorCode::NotesLocked.into());
    }
    Ok(())
}

/// Refuses a cast with an e-reader that the caller may not use any more.
async fn check_cast(store: &Store, caller: &Authenticated, material: &Material) -> Result<()> {
    for id in materials::cast(store, material).await?.into_iter().filter_map(|speaker| speaker.ereader) {
        let found = ereaders::find(store, id).await?.filter(|found| found.active);
        if found.ok_or(ErrorCode::EreaderNotFound)?.tier > caller.tier {
            return Err(ErrorCode::EreaderTierNotAvailable.into());
        }
    }
    Ok(())
}

/// Finds the requested e-reader and checks its format and tier.
async fn ereader(store: &Store, caller: &Authenticated, params: &ConvertRequest) -> Result<Ereader> {
    let id = params.ereader_id.0.ok_or(ErrorCode::EreaderNotFound)?;
    let found = ereaders::find(store, id).await?.filter(|found| found.active);
    let found = found.ok_or(ErrorCode::EreaderNotFound)?;
    if !found.formats.iter().any(|word| word == params.format.as_str()) {
        return Err(Error::invalid("format", format!("must be one of: {}", found.formats.join(", "))));
    }
    if found.tier > caller.tier {
        return Err(ErrorCode::EreaderTierNotAvailable.into());
    }
    Ok(found)
}
