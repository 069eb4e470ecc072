//! One synthesis: price and hold, speech, storage, capture.
//!
//! The two transactions of section "Idempotency" of the contract frame the engine's work: `begin`
//! (idempotency row and hold under a lease) before it, `commit` (capture, row, stored response)
//! after it, or `abort`, which leaves no trace. Between them the lease is renewed. When the client
//! leaves, work that the engine has not begun is dropped; work that it has begun is finished.

use std::{sync::Arc, time::Instant};

use lectern_speech::{estimate, markup, spec::NarrationSpec};
use lectern_store::{
    Environment, Store, Tier, ereaders,
    idempotency::Response,
    keys::Authenticated,
    ledger::Booking,
    sandbox,
    syntheses::{self, Claim, Finished},
};
use lectern_types::{
    AudioFormat, Credits, ErrorCode, MAX_CHARACTERS, SpeechParams, Speed, SpokenText, Synthesis,
    SynthesizeRequest, Timestamp, Timestamps,
};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use tokio_util::sync::CancellationToken;

use super::{
    claims,
    context::SpeechContext,
    language,
    speaking::{Passage, Priority, narration, phase},
};
use crate::services::idempotency::{IdempotentRequest, IdempotentResponse, Once};
use crate::{
    base::Base,
    error::{Error, FieldErrors, Result},
};

/// How long the audio is kept: an hour longer than its URL.
pub(super) const KEPT_SECONDS: i64 = 25 * 60 * 60;

/// The number of billed characters of a text. The limit counts the text as sent, with its markup.
///
/// # Errors
/// `text_empty` or `text_too_long`.
pub fn check_text(text: &str) -> Result<u32> {
    let plain = markup::plain(text);
    if plain.chars().all(char::is_whitespace) {
        return Err(ErrorCode::TextEmpty.into());
    }
    match text.chars().count() {
        sent if sent <= MAX_CHARACTERS => Ok(plain.chars().count() as u32),
        _ => Err(ErrorCode::TextTooLong.into()),
    }
}

/// As [`check_text`], of the field of a body. An empty or overlong text is the first thing wrong
/// with a request.
///
/// # Errors
/// As [`check_text`].
pub fn check_field(object: &Map<String, Value>, field: &str) -> Result<()> {
    object.get(field).and_then(Value::as_str).map_or(Ok(()), |text| check_text(text).map(|_| ()))
}

/// Refuses a text whose audio would be too long. Some short texts are: digits, addresses, pauses.
/// Pauses also have a limit of their own, because they cost nothing. The estimate is made in the
/// language that the request names: which one an e-reader speaks is looked up after all fields.
///
/// # Errors
/// `validation_failed` for `field`, with the estimate or with the sum of the pauses.
pub fn check_duration(field: &str, text: &str, language: Option<&str>) -> Result<()> {
    let language = language.and_then(|tag| tag.parse().ok());
    let estimate_ms = estimate::estimate_ms(text, language);
    if estimate_ms > estimate::LONGEST_MS {
        let minutes = |ms: u64| ms.div_ceil(60_000);
        return Err(Error::invalid(
            field,
            format!(
                "would last about {} minutes, and must last at most {} at normal speed; send it in parts",
                minutes(estimate_ms),
                minutes(estimate::LONGEST_MS),
            ),
        ));
    }
    let pauses_ms = markup::pauses_ms(text);
    if pauses_ms > markup::LONGEST_PAUSES_MS {
        return Err(Error::invalid(
            field,
            format!(
                "has pauses of {} s in all, and may have at most {} s; send it in parts",
                pauses_ms as f64 / 1000.0,
                markup::LONGEST_PAUSES_MS / 1000,
            ),
        ));
    }
    Ok(())
}

/// A checked synthesis: the caller, the request and the price.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) caller: Authenticated,
    pub(super) characters: u32,
    pub(super) ereader: ereaders::Ereader,
    /// What to say, and how.
    pub(super) spec: Arc<NarrationSpec>,
    format: AudioFormat,
    timestamps: Timestamps,
    /// The price of the whole text; zero for a test key.
    pub(super) price: Credits,
    pub(super) idempotent: Option<IdempotentRequest>,
}

/// Synthesizes a text for `caller` and stores the audio, at most once for an `Idempotency-Key`.
///
/// # Errors
/// The contract's, in its order; nothing is charged then.
pub async fn synthesize(
    context: &SpeechContext,
    caller: Authenticated,
    request: SynthesizeRequest,
    idempotent: Option<IdempotentRequest>,
) -> Result<IdempotentResponse> {
    let plan = plan(&context.base.store, caller, request, idempotent).await?;
    // The work is a separate task. When a client disconnects, its request's future is dropped, but
    // work that the engine has begun must be finished, charged and kept for a replay.
    let abandoned = CancellationToken::new();
    let _on_drop = abandoned.clone().drop_guard();
    let task = {
        let context = context.clone();
        context.tasks.clone().spawn(async move { run(&context, &plan, &abandoned).await })
    };
    task.await.unwrap_or_else(|error| Err(Error::Internal(format!("a synthesis stopped: {error}"))))
}

/// Checks a request: everything that is decided before credits are held.
pub(super) async fn plan(
    store: &Store,
    caller: Authenticated,
    request: SynthesizeRequest,
    idempotent: Option<IdempotentRequest>,
) -> Result<Plan> {
    let SynthesizeRequest { speech, language, timestamps } = request;
    let SpeechParams { text: SpokenText(text), ereader_id, format, speed: Speed(speed) } = speech;
    let characters = check_text(&text)?;
    let ereader = ereaders::find(store, ereader_id.0.ok_or(ErrorCode::EreaderNotFound)?).await?;
    let ereader = ereader.filter(|found| found.active).ok_or(ErrorCode::EreaderNotFound)?;
    let language = language::of_ereader(&ereader, language.as_ref().map(|tag| tag.0.as_str()));
    // Only the e-reader's row can tell these fields wrong; they still come before tier and credits.
    let mut wrong = FieldErrors::default();
    if language.is_none() {
        wrong.add("language", format!("must be one of: {}", ereader.languages.join(", ")));
    }
    if !ereader.formats.iter().any(|word| word == format.as_str()) {
        wrong.add("format", format!("must be one of: {}", ereader.formats.join(", ")));
    }
    wrong.into_result()?;
    let language = language.unwrap_or_default();
    language::check_script(&ereader, &language, &text)?;
    if ereader.tier > caller.tier {
        return Err(ErrorCode::EreaderTierNotAvailable.into());
    }
    let live = caller.key.environment == Environment::Live;
    if live && caller.tier == Tier::Free && !caller.has_purchased_credits {
        return Err(ErrorCode::ApiAccessRequiresCredits.into());
    }
    let price =
        if live { ereader.price_per_character.times(characters as usize) } else { Some(Credits::ZERO) };
    let price = price.ok_or_else(|| Error::Internal("a price is out of range".to_owned()))?;
    let spec = Arc::new(NarrationSpec {
        speed: speed as f32,
        seed: seed(&text, &ereader.voice, &language, speed),
        ..narration(&ereader, &language, text)
    });
    Ok(Plan { caller, characters, ereader, spec, format, timestamps, price, idempotent })
}

async fn run(
    context: &SpeechContext,
    plan: &Plan,
    abandoned: &CancellationToken,
) -> Result<IdempotentResponse> {
    let base = &context.base;
    let claim = match claims::claim(base, &plan.caller, plan.price, plan.idempotent.as_ref()).await? {
        Once::Ran(claim) => claim,
        Once::Replayed(response) => return Ok(IdempotentResponse { response, replayed: true }),
    };
    let renewal = claims::renew(base, &claim);
    let outcome = tokio::select! {
        // First, so that a renewal that finds the row already finished does not hide the success.
        biased;
        outcome = work(context, plan, &claim, abandoned) => outcome,
        lost = renewal => Err(lost),
    };
    if outcome.is_err() {
        claims::abort(base, &claim).await;
    }
    outcome
}

async fn work(
    context: &SpeechContext,
    plan: &Plan,
    claim: &Claim,
    abandoned: &CancellationToken,
) -> Result<IdempotentResponse> {
    // The claim's id, not a new one: an attempt that takes over from a dead one continues under its
    // id.
    let id = claim.synthesis;
    let base = &context.base;
    count_sandbox(base, plan).await?;
    let admitted = match context.speaker.admit(plan.passage()) {
        Ok(admitted) => admitted,
        Err(refusal) => return Err(give_back_sandbox(base, plan, refusal).await),
    };
    let recording = context.speaker.record(admitted, abandoned).await?;
    let (duration_ms, sample_rate_hz) = (recording.duration_ms, recording.sample_rate_hz);
    let timestamps = match plan.timestamps {
        Timestamps::None => None,
        Timestamps::Word => Some(recording.timestamps(&plan.spec.text)),
    };
    let object = claims::object(claim, plan.format.as_str());
    let started = Instant::now();
    let stored = base.objects.put(&object, recording.bytes).await?;
    phase("store", started.elapsed().as_secs_f64());

    let now = base.clock.now();
    let (audio_url, expires_at) = context.media.url(&object, now);
    let body = Synthesis {
        id,
        audio_url,
        expires_at,
        format: plan.format,
        ereader_id: plan.ereader.id,
        characters: plan.characters,
        credits_charged: plan.price,
        duration_ms,
        sample_rate_hz,
        timestamps,
    };
    let response = Response::json(200, &body)?;
    let row = syntheses::Synthesis {
        id,
        key: plan.caller.key.id,
        ereader: plan.ereader.id,
        characters: plan.characters,
        credits_charged: plan.price,
        format: plan.format.as_str().to_owned(),
        sample_rate_hz,
        duration_ms: u32::try_from(duration_ms).unwrap_or(u32::MAX),
        object_key: object.clone(),
        bytes: u32::try_from(stored.bytes).unwrap_or(u32::MAX),
        etag: stored.etag,
        created_at: now,
        delete_after: now.plus_seconds(KEPT_SECONDS),
        deleted_at: None,
    };
    let finished = Finished { synthesis: &row, event: None, response: &response };
    let ids = || base.transaction_id();
    claims::finish(base, claim, &finished, Booking { now, ids: &ids }, Some(&object)).await?;
    Ok(IdempotentResponse { response, replayed: false })
}

/// Counts a test key's characters of the day (UTC).
pub(super) async fn count_sandbox(base: &Base, plan: &Plan) -> Result<()> {
    if plan.caller.key.environment == Environment::Live {
        return Ok(());
    }
    let now = base.clock.now();
    let cap = base.config.limits.sandbox_characters_per_day;
    if sandbox::add(&base.store, plan.caller.account, day(now), plan.characters, cap).await? {
        return Ok(());
    }
    Err(over_daily_cap(now))
}

/// Takes back what [`count_sandbox`] counted for a request that was refused before any work.
pub(super) async fn give_back_sandbox(base: &Base, plan: &Plan, refusal: Error) -> Error {
    if plan.caller.key.environment == Environment::Test {
        let day = day(base.clock.now());
        if let Err(error) = sandbox::give_back(&base.store, plan.caller.account, day, plan.characters).await {
            tracing::warn!(%error, "the characters of a refused request stay counted for the day");
        }
    }
    refusal
}

/// The day (UTC) that a test key's characters count for, in days since 1970.
pub(in crate::services) fn day(now: Timestamp) -> i64 {
    now.unix_seconds().div_euclid(86_400)
}

/// The refusal beyond the daily characters.
pub(in crate::services) fn over_daily_cap(now: Timestamp) -> Error {
    Error::RateLimited {
        limit: "the day's characters for test keys",
        retry_after_seconds: (86_400 - now.unix_seconds().rem_euclid(86_400)).unsigned_abs(),
    }
}

impl Plan {
    /// The passage for the engine.
    pub(super) fn passage(&self) -> Passage {
        Passage {
            spec: Arc::clone(&self.spec),
            format: self.format,
            account: self.caller.account,
            priority: match self.caller.key.environment {
                Environment::Live => Priority::Live,
                Environment::Test => Priority::Sandbox,
            },
        }
    }
}

/// The seed of all randomness, derived from the text and how it is spoken, so that the same request
/// gives the same bytes.
pub(in crate::services) fn seed(text: &str, voice: &str, language: &str, speed: f64) -> u64 {
    let mut hash = Sha256::new();
    for part in [text, voice, language] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.update(speed.to_le_bytes());
    let mut first = [0; 8];
    first.copy_from_slice(&hash.finalize()[..8]);
    u64::from_le_bytes(first)
}

#[cfg(test)]
mod tests {
    use super::{check_duration, check_text};

    #[test]
    fn characters_are_unicode_scalar_values() {
        assert_eq!(check_text("naïve 👩‍🚀").ok(), Some(9));
        assert_eq!(check_text(&"é".repeat(5_000)).ok(), Some(5_000));
        assert_eq!(
            check_text(&"e".repeat(5_001)).map_err(|e| e.to_string()),
            Err("text_too_long".to_owned())
        );
        for empty in ["", " \n\t", "\u{a0}\u{2003}\u{2029}"] {
            assert_eq!(check_text(empty).map_err(|e| e.to_string()), Err("text_empty".to_owned()));
        }
    }

    #[test]
    fn markup_is_not_counted_but_for_the_limit() {
        assert_eq!(check_text("[pause 1s] [Ab](/ˈæb/)!").ok(), Some(4));
        assert_eq!(check_text("[pause 11s]").ok(), Some(11));
        let refusal = |text: &str| check_text(text).map_err(|error| error.to_string());
        assert_eq!(refusal("[pause 1s] [pause 2s]\n"), Err("text_empty".to_owned()));
        let long = format!("{}{}", "[pause 1s]".repeat(499), "a".repeat(11));
        assert_eq!(refusal(&long), Err("text_too_long".to_owned()));
    }

    // Negative control: without the limit on pauses alone, 31 pauses of 10 s were taken.
    #[test]
    fn a_text_that_lasts_or_pauses_too_long_is_refused_with_its_figures() {
        use crate::error::{Error, FieldErrors};
        let refusal = |text: &str| match check_duration("text", text, None) {
            Err(Error::Invalid(FieldErrors(fields))) => fields["text"].clone(),
            other => panic!("{other:?}"),
        };
        let pauses = |count: usize| format!("Well.{}", "[pause 10s]".repeat(count));
        assert!(check_duration("text", &pauses(30), None).is_ok());
        // The estimate comes first.
        assert!(refusal(&pauses(181)).starts_with("would last about 31 minutes"));
        for (text, sum) in
            [(pauses(31), "310"), (pauses(30) + "[pause 1ms]", "300.001"), (pauses(179), "1790")]
        {
            let expected =
                format!("has pauses of {sum} s in all, and may have at most 300 s; send it in parts");
            assert_eq!(refusal(&text), expected);
        }
    }
}
