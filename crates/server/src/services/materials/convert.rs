//! Asking for chunks to be spoken: which e-reader, in which language, at what price; all of it held, or nothing queued.

use lectern_store::{
    Environment, Tier,
    ereaders::{self, Ereader},
    idempotency::Response,
    keys::Authenticated,
    materials::{self, Conversion, Convert, ConvertOutcome, DailyCap},
};
use lectern_types::{AudioFormat, Credits, EreaderId, ErrorCode, MaterialId, MaterialStatus};

use crate::{
    app::App,
    error::{Error, Result},
    services::{
        idempotency::{self, Answer, Guarded},
        speech_language, synthesis,
    },
};

/// What is to be converted, its form checked.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// The e-reader asked for; `None` for what is no id.
    pub ereader: Option<EreaderId>,
    /// The chunks asked for, none twice; `None`: all that are not completed.
    pub chunks: Option<Vec<u32>>,
    /// The language to read in; the material's own when `None`.
    pub language: Option<String>,
    /// The form of their audio.
    pub format: AudioFormat,
}

/// Queues chunks of a material, once for each `Idempotency-Key`. `show` writes the response.
///
/// # Errors
/// In this order: `material_not_found`, `material_not_ready`, `ereader_not_found`, a format that the e-reader has not,
/// `ereader_tier_not_available`, `ereader_locked`, a language that the e-reader has not, `language_not_supported`,
/// `chunk_not_found`, `material_chunks_already_converted`,
/// `api_access_requires_credits`, `insufficient_balance`, the day's characters of test keys.
pub async fn convert(
    app: &App,
    caller: &Authenticated,
    material: MaterialId,
    wanted: Wanted,
    guarded: Option<Guarded>,
    show: impl Fn(&Conversion) -> Result<Response>,
) -> Result<Answer> {
    let mut found = super::find(app, caller, material).await?;
    check_ready(found.status)?;
    let ereader = ereader(app, caller, &wanted).await?;
    if let Some(fixed) = found.ereader.filter(|&fixed| fixed != ereader.id) {
        return Err(Error::EreaderLocked { ereader: fixed });
    }
    speech_language::complete(app, caller, &mut found).await?;
    let language = speech_language::of_material(&ereader, &found, wanted.language.as_deref())?;
    let unspeakable =
        speech_language::unspeakable_chunks(app, caller, &found, &language, wanted.chunks.as_deref()).await?;
    let failure = speech_language::chunk_failure(&language);
    let live = caller.key.environment == Environment::Live;
    let may_pay = !live || caller.tier != Tier::Free || caller.has_purchased_credits;
    // Only of a conversion that is in order otherwise, and before its price is looked at.
    let show = |conversion: &Conversion| {
        if may_pay { show(conversion) } else { Err(ErrorCode::ApiAccessRequiresCredits.into()) }
    };
    let convert = Convert {
        material,
        key: caller.key.id,
        ereader: ereader.id,
        price_per_character: if live && may_pay { ereader.price_per_character } else { Credits::ZERO },
        format: wanted.format,
        language: Some(&language),
        unspeakable: Some((&unspeakable, &failure)),
        indexes: wanted.chunks.as_deref(),
        daily_cap: (!live).then(|| DailyCap {
            day: synthesis::day(app.clock.now()),
            characters: app.config.limits.sandbox_characters_per_day,
        }),
    };
    let (account, environment) = (caller.account, caller.key.environment);
    loop {
        let writing = app.writing();
        let request = guarded.as_ref().map(Guarded::request);
        let outcome = materials::convert::<Error>(
            &app.store,
            account,
            environment,
            &convert,
            request.as_ref(),
            &show,
            writing,
        );
        match outcome.await? {
            ConvertOutcome::Queued(_, response) => {
                app.signals.jobs_queued();
                app.signals.material_changed(material);
                return Ok(Answer { response, replayed: false });
            }
            ConvertOutcome::Replay(replay) => {
                let Some(guarded) = &guarded else {
                    return Err(Error::Internal("a replay without an Idempotency-Key".to_owned()));
                };
                if let Some(response) = idempotency::follow(app, guarded, replay).await? {
                    return Ok(Answer { response, replayed: true });
                }
            }
            ConvertOutcome::NotFound => return Err(ErrorCode::MaterialNotFound.into()),
            ConvertOutcome::NotReady { status } => return Err(Error::MaterialNotReady { status }),
            ConvertOutcome::Locked { ereader } => return Err(Error::EreaderLocked { ereader }),
            ConvertOutcome::NoSuchChunk { .. } => return Err(ErrorCode::ChunkNotFound.into()),
            ConvertOutcome::AlreadyConverted => return Err(ErrorCode::MaterialChunksAlreadyConverted.into()),
            ConvertOutcome::Insufficient { .. } => return Err(ErrorCode::InsufficientBalance.into()),
            ConvertOutcome::OverDailyCap => return Err(synthesis::over_daily_cap(app.clock.now())),
        }
    }
}

/// `ready`, `converting` and `partially_failed` accept convert; of `completed` it is the chunks that say no.
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

/// The e-reader asked for, which has the format and is on the account's tier.
async fn ereader(app: &App, caller: &Authenticated, wanted: &Wanted) -> Result<Ereader> {
    let id = wanted.ereader.ok_or(ErrorCode::EreaderNotFound)?;
    let found = ereaders::find(&app.store, id).await?.filter(|found| found.active);
    let found = found.ok_or(ErrorCode::EreaderNotFound)?;
    if !found.formats.iter().any(|word| word == wanted.format.as_str()) {
        return Err(Error::invalid("format", format!("must be one of: {}", found.formats.join(", "))));
    }
    if found.tier > caller.tier {
        return Err(ErrorCode::EreaderTierNotAvailable.into());
    }
    Ok(found)
}
