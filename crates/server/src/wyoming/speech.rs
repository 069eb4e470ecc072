//! One text as audio events: checked, priced and held like a request to `tts:stream`, and paid for
//! as far as the client took it.

use std::{io, time::Duration};

use futures_util::StreamExt as _;
use lectern_service::{
    error::Error,
    services::speech::{
        ereader_catalog::{self, openai_voices::Catalogue},
        streaming::{self, Stream},
        wording::{self, Wording},
    },
};
use lectern_store::{
    Scope, Store, Tier,
    ereaders::{self, Ereader, Filter},
};
use lectern_types::{
    AudioFormat, AudioParams, ErrorCode, Loudness, Named, Pitch, SpeechParams, Speed, SpokenLanguage,
    SpokenText, SynthesizeRequest, TextType, Timestamps,
};
use serde_json::{Map, Value, json};
use tokio::{io::AsyncWrite, time::timeout};

use super::{Server, event};

/// Bytes of samples in an event, an even number.
const CHUNK_BYTES: usize = 8 * 1024;

/// How long an event may wait for the client to take it.
const PATIENCE: Duration = Duration::from_mins(1);

/// Why nothing more is said.
#[derive(Debug)]
pub(super) enum Ended {
    /// The client is to be told.
    Refused(Error),
    /// The client is gone.
    Gone(io::Error),
}

impl<E: Into<Error>> From<E> for Ended {
    fn from(error: E) -> Self {
        Self::Refused(error.into())
    }
}

/// The voice and the form of a text, as a client asks for them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Wanted {
    name: Option<String>,
    language: Option<String>,
    text_type: TextType,
}

impl Wanted {
    /// What the data of an event asks for.
    ///
    /// # Errors
    /// `validation_failed` for a voice or a form that is none.
    pub(super) fn of(data: &Map<String, Value>) -> Result<Self, Error> {
        let text_type = match data.get("text_format") {
            None | Some(Value::Null) => TextType::Text,
            Some(value) => value
                .as_str()
                .and_then(TextType::parse)
                .ok_or_else(|| Error::invalid("text_format", "must be one of: text, ssml"))?,
        };
        let empty = Map::new();
        let voice = match data.get("voice") {
            None | Some(Value::Null) => &empty,
            Some(Value::Object(voice)) => voice,
            Some(_) => return Err(Error::invalid("voice", "must be an object with a name or a language")),
        };
        let text = |field: &str| match voice.get(field) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(Error::invalid(format!("voice.{field}"), "must be a text")),
        };
        Ok(Self { name: text("name")?, language: text("language")?, text_type })
    }

    /// The form of the text, as a word.
    pub(super) fn text_type(&self) -> &'static str {
        match self.text_type {
            TextType::Text => "text",
            TextType::Ssml => "ssml",
        }
    }

    /// The request to say a text.
    pub(super) fn request(&self, ereader: &Ereader, text: String) -> SynthesizeRequest {
        let speech = SpeechParams {
            audio: AudioParams::of(AudioFormat::Pcm),
            text: SpokenText(text),
            text_type: self.text_type,
            speakers: None,
            ereader_id: Named(Some(ereader.id)),
            speed: Speed(1.0),
            pitch: Pitch(0.0),
            lexicon_ids: None,
            seed: None,
        };
        // A name was chosen for its own language.
        let language = self.language.clone().filter(|_| self.name.is_none()).map(SpokenLanguage);
        let (timestamps, loudness) = (Timestamps::None, Loudness::Standard);
        SynthesizeRequest { speech, language, timestamps, loudness }
    }

    /// The e-reader: the named one, or the first of the language that the account may use, or the default one.
    pub(super) async fn ereader(&self, server: &Server, tier: Tier) -> Result<Ereader, Error> {
        let (store, aliases) = (&server.app.base.store, &server.app.base.config.voices.openai);
        if let Some(name) = &self.name {
            let id = Catalogue::read(store, aliases).await?.find(name).ok_or(ErrorCode::EreaderNotFound)?;
            let found = ereaders::find(store, id).await?.filter(|found| found.active);
            return Ok(found.ok_or(ErrorCode::EreaderNotFound)?);
        }
        let found = match &self.language {
            Some(language) => by_language(store, language, tier).await?,
            None => ereader_catalog::default_ereader(store).await?,
        };
        Ok(found.ok_or(ErrorCode::EreaderNotFound)?)
    }
}

async fn by_language(store: &Store, language: &str, tier: Tier) -> Result<Option<Ereader>, Error> {
    let filter = Filter { language: Some(language), ..Filter::default() };
    let mut found = ereaders::list(store, filter).await?;
    found.retain(|ereader| ereader.tier <= tier);
    Ok(found.into_iter().min_by_key(|ereader| (ereader.tier, ereader.price_per_character, ereader.id)))
}

/// The audio events of one answer.
pub(super) struct Audio<'a, W> {
    output: &'a mut W,
    has_begun: bool,
}

impl<'a, W: AsyncWrite + Unpin> Audio<'a, W> {
    pub(super) fn new(output: &'a mut W) -> Self {
        Self { output, has_begun: false }
    }

    /// Whether anything was heard.
    pub(super) fn has_begun(&self) -> bool {
        self.has_begun
    }

    /// Sends an event.
    pub(super) async fn send(&mut self, kind: &str, data: &Value, payload: &[u8]) -> Result<(), Ended> {
        let sent = timeout(PATIENCE, event::write(self.output, kind, data, payload)).await;
        sent.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())).map_err(Ended::Gone)
    }

    /// Sends samples, and before the first ones what they are.
    pub(super) async fn chunk(&mut self, rate_hz: u32, samples: &[u8]) -> Result<(), Ended> {
        let shape = json!({ "rate": rate_hz, "width": 2, "channels": 1 });
        if !self.has_begun {
            self.has_begun = true;
            self.send("audio-start", &shape, b"").await?;
        }
        self.send("audio-chunk", &shape, samples).await
    }

    /// Ends the audio.
    pub(super) async fn stop(&mut self) -> Result<(), Ended> {
        self.send("audio-stop", &json!({}), b"").await
    }

    /// Says a text.
    pub(super) async fn say(&mut self, server: &Server, wanted: &Wanted, text: String) -> Result<(), Ended> {
        let caller = server.authorize(Some(Scope::Write)).await?;
        let wording = Wording::of("text", text.clone(), wanted.text_type, 1.0)?;
        wording::check_duration("text", &wording, wanted.language.as_deref())?;
        let ereader = wanted.ereader(server, caller.tier).await?;
        let rate_hz = ereader.sample_rate_hz;
        let request = wanted.request(&ereader, text);
        let stream = streaming::stream(&server.app.speech, caller, request, None).await?;
        let Stream::Live(_, pieces) = stream else {
            return Err(Error::Internal("a stream without a key was a replay".to_owned()).into());
        };
        let mut pieces = pieces.audio();
        let mut held = Vec::new();
        while let Some(piece) = pieces.next().await {
            let broke_off = |error: io::Error| Error::Internal(format!("speech broke off: {error}"));
            held.extend_from_slice(&piece.map_err(broke_off)?);
            while held.len() >= CHUNK_BYTES {
                let rest = held.split_off(CHUNK_BYTES);
                self.chunk(rate_hz, &held).await?;
                held = rest;
            }
        }
        if !held.is_empty() {
            self.chunk(rate_hz, &held).await?;
        }
        self.stop().await
    }
}
