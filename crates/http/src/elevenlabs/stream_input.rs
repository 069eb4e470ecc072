//! `GET /v1/text-to-speech/{voice_id}/stream-input`: the messages of ElevenLabs' clients on a socket.
//! `crate::speech_socket` serves it, and a sentence costs what it costs on Lectern's own.

mod pieces;

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::{
    extract::{Request, State, ws::Message},
    http::{Uri, request::Parts},
    response::Response,
};
use lectern_service::{
    app::App,
    error::{Error, FieldErrors, Result},
    services::{
        limits::concurrency::Permit,
        speech::socket::{Input, Output, placeholder},
    },
};
use lectern_types::{ErrorBody, ErrorCode, ErrorCode as Code, Timestamps, elevenlabs::TextNormalization};
use serde_json::{Map, Value, json};
use utoipa::IntoParams;

use self::pieces::Pieces;
use super::{
    markup::Tags,
    request::{self, SpeechQuery, in_these_words},
    speech::VoicePath,
};
use crate::{
    base64_stream,
    envelope::Failure,
    extract::{
        auth::{Caller, Write, XI_API_KEY},
        page::Parameters,
        path,
    },
    speech_socket::{self, Opening, Protocol, Told, text},
};

/// The failures of this route before the upgrade, besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[Code::BadRequest, Code::InsufficientScope, Code::ValidationFailed];

/// How long a client may take to send the first message, which may be all that says who it is.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a session may be silent: if the client says nothing about it, and at most.
const USUAL_SILENCE: u64 = 20;
const LONGEST_SILENCE: u64 = 180;

/// The fields of the first message that make the request.
const REQUEST_FIELDS: &[&str] = &["voice_settings", "pronunciation_dictionary_locators"];

/// The fields that are taken and change nothing: sentences decide when speech begins.
const IGNORED: &[&str] = &["try_trigger_generation", "generation_config", "generator_config"];

/// The fields in which the first message may have the key.
const KEY_FIELDS: &[&str] = &["xi_api_key", "xi-api-key", "authorization"];

/// The query of this route in the API's document.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only its description is used; `Asked` reads the parameters")]
pub struct SocketQuery {
    /// Any name: all models are the same engine
    model_id: Option<String>,
    /// One of the voice's languages, such as `en`
    language_code: Option<String>,
    /// The seed of everything random in the voice
    seed: Option<u32>,
    /// Seconds without text after which the socket closes
    #[param(minimum = 1, maximum = 180, default = 20)]
    inactivity_timeout: Option<u64>,
    /// Accepted but ignored: each piece of audio with new words has their times
    sync_alignment: Option<bool>,
    /// Accepted but ignored: a sentence is spoken when it ends
    auto_mode: Option<bool>,
    /// Accepted but ignored: the tags `<break>` and `<phoneme>` are always understood
    enable_ssml_parsing: Option<bool>,
    /// Accepted but ignored: numbers are always read as words
    #[param(inline)]
    apply_text_normalization: Option<TextNormalization>,
}

/// Speak on a socket, as ElevenLabs' clients do
///
/// A WebSocket for text that comes piece by piece, with the messages of ElevenLabs' `stream-input`. A sentence is spoken
/// when it ends. It costs what it costs on `tts:socket`; keys, voices, limits and errors are the same. The key is in
/// `xi-api-key` or `Authorization`, or in `xi_api_key` of the first message. The messages are in `docs/CLIENTS.md`.
#[utoipa::path(
    get,
    path = "/v1/text-to-speech/{voice_id}/stream-input",
    tag = "ElevenLabs",
    operation_id = "open_text_socket",
    params(
        ("voice_id" = String, Path, description = "An e-reader's id or slug, or another name of a voice",
            example = "heart"),
        SpeechQuery,
        SocketQuery,
        ("Upgrade" = Option<String>, Header, description = "`websocket`"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 101, description = "The connection is a WebSocket from here on"))
)]
pub async fn open_text_socket(
    State(app): State<Arc<App>>,
    voice: VoicePath,
    incoming: Request,
) -> Result<Response, Failure> {
    let (mut parts, _) = incoming.into_parts();
    // A key in a header is judged before the upgrade, and what the query says with it.
    let has_key = parts.headers.contains_key(XI_API_KEY)
        || parts.headers.contains_key(axum::http::header::AUTHORIZATION);
    let mut caller = None;
    if has_key {
        caller = Some(admit(&app, &parts, None).await?);
    }
    let Asked { idle, object, parameters } = Asked::of(&parts.uri);
    if has_key {
        request::parse(with_placeholder(object), parameters)?;
    }
    let upgrade = speech_socket::upgrade(&mut parts).await;
    // The first message could have the key, but there will be none.
    let upgrade = upgrade.map_err(|error| if has_key { error } else { ErrorCode::MissingApiKey.into() })?;
    let request_id = speech_socket::request_id(&parts, &app);
    let voice = path::text(voice, "voice_id");
    let theirs = Theirs { voice, parts, idle, caller, said: Mutex::default() };
    Ok(speech_socket::answer(upgrade, app, request_id, theirs))
}

type Admitted = (Caller<Write>, Permit);

/// Who calls, and their place among the account's sockets.
async fn admit(app: &App, parts: &Parts, key: Option<&str>) -> Result<Admitted> {
    let caller = Caller::<Write>::by_first_message(parts, app, key).await?;
    let place = app.sockets.place(caller.authenticated.account).await?;
    Ok((caller, place))
}

/// What the query asks for.
struct Asked {
    idle: Duration,
    /// In the fields of a request's body.
    object: Map<String, Value>,
    /// Those that requests have in the query, too.
    parameters: Parameters,
}

impl Asked {
    fn of(uri: &Uri) -> Self {
        let mut parameters = Parameters::of(uri);
        let mut object = Map::new();
        for name in ["model_id", "language_code", "apply_text_normalization"] {
            if let Some(value) = parameters.take(name) {
                object.insert(name.to_owned(), value.into());
            }
        }
        // A seed that is no number stays a text, which is refused as such.
        if let Some(seed) = parameters.take("seed") {
            object.insert("seed".to_owned(), seed.parse::<u64>().map_or_else(|_| seed.into(), Value::from));
        }
        for name in ["sync_alignment", "auto_mode", "enable_ssml_parsing"] {
            parameters.switch(name);
        }
        let idle = parameters.read("inactivity_timeout", |text| {
            let seconds = text.parse().ok().filter(|seconds| (1..=LONGEST_SILENCE).contains(seconds));
            seconds.ok_or_else(|| format!("must be a whole number from 1 to {LONGEST_SILENCE}"))
        });
        Self { idle: Duration::from_secs(idle.unwrap_or(USUAL_SILENCE)), object, parameters }
    }
}

fn with_placeholder(mut object: Map<String, Value>) -> Map<String, Value> {
    object.insert("text".to_owned(), placeholder(None).into());
    object
}

/// The messages of ElevenLabs' clients.
struct Theirs {
    voice: Option<String>,
    /// The request that was upgraded.
    parts: Parts,
    idle: Duration,
    /// Until the first message, if a header had the key.
    caller: Option<Admitted>,
    said: Mutex<Said>,
}

/// What was said, on both sides.
#[derive(Debug, Default)]
struct Said {
    tags: Tags,
    pieces: Pieces,
}

impl Theirs {
    /// The session's part of a message.
    fn inputs_of(&self, text: Option<String>, flushes: bool) -> Vec<Input> {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let mut inputs = Vec::new();
        let ends = text.as_deref() == Some("");
        let mut piece = said.tags.push(&text.unwrap_or_default());
        if ends || flushes {
            piece.push_str(&said.tags.finish());
        }
        if !piece.is_empty() {
            said.pieces.sent(&piece);
            inputs.push(Input::Text(piece));
        }
        if ends {
            inputs.push(Input::End);
        } else if flushes {
            inputs.push(Input::Flush);
        }
        inputs
    }
}

impl Protocol for Theirs {
    fn patience(&self) -> Duration {
        PATIENCE
    }

    async fn open(&mut self, app: &App, mut first: Map<String, Value>) -> Result<Opening> {
        let key = key_of(&mut first)?;
        let (caller, place) = match (self.caller.take(), key) {
            (Some(admitted), None) => admitted,
            // With a key in a header as well, the two are refused.
            (_, key) => admit(app, &self.parts, key.as_deref()).await?,
        };
        let Asked { object, parameters, .. } = Asked::of(&self.parts.uri);
        let mut object = with_placeholder(object);
        for name in REQUEST_FIELDS {
            if let Some(value) = first.remove(*name) {
                object.insert((*name).to_owned(), value);
            }
        }
        let Fields { text, flushes } = Fields::of(first)?;
        // The first text is a space by custom: it says nothing, and nobody pays for it.
        let text = text.filter(|text| !text.trim().is_empty());
        let inputs = self.inputs_of(text, flushes);
        let request = request::judge(app, self.voice.clone(), object, parameters, Timestamps::Word).await?;
        Ok(Opening { caller, request, inputs, idle: Some(self.idle), holds_back: true, place })
    }

    fn inputs(&self, mut message: Map<String, Value>) -> Result<Vec<Input>> {
        // They count at the beginning only; clients may repeat them.
        for name in REQUEST_FIELDS.iter().chain(KEY_FIELDS) {
            message.remove(*name);
        }
        let Fields { text, flushes } = Fields::of(message)?;
        Ok(self.inputs_of(text, flushes))
    }

    fn message(&self, output: &Output) -> Option<Message> {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        match output {
            Output::Words(words) => {
                said.pieces.words(words);
                None
            }
            Output::Audio(frame) => {
                let bytes = frame.bytes()?;
                let alignment = said.pieces.audio(frame.until_ms());
                Some(text(&json!({
                    "audio": base64_stream::text(&bytes),
                    "isFinal": null,
                    "alignment": alignment,
                    "normalizedAlignment": alignment,
                })))
            }
            Output::Flushed => None,
            Output::Done { .. } => {
                let rest = said.pieces.rest();
                Some(text(&json!({
                    "audio": null, "isFinal": true, "alignment": rest, "normalizedAlignment": rest,
                })))
            }
        }
    }

    fn tell(&self, body: ErrorBody, close: u16) -> Told {
        let detail = json!({ "status": body.code, "message": body.message });
        let reason = format!("{}: {}", body.code.as_str(), body.message);
        let message = json!({ "message": body.message, "code": close, "error": body, "detail": detail });
        Told { message, reason }
    }

    fn worded(&self, error: Error) -> Error {
        in_these_words(error)
    }
}

/// The key that a first message has.
fn key_of(first: &mut Map<String, Value>) -> Result<Option<String>> {
    let mut keys = KEY_FIELDS.iter().filter_map(|name| first.remove(*name)).filter(|value| !value.is_null());
    let key = match (keys.next(), keys.next()) {
        (None, _) => return Ok(None),
        (Some(Value::String(key)), None) => key,
        _ => return Err(ErrorCode::InvalidApiKey.into()),
    };
    Ok(Some(key.strip_prefix("Bearer ").unwrap_or(&key).to_owned()))
}

/// What every message may say.
#[derive(Debug, PartialEq)]
struct Fields {
    text: Option<String>,
    flushes: bool,
}

impl Fields {
    fn of(mut message: Map<String, Value>) -> Result<Self> {
        let mut wrong = FieldErrors::default();
        let text = match message.remove("text") {
            Some(Value::String(text)) => Some(text),
            None => {
                wrong.add("text", "is required");
                None
            }
            Some(_) => {
                wrong.add("text", "must be a string");
                None
            }
        };
        let flushes = match message.remove("flush") {
            None | Some(Value::Null | Value::Bool(false)) => false,
            Some(Value::Bool(true)) => true,
            Some(_) => {
                wrong.add("flush", "must be true, false or null");
                false
            }
        };
        message.retain(|name, _| !IGNORED.contains(&name.as_str()));
        for unknown in message.keys() {
            wrong.add(unknown, "is not a field of this message");
        }
        wrong.into_result()?;
        Ok(Self { text, flushes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(message: Value) -> String {
        let Value::Object(message) = message else { panic!("not an object") };
        match Fields::of(message) {
            Ok(Fields { text, flushes }) => format!("{text:?} {flushes}"),
            Err(Error::Invalid(FieldErrors(fields))) => fields.into_keys().collect::<Vec<_>>().join(","),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn messages_are_what_their_fields_say() {
        assert_eq!(fields(json!({ "text": "a", "try_trigger_generation": true })), "Some(\"a\") false");
        assert_eq!(fields(json!({ "text": "", "flush": true })), "Some(\"\") true");
        assert_eq!(
            fields(json!({ "text": "a", "flush": null, "generation_config": {} })),
            "Some(\"a\") false"
        );
        assert_eq!(fields(json!({ "flush": 1, "speed": 2 })), "flush,speed,text");
        assert_eq!(fields(json!({ "text": 1 })), "text");
    }

    #[test]
    fn a_first_message_has_one_key() {
        let key = |message: Value| {
            let Value::Object(mut message) = message else { panic!("not an object") };
            key_of(&mut message).map_err(|error| error.to_string())
        };
        assert_eq!(key(json!({ "text": " " })), Ok(None));
        assert_eq!(key(json!({ "xi_api_key": null })), Ok(None));
        assert_eq!(key(json!({ "xi_api_key": "k" })), Ok(Some("k".to_owned())));
        assert_eq!(key(json!({ "authorization": "Bearer k" })), Ok(Some("k".to_owned())));
        assert!(key(json!({ "xi_api_key": "k", "xi-api-key": "k" })).is_err());
        assert!(key(json!({ "xi_api_key": 7 })).is_err());
    }

    #[test]
    fn the_query_is_read_whole() {
        let refused = |query: &str| {
            let uri: Uri = format!("/x{query}").parse().unwrap();
            let Asked { object, parameters, idle } = Asked::of(&uri);
            match request::parse(with_placeholder(object), parameters) {
                Ok(_) => format!("taken {}", idle.as_secs()),
                Err(Error::Invalid(FieldErrors(fields))) => fields.into_keys().collect::<Vec<_>>().join(","),
                Err(error) => error.to_string(),
            }
        };
        assert_eq!(refused(""), "taken 20");
        let all = "?model_id=eleven_flash_v2_5&language_code=en&output_format=pcm_16000&auto_mode=true&seed=7\
            &sync_alignment=true&enable_ssml_parsing=false&inactivity_timeout=180&apply_text_normalization=auto";
        assert_eq!(refused(all), "taken 180");
        let bad = "?seed=x&inactivity_timeout=181&auto_mode=1&output_format=x&speed=1";
        assert_eq!(refused(bad), "auto_mode,inactivity_timeout,output_format,seed,speed");
    }
}
