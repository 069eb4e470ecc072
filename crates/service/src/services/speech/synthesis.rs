//! One synthesis: price and hold, speech, storage, capture.
//!
//! The two transactions of section "Idempotency" of the contract frame the engine's work: `begin`
//! (idempotency row and hold under a lease) before it, `commit` (capture, row, stored response)
//! after it, or `abort`, which leaves no trace. Between them the lease is renewed. When the client
//! leaves, work that the engine has not begun is dropped; work that it has begun is finished.

use std::{sync::Arc, time::Instant};

use lectern_speech::{engines, script::Turn, spec::NarrationSpec};
use lectern_store::{
    Environment, Store, Tier, ereaders,
    idempotency::Response,
    keys::Authenticated,
    ledger::Booking,
    sandbox,
    syntheses::{self, Claim, Finished},
};
use lectern_types::{
    AudioParams, Credits, ErrorCode, Loudness, Pitch, SampleRate, SpeechParams, Speed, SpokenText, Synthesis,
    SynthesizeRequest, TextType, Timestamp, Timestamps,
};
use sha2::{Digest as _, Sha256};
use tokio_util::sync::CancellationToken;

use super::{
    casting::{self, Cast, CastVoice, Lexicon, Narrator},
    claims,
    context::SpeechContext,
    language,
    speaking::{Passage, Priority, narration, phase, title},
    wording::Wording,
};
use crate::services::{
    idempotency::{IdempotentRequest, IdempotentResponse, Once},
    lexicons::choice,
};
use crate::{
    base::Base,
    error::{Error, Result},
    objects::naming,
};

/// How long the audio is kept: an hour longer than its URL.
pub(super) const KEPT_SECONDS: i64 = 25 * 60 * 60;

/// A checked synthesis: the caller, the request and the price.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) caller: Authenticated,
    pub(super) characters: u32,
    pub(super) ereader: ereaders::Ereader,
    /// Who says what.
    pub(super) cast: Cast,
    /// What each voice says, and how, in the cast's order.
    specs: Vec<Arc<NarrationSpec>>,
    /// The text as it was sent.
    pub(super) sent: String,
    pub(super) text_type: TextType,
    /// Format, sample rate and bit rate of the audio.
    pub(super) audio: AudioParams,
    loudness: Loudness,
    pub(super) timestamps: Timestamps,
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
    let SynthesizeRequest { speech, language, timestamps, loudness } = request;
    let SpeechParams {
        text: SpokenText(text), text_type, ereader_id, mut audio, speed: Speed(speed), ..
    } = speech;
    let Pitch(pitch) = speech.pitch;
    let wording = Wording::of("text", text, text_type, speed)?;
    let ereader = ereaders::find(store, ereader_id.0.ok_or(ErrorCode::EreaderNotFound)?).await?;
    let ereader = ereader.filter(|found| found.active).ok_or(ErrorCode::EreaderNotFound)?;
    let language = language::of_ereader(&ereader, language.as_ref().map(|tag| tag.0.as_str()));
    // Only the e-reader's row can tell these fields wrong; they still come before tier and credits.
    let mut wrong = audio.errors(Some(ereader.sample_rate_hz));
    if language.is_none() {
        wrong.add("language", format!("must be one of: {}", ereader.languages.join(", ")));
    }
    if !ereader.formats.iter().any(|word| word == audio.format.as_str()) {
        wrong.add("format", format!("must be one of: {}", ereader.formats.join(", ")));
    }
    if pitch != 0.0 && !engines::changes_pitch(&ereader.engine) {
        wrong.add("pitch", format!("must be 0: the engine {} cannot change the pitch", ereader.engine));
    }
    wrong.into_result()?;
    let language = language.unwrap_or_default();
    let speakers = speech.speakers.unwrap_or_default();
    let has_pitch = pitch != 0.0;
    let narrator = Narrator { ereader: &ereader, language: &language, tier: caller.tier, has_pitch };
    let chosen = choice::of_request(store, &caller, speech.lexicon_ids.as_ref(), &language).await?;
    let lexicon = Lexicon { words: chosen.words()?, is_named: speech.lexicon_ids.is_some() };
    let cast = casting::cast(store, &wording, &speakers, &lexicon, &narrator).await?;
    if ereader.tier > caller.tier {
        return Err(ErrorCode::EreaderTierNotAvailable.into());
    }
    if audio.format.is_headerless() || cast.voices.len() > 1 {
        // What the bytes do not say must be known before they are spoken, and voices may differ.
        audio.sample_rate_hz = Some(SampleRate(audio.rate_hz(ereader.sample_rate_hz)));
    }
    let live = caller.key.environment == Environment::Live;
    if live && caller.tier == Tier::Free && !caller.has_purchased_credits {
        return Err(ErrorCode::ApiAccessRequiresCredits.into());
    }
    let whole = cast.script.text.len();
    let price = if live { cast.price_until(whole) } else { Some(Credits::ZERO) };
    let price = price.ok_or_else(|| Error::Internal("a price is out of range".to_owned()))?;
    let sent = wording.sent().to_owned();
    let text: Arc<str> = cast.script.text.as_str().into();
    let spec = |voice: &CastVoice| NarrationSpec {
        speed: speed as f32,
        pitch: pitch as f32,
        seed: speech
            .seed
            .map_or_else(|| seed(&sent, &voice.ereader.voice, &voice.language, speed), |seed| seed.0.into()),
        ..cast.script.spec(voice.voice, narration(&voice.ereader, &voice.language, Arc::clone(&text)))
    };
    let specs = cast.voices.iter().map(|voice| Arc::new(spec(voice))).collect();
    let characters = cast.characters_until(whole);
    Ok(Plan {
        caller,
        characters,
        ereader,
        cast,
        specs,
        sent,
        text_type,
        audio,
        loudness,
        timestamps,
        price,
        idempotent,
    })
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
        Timestamps::Word => Some(recording.timestamps(&plan.cast.script, &plan.sent)),
    };
    let object = claims::object(claim, &naming::extension(plan.audio.format, sample_rate_hz));
    let started = Instant::now();
    let stored = base.objects.put(&object, recording.bytes).await?;
    phase("store", started.elapsed().as_secs_f64());

    let now = base.clock.now();
    let (audio_url, expires_at) = context.media.url(&object, now);
    let body = Synthesis {
        id,
        audio_url,
        expires_at,
        format: plan.audio.format,
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
        format: plan.audio.format.as_str().to_owned(),
        sample_rate_hz,
        duration_ms: u32::try_from(duration_ms).unwrap_or(u32::MAX),
        object_key: object.clone(),
        bytes: u32::try_from(stored.bytes).unwrap_or(u32::MAX),
        etag: stored.etag,
        created_at: now,
        delete_after: now.plus_seconds(KEPT_SECONDS),
        deleted_at: None,
    };
    let said = plan.said(base, now, &plan.sent);
    let finished = Finished { synthesis: &row, said: said.as_ref(), event: None, response: &response };
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
        let index_of = |turn: &Turn| self.cast.voices.iter().position(|voice| voice.voice == turn.voice);
        let turns = self.cast.script.turns.iter();
        Passage {
            specs: self.specs.clone(),
            turns: turns.filter_map(|turn| Some((index_of(turn)?, turn.range.end))).collect(),
            title: title(&self.cast.script.shown()),
            audio: self.audio,
            loudness: self.loudness,
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
