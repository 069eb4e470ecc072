//! `[log]`: what is logged, and how.

use serde::{Deserialize, Deserializer, de::Error as _};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Log {
    /// A `tracing` filter directive.
    #[serde(deserialize_with = "filter")]
    pub filter: String,
    /// The format of a line.
    pub format: LogFormat,
}

/// The format of a log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// Text on a terminal, else JSON.
    Auto,
    /// One JSON object per line.
    Json,
    /// A text format for people.
    Text,
}

impl<'de> Deserialize<'de> for LogFormat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match String::deserialize(deserializer)?.as_str() {
            "auto" => Ok(Self::Auto),
            "json" => Ok(Self::Json),
            "text" => Ok(Self::Text),
            _ => Err(D::Error::custom("must be auto, json or text")),
        }
    }
}

fn filter<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    match tracing_subscriber::EnvFilter::try_new(&text) {
        Ok(_) => Ok(text),
        Err(_) => Err(D::Error::custom("must be a filter such as info or lectern=debug,info")),
    }
}
