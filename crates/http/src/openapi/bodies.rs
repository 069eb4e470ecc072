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
    for (name, schema) in schemas {
        if asked.contains(name) {
            continue;
        }
        require_in(schema);
    }
}

/// Also in objects that a schema holds without a name of their own, as a page of a list holds its items.
fn require_in(schema: &mut Value) {
    let mut nullable = Vec::new();
    for (field, property) in schema["properties"].as_object_mut().into_iter().flatten() {
        if takes_null(property) {
            nullable.push(json!(field));
        }
        require_in(property);
        if let Some(items) = property.get_mut("items") {
            require_in(items);
        }
    }
    if nullable.is_empty() {
        return;
    }
    let mut required = schema["required"].as_array().cloned().unwrap_or_default();
    required.extend(nullable);
    required.sort_by(|a, b| a.as_str().cmp(&b.as_str()));
    required.dedup();
    schema["required"] = required.into();
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

fn name_bytes_of(content: &mut Value) {
    for (media_type, body) in content.as_object_mut().into_iter().flatten() {
        let is_bytes =
            ["audio/", "image/", "application/zip", "application/epub+zip", "application/octet-stream"]
                .iter()
                .any(|bytes| media_type.starts_with(bytes));
        if is_bytes {
            body["schema"] = json!({ "type": "string", "format": "binary" });
        }
    }
}

/// The posts to webhooks: an operation for each type of event, with the schema of its `data`.
pub(super) fn webhooks() -> Value {
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
            "parameters": [
                header("webhook-id", "The event's id, the same in every attempt"),
                header("webhook-timestamp", "Seconds since 1970"),
                header("webhook-signature", "`v1,` and the signature in Base64; several with a space between them"),
            ],
            "requestBody": { "required": true, "content": { "application/json": { "schema": schema } } },
            "responses": { "2XX": { "description": "Taken. Anything else is tried again" } },
        });
        all.insert(event.as_str().to_owned(), json!({ "post": operation }));
    }
    all.into()
}

fn header(name: &str, about: &str) -> Value {
    json!({ "name": name, "in": "header", "required": true, "description": about, "schema": { "type": "string" } })
}

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
        let items = &document["components"]["schemas"]["Page_Material"]["properties"]["data"]["items"];
        assert!(
            items["required"].as_array().is_some_and(|list| list.iter().any(|name| name == "duration_ms"))
        );
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
    }

    #[test]
    fn every_event_is_described() {
        let document = document();
        for event in EventType::ALL {
            assert!(document["webhooks"][event.as_str()]["post"].is_object(), "{}", event.as_str());
        }
    }
}
