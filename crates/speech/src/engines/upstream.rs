//! An engine on another server, which speaks the OpenAI speech protocol: `POST
//! {base}/audio/speech`.
//!
//! The request is one passage of whole sentences, the answer a WAV file. Everything is bounded:
//! connecting, waiting and the size of the answer. Nothing is tried twice, for the other side may
//! have charged for the first time; what fails fails with a message that has neither key nor text
//! in it. Reading the file is `crate::audio`'s, cutting the text `passages`'.

mod passages;

use std::{ops::Range, time::Duration, time::Instant};

use serde::Serialize;
use tokio::runtime::Runtime;

use super::{Abandoned, Cost, Engine, EngineError, Phases, Speech, Unit, Utterance};
use crate::{
    audio::decode::decode_within,
    front_end::{Pause, Span},
    language::Language,
    markup,
};

/// Characters of one passage: the protocol's own limit is 4,096.
const PASSAGE_CHARACTERS: usize = 4000;

/// Rest between two passages, in milliseconds: what the other side's voice leaves after a sentence
/// is unknown.
const PAUSE_MS: u64 = 250;

/// The longest answer: 4,000 characters at half speed take ten minutes.
const MOST_SECONDS: u32 = 30 * 60;

/// Sample rates that speech comes in.
const RATES_HZ: std::ops::RangeInclusive<u32> = 8_000..=96_000;

/// What a passage costs: a thread that waits, as long as such servers usually take.
pub const COST: Cost = Cost { seconds_a_character: 0.004, samples_a_character: 1_700.0 };

/// How often a waiting request looks whether anybody still wants it.
const LOOK: Duration = Duration::from_millis(50);

/// Where the server is, and how long to bear with it.
#[derive(Clone)]
pub struct UpstreamSettings {
    /// Up to and without `/audio/speech`, such as `https://speech.example/v1`.
    pub base_url: String,
    /// Sent as a bearer token.
    pub api_key: Option<String>,
    /// The protocol's `model`.
    pub model: String,
    /// Longest wait for a connection.
    pub connect_timeout: Duration,
    /// Longest wait for the next bytes of an answer.
    pub read_timeout: Duration,
    /// Longest time for a whole answer.
    pub total_timeout: Duration,
    /// Largest answer, in bytes.
    pub most_bytes: usize,
}

impl UpstreamSettings {
    /// Settings for a server with time-outs that suit one: 3 s to connect, 30 s between bytes, 120
    /// s in all, and 64 MiB, which is 20 minutes of 24 kHz.
    pub fn new(base_url: impl Into<String>, api_key: Option<String>) -> Self {
        Self {
            base_url: base_url.into(),
            api_key,
            model: "tts-1".to_owned(),
            connect_timeout: Duration::from_secs(3),
            read_timeout: Duration::from_secs(30),
            total_timeout: Duration::from_mins(2),
            most_bytes: 64 << 20,
        }
    }
}

impl std::fmt::Debug for UpstreamSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("UpstreamSettings")
            .field("model", &self.model)
            .field("has_key", &self.api_key.is_some())
            .finish_non_exhaustive()
    }
}

/// The engine. It blocks its thread while the server works.
pub struct UpstreamEngine {
    settings: UpstreamSettings,
    endpoint: reqwest::Url,
    client: reqwest::Client,
    runtime: Runtime,
}

impl std::fmt::Debug for UpstreamEngine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("UpstreamEngine").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// The protocol's request.
#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    input: &'a str,
    voice: &'a str,
    response_format: &'static str,
    speed: f32,
}

impl UpstreamEngine {
    /// An engine with a client of its own; nothing is sent yet.
    ///
    /// # Errors
    /// [`EngineError::Failed`] when the base is no HTTP URL, the key no header, or the system gives no runtime.
    pub fn new(settings: UpstreamSettings) -> Result<Self, EngineError> {
        let endpoint = endpoint(&settings.base_url)?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| EngineError::Failed(format!("no runtime for the upstream engine: {error}")))?;
        let client = client(&settings)?;
        Ok(Self { settings, endpoint, client, runtime })
    }

    /// Sends the passage and reads the answer, at most as many bytes as allowed.
    async fn ask(&self, body: &Body<'_>) -> Result<Vec<u8>, EngineError> {
        let mut request = self.client.post(self.endpoint.clone()).json(body);
        if let Some(key) = &self.settings.api_key {
            request = request.bearer_auth(key);
        }
        let mut answer = request.send().await.map_err(failed)?;
        let status = answer.status();
        if !status.is_success() {
            // The body may repeat the key or the text.
            return Err(EngineError::Failed(format!("the upstream answered {}", status.as_u16())));
        }
        let most = self.settings.most_bytes;
        let too_large = || EngineError::Failed(format!("the upstream's answer is larger than {most} bytes"));
        if answer.content_length().is_some_and(|length| length > most as u64) {
            return Err(too_large());
        }
        let mut bytes = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(failed)? {
            if bytes.len() + chunk.len() > most {
                return Err(too_large());
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    }
}

impl Engine for UpstreamEngine {
    fn name(&self) -> &'static str {
        "upstream"
    }

    fn unit(&self) -> Unit {
        Unit::Passage(PASSAGE_CHARACTERS)
    }

    /// The server has a front end of its own, whatever the language; how long it pauses after a
    /// passage is unknown.
    fn plan(&self, text: &str, stretch: Range<usize>, _: Language) -> Result<Vec<Span>, EngineError> {
        let inner = text.get(stretch.clone()).unwrap_or_default();
        let spans = passages::cut(inner, PASSAGE_CHARACTERS).into_iter().map(|range| Span {
            range: range.start + stretch.start..range.end + stretch.start,
            pause: Pause::Paragraph,
        });
        Ok(spans.collect())
    }

    fn say(&mut self, utterance: &Utterance) -> Result<Speech, EngineError> {
        utterance.refuse_pitch("upstream")?;
        let started = Instant::now();
        // Other servers do not know our markup for pronunciations, so they get the plain words.
        let input = markup::plain(utterance.text());
        let body = Body {
            model: &self.settings.model,
            input: &input,
            voice: &utterance.spec.voice,
            response_format: "wav",
            speed: utterance.spec.speed,
        };
        let bytes = self.runtime.block_on(async {
            tokio::select! {
                answer = self.ask(&body) => answer,
                () = given_up(&utterance.abandoned) => Err(EngineError::Failed("nobody waits for the answer".to_owned())),
            }
        })?;
        let unusable = |reason: &dyn std::fmt::Display| {
            EngineError::Failed(format!("the upstream's answer is no speech: {reason}"))
        };
        let decoded = decode_within(&bytes, MOST_SECONDS).map_err(|error| unusable(&error))?;
        if decoded.samples.is_empty() {
            return Err(unusable(&"it has no samples"));
        }
        if !RATES_HZ.contains(&decoded.sample_rate_hz)
            || !decoded.samples.iter().all(|sample| sample.is_finite())
        {
            return Err(unusable(&"its sample rate or its samples make no sense"));
        }
        Ok(Speech {
            samples: decoded.samples,
            sample_rate_hz: decoded.sample_rate_hz,
            words: Vec::new(),
            pause_samples: u64::from(decoded.sample_rate_hz) * PAUSE_MS / 1000,
            phases: Phases { infer: started.elapsed(), ..Phases::default() },
            ..Speech::default()
        })
    }
}

async fn given_up(abandoned: &Abandoned) {
    while !abandoned.is_set() {
        tokio::time::sleep(LOOK).await;
    }
}

fn endpoint(base_url: &str) -> Result<reqwest::Url, EngineError> {
    let wrong = || EngineError::Failed("the upstream's base URL is not an http or https URL".to_owned());
    let mut url = reqwest::Url::parse(base_url).map_err(|_| wrong())?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(wrong());
    }
    url.path_segments_mut().map_err(|()| wrong())?.pop_if_empty().extend(["audio", "speech"]);
    Ok(url)
}

fn client(settings: &UpstreamSettings) -> Result<reqwest::Client, EngineError> {
    let unusable =
        |error: &dyn std::fmt::Display| EngineError::Failed(format!("no client for the upstream: {error}"));
    // The provider is named here, so that no process-wide default need be installed.
    let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
    let roots = rustls::RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    let tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| unusable(&error))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    reqwest::Client::builder()
        .tls_backend_preconfigured(tls)
        .connect_timeout(settings.connect_timeout)
        .read_timeout(settings.read_timeout)
        .timeout(settings.total_timeout)
        // A redirect could carry the key to another host.
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .no_proxy()
        .user_agent(concat!("Lectern/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(|error| unusable(&error.without_url()))
}

/// What went wrong, without the URL, which may hold a secret of its own.
fn failed(error: reqwest::Error) -> EngineError {
    let what = if error.is_connect() {
        "cannot be reached"
    } else if error.is_timeout() {
        "did not answer in time"
    } else {
        "broke off its answer"
    };
    tracing::debug!(error = &error.without_url() as &dyn std::error::Error, "upstream request failed");
    EngineError::Failed(format!("the upstream {what}"))
}
