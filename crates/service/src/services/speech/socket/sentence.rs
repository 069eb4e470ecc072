//! One sentence of a session: its price is held before it is said, and charged when its last frame is delivered. Of a
//! sentence that is cancelled, the words that were delivered are charged.

use lectern_speech::audio::WordTiming;
use lectern_store::{
    Environment,
    idempotency::Response,
    ledger::Booking,
    syntheses::{self, Claim, Finished},
};
use lectern_types::{Credits, ErrorCode, SpeechParams, SpokenText, SpokenTimestamp, SynthesizeRequest};
use tokio_util::sync::CancellationToken;

use super::{Narrator, Output};
use crate::{
    error::{Error, Result},
    services::{
        idempotency::Once,
        speech::{
            claims,
            streaming::Reached,
            synthesis::{self, Plan},
            wording::{self, Wording},
        },
    },
};

/// How far a sentence is.
#[derive(Debug, Default)]
struct Progress {
    /// When each word begins, in milliseconds of the stream, and where it ends in the script.
    words: Vec<(u64, usize)>,
    /// Where the sentence begins and ends in the stream, in milliseconds.
    starts_ms: u64,
    ends_ms: u64,
    bytes: u64,
    is_delivered: bool,
}

impl Narrator {
    /// Says a text that begins at this character of the session's text.
    pub(super) async fn say(
        &mut self,
        text: String,
        start_char: u32,
        cancelled: &CancellationToken,
    ) -> Result<()> {
        let plan = match self.plan(text).await {
            // Markup without anything to say.
            Err(Error::Refused(ErrorCode::TextEmpty)) => return Ok(()),
            plan => plan?,
        };
        let base = self.context.base.clone();
        let Once::Ran(claim) = claims::claim(&base, &plan.caller, plan.price, None).await? else {
            return Err(Error::Internal("a sentence without a key was replayed".to_owned()));
        };
        let mut progress = Progress { starts_ms: self.sent_ms, ..Progress::default() };
        let renewal = claims::renew(&base, &claim);
        let outcome = tokio::select! {
            // First, so that a renewal that finds the row already finished does not hide the success.
            biased;
            outcome = self.speak(&plan, start_char, cancelled, &mut progress) => outcome,
            lost = renewal => Err(lost),
        };
        let settled = self.settle(&plan, &claim, &progress).await;
        outcome.and(settled)
    }

    /// Checks a text, as a request of its own.
    async fn plan(&mut self, text: String) -> Result<Plan> {
        let caller = self.caller().await?;
        let (request, store) = (self.request.clone(), self.context.base.store.clone());
        let speech = request.speech;
        let wording = Wording::of("text", text.clone(), speech.text_type, speech.speed.0)?;
        let language = request.language.as_ref().map(|tag| tag.0.as_str());
        wording::check_duration("text", &wording, language)?;
        let speech = SpeechParams { text: SpokenText(text), ..speech };
        synthesis::plan(&store, caller, SynthesizeRequest { speech, ..request }, None).await
    }

    async fn speak(
        &mut self,
        plan: &Plan,
        start_char: u32,
        cancelled: &CancellationToken,
        progress: &mut Progress,
    ) -> Result<()> {
        synthesis::count_sandbox(&self.context.base, plan).await?;
        let mut utterance = match self.stream.begin(&plan.passage()) {
            Ok(utterance) => utterance,
            Err(refusal) => {
                return Err(synthesis::give_back_sandbox(&self.context.base, plan, refusal).await);
            }
        };
        let mut reached = 0;
        loop {
            let stream = &mut self.stream;
            let said = tokio::select! {
                biased;
                () = cancelled.cancelled() => return Ok(()),
                said = stream.next(&mut utterance) => said?,
            };
            let Some(said) = said else { break };
            let piece = stream.push(&utterance, said).await?;
            let rate = u64::from(piece.sample_rate_hz.max(1));
            let starts = |word: &WordTiming| (word.start_sample * 1000 / rate, word.source.end);
            progress.words.extend(piece.words.iter().map(starts));
            progress.bytes += piece.bytes.len() as u64;
            let part = reached..piece.reached;
            let mut words = plan.words(&piece.words, piece.sample_rate_hz, &part);
            for word in &mut words {
                if let SpokenTimestamp::Word(word) = word {
                    word.start_char += start_char;
                    word.end_char += start_char;
                }
            }
            reached = piece.reached;
            if !words.is_empty() {
                self.send(Output::Words(words)).await?;
            }
            if !self.deliver(piece.bytes, piece.duration_ms, cancelled).await? {
                return Ok(());
            }
            progress.ends_ms = piece.duration_ms;
        }
        progress.is_delivered = self.drain(cancelled).await? && progress.ends_ms > 0;
        Ok(())
    }

    /// Charges what was delivered, and releases the rest.
    async fn settle(&mut self, plan: &Plan, claim: &Claim, progress: &Progress) -> Result<()> {
        let base = &self.context.base;
        let delivered_ms = *self.delivered_ms.borrow();
        let until = match progress.words.iter().rfind(|(start_ms, _)| *start_ms < delivered_ms) {
            _ if progress.is_delivered => plan.cast.script.text.len(),
            Some((_, end)) if delivered_ms > progress.starts_ms => *end,
            _ => {
                claims::abort(base, claim).await;
                return Ok(());
            }
        };
        let (characters, price) = if progress.is_delivered {
            (plan.characters, plan.price)
        } else {
            (plan.cast.characters_until(until), plan.cast.price_until(until).unwrap_or(plan.price))
        };
        let credits = match plan.caller.key.environment {
            Environment::Test => Credits::ZERO,
            Environment::Live => price,
        };
        let said = Reached {
            characters,
            price,
            duration_ms: delivered_ms.min(progress.ends_ms.max(delivered_ms)) - progress.starts_ms,
            bytes: progress.bytes,
        };
        let mut row = plan.row_of_part(base, claim, said, plan.audio.rate_hz(plan.ereader.sample_rate_hz));
        row.credits_charged = credits;
        let ids = || base.transaction_id();
        let booking = Booking { now: row.created_at, ids: &ids };
        let said = plan.said(base, row.created_at, &plan.sent);
        if progress.is_delivered {
            let response = Response::json(200, &())?;
            let finished =
                Finished { synthesis: &row, said: said.as_ref(), event: None, response: &response };
            claims::finish(base, claim, &finished, booking, None).await?;
        } else if !syntheses::commit_part(&base.store, claim, &row, said.as_ref(), booking).await? {
            return Err(claims::lost());
        }
        self.characters += u64::from(characters);
        self.credits_charged = self.credits_charged.checked_add(credits).unwrap_or(self.credits_charged);
        Ok(())
    }
}
