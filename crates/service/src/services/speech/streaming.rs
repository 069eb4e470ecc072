//! A synthesis that is delivered while it runs: price and hold, the first sentence, then the others
//! at the listener's pace, and a charge for what was delivered.
//!
//! Hold, lease and capture work as in [`super::synthesis`]. Each piece counts as delivered once the
//! connection has taken it. When the engine fails after the first piece, or the listener leaves,
//! the delivered sentences are charged and the rest of the hold is released. Under an
//! `Idempotency-Key` the audio is also stored, the work continues without its listener, and a
//! repeated request gets the same bytes at once.

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

/// Synthesizes a text for `caller` and delivers it meanwhile. Returns with the first bytes.
///
/// # Errors
/// Those of a synthesis, up to the first bytes; nothing is charged then.
pub async fn stream(
    context: &SpeechContext,
    caller: Authenticated,
    request: SynthesizeRequest,
    idempotent: Option<IdempotentRequest>,
) -> Result<Stream> {
    let plan = synthesis::plan(&context.base.store, caller, request, idempotent).await?;
    // A separate task: when the listener leaves, the request's future is dropped, but the hold must
    // be settled.
    let abandoned = CancellationToken::new();
    let _on_drop = abandoned.clone().drop_guard();
    let (start, started) = oneshot::channel();
    let narrator = Narrator { context: context.clone(), plan, abandoned };
    context.tasks.spawn(narrator.run(start));
    started.await.unwrap_or_else(|_| Err(Error::Internal("a stream stopped before it began".to_owned())))
}

/// Receives the start of a stream.
type Start = oneshot::Sender<Result<Stream>>;

/// The task of one stream.
struct Narrator {
    context: SpeechContext,
    plan: Plan,
    /// Cancelled when the client leaves before the first bytes.
    abandoned: CancellationToken,
}

/// How a synthesis ended.
enum Spoken {
    /// It is complete.
    Whole {
        sample_rate_hz: u32,
        /// The audio, if it is stored.
        audio: Option<Vec<u8>>,
        said: Reached,
    },
    /// The listener left, and without an `Idempotency-Key` there is no reason to continue.
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
        let mut outlet = Outlet::new(start, self.head(&claim));
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
            Ok(false) => self.settle(&claim, &outlet).await,
            Err(error) => {
                self.settle(&claim, &outlet).await;
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
            object: self.plan.idempotent.is_some().then(|| self.plan.object(claim)),
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
        let Spoken::Whole { sample_rate_hz, audio, said } = self.speak(live, outlet).await? else {
            return Ok(false);
        };
        let mut row = self.plan.row_of_part(&self.context.base, claim, said, sample_rate_hz);
        row.credits_charged = self.plan.price;
        let kept = match audio {
            None => None,
            Some(audio) => {
                let stored = self.context.base.objects.put(&row.object_key, audio).await?;
                row.etag = stored.etag;
                row.delete_after = row.created_at.plus_seconds(KEPT_SECONDS);
                row.deleted_at = None;
                Some(row.object_key.clone())
            }
        };
        let response = Response::json(200, &self.head(claim))?;
        let said = self.plan.said(&self.context.base, row.created_at, &self.plan.sent);
        let finished = Finished { synthesis: &row, said: said.as_ref(), event: None, response: &response };
        let ids = || self.context.base.transaction_id();
        let booking = Booking { now: row.created_at, ids: &ids };
        claims::finish(&self.context.base, claim, &finished, booking, kept.as_deref()).await?;
        Ok(true)
    }

    /// Synthesizes and delivers.
    async fn speak(&self, mut live: Live, outlet: &mut Outlet) -> Result<Spoken> {
        let asked = Instant::now();
        let goes_on_alone = self.plan.idempotent.is_some();
        let mut audio = goes_on_alone.then(Vec::new);
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
            if !deliver(piece.bytes, words, &mut said, &mut audio, outlet).await && !goes_on_alone {
                return Ok(Spoken::Left);
            }
        }
        let (tail, sample_rate_hz) = live.finish().await?;
        // The last sentence completes the text, including trailing white space.
        said.characters = self.plan.characters;
        said.price = self.plan.price;
        let delivered = deliver(tail, words, &mut said, &mut audio, outlet).await && outlet.drain().await;
        if !delivered && !goes_on_alone && outlet.taken() != said {
            return Ok(Spoken::Left);
        }
        Ok(Spoken::Whole { sample_rate_hz, audio, said })
    }

    /// Charges what was delivered, or releases the hold when nothing was.
    async fn settle(&self, claim: &Claim, outlet: &Outlet) {
        let taken = outlet.taken();
        if taken.characters == 0 {
            return claims::abort(&self.context.base, claim).await;
        }
        let rate_hz = self.plan.rate_hz();
        let mut part = self.plan.row_of_part(&self.context.base, claim, taken, rate_hz);
        part.credits_charged = match self.plan.caller.key.environment {
            Environment::Test => Credits::ZERO,
            Environment::Live => taken.price,
        };
        let ids = || self.context.base.transaction_id();
        let booking = Booking { now: part.created_at, ids: &ids };
        let said = self.plan.said(&self.context.base, part.created_at, &self.plan.sent);
        match syntheses::commit_part(&self.context.base.store, claim, &part, said.as_ref(), booking).await {
            Ok(true) => {}
            Ok(false) => tracing::warn!("a part of a stream was not charged: another took its hold over"),
            Err(error) => {
                tracing::error!(error = %error, "a part of a stream was not charged; its hold ends with its lease");
            }
        }
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

/// Stores bytes and delivers them; false when the listener is gone.
async fn deliver(
    bytes: Vec<u8>,
    words: Vec<SpokenTimestamp>,
    said: &mut Reached,
    audio: &mut Option<Vec<u8>>,
    outlet: &mut Outlet,
) -> bool {
    said.bytes += bytes.len() as u64;
    if let Some(audio) = audio {
        audio.extend_from_slice(&bytes);
    }
    outlet.put(bytes, words, *said).await
}
