//! A text-to-speech request, judged in the order of `tts:synthesize`: an empty or overlong text wins
//! over every other field, and an unknown voice comes last.

use std::{borrow::Cow, collections::BTreeMap};

use axum::http::{HeaderName, HeaderValue, Response};
use lectern_service::{
    app::App,
    error::{Error, FieldErrors, Result},
    services::speech::{
        ereader_catalog::openai_voices::Catalogue,
        wording::{self, Wording},
    },
};
use lectern_types::{
    ErrorCode, ErrorCode as Code, Loudness, Named, OrNull, Pitch, Request as _, SpeechParams, Speed,
    SpokenLanguage, SynthesizeRequest, TextType, Timestamps,
    elevenlabs::{LanguageCode, LexiconLocators, OutputFormat, TextToSpeechRequest, VoiceSettings},
};
use serde_json::{Map, Value};
use utoipa::IntoParams;

use super::markup;
use crate::extract::page::Parameters;

/// The failures of these routes besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    Code::InsufficientScope,
    Code::RequestTooLarge,
    Code::RequestTimeout,
    Code::IdempotencyKeyReuse,
    Code::TextEmpty,
    Code::TextTooLong,
    Code::ValidationFailed,
    Code::EreaderNotFound,
    Code::LexiconNotFound,
    Code::LanguageNotSupported,
    Code::EreaderTierNotAvailable,
    Code::ApiAccessRequiresCredits,
    Code::InsufficientBalance,
    Code::TtsProviderError,
];

/// The query of these routes in the API's document.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only its description is used; `judge` reads the parameters")]
pub struct SpeechQuery {
    /// Format, sample rate and bit rate
    #[param(inline)]
    output_format: Option<OutputFormat>,
    /// Accepted but ignored
    enable_logging: Option<bool>,
    /// Accepted but ignored
    #[param(maximum = 4)]
    optimize_streaming_latency: Option<u8>,
}

/// Names the fields that were sent and ignored.
const LECTERN_IGNORED: HeaderName = HeaderName::from_static("lectern-ignored");

/// The fields that change nothing, with a point between an object and its field.
const IGNORED: &[&str] = &[
    "previous_text",
    "next_text",
    "previous_request_ids",
    "next_request_ids",
    "use_pvc_as_ivc",
    "apply_language_text_normalization",
    "voice_settings.stability",
    "voice_settings.similarity_boost",
    "voice_settings.style",
    "voice_settings.use_speaker_boost",
    "voice_settings.clone_strength",
];

/// The longest `optimize_streaming_latency`, as ElevenLabs has it.
const MOST_OPTIMIZED: u8 = 4;

/// What a request asks for, in the words of `tts:synthesize`.
///
/// # Errors
/// Everything that is wrong with the text, the fields and the parameters.
pub(super) async fn judge(
    app: &App,
    voice: Option<String>,
    object: Map<String, Value>,
    parameters: Parameters,
    timestamps: Timestamps,
) -> Result<SynthesizeRequest> {
    let mut object = object;
    if let Some(Value::String(text)) = object.get_mut("text")
        && let Cow::Owned(read) = markup::replace(text)
    {
        *text = read;
    }
    let text = object.get("text").and_then(Value::as_str).map(str::to_owned);
    let wording = text.map(|text| Wording::of("text", text, TextType::Text, 1.0)).transpose()?;
    let (asked, OutputFormat(audio)) = parse(object, parameters)?;
    audio.errors(None).into_result()?;
    let language = given(asked.language_code).map(|LanguageCode(code)| code);
    if let Some(wording) = wording {
        wording::check_duration("text", &wording, language.as_deref())?;
    }
    let catalogue = Catalogue::read(&app.base.store, &app.base.config.voices.openai).await?;
    let speed = given(asked.voice_settings).and_then(|VoiceSettings { speed, .. }| given(speed));
    let speech = SpeechParams {
        audio,
        text: asked.text,
        text_type: TextType::Text,
        speakers: None,
        ereader_id: Named(voice.and_then(|voice| catalogue.find(&voice))),
        speed: speed.unwrap_or(Speed(1.0)),
        pitch: Pitch(0.0),
        lexicon_ids: given(asked.pronunciation_dictionary_locators).map(|LexiconLocators(ids)| ids),
        seed: given(asked.seed),
    };
    let language = language.map(SpokenLanguage);
    Ok(SynthesizeRequest { speech, language, timestamps, loudness: Loudness::Standard })
}

/// What body and query ask for.
///
/// # Errors
/// Everything that is wrong with either.
pub(super) fn parse(
    object: Map<String, Value>,
    mut parameters: Parameters,
) -> Result<(TextToSpeechRequest, OutputFormat)> {
    let format = parameters.read("output_format", OutputFormat::parse);
    // Both change nothing here.
    parameters.switch("enable_logging");
    parameters.read("optimize_streaming_latency", |text| {
        let level = text.parse().ok().filter(|level: &u8| *level <= MOST_OPTIMIZED);
        level.ok_or_else(|| format!("must be a whole number from 0 to {MOST_OPTIMIZED}"))
    });
    let asked = TextToSpeechRequest::parse(object);
    if let Err(FieldErrors(fields)) = &asked {
        for (field, sentence) in fields {
            parameters.wrong(field, sentence);
        }
    }
    parameters.finish()?;
    let format = format.map_or_else(|| OutputFormat::parse(OutputFormat::USUAL), Ok);
    let format = format.map_err(|sentence| Error::invalid("output_format", sentence))?;
    Ok((asked?, format))
}

fn given<T>(field: Option<OrNull<T>>) -> Option<T> {
    field.and_then(|OrNull(value)| value)
}

/// Renames the fields of an error to the names that they have in this API.
pub(super) fn in_these_words(error: Error) -> Error {
    let Error::Invalid(FieldErrors(fields)) = error else { return error };
    let renamed = fields.into_iter().map(|(field, sentence)| {
        let whole = field.split(['[', '.']).next().unwrap_or_default();
        let here = match whole {
            "language" => "language_code",
            "format" | "sample_rate_hz" | "bitrate_kbps" => "output_format",
            "speed" => "voice_settings.speed",
            "lexicon_ids" => "pronunciation_dictionary_locators",
            "ereader_id" => "voice_id",
            _ => return (field, sentence),
        };
        (format!("{here}{}", &field[whole.len()..]), sentence)
    });
    Error::Invalid(FieldErrors(renamed.collect::<BTreeMap<_, _>>()))
}

/// The sent fields that change nothing.
pub(super) fn ignored(object: &Map<String, Value>) -> Vec<&'static str> {
    let is_sent = |path: &&&str| {
        let (outer, inner) =
            path.split_once('.').map_or((**path, None), |(outer, inner)| (outer, Some(inner)));
        let value = object.get(outer);
        let value = inner.map_or(value, |inner| value.and_then(|value| value.get(inner)));
        value.is_some_and(|value| !value.is_null())
    };
    let mut sent: Vec<&str> = IGNORED.iter().filter(is_sent).copied().collect();
    // The other two values are what is done anyway.
    if object.get("apply_text_normalization").and_then(Value::as_str) == Some("off") {
        sent.push("apply_text_normalization");
    }
    sent
}

/// Says in the response which fields changed nothing.
pub(super) fn tell_ignored<B>(response: &mut Response<B>, ignored: &[&str]) {
    if !ignored.is_empty()
        && let Ok(value) = HeaderValue::from_str(&ignored.join(", "))
    {
        response.headers_mut().insert(LECTERN_IGNORED, value);
    }
}

#[cfg(test)]
mod tests {
    use axum::http::Uri;
    use serde_json::json;

    use super::*;

    fn refusal(query: &str, body: Value) -> String {
        let Value::Object(object) = body else { panic!("not an object") };
        let uri: Uri = format!("/x{query}").parse().unwrap();
        match parse(object, Parameters::of(&uri)) {
            Ok((_, OutputFormat(audio))) => format!("{} {:?}", audio.format, audio.bitrate_kbps),
            Err(Error::Invalid(FieldErrors(fields))) => fields.into_keys().collect::<Vec<_>>().join(","),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn what_is_wrong_with_body_and_parameters_comes_in_one_answer() {
        let body = json!({ "text": "Hello." });
        assert_eq!(refusal("", body.clone()), "mp3 Some(Bitrate(128))");
        assert_eq!(refusal("?output_format=pcm_24000&enable_logging=false", body.clone()), "pcm None");
        assert_eq!(refusal("?optimize_streaming_latency=4", body), "mp3 Some(Bitrate(128))");
        let bad = json!({ "text": "Hello.", "seed": "x" });
        let query = "?output_format=aac_44100&optimize_streaming_latency=5&enable_logging=no&speed=1";
        assert_eq!(refusal(query, bad), "enable_logging,optimize_streaming_latency,output_format,seed,speed");
        assert_eq!(refusal("", json!({})), "text");
    }

    #[test]
    fn refusals_name_the_fields_as_they_were_sent() {
        for (ours, theirs) in [
            ("language", "language_code"),
            ("bitrate_kbps", "output_format"),
            ("lexicon_ids[1]", "pronunciation_dictionary_locators[1]"),
            ("text", "text"),
        ] {
            let Error::Invalid(fields) = in_these_words(Error::invalid(ours, "is wrong")) else {
                panic!("{ours}")
            };
            assert_eq!(fields.0.into_keys().collect::<Vec<_>>(), [theirs]);
        }
    }

    #[test]
    fn only_what_was_sent_and_changed_nothing_is_told() {
        let told = |body: Value| ignored(body.as_object().unwrap());
        assert!(told(json!({ "text": "a", "voice_settings": { "speed": 1, "style": null } })).is_empty());
        let body = json!({
            "text": "a", "next_text": "b", "seed": 1, "apply_text_normalization": "off",
            "voice_settings": { "stability": 0.5 }
        });
        assert_eq!(told(body), ["next_text", "voice_settings.stability", "apply_text_normalization"]);
        assert!(told(json!({ "apply_text_normalization": "on" })).is_empty());
    }
}
