//! The tools: what each is called with, and what it answers. A call that fails is a result that says
//! so, which the assistant reads; only a tool that does not exist is a fault of the protocol.

mod balance;
mod book;
mod convert_book;
mod download_book;
mod saving;
mod speak;
mod voices;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::{
    api::{Api, Failed},
    progress::Progress,
    protocol::{Fault, INVALID_PARAMS},
};

/// What a tool answers.
pub(super) struct Outcome {
    /// For the assistant to read.
    text: String,
    /// Audio to play, with its media type.
    audio: Option<(String, Vec<u8>)>,
    /// The same as the text, for programs.
    structured: Value,
}

impl Outcome {
    fn new(text: String, structured: Value) -> Self {
        Self { text, audio: None, structured }
    }

    fn into_result(self) -> Value {
        use base64::{Engine as _, engine::general_purpose::STANDARD};
        let mut content = vec![json!({ "type": "text", "text": self.text })];
        if let Some((media_type, bytes)) = self.audio {
            content.push(json!({ "type": "audio", "data": STANDARD.encode(bytes), "mimeType": media_type }));
        }
        json!({ "content": content, "structuredContent": self.structured, "isError": false })
    }
}

/// The description of every tool.
pub(super) fn list() -> Vec<Value> {
    vec![
        speak::describe(),
        voices::describe(),
        convert_book::describe(),
        book::describe(),
        download_book::describe(),
        balance::describe(),
    ]
}

/// Calls a tool.
pub(super) async fn call(
    api: &Api,
    mut params: Map<String, Value>,
    progress: &Progress,
) -> Result<Value, Fault> {
    let Some(Value::String(name)) = params.remove("name") else {
        return Err(Fault::new(INVALID_PARAMS, "name must be the name of a tool"));
    };
    let given = params.remove("arguments").unwrap_or_else(|| json!({}));
    let outcome = match name.as_str() {
        "speak" => speak::call(api, given).await,
        "list_voices" => voices::call(api, given).await,
        "convert_book" => convert_book::call(api, given, progress).await,
        "book_status" => book::call(api, given).await,
        "download_book" => download_book::call(api, given, progress).await,
        "balance" => balance::call(api, given).await,
        _ => {
            let name: String = name.chars().take(100).collect();
            return Err(Fault::new(INVALID_PARAMS, format!("there is no tool {name}")));
        }
    };
    Ok(outcome.map_or_else(
        |Failed(text)| json!({ "content": [{ "type": "text", "text": text }], "isError": true }),
        Outcome::into_result,
    ))
}

/// The arguments of a call.
fn arguments<T: DeserializeOwned>(given: Value) -> Result<T, Failed> {
    serde_json::from_value(given).map_err(|error| Failed(format!("The arguments are wrong: {error}.")))
}

/// The schema of arguments: their properties, and which must be there.
fn schema(properties: &Value, required: &[&str]) -> Value {
    json!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": false,
    })
}
