//! Requests to convert chunks: chooses the e-reader and language, holds the whole price, and queues
//! the jobs; or refuses.

use lectern_store::{
    Environment, Store, Tier,
    ereaders::{self, Ereader},
    idempotency::Response,
    keys::Authenticated,
    materials::{self, Conversion, Convert, ConvertOutcome, DailyCap},
};
use lectern_types::{ConvertRequest, Credits, ErrorCode, MaterialId, MaterialStatus};

use crate::{
    base::Base,
    error::{Error, Result},
    services::{
        idempotency::{self, Attempt, IdempotentRequest, IdempotentResponse},
        speech::{language, synthesis},
    },
};

/// Queues chunks of a material, once for each `Idempotency-Key`. `show` writes the response.
///
/// # Errors
/// In this order: `material_not_found`, `material_not_ready`, `ereader_not_found`, a format that the e-reader lacks,
/// `ereader_tier_not_available`, `ereader_locked`, a language that the e-reader lacks, `language_not_supported`,
/// `chunk_not_found`, `material_chunks_already_converted`,
/// `api_access_requires_credits`, `insufficient_balance`, the daily characters of test keys.
pub async fn convert(
    base: &Base,
    caller: &Authenticated,
    material: MaterialId,
    params: ConvertRequest,
    idempotent: Option<IdempotentRequest>,
    show: impl Fn(&Conversion) -> Result<Response>,
) -> Result<IdempotentResponse> {
    let mut found = super::find(&base.store, caller, material).await?;
    check_ready(found.status)?;
    let ereader = ereader(&base.store, caller, &params).await?;
    if let Some(fixed) = found.ereader.filter(|&fixed| fixed != ereader.id) {
        return Err(Error::EreaderLocked { ereader: fixed });
    }
    language::complete(&base.store, caller, &mut found).await?;
    let language = language::of_material(
        &ereader,
        &found,
        params.language.as_ref().map(|language| language.0.as_str()),
    )?;
    let indexes = params.chunks.as_ref().map(|chunks| chunks.0.as_slice());
    let unspeakable = language::unspeakable_chunks(&base.store, caller, &found, &language, indexes).await?;
    let failure = language::chunk_failure(&language);
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
        indexes,
        daily_cap: (!live).then(|| DailyCap {
            day: synthesis::day(base.clock.now()),
            characters: base.config.limits.sandbox_characters_per_day,
        }),
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
            ConvertOutcome::AlreadyConverted => Err(ErrorCode::MaterialChunksAlreadyConverted.into()),
            ConvertOutcome::Insufficient { .. } => Err(ErrorCode::InsufficientBalance.into()),
            ConvertOutcome::OverDailyCap => Err(synthesis::over_daily_cap(base.clock.now())),
        }
    };
    Ok(idempotency::once(base, idempotent.as_ref(), attempt).await?.into())
}

/// `ready`, `converting` and `partially_failed` accept conversions. For `completed` the check of
/// the chunks refuses.
fn check_ready(status: MaterialStatus) -> Result<()> {
    match status {
        MaterialStatus::Processing | MaterialStatus::Failed => Err(Error::MaterialNotReady { status }),
        MaterialStatus::Deleted => Err(ErrorCode::MaterialNotFound.into()),
        MaterialStatus::Ready
        | MaterialStatus::Converting
        | MaterialStatus::PartiallyFailed
        | MaterialStatus::Completed => Ok(()),
    }
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
