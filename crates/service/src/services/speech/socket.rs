//! Speech of a text that comes piece by piece, as from a language model: each sentence is spoken when it ends, into one
//! stream of audio.
//!
//! `inbox` divides the text into sentences, `sentence` holds the price of one, says it, and charges what was delivered.
//! The session here decides what is next. It knows no protocol: inputs and outputs are its own, and those who serve a
//! protocol translate (`lectern-http`).

mod inbox;
mod sentence;

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use lectern_store::{Scope, keys::Authenticated};
use lectern_types::{
    AccountId, Credits, ErrorCode, SampleRate, SpokenTimestamp, SynthesizeRequest, TextType,
};
use secrecy::{ExposeSecret as _, SecretString};
use tokio::{
    sync::{mpsc, watch},
    time::Instant,
};
use tokio_util::sync::CancellationToken;

use self::inbox::{Inbox, Passage, Work};
use super::{
    context::SpeechContext,
    speaking::{Continuous, gone},
    synthesis,
};
use crate::{
    error::{Error, Result},
    services::{
        accounts::authentication,
        limits::concurrency::{ConcurrencyLimit, LimitReached, Permit},
    },
};

/// What is said when a session begins, to check everything but its text. Nobody hears it.
const PROBE: &str = "1";
const SSML_PROBE: &str = "<speak>1</speak>";

/// How long no more text comes before a stop ends a sentence, though no white space follows it.
const SETTLES_AFTER: Duration = Duration::from_millis(20);

/// How long a session may be silent if nothing else is asked for: no text comes, and nothing is being said.
const IDLE: Duration = Duration::from_mins(5);

/// How long a client may leave what it is sent unread.
const PATIENCE: Duration = Duration::from_mins(1);

/// Silence at a flush, which pushes the last sounds out of the encoder.
const FLUSH_PAUSE: Duration = Duration::from_millis(120);

/// The most bytes of a frame of audio. What is cancelled is charged by frames.
const FRAME_BYTES: usize = 8 << 10;

/// The most sessions at once, in all and of one account.
const SESSIONS: usize = 4_000;
const SESSIONS_OF_ACCOUNT: usize = 1_000;

/// Bounds how many sessions are open. Clones share the bound.
#[derive(Debug, Clone)]
pub struct Sessions(ConcurrencyLimit);

impl Default for Sessions {
    fn default() -> Self {
        Self(ConcurrencyLimit::new(SESSIONS, SESSIONS_OF_ACCOUNT))
    }
}

impl Sessions {
    /// Takes a place for a session.
    ///
    /// # Errors
    /// `rate_limited` when the account has no place left, `service_unavailable` when there is none at all.
    pub async fn place(&self, account: AccountId) -> Result<Permit> {
        self.0.acquire(account, Duration::ZERO).await.map_err(|full| match full {
            LimitReached::Account => {
                Error::RateLimited { limit: "the account's sockets at once", retry_after_seconds: 5 }
            }
            LimitReached::Total => {
                Error::Unavailable { what: "too many sockets are open", retry_after_seconds: 5 }
            }
        })
    }
}

/// What a client asks of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// The next piece of the text.
    Text(String),
    /// Says all that came, even if its last sentence has not ended.
    Flush,
    /// Stops at once and forgets what was not said.
    Cancel,
    /// Says all that came; then the session ends.
    End,
}

/// What a session has for its client.
#[derive(Debug)]
pub enum Output {
    /// The words of the audio that follows.
    Words(Vec<SpokenTimestamp>),
    Audio(Frame),
    /// All that came before a flush was said, or cancelled.
    Flushed,
    /// The session has ended.
    Done {
        characters: u64,
        credits_charged: Credits,
    },
}

/// Audio that was not delivered yet.
#[derive(Debug)]
pub struct Frame {
    bytes: Bytes,
    /// What of the stream's audio is delivered with it, in milliseconds.
    until_ms: u64,
    delivered_ms: Arc<watch::Sender<u64>>,
    revoked: CancellationToken,
}

impl Frame {
    /// Its bytes; `None` when they are not wanted any more.
    pub fn bytes(&self) -> Option<Bytes> {
        (!self.revoked.is_cancelled()).then(|| self.bytes.clone())
    }

    /// How much of the stream's audio was sent with it and those before it, in milliseconds.
    pub fn until_ms(&self) -> u64 {
        self.until_ms
    }

    /// Notes that the connection has taken it.
    pub fn delivered(&self) {
        self.delivered_ms.send_modify(|delivered_ms| *delivered_ms = self.until_ms.max(*delivered_ms));
    }
}

/// A session whose request was checked.
pub struct Session {
    inbox: Inbox,
    narrator: Narrator,
    stop: CancellationToken,
    idle: Duration,
}

/// What says the sentences of a session.
struct Narrator {
    context: SpeechContext,
    /// Checked again before each sentence.
    key: SecretString,
    request: SynthesizeRequest,
    stream: Continuous,
    outputs: mpsc::Sender<Output>,
    /// The audio in frames that were sent, and of those that the connection has taken, in milliseconds.
    sent_ms: u64,
    delivered_ms: Arc<watch::Sender<u64>>,
    characters: u64,
    credits_charged: Credits,
}

/// What stands for the text in the request of a session.
pub fn placeholder(text_type: Option<&str>) -> &'static str {
    if text_type.and_then(TextType::parse) == Some(TextType::Ssml) { SSML_PROBE } else { PROBE }
}

impl Session {
    /// Checks the request of a session, whose text is [`placeholder`], and opens it. What it has for its client comes
    /// out of the receiver.
    ///
    /// # Errors
    /// Those of a stream.
    pub async fn open(
        context: SpeechContext,
        caller: Authenticated,
        key: SecretString,
        request: SynthesizeRequest,
        stop: CancellationToken,
    ) -> Result<(Self, mpsc::Receiver<Output>)> {
        let mut request = request;
        let plan = synthesis::plan(&context.base.store, caller, request.clone(), None).await?;
        // An encoder has one sample rate, also when the voice changes.
        let rate_hz = plan.audio.rate_hz(plan.ereader.sample_rate_hz);
        request.speech.audio.sample_rate_hz = Some(SampleRate(rate_hz));
        let mut passage = plan.passage();
        passage.audio.sample_rate_hz = Some(SampleRate(rate_hz));
        let stream = context.speaker.continuous(&passage);
        let language = passage.specs.first().map(|spec| spec.language.to_string()).unwrap_or_default();
        let inbox = Inbox::new(language, request.speech.text_type);
        let (outputs, receiver) = mpsc::channel(1);
        let narrator = Narrator {
            context,
            key,
            request,
            stream,
            outputs,
            sent_ms: 0,
            delivered_ms: Arc::new(watch::Sender::new(0)),
            characters: 0,
            credits_charged: Credits::ZERO,
        };
        Ok((Self { inbox, narrator, stop, idle: IDLE }, receiver))
    }

    /// Sets how long the session may be silent.
    #[must_use]
    pub fn idle_after(self, idle: Duration) -> Self {
        Self { idle, ..self }
    }

    /// Lets the client wait when it is thousands of characters ahead of the speech, instead of refusing its text.
    #[must_use]
    pub fn hold_back(mut self) -> Self {
        self.inbox.hold_back();
        self
    }

    /// Says what comes until the client ends the session or leaves, which closes `inputs`.
    ///
    /// # Errors
    /// The first that a sentence meets; what was delivered before it is charged.
    pub async fn run(mut self, mut inputs: mpsc::Receiver<Input>) -> Result<()> {
        loop {
            match self.inbox.next() {
                None => self.wait(&mut inputs).await?,
                // A client that reads at the pace of speech would outlast the shutdown.
                Some(Work::Say(_)) if self.stop.is_cancelled() => return Err(stopping()),
                Some(Work::Say(passage)) => self.say(passage, &mut inputs).await?,
                Some(Work::Flushed) => self.narrator.flush().await?,
                Some(Work::Forgotten) => self.narrator.send(Output::Flushed).await?,
                Some(Work::End) => return self.narrator.end().await,
            }
        }
    }

    /// Waits for the next input, or until the text that came is settled.
    async fn wait(&mut self, inputs: &mut mpsc::Receiver<Input>) -> Result<()> {
        let settles_at = self.inbox.settles_at(SETTLES_AFTER);
        tokio::select! {
            biased;
            input = inputs.recv() => self.inbox.take(input.ok_or_else(gone)?),
            () = tokio::time::sleep_until(settles_at.unwrap_or_else(Instant::now)), if settles_at.is_some() => {
                self.inbox.settle();
                Ok(())
            }
            () = self.stop.cancelled() => Err(stopping()),
            () = tokio::time::sleep(self.idle) => Err(ErrorCode::RequestTimeout.into()),
        }
    }

    /// Says a text while more comes. A cancel, and a client that leaves, stop it.
    async fn say(&mut self, passage: Passage, inputs: &mut mpsc::Receiver<Input>) -> Result<()> {
        let cancelled = CancellationToken::new();
        let mut saying = std::pin::pin!(self.narrator.say(passage, &cancelled));
        let mut taken = Ok(());
        loop {
            tokio::select! {
                biased;
                input = inputs.recv(), if taken.is_ok() && self.inbox.has_room() => {
                    taken = match input {
                        None => Err(gone()),
                        Some(input) => self.inbox.take(input),
                    };
                    if self.inbox.take_cancel() || taken.is_err() {
                        cancelled.cancel();
                    }
                }
                said = &mut saying => return taken.and(said),
            }
        }
    }
}

fn stopping() -> Error {
    Error::Unavailable { what: "the service is shutting down", retry_after_seconds: 1 }
}

impl Narrator {
    async fn flush(&mut self) -> Result<()> {
        let pause = self.stream.pause(FLUSH_PAUSE).await?;
        self.deliver(pause.bytes, pause.duration_ms, &CancellationToken::new()).await?;
        self.send(Output::Flushed).await
    }

    async fn end(&mut self) -> Result<()> {
        let bytes = self.stream.finish().await?;
        self.deliver(bytes, self.sent_ms, &CancellationToken::new()).await?;
        let (characters, credits_charged) = (self.characters, self.credits_charged);
        self.send(Output::Done { characters, credits_charged }).await
    }

    // The encoder is not shared between threads, so neither is what holds it: everything here takes `&mut self`.

    /// The account and key of the session as they are now.
    async fn caller(&mut self) -> Result<Authenticated> {
        let context = &self.context;
        let key = self.key.expose_secret();
        let caller = authentication::authenticate(&context.base, &context.tasks, key).await?;
        authentication::check_consent(&caller)?;
        if !caller.key.scopes.contains(Scope::Write) {
            return Err(Error::InsufficientScope { required: Scope::Write });
        }
        Ok(caller)
    }

    /// Delivers audio in frames, which together end at `until_ms` of the stream; false when it was cancelled.
    async fn deliver(
        &mut self,
        bytes: Vec<u8>,
        until_ms: u64,
        cancelled: &CancellationToken,
    ) -> Result<bool> {
        let from_ms = self.sent_ms;
        let until_ms = until_ms.max(from_ms);
        let mut bytes = Bytes::from(bytes);
        let (mut sent, all) = (0, bytes.len().max(1) as u64);
        while !bytes.is_empty() {
            let frame = bytes.split_to(bytes.len().min(FRAME_BYTES));
            sent += frame.len() as u64;
            let frame = Frame {
                bytes: frame,
                until_ms: from_ms + (until_ms - from_ms) * sent / all,
                delivered_ms: Arc::clone(&self.delivered_ms),
                revoked: cancelled.clone(),
            };
            self.sent_ms = frame.until_ms;
            tokio::select! {
                biased;
                () = cancelled.cancelled() => return Ok(false),
                sent = self.send(Output::Audio(frame)) => sent?,
            }
        }
        Ok(true)
    }

    /// Waits until the connection has taken all that was sent; false when it was cancelled.
    async fn drain(&mut self, cancelled: &CancellationToken) -> Result<bool> {
        let mut delivered_ms = self.delivered_ms.subscribe();
        tokio::select! {
            biased;
            () = cancelled.cancelled() => Ok(false),
            all = delivered_ms.wait_for(|delivered_ms| *delivered_ms >= self.sent_ms) => {
                all.map(|_| true).map_err(|_| gone())
            }
            () = self.outputs.closed() => Err(gone()),
            () = tokio::time::sleep(PATIENCE) => Err(gone()),
        }
    }

    /// Sends an output once the one before it was taken.
    async fn send(&mut self, output: Output) -> Result<()> {
        match tokio::time::timeout(PATIENCE, self.outputs.send(output)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(gone()),
        }
    }
}
