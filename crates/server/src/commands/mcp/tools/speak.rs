//! `speak`: a text as audio, in the answer or in a file.

use std::path::PathBuf;

use futures_util::StreamExt as _;
use lectern_types::AudioFormat;
use reqwest::{
    Response,
    header::{CONTENT_TYPE, HeaderMap},
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Api, Failed, Outcome, arguments, saving::Place, schema, voices};
use crate::commands::mcp::api::broken_off;

/// The most bytes of audio in an answer: over ten minutes of MP3, over a minute of WAV.
const INLINE_BYTES: usize = 5 * 1024 * 1024;

/// The formats that an assistant can play.
const FORMATS: &[&str] = &["mp3", "wav", "flac", "opus"];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    text: String,
    voice: Option<String>,
    #[serde(default)]
    format: AudioFormat,
    language: Option<String>,
    speed: Option<f64>,
    output_path: Option<PathBuf>,
    #[serde(default)]
    overwrite: bool,
}

pub(super) fn describe() -> Value {
    json!({
        "name": "speak",
        "title": "Speak a text",
        "description": "Turns a text of up to 5,000 characters into speech. With `output_path` the audio is saved there and \
            the answer is the path; without it the answer has the audio itself.",
        "inputSchema": schema(&json!({
            "text": { "type": "string", "minLength": 1, "maxLength": 5000,
                "description": "What to say. `[pause 1.5s]` is a silence; `[word](/w\u{2c8}\u{25c}\u{2d0}d/)` gives a pronunciation." },
            "voice": { "type": "string", "description": "A voice from list_voices, such as heart; by default the cheapest" },
            "format": { "type": "string", "enum": FORMATS, "default": "mp3" },
            "language": { "type": "string", "description": "One of the voice's languages, where it has several" },
            "speed": { "type": "number", "minimum": 0.5, "maximum": 2, "default": 1 },
            "output_path": { "type": "string", "description": "Absolute path of the file to write" },
            "overwrite": { "type": "boolean", "default": false, "description": "Whether an existing file is replaced" },
        }), &["text"]),
        "annotations": { "readOnlyHint": false, "destructiveHint": false, "openWorldHint": false },
    })
}

pub(super) async fn call(api: &Api, given: Value) -> Result<Outcome, Failed> {
    let asked: Arguments = arguments(given)?;
    let format = asked.format.as_str();
    if !FORMATS.contains(&format) {
        return Err(Failed(format!("`format` must be one of: {}.", FORMATS.join(", "))));
    }
    let place = asked.output_path.as_deref().map(|path| Place::at(path, asked.overwrite)).transpose()?;
    let voice = voices::find(api, asked.voice.as_deref()).await?;
    let mut body = json!({ "text": asked.text, "ereader_id": voice, "format": format });
    if let Some(language) = asked.language {
        body["language"] = language.into();
    }
    if let Some(speed) = asked.speed {
        body["speed"] = speed.into();
    }
    let response = api.send(api.post("/v1/saas/tts:stream").json(&body)).await?;
    let (characters, credits) =
        (number(response.headers(), "lectern-characters"), number(response.headers(), "lectern-credits"));
    let price = format!("{characters} characters for {credits} credits");
    let structured = |path: Option<&str>, bytes: u64| json!({ "path": path, "format": format, "bytes": bytes, "characters": characters, "credits": credits });
    if let Some(place) = place {
        let path = place.shown();
        let bytes = place.save(response).await?;
        return Ok(Outcome::new(
            format!("Saved {path} ({bytes} bytes): {price}."),
            structured(Some(path.as_str()), bytes),
        ));
    }
    let media_type = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let media_type = media_type.unwrap_or("audio/mpeg").to_owned();
    let bytes = inline(response).await?;
    let outcome = Outcome::new(format!("Spoken: {price}."), structured(None, bytes.len() as u64));
    Ok(Outcome { audio: Some((media_type, bytes)), ..outcome })
}

/// The audio of an answer. What is too long for that ends the stream, so only the part that came is paid.
async fn inline(response: Response) -> Result<Vec<u8>, Failed> {
    let mut audio = Vec::new();
    let mut pieces = response.bytes_stream();
    while let Some(piece) = pieces.next().await {
        audio.extend_from_slice(&piece.map_err(broken_off)?);
        if audio.len() > INLINE_BYTES {
            return Err(Failed(format!(
                "The audio is over {INLINE_BYTES} bytes, too long for an answer; set `output_path`, or take mp3. The part that \
                 was spoken is paid."
            )));
        }
    }
    Ok(audio)
}

fn number(headers: &HeaderMap, name: &str) -> i64 {
    headers.get(name).and_then(|value| value.to_str().ok()?.parse().ok()).unwrap_or_default()
}
