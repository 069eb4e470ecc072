//! Merges the built-in defaults, the configuration file and the environment, each overriding the
//! one before.
//!
//! The defaults name every setting, so a key that is not among them is unknown. The type of a
//! default is the type of the setting, which says how to parse an environment variable.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    path::{Path, PathBuf},
};

use serde_path_to_error::Segment;
use toml::{Table, Value};

use super::Config;

/// The documented defaults.
pub const DEFAULTS: &str = include_str!("../../../../config/lectern.toml");

/// The prefix of the service's environment variables.
const PREFIX: &str = "LECTERN_";

/// The API key of clients. Not a setting of the service, but not rejected as unknown either.
const CLIENT_KEY: &str = "LECTERN_API_KEY";

/// The service's address for the SDKs. Not a setting either: a user of an SDK may run commands
/// in the same terminal.
const CLIENT_BASE_URL: &str = "LECTERN_BASE_URL";

/// The placeholder for the data directory inside a value.
const DATA_DIR: &str = "<data_dir>";

/// An invalid setting and the reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("bad configuration: {key}: {reason}{}", .origin.as_ref().map(|o| format!(" (set by {o})")).unwrap_or_default())]
pub struct ConfigError {
    /// The setting, such as `http.listen`, or the unknown file or variable.
    pub key: String,
    /// What is wrong; never the value, which may be a secret.
    pub reason: String,
    /// The file or variable that set it; `None` for a default.
    pub origin: Option<String>,
}

impl ConfigError {
    pub fn new(key: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { key: key.into(), reason: reason.into(), origin: None }
    }

    fn from(self, origin: impl Into<String>) -> Self {
        Self { origin: Some(origin.into()), ..self }
    }
}

/// Where settings are read from.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// The file named with `--config`, which must exist.
    pub file: Option<PathBuf>,
    /// The file that is used if it exists and no other is named.
    pub default_file: Option<PathBuf>,
    pub environment: Vec<(OsString, OsString)>,
}

impl Sources {
    /// The sources of a process: `--config` or `lectern.toml` in the current directory, and its
    /// environment.
    pub fn of_process(file: Option<PathBuf>) -> Self {
        Self { file, default_file: Some("lectern.toml".into()), environment: std::env::vars_os().collect() }
    }

    /// The API key for commands that are clients of a service.
    pub fn client_key(&self) -> Option<String> {
        let (_, value) = self.environment.iter().find(|(name, _)| name == CLIENT_KEY)?;
        value.to_str().map(str::to_owned)
    }
}

pub(super) fn load(sources: &Sources) -> Result<Config, ConfigError> {
    let mut settings: Table = toml::from_str(DEFAULTS)
        .map_err(|error| ConfigError::new("the built-in defaults", error.message()))?;
    let mut origins = BTreeMap::new();
    if let Some(path) = chosen_file(sources) {
        let file = read(path)?;
        merge_file(&mut settings, file, &path.display().to_string(), &mut origins)?;
    }
    merge_environment(&mut settings, &sources.environment, &mut origins)?;
    expand(&mut settings);
    serde_path_to_error::deserialize(Value::Table(settings)).map_err(|error| {
        // The key names a setting, so it leaves out the index in a list.
        let key: Vec<String> = error
            .path()
            .iter()
            .filter(|segment| matches!(segment, Segment::Map { .. }))
            .map(ToString::to_string)
            .collect();
        let key = key.join(".");
        let origin = origins.remove(&key);
        let reason = error.into_inner().message().trim().to_owned();
        ConfigError { key, reason, origin }
    })
}

fn chosen_file(sources: &Sources) -> Option<&Path> {
    sources.file.as_deref().or_else(|| sources.default_file.as_deref().filter(|path| path.is_file()))
}

fn read(path: &Path) -> Result<Table, ConfigError> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|error| ConfigError::new(&name, format!("cannot be read: {error}")))?;
    toml::from_str(&text).map_err(|error: toml::de::Error| {
        let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
        ConfigError::new(&name, format!("line {line} is not TOML: {}", error.message()))
    })
}

fn merge_file(
    settings: &mut Table,
    file: Table,
    origin: &str,
    origins: &mut BTreeMap<String, String>,
) -> Result<(), ConfigError> {
    let mut set = |slot: Option<&mut Value>, key: String, value: Value| {
        let slot = slot.ok_or_else(|| unknown(&key).from(origin))?;
        if !slot.same_type(&value) {
            return Err(ConfigError::new(key, expected_type(slot)).from(origin));
        }
        *slot = value;
        origins.insert(key, origin.to_owned());
        Ok(())
    };
    for (name, value) in file {
        match (settings.get_mut(&name), value) {
            (Some(Value::Table(section)), Value::Table(entries)) => {
                for (key, value) in entries {
                    set(section.get_mut(&key), format!("{name}.{key}"), value)?;
                }
            }
            (slot, value) => set(slot, name, value)?,
        }
    }
    Ok(())
}

fn merge_environment(
    settings: &mut Table,
    environment: &[(OsString, OsString)],
    origins: &mut BTreeMap<String, String>,
) -> Result<(), ConfigError> {
    for (name, value) in environment {
        let Some(name) = name.to_str().filter(|name| name.starts_with(PREFIX)) else { continue };
        if matches!(name, CLIENT_KEY | CLIENT_BASE_URL) {
            continue;
        }
        let rest = &name[PREFIX.len()..];
        let key = rest.to_ascii_lowercase().replacen("__", ".", 1);
        let slot = if rest.bytes().any(|b| b.is_ascii_lowercase()) {
            None
        } else {
            match key.split_once('.') {
                Some((section, key)) => {
                    settings.get_mut(section).and_then(Value::as_table_mut).and_then(|t| t.get_mut(key))
                }
                None => settings.get_mut(&key).filter(|slot| !slot.is_table()),
            }
        };
        let slot = slot.ok_or_else(|| unknown(name))?;
        let text = value.to_str().ok_or_else(|| ConfigError::new(&key, "must be UTF-8").from(name))?;
        *slot =
            from_text(slot, text).ok_or_else(|| ConfigError::new(&key, expected_type(slot)).from(name))?;
        origins.insert(key, name.to_owned());
    }
    Ok(())
}

/// Parses an environment variable as a value of the default's type.
fn from_text(default: &Value, text: &str) -> Option<Value> {
    match default {
        Value::String(_) => Some(Value::String(text.to_owned())),
        Value::Integer(_) => text.trim().parse().ok().map(Value::Integer),
        Value::Boolean(_) => text.trim().parse().ok().map(Value::Boolean),
        Value::Array(_) => {
            let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
            Some(Value::Array(items.map(|item| Value::String(item.to_owned())).collect()))
        }
        _ => None,
    }
}

fn expected_type(default: &Value) -> &'static str {
    match default {
        Value::Integer(_) => "must be a whole number",
        Value::Boolean(_) => "must be true or false",
        Value::Array(_) => "must be a list",
        Value::Table(_) => "must be a section",
        _ => "must be a text",
    }
}

fn unknown(key: &str) -> ConfigError {
    ConfigError::new(key, "there is no such setting; config/lectern.toml lists them all")
}

/// Replaces `<data_dir>` with the data directory.
fn expand(settings: &mut Table) {
    let data_dir = settings.get("data_dir").and_then(Value::as_str).unwrap_or_default().to_owned();
    for section in settings.iter_mut().filter_map(|(_, section)| section.as_table_mut()) {
        for (_, value) in section.iter_mut() {
            if let Value::String(text) = value
                && text.contains(DATA_DIR)
            {
                *text = text.replace(DATA_DIR, data_dir.trim_end_matches('/'));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{ffi::OsString, io::Write as _};

    use super::{super::*, *};

    fn with_env(pairs: &[(&str, &str)]) -> Result<Config, ConfigError> {
        let environment = pairs.iter().map(|(k, v)| (OsString::from(k), OsString::from(v))).collect();
        Config::load(&Sources { environment, ..Sources::default() })
    }

    fn with_file(text: &str) -> Result<Config, ConfigError> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        Config::load(&Sources { file: Some(file.path().to_owned()), ..Sources::default() })
    }

    #[test]
    fn the_defaults_alone_are_a_configuration() {
        let config = with_env(&[]).unwrap();
        assert_eq!(config.http.listen.to_string(), "127.0.0.1:8080");
        assert_eq!(config.rate_limit.requests_per_minute, 6000);
        assert!(
            matches!(config.database.url, DatabaseUrl::Sqlite(path) if path == Path::new("./data/lectern.db"))
        );
        assert!(config.secrets.master_key.is_none());
    }

    #[test]
    fn the_environment_beats_the_file_which_beats_the_defaults() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"data_dir = \"/f\"\n[limits]\nfile_bytes = 7\nbody_bytes = 8\n").unwrap();
        let environment = vec![("LECTERN_LIMITS__FILE_BYTES".into(), "9".into())];
        let sources = Sources { file: Some(file.path().into()), environment, ..Sources::default() };
        let config = Config::load(&sources).unwrap();
        assert_eq!((config.limits.file_bytes, config.limits.body_bytes), (9, 8));
        assert_eq!(config.limits.sandbox_characters_per_day, 500_000);
        assert!(
            matches!(config.database.url, DatabaseUrl::Sqlite(path) if path == Path::new("/f/lectern.db"))
        );
    }

    #[test]
    fn a_clients_key_and_address_in_the_environment_are_no_settings() {
        assert!(with_env(&[("LECTERN_API_KEY", "svc_live_x")]).is_ok());
        assert!(with_env(&[("LECTERN_BASE_URL", "https://speech.example.com")]).is_ok());
    }

    // Negative control: if unknown keys are skipped instead, each of these loads and the test
    // fails.
    #[test]
    fn unknown_keys_are_refused_by_name() {
        for name in [
            "LECTERN_HTP__LISTEN",
            "LECTERN_HTTP__LISTENS",
            "LECTERN_HTTP",
            "LECTERN_http__listen",
            "LECTERN_",
        ] {
            let error = with_env(&[(name, "x")]).unwrap_err();
            assert!(error.to_string().contains(name), "{error}");
        }
        assert_eq!(with_file("[http]\nlisen = \"x\"").unwrap_err().key, "http.lisen");
        assert_eq!(with_file("[htp]\nlisten = \"x\"").unwrap_err().key, "htp");
        assert_eq!(with_file("port = 1").unwrap_err().key, "port");
    }

    #[test]
    fn bad_values_are_refused_by_key_and_origin() {
        for (name, value, key) in [
            ("LECTERN_HTTP__LISTEN", "8080", "http.listen"),
            ("LECTERN_DATABASE__URL", "mysql://x", "database.url"),
            ("LECTERN_DATABASE__CONNECTIONS", "1", "database.connections"),
            ("LECTERN_DATABASE__CONNECTIONS", "-24", "database.connections"),
            ("LECTERN_DATABASE__CONNECTIONS", "1001", "database.connections"),
            ("LECTERN_LIMITS__BODY_BYTES", "1 MiB", "limits.body_bytes"),
            ("LECTERN_LIMITS__BODY_BYTES", "0", "limits.body_bytes"),
            ("LECTERN_LIMITS__BODY_BYTES", "-1", "limits.body_bytes"),
            ("LECTERN_AUTH__OPEN_REGISTRATION", "yes", "auth.open_registration"),
            ("LECTERN_HTTP__TRUSTED_PROXIES", "10.0.0.0/8,nonsense", "http.trusted_proxies"),
            ("LECTERN_HTTP__PUBLIC_URL", "example.com", "http.public_url"),
            ("LECTERN_HTTP__PUBLIC_URL", "https://example.com/speech", "http.public_url"),
            ("LECTERN_HTTP__PUBLIC_URL", "https://user@example.com", "http.public_url"),
            ("LECTERN_LOG__FORMAT", "xml", "log.format"),
            ("LECTERN_SPEECH__QUEUE_SECONDS", "0", "speech.queue_seconds"),
            ("LECTERN_RATE_LIMIT__REDIS_URL", "rediss://h", "rate_limit.redis_url"),
            ("LECTERN_RATE_LIMIT__REDIS_URL", "redis://h:port", "rate_limit.redis_url"),
            ("LECTERN_RATE_LIMIT__REDIS_URL", "h:6379", "rate_limit.redis_url"),
            ("LECTERN_MAIL__URL", "imap://h", "mail.url"),
            ("LECTERN_MAIL__FROM", "nobody", "mail.from"),
        ] {
            let error = with_env(&[(name, value)]).unwrap_err();
            assert_eq!((error.key.as_str(), error.origin.as_deref()), (key, Some(name)), "{error}");
        }
        assert_eq!(with_file("[limits]\nbody_bytes = \"1\"").unwrap_err().key, "limits.body_bytes");
        assert!(with_file("[limits\n").unwrap_err().reason.starts_with("line 1 is not TOML"));
    }

    #[test]
    fn a_refused_secret_is_not_repeated() {
        let error = with_env(&[("LECTERN_SECRETS__MASTER_KEY", "short-secret")]).unwrap_err();
        assert_eq!(error.key, "secrets.master_key");
        assert!(!error.to_string().contains("short-secret"));
        let error = with_env(&[("LECTERN_DATABASE__URL", "postgres://u:pass@h/d")]).unwrap_err();
        assert_eq!(error.key, "secrets.master_key");
        assert!(!error.to_string().contains("pass"));
    }

    #[test]
    fn a_named_file_must_exist() {
        let sources = Sources { file: Some("/nonexistent/l.toml".into()), ..Sources::default() };
        assert!(Config::load(&sources).unwrap_err().reason.starts_with("cannot be read"));
    }
}
