//! Standard output and standard error of commands: results as JSON for programs, as lines for
//! people.

use std::{error::Error, io::Write as _};

use serde::Serialize;
use serde_json::Value;

pub use lectern_service::error::chain;

/// Prints a line on standard output. A reader that closed the pipe (`lectern … | head`) is not an
/// error.
pub fn line(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{text}");
    let _ = out.flush();
}

/// Prints a result: one line of JSON, or lines for people.
pub fn result(result: &impl Serialize, as_json: bool) {
    let value = serde_json::to_value(result).unwrap_or_default();
    if as_json {
        line(&value.to_string());
    } else {
        line(readable(&value).trim_end());
    }
}

/// Prints a remark of a successful command on standard error.
pub fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "lectern: note: {text}");
}

/// Prints the progress of a long command on standard error.
pub fn progress(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "lectern: {text}");
}

/// Prints an error and its causes on standard error.
pub fn complain(error: &dyn Error) {
    let _ = writeln!(std::io::stderr().lock(), "lectern: {}", chain(error));
}

/// A value as `name: value` lines; lists of objects as paragraphs.
fn readable(value: &Value) -> String {
    match value {
        Value::Array(items) if items.is_empty() => "none".to_owned(),
        Value::Array(items) => items.iter().map(readable).collect::<Vec<_>>().join("\n"),
        Value::Object(fields) => {
            let lines =
                fields.iter().map(|(name, value)| format!("{}: {}\n", name.replace('_', " "), inline(value)));
            lines.collect()
        }
        other => inline(other),
    }
}

fn inline(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) if items.is_empty() => "none".to_owned(),
        Value::Array(items) => items.iter().map(inline).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => {
            let parts =
                fields.iter().map(|(name, value)| format!("{} {}", name.replace('_', " "), inline(value)));
            parts.collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::readable;

    #[test]
    fn results_are_readable_lines() {
        let text = readable(&json!({"account_id": "acc_1", "scopes": ["read"], "key": null}));
        assert!(
            text.contains("account id: acc_1\n")
                && text.contains("scopes: read\n")
                && text.contains("key: none")
        );
    }
}
