//! The settings that were answered, each checked as the service checks its settings at its start.

use std::{collections::BTreeMap, ffi::OsString};

use lectern_service::{
    clock,
    config::{Config, ConfigError, Sources},
};

/// The setting that PostgreSQL needs beside its address.
const MASTER_KEY: &str = "secrets.master_key";

/// Settings by their keys, such as `http.listen`, with the values as environment variables have them.
#[derive(Debug, Clone)]
pub(super) struct Answers {
    environment: Vec<(OsString, OsString)>,
    settings: BTreeMap<&'static str, String>,
}

impl Answers {
    /// No answers yet, beside this environment.
    pub(super) fn new(environment: Vec<(OsString, OsString)>) -> Self {
        let mut answers = Self { environment, settings: BTreeMap::new() };
        answers.add_master_key();
        answers
    }

    /// Makes a master key where the database is PostgreSQL, which needs one.
    fn add_master_key(&mut self) {
        let is_postgres = self.get("database.url").is_some_and(|url| url.starts_with("postgres"));
        if is_postgres && self.get(MASTER_KEY).is_none() {
            self.settings.insert(MASTER_KEY, hex::encode(clock::random::<32>()));
        }
    }

    /// The environment variable that has the setting. It beats the file, so the setting need not be asked for.
    pub(super) fn in_environment(&self, key: &str) -> Option<String> {
        let variable = variable(key);
        self.environment.iter().any(|(name, _)| *name == *variable).then_some(variable)
    }

    /// Takes an answer, if it is right beside those before.
    ///
    /// # Errors
    /// The setting that is wrong, and why.
    pub(super) fn set(&mut self, key: &'static str, value: &str) -> Result<(), ConfigError> {
        let mut answered = self.clone();
        answered.settings.insert(key, value.to_owned());
        answered.add_master_key();
        answered.check()?;
        *self = answered;
        Ok(())
    }

    /// The answer, to be written to the file.
    pub(super) fn answered(&self, key: &str) -> Option<&str> {
        self.settings.get(key).map(String::as_str)
    }

    /// The setting, by the environment or by an answer.
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        let variable = variable(key);
        let set = self.environment.iter().find(|(name, _)| *name == *variable);
        set.and_then(|(_, value)| value.to_str()).or_else(|| self.answered(key))
    }

    /// The settings of the service with these answers.
    ///
    /// # Errors
    /// The setting that is wrong, and why.
    pub(super) fn check(&self) -> Result<Config, ConfigError> {
        let answered = self.settings.iter().map(|(key, value)| (variable(key).into(), value.into()));
        let environment = self.environment.iter().cloned().chain(answered).collect();
        Config::load(&Sources { environment, ..Sources::default() })
            // The variable that stands for the answer was set by nobody.
            .map_err(|error| ConfigError { origin: None, ..error })
    }
}

/// The environment variable of a setting.
fn variable(key: &str) -> String {
    format!("LECTERN_{}", key.replace('.', "__").to_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_answer_is_named_and_not_taken() {
        let mut answers = Answers::new(Vec::new());
        let error = answers.set("http.listen", "8080").unwrap_err();
        assert_eq!((error.key.as_str(), error.origin.as_deref()), ("http.listen", None));
        assert_eq!(answers.get("http.listen"), None);
        answers.set("http.listen", "0.0.0.0:80").unwrap();
        assert_eq!(answers.check().unwrap().http.listen.to_string(), "0.0.0.0:80");
    }

    #[test]
    fn postgres_gets_a_master_key() {
        let mut answers = Answers::new(Vec::new());
        answers.set("database.url", "postgres://u:p@h/d").unwrap();
        assert_eq!(answers.get(MASTER_KEY).unwrap().len(), 64);
        let mut other = Answers::new(Vec::new());
        other.set("database.url", "postgres://u:p@h/d").unwrap();
        assert_ne!(other.get(MASTER_KEY), answers.get(MASTER_KEY));
    }

    #[test]
    fn postgres_of_the_environment_gets_one_too() {
        let url = (OsString::from("LECTERN_DATABASE__URL"), OsString::from("postgres://u:p@h/d"));
        let mut answers = Answers::new(vec![url]);
        assert_eq!(answers.answered(MASTER_KEY).unwrap().len(), 64);
        answers.set("data_dir", "./data").unwrap();
    }

    #[test]
    fn a_master_key_of_the_environment_is_kept_there() {
        let key = (OsString::from("LECTERN_SECRETS__MASTER_KEY"), OsString::from("k".repeat(32)));
        let mut answers = Answers::new(vec![key]);
        answers.set("database.url", "postgres://u:p@h/d").unwrap();
        assert_eq!(answers.answered(MASTER_KEY), None);
    }
}
