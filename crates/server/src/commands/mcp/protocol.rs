//! JSON-RPC 2.0, as the Model Context Protocol uses it.

use serde_json::{Map, Value, json};

/// The revisions of the protocol that begin with `initialize`, newest first. A client that begins
/// with `server/discover` (2026-07-28) falls back to one of these.
pub(super) const VERSIONS: &[&str] = &["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

pub(super) const PARSE_ERROR: i32 = -32_700;
pub(super) const INVALID_REQUEST: i32 = -32_600;
pub(super) const METHOD_NOT_FOUND: i32 = -32_601;
pub(super) const INVALID_PARAMS: i32 = -32_602;
pub(super) const INTERNAL_ERROR: i32 = -32_603;
pub(super) const RESOURCE_NOT_FOUND: i32 = -32_002;
pub(super) const BUSY: i32 = -32_000;

/// A message from the client.
#[derive(Debug, PartialEq)]
pub(super) enum Message {
    Request {
        id: Value,
        method: String,
        params: Map<String, Value>,
    },
    Notification {
        method: String,
        params: Map<String, Value>,
    },
    /// An answer to something; nothing is ever asked.
    Answer,
}

/// What is wrong with a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) code: i32,
    pub(super) message: String,
}

impl Fault {
    pub(super) fn new(code: i32, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// The response that says it. The id of what is no request is null.
    pub(super) fn response(&self, id: &Value) -> Value {
        json!({ "jsonrpc": "2.0", "id": id, "error": { "code": self.code, "message": self.message } })
    }
}

/// The response with a result.
pub(super) fn response(id: &Value, result: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

/// A notification of progress of the request that gave this token.
pub(super) fn progress(token: &Value, done: f64, total: Option<f64>, message: &str) -> Value {
    let mut params = json!({ "progressToken": token, "progress": done, "message": message });
    if let Some(total) = total {
        params["total"] = json!(total);
    }
    json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": params })
}

/// The message of a line.
///
/// # Errors
/// What is wrong, and the id to answer to.
pub(super) fn parse(line: &[u8]) -> Result<Message, (Value, Fault)> {
    let value: Value = serde_json::from_slice(line)
        .map_err(|error| (Value::Null, Fault::new(PARSE_ERROR, format!("the line is not JSON: {error}"))))?;
    let Value::Object(mut object) = value else {
        let fault = Fault::new(INVALID_REQUEST, "a line must be one JSON object; batches are not taken");
        return Err((Value::Null, fault));
    };
    let id = object.remove("id");
    let named = id.clone().filter(is_id).unwrap_or(Value::Null);
    let invalid = |message: &str| (named.clone(), Fault::new(INVALID_REQUEST, message));
    if object.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(invalid("jsonrpc must be \"2.0\""));
    }
    let method = match object.remove("method") {
        Some(Value::String(method)) => method,
        None if object.contains_key("result") || object.contains_key("error") => return Ok(Message::Answer),
        _ => return Err(invalid("method must be a text")),
    };
    let params = match object.remove("params") {
        None => Map::new(),
        Some(Value::Object(params)) => params,
        Some(_) => return Err((named, Fault::new(INVALID_PARAMS, "params must be an object"))),
    };
    match id {
        None => Ok(Message::Notification { method, params }),
        Some(id) if is_id(&id) => Ok(Message::Request { id, method, params }),
        Some(_) => Err(invalid("id must be a text or a number")),
    }
}

fn is_id(id: &Value) -> bool {
    id.is_string() || id.is_number()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_told_apart_and_faults_answer_to_their_request() {
        let object = |value: Value| value.as_object().unwrap().clone();
        assert_eq!(
            parse(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#),
            Ok(Message::Request { id: json!(1), method: "ping".to_owned(), params: Map::new() })
        );
        assert_eq!(
            parse(br#"{"jsonrpc":"2.0","method":"m","params":{"a":1}}"#),
            Ok(Message::Notification { method: "m".to_owned(), params: object(json!({ "a": 1 })) })
        );
        assert_eq!(parse(br#"{"jsonrpc":"2.0","id":1,"result":{}}"#), Ok(Message::Answer));
        for (line, id, code) in [
            ("nonsense", Value::Null, PARSE_ERROR),
            ("[]", Value::Null, INVALID_REQUEST),
            (r#"{"id":"a","method":"m"}"#, json!("a"), INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":"a","method":1}"#, json!("a"), INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":"a"}"#, json!("a"), INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":null,"method":"m"}"#, Value::Null, INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":7,"method":"m","params":[]}"#, json!(7), INVALID_PARAMS),
        ] {
            let (answered, fault) = parse(line.as_bytes()).unwrap_err();
            assert_eq!((answered, fault.code), (id, code), "{line}");
        }
    }
}
