//! What utoipa's annotations do not say of bodies: that a nullable field of an answer is always there, that audio and
//! pictures are bytes, and what the service itself posts to webhooks.

use std::collections::BTreeSet;

use lectern_types::EventType;
use serde_json::{Map, Value, json};

/// The schemas of a document.
const SCHEMAS: &str = "/components/schemas";

/// Lists the nullable fields of answers as required: they are null where they say nothing, and never absent. Fields that may
/// be absent are annotated as not nullable. Requests are left alone, whose fields may be either.
pub(super) fn require_nullable(api: &mut Value) {
    let asked = of_requests(api);
    let Some(Value::Object(schemas)) = api.pointer_mut(SCHEMAS) else { return };
    for (_, schema) in schemas.iter_mut().filter(|(name, _)| !asked.contains(*name)) {
        require_nullable_of(schema);
    }
}

/// Does it for a schema and those written inside it.
fn require_nullable_of(schema: &mut Value) {
    match schema {
        Value::Array(list) => list.iter_mut().for_each(require_nullable_of),
        Value::Object(object) => {
            object.values_mut().for_each(require_nullable_of);
            let properties = object.get("properties").and_then(Value::as_object);
            let fields = properties.into_iter().flatten().filter(|(_, property)| takes_null(property));
            let nullable: BTreeSet<String> = fields.map(|(field, _)| field.to_owned()).collect();
            if nullable.is_empty() {
                return;
            }
            let listed = object.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
            let missing = nullable.into_iter().map(Value::from).filter(|field| !listed.contains(field));
            let all: Vec<Value> = listed.iter().cloned().chain(missing).collect();
            object.insert("required".to_owned(), all.into());
        }
        _ => {}
    }
}

fn takes_null(property: &Value) -> bool {
    let is_null = |choice: &Value| choice["type"] == "null";
    property["type"].as_array().is_some_and(|types| types.iter().any(|name| name == "null"))
        || property["oneOf"].as_array().is_some_and(|choices| choices.iter().any(is_null))
        || property["anyOf"].as_array().is_some_and(|choices| choices.iter().any(is_null))
}

/// The names of the schemas that requests are made of.
fn of_requests(api: &Value) -> BTreeSet<String> {
    let items = api["paths"].as_object().into_iter().flat_map(Map::values);
    let operations = items.filter_map(Value::as_object).flat_map(Map::values);
    let mut found = BTreeSet::new();
    let mut open: Vec<&Value> = operations.map(|operation| &operation["requestBody"]).collect();
    while let Some(value) = open.pop() {
        match value {
            Value::Array(list) => open.extend(list),
            Value::Object(object) => {
                if let Some(name) = object.get("$ref").and_then(Value::as_str).and_then(named)
                    && found.insert(name.to_owned())
                    && let Some(schema) = api.pointer(&format!("{SCHEMAS}/{name}"))
                {
                    open.push(schema);
                }
                open.extend(object.values());
            }
            _ => {}
        }
    }
    found
}

fn named(reference: &str) -> Option<&str> {
    reference.strip_prefix("#/components/schemas/")
}

/// Says of every body of audio, of a picture or of a file that it is bytes.
pub(super) fn name_bytes(operation: &mut Map<String, Value>) {
    let request = operation.get_mut("requestBody").and_then(|body| body.get_mut("content"));
    if let Some(content) = request {
        name_bytes_of(content);
    }
    let responses = operation.get_mut("responses").and_then(Value::as_object_mut);
    for response in responses.into_iter().flat_map(Map::values_mut) {
        if let Some(content) = response.get_mut("content") {
            name_bytes_of(content);
        }
    }
}

/// How the media types begin whose bodies are bytes.
const BYTES: &[&str] = &[
    "audio/",
    "image/",
    "application/zip",
    "application/epub+zip",
    "application/pdf",
    "application/octet-stream",
];

fn name_bytes_of(content: &mut Value) {
    for (media_type, body) in content.as_object_mut().into_iter().flatten() {
        let is_bytes = BYTES.iter().any(|bytes| media_type.starts_with(bytes));
        if is_bytes {
            body["schema"] = json!({ "type": "string", "format": "binary" });
        }
    }
}

/// The posts to webhooks: an operation for each type of event, with the schema of its `data`.
pub(super) fn describe_webhooks(api: &mut Value) {
    for (name, about) in HEADERS {
        api["components"]["parameters"][name] = json!({
            "name": name, "in": "header", "required": true, "description": about, "schema": { "type": "string" },
        });
    }
    let parameters: Vec<Value> = HEADERS
        .iter()
        .map(|(name, _)| json!({ "$ref": format!("#/components/parameters/{name}") }))
        .collect();
    let mut all = Map::new();
    for event in EventType::ALL {
        let data = match event {
            EventType::ChunkCompleted => "ChunkCompleted",
            EventType::ChunkFailed => "ChunkFailed",
            EventType::CreditsLow => "CreditsLow",
            EventType::MaterialCompleted | EventType::MaterialFailed | EventType::MaterialReady => {
                "MaterialChanged"
            }
            EventType::WebhookTest => "WebhookTest",
        };
        let schema = json!({ "allOf": [
            { "$ref": "#/components/schemas/WebhookPayload" },
            { "type": "object", "properties": {
                "type": { "const": event.as_str() },
                "data": { "$ref": format!("#/components/schemas/{data}") },
            } },
        ] });
        let operation = json!({
            "summary": format!("Tells of `{}`", event.as_str()),
            "description": "A POST to the endpoint, signed after Standard Webhooks.",
            "operationId": format!("webhook_{}", event.as_str().replace('.', "_")),
            "tags": ["Webhooks"],
            "security": [],
            "parameters": parameters,
            "requestBody": { "required": true, "content": { "application/json": { "schema": schema } } },
            "responses": { "2XX": { "description": "Taken. Anything else is tried again" } },
        });
        all.insert(event.as_str().to_owned(), json!({ "post": operation }));
    }
    api["webhooks"] = all.into();
}

/// The headers of a post to a webhook.
const HEADERS: [(&str, &str); 3] = [
    ("webhook-id", "The event's id, the same in every attempt"),
    ("webhook-timestamp", "Seconds since 1970"),
    ("webhook-signature", "`v1,` and the signature in Base64; several with a space between them"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn document() -> Value {
        serde_json::from_str(&crate::router::document()).unwrap()
    }

    fn required(document: &Value, schema: &str, field: &str) -> bool {
        let list = &document["components"]["schemas"][schema]["required"];
        list.as_array().is_some_and(|list| list.iter().any(|name| name == field))
    }

    #[test]
    fn what_an_answer_always_has_is_required_and_no_more() {
        let document = document();
        for (schema, field) in
            [("Material", "duration_ms"), ("Page_Material", "next_cursor"), ("ApiKey", "expires_at")]
        {
            assert!(required(&document, schema, field), "{schema}.{field}");
        }
        for (schema, field) in [
            ("Synthesis", "timestamps"),
            ("Material", "ocr"),
            ("MaterialSource", "url"),
            ("UpdateMaterialRequest", "title"),
            ("VoiceSettings", "speed"),
        ] {
            assert!(
                !document["components"]["schemas"][schema]["properties"][field].is_null(),
                "{schema}.{field}"
            );
            assert!(!required(&document, schema, field), "{schema}.{field}");
        }
    }

    #[test]
    fn audio_and_pictures_are_bytes() {
        let document = document().to_string();
        assert!(document.contains(r#""audio/*":{"schema":{"format":"binary","type":"string"}}"#));
        assert!(document.contains(r#""image/png":{"schema":{"format":"binary","type":"string"}}"#));
        assert!(document.contains(r#""application/pdf":{"schema":{"format":"binary","type":"string"}}"#));
    }

    #[test]
    fn every_event_is_described() {
        let document = document();
        for event in EventType::ALL {
            assert!(document["webhooks"][event.as_str()]["post"].is_object(), "{}", event.as_str());
        }
    }
}
