//! A synthesis that is delivered while it runs: price and hold, the first sentence, then the others
//! at the listener's pace, and a charge for what was delivered.
//!
//! Hold, lease and capture work as in [`super::synthesis`]. Each piece counts as delivered once the
//! connection has taken it. When the engine fails after the first piece, or the listener leaves,
//! the delivered sentences are charged and the rest of the hold is released. What else becomes of
//! the audio is [`Keeping`].

mod outlet;

use std::{ops::Range, time::Instant};

use lectern_speech::audio::{WordTiming, captions};
use lectern_store::{
    Environment,
    idempotency::Response,
    keys::Authenticated,
    ledger::Booking,
    syntheses::{self, Claim, Finished, history::Said},
};
use lectern_types::{Credits, SpokenTimestamp, SynthesisId, SynthesizeRequest, Timestamp, Timestamps};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use outlet::Outlet;
pub(super) use outlet::Reached;
pub use outlet::{Part, Pieces};

use super::{
    claims,
    context::SpeechContext,
    speaking::{self, Live},
    synthesis::{self, KEPT_SECONDS, Plan},
};
use crate::base::Base;
use crate::error::{Error, Result};
use crate::objects::naming;
use crate::services::idempotency::{IdempotentRequest, Once};

/// What is known about a stream at its start. Under an `Idempotency-Key` this is stored for
/// replays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// The id of the synthesis, as in the ledger.
    pub synthesis: SynthesisId,
    /// The `Content-Type`.
    pub media_type: String,
    /// Characters of the whole text.
    pub characters: u32,
    /// The price of the whole text.
    pub credits: Credits,
    /// The object with the audio, if it is stored.
    pub object: Option<String>,
}

/// A started stream.
#[derive(Debug)]
pub enum Stream {
    /// The synthesis is running.
    Live(Head, Pieces),
    /// An earlier request with the same `Idempotency-Key` is complete, and its audio is stored.
    Stored(Head),
}

impl Stream {
    /// The stream of an earlier request.
    ///
    /// # Errors
    /// [`Error::Internal`] when the stored response is not a stream's.
    pub fn replay(kept: &Response) -> Result<Self> {
        let head = serde_json::from_slice(&kept.body);
        head.map(Self::Stored)
            .map_err(|error| Error::Internal(format!("a stored stream has a bad head: {error}")))
    }
}

/// What becomes of the audio besides its delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keeping {
    /// Nothing.
    Nothing,
    /// The work continues without its listener, and the whole is stored: a repeated request under
    /// the `Idempotency-Key` gets the same bytes at once.
    ForReplays,
    /// The audio that was sent is stored, so that its owner finds in the history what was charged. The
    /// work ends when the listener leaves.
    ForHistory,
}

/// Synthesizes a text for `caller` and delivers it meanwhile. Returns with the first bytes. The
/// audio is stored only under an `Idempotency-Key`.
///
/// # Errors
/// Those of a synthesis, up to the first bytes; nothing is charged then.
pub async fn stream(
    context: &SpeechContext,
    caller: Authenticated,
    request: SynthesizeRequest,
    idempotent: Option<IdempotentRequest>,
) -> Result<Stream> {
    let keeping = if idempotent.is_some() { Keeping::ForReplays } else { Keeping::Nothing };
    begin(context, caller, request, idempotent, keeping).await
}

/// As [`stream`], for a listener who may stop it and hear the delivered part again. Under an
/// `Idempotency-Key` a repeated request gets what was delivered to the first.
///
/// # Errors
/// Those of [`stream`].
pub async fn stream_for_history(
    context: &SpeechContext,
    caller: Authenticated,
    request: SynthesizeRequest,
    idempotent: Option<IdempotentRequest>,
) -> Result<Stream> {
    begin(context, caller, request, idempotent, Keeping::ForHistory).await
}

async fn begin(
    context: &SpeechContext,
    caller: Authenticated,
    request: SynthesizeRequest,
    idempotent: Option<IdempotentRequest>,
    keeping: Keeping,
) -> Result<Stream> {
    let plan = synthesis::plan(&context.base.store, caller, request, idempotent).await?;
    // A separate task: when the listener leaves, the request's future is dropped, but the hold must
    // be settled.
    let abandoned = CancellationToken::new();
    let _on_drop = abandoned.clone().drop_guard();
    let (start, started) = oneshot::channel();
    let narrator = Narrator { context: context.clone(), plan, keeping, abandoned };
    context.tasks.spawn(narrator.run(start));
    started.await.unwrap_or_else(|_| Err(Error::Internal("a stream stopped before it began".to_owned())))
}

/// Receives the start of a stream.
type Start = oneshot::Sender<Result<Stream>>;

/// The task of one stream.
struct Narrator {
    context: SpeechContext,
    plan: Plan,
    keeping: Keeping,
    /// Cancelled when the client leaves before the first bytes.
    abandoned: CancellationToken,
}

/// How a synthesis ended.
enum Spoken {
    /// It is complete.
    Whole { sample_rate_hz: u32, said: Reached },
    /// The listener left, and nobody else waits for the audio.
    Left,
}

impl Narrator {
    async fn run(self, start: Start) {
        let claim = match claims::claim(
            &self.context.base,
            &self.plan.caller,
            self.plan.price,
            self.plan.idempotent.as_ref(),
        )
        .await
        {
            Ok(Once::Ran(claim)) => claim,
            Ok(Once::Replayed(kept)) => {
                let _ = start.send(Stream::replay(&kept));
                return;
            }
            Err(error) => {
                let _ = start.send(Err(error));
                return;
            }
        };
        let mut outlet = Outlet::new(start, self.head(&claim), self.keeping != Keeping::Nothing);
        let renewal = claims::renew(&self.context.base, &claim);
        let outcome = tokio::select! {
            // First, so that a renewal that finds the row already finished does not hide the
            // success.
            biased;
            outcome = async {
                let outcome = self.work(&claim, &mut outlet).await;
                if outcome.is_err() {
                    // Bytes in flight may still be delivered, and are then charged.
                    outlet.drain().await;
                }
                outcome
            } => outcome,
            lost = renewal => Err(lost),
        };
        let ended = match outcome {
            Ok(true) => "whole",
            Ok(false) => "left",
            Err(_) => "broken",
        };
        metrics::counter!("lectern_streams_total", "ended" => ended).increment(1);
        match outcome {
            Ok(true) => outlet.end().await,
            Ok(false) => self.settle(&claim, &mut outlet, true).await,
            Err(error) => {
                self.settle(&claim, &mut outlet, false).await;
                outlet.fail(error);
            }
        }
    }

    fn head(&self, claim: &Claim) -> Head {
        let synthesis = claim.synthesis;
        Head {
            synthesis,
            media_type: self.plan.audio.format.media_type(self.plan.rate_hz()).into_owned(),
            characters: self.plan.characters,
            credits: self.plan.price,
            object: (self.keeping != Keeping::Nothing).then(|| self.plan.object(claim)),
        }
    }

    /// Synthesizes, delivers, and captures the whole price; false when the listener left.
    async fn work(&self, claim: &Claim, outlet: &mut Outlet) -> Result<bool> {
        synthesis::count_sandbox(&self.context.base, &self.plan).await?;
        let live = match self.context.speaker.live(&self.plan.passage()) {
            Ok(live) => live,
            Err(refusal) => {
                return Err(synthesis::give_back_sandbox(&self.context.base, &self.plan, refusal).await);
            }
        };
        let Spoken::Whole { sample_rate_hz, said } = self.speak(live, outlet).await? else {
            return Ok(false);
        };
        let mut row = self.plan.row_of_part(&self.context.base, claim, said, sample_rate_hz);
        row.credits_charged = self.plan.price;
        if let Some(audio) = outlet.take_kept(said.bytes) {
            self.store(&mut row, audio).await?;
        }
        let response = Response::json(200, &self.head(claim))?;
        let said = self.plan.said(&self.context.base, row.created_at, &self.plan.sent);
        let finished = Finished { synthesis: &row, said: said.as_ref(), event: None, response: &response };
        let ids = || self.context.base.transaction_id();
        let booking = Booking { now: row.created_at, ids: &ids };
        let object = row.deleted_at.is_none().then_some(row.object_key.as_str());
        claims::finish(&self.context.base, claim, &finished, booking, object).await?;
        Ok(true)
    }

    /// Stores the audio of a row.
    async fn store(&self, row: &mut syntheses::Synthesis, audio: Vec<u8>) -> Result<()> {
        let stored = self.context.base.objects.put(&row.object_key, audio).await?;
        row.etag = stored.etag;
        row.delete_after = row.created_at.plus_seconds(KEPT_SECONDS);
        row.deleted_at = None;
        Ok(())
    }

    /// Synthesizes and delivers.
    async fn speak(&self, mut live: Live, outlet: &mut Outlet) -> Result<Spoken> {
        let asked = Instant::now();
        let goes_on_alone = self.keeping == Keeping::ForReplays;
        let mut said = Reached::default();
        let mut reached = 0;
        let mut words = Vec::new();
        loop {
            let piece = if !outlet.has_begun() {
                tokio::select! {
                    biased;
                    piece = live.next() => piece?,
                    () = self.abandoned.cancelled() => return Err(speaking::gone()),
                }
            } else if goes_on_alone {
                live.next().await?
            } else {
                tokio::select! {
                    biased;
                    piece = live.next() => piece?,
                    () = outlet.left() => return Ok(Spoken::Left),
                }
            };
            let Some(piece) = piece else { break };
            said.characters = self.plan.cast.characters_until(piece.reached);
            said.price = self.plan.cast.price_until(piece.reached).unwrap_or(self.plan.price);
            said.duration_ms = piece.duration_ms;
            if !outlet.has_begun() && !piece.bytes.is_empty() {
                metrics::histogram!("lectern_stream_first_bytes_seconds")
                    .record(asked.elapsed().as_secs_f64());
            }
            if self.plan.timestamps == Timestamps::Word {
                let part = reached..piece.reached;
                words.extend(self.plan.words(&piece.words, piece.sample_rate_hz, &part));
                reached = piece.reached;
            }
            // Words go with the next audio there is.
            let words = if piece.bytes.is_empty() { Vec::new() } else { std::mem::take(&mut words) };
            if !deliver(piece.bytes, words, &mut said, outlet).await && !goes_on_alone {
                return Ok(Spoken::Left);
            }
        }
        let (tail, sample_rate_hz) = live.finish().await?;
        // The last sentence completes the text, including trailing white space.
        said.characters = self.plan.characters;
        said.price = self.plan.price;
        let delivered = deliver(tail, words, &mut said, outlet).await && outlet.drain().await;
        if !delivered && !goes_on_alone && outlet.taken() != said {
            return Ok(Spoken::Left);
        }
        Ok(Spoken::Whole { sample_rate_hz, said })
    }

    /// Charges what was delivered, or releases the hold when nothing was. `left` says that the
    /// listener left, and nothing failed.
    async fn settle(&self, claim: &Claim, outlet: &mut Outlet, left: bool) {
        let base = &self.context.base;
        let taken = outlet.taken();
        if taken.characters == 0 {
            return claims::abort(base, claim).await;
        }
        let rate_hz = self.plan.rate_hz();
        let mut part = self.plan.row_of_part(base, claim, taken, rate_hz);
        part.credits_charged = match self.plan.caller.key.environment {
            Environment::Test => Credits::ZERO,
            Environment::Live => taken.price,
        };
        if self.keeping == Keeping::ForHistory
            && let Some(audio) = outlet.take_kept(taken.bytes)
            && let Err(error) = self.store(&mut part, audio).await
        {
            tracing::error!(error = %error, "the delivered part of a stream was not stored");
        }
        match self.commit_part(claim, &part, left).await {
            Ok(true) => {}
            Ok(false) => {
                tracing::warn!("a part of a stream was not charged: another took its hold over");
                if part.deleted_at.is_none()
                    && let Err(error) = base.objects.delete(&part.object_key).await
                {
                    tracing::warn!(error = %error, object.key = part.object_key, "orphaned audio was not deleted");
                }
            }
            Err(error) => {
                tracing::error!(error = %error, "a part of a stream was not charged; its hold ends with its lease");
            }
        }
    }

    /// Commits the delivered part. False when the claim is no longer this attempt's.
    async fn commit_part(&self, claim: &Claim, part: &syntheses::Synthesis, left: bool) -> Result<bool> {
        let base = &self.context.base;
        let ids = || base.transaction_id();
        let booking = Booking { now: part.created_at, ids: &ids };
        let said = self.plan.said(base, part.created_at, &self.plan.sent);
        if left && part.deleted_at.is_none() {
            // Perhaps only the connection was lost: a repeated request gets what was charged.
            let response = Response::json(200, &self.head(claim))?;
            let finished =
                Finished { synthesis: part, said: said.as_ref(), event: None, response: &response };
            return Ok(syntheses::commit(&base.store, claim, &finished, booking).await?);
        }
        Ok(syntheses::commit_part(&base.store, claim, part, said.as_ref(), booking).await?)
    }
}

impl Plan {
    /// The words of a piece, and the marks in its part of the script, with their places in the text as sent.
    pub(super) fn words(
        &self,
        words: &[WordTiming],
        sample_rate_hz: u32,
        part: &Range<usize>,
    ) -> Vec<SpokenTimestamp> {
        let of_piece = self.cast.script.with_marks_in(part);
        captions::of_script(&of_piece, &self.sent, words, sample_rate_hz)
    }

    /// The text as the history keeps it.
    pub(super) fn said(&self, base: &Base, now: Timestamp, text: &str) -> Option<Said> {
        let days = i64::from(base.config.history.text_days);
        (days > 0).then(|| Said {
            text: text.to_owned(),
            text_type: self.text_type,
            delete_after: now.plus_seconds(days * 24 * 60 * 60),
        })
    }

    /// The row of a partly delivered synthesis, whose audio is not stored.
    pub(super) fn row_of_part(
        &self,
        base: &Base,
        claim: &Claim,
        said: Reached,
        sample_rate_hz: u32,
    ) -> syntheses::Synthesis {
        let now = base.clock.now();
        syntheses::Synthesis {
            id: claim.synthesis,
            key: self.caller.key.id,
            ereader: self.ereader.id,
            characters: said.characters,
            credits_charged: Credits::ZERO,
            format: self.audio.format.as_str().to_owned(),
            sample_rate_hz,
            duration_ms: u32::try_from(said.duration_ms).unwrap_or(u32::MAX),
            object_key: self.object(claim),
            bytes: u32::try_from(said.bytes).unwrap_or(u32::MAX),
            etag: String::new(),
            created_at: now,
            delete_after: now,
            deleted_at: Some(now),
        }
    }

    /// The rate of the audio; exact for formats whose bytes do not say it.
    fn rate_hz(&self) -> u32 {
        self.audio.rate_hz(self.ereader.sample_rate_hz)
    }

    fn object(&self, claim: &Claim) -> String {
        claims::object(claim, &naming::extension(self.audio.format, self.rate_hz()))
    }
}

/// Counts bytes and delivers them; false when the listener is gone.
async fn deliver(
    bytes: Vec<u8>,
    words: Vec<SpokenTimestamp>,
    said: &mut Reached,
    outlet: &mut Outlet,
) -> bool {
    said.bytes += bytes.len() as u64;
    outlet.put(bytes, words, *said).await
}
