//! Settings. Each is documented with its default in `config/lectern.toml`, which is built into the
//! binary.
//!
//! Each section has a file here with its struct. `loader` merges the defaults, the file and the
//! environment, and rejects unknown keys; nothing else in the server reads the environment.

mod auth;
mod brand;
mod database;
mod history;
mod http;
mod invoices;
mod jobs;
mod limits;
mod loader;
mod log;
mod mail;
mod management;
mod ocr;
mod outbound;
mod payments;
mod queue;
mod rate_limit;
mod secrets;
mod speech;
mod storage;
mod stripe;
mod upstream;
mod values;
mod voices;
mod webhooks;
mod wyoming;

use std::path::PathBuf;

use lectern_speech::engines;
use serde::Deserialize;

pub use auth::Auth;
pub use brand::{Brand, Color, Support};
pub use database::{Database, DatabaseUrl};
pub use history::History;
pub use http::Http;
pub use invoices::Invoices;
pub use jobs::Jobs;
pub use limits::Limits;
pub use loader::{ConfigError, DEFAULTS, Sources};
pub use log::{Log, LogFormat};
pub use mail::{Mail, MailUrl, SmtpTls, SmtpUrl};
pub use management::Management;
pub use ocr::Ocr;
pub use outbound::Outbound;
pub use payments::{Pack, Payments, STEP};
pub use queue::{Queue, QueueUrl};
pub use rate_limit::RateLimit;
pub use secrets::Secrets;
pub use speech::Speech;
pub use storage::{Storage, StorageUrl};
pub use stripe::Stripe;
pub use upstream::Upstream;
pub use values::{Network, WebUrl};
pub use voices::{Alias, HIGHEST_PRICE, Prices, Voices, is_slug};
pub use webhooks::Webhooks;
pub use wyoming::Wyoming;

/// The engine that is another server.
const UPSTREAM: &str = "upstream";

/// All settings of one process.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The directory of everything that is not stored elsewhere.
    pub data_dir: PathBuf,
    pub http: Http,
    pub management: Management,
    pub database: Database,
    pub storage: Storage,
    pub queue: Queue,
    pub rate_limit: RateLimit,
    pub mail: Mail,
    /// Connections to addresses that customers provide.
    pub outbound: Outbound,
    pub webhooks: Webhooks,
    /// The embedded engine and the model threads.
    pub speech: Speech,
    /// The catalogue of e-readers.
    pub voices: Voices,
    pub upstream: Upstream,
    pub auth: Auth,
    pub secrets: Secrets,
    /// Sizes and daily caps.
    pub limits: Limits,
    pub jobs: Jobs,
    /// What is kept of texts that were spoken.
    pub history: History,
    /// Text recognition of scans.
    pub ocr: Ocr,
    /// What customers can buy.
    pub payments: Payments,
    /// The payment provider.
    pub stripe: Stripe,
    /// What purchases leave for the books.
    pub invoices: Invoices,
    /// The service's name and look.
    pub brand: Brand,
    /// The listener for Home Assistant.
    pub wyoming: Wyoming,
    pub log: Log,
}

impl Config {
    /// Reads the settings from `sources`.
    ///
    /// # Errors
    /// [`ConfigError`], which names the key and what is wrong with it.
    pub fn load(sources: &Sources) -> Result<Self, ConfigError> {
        let config = loader::load(sources)?;
        config.check()?;
        Ok(config)
    }

    /// Checks what depends on several settings.
    fn check(&self) -> Result<(), ConfigError> {
        if matches!(self.database.url, DatabaseUrl::Postgres(_)) && self.secrets.master_key.is_none() {
            return Err(ConfigError::new(
                "secrets.master_key",
                "is required when database.url is postgres://",
            ));
        }
        if self.wyoming.listen.is_some() && self.wyoming.key.is_none() {
            return Err(ConfigError::new("wyoming.key", "is required when wyoming.listen is set"));
        }
        self.storage.check()?;
        self.check_engines()?;
        if self.stripe.secret_key.is_some() != self.stripe.webhook_secret.is_some() {
            let key =
                if self.stripe.secret_key.is_some() { "stripe.webhook_secret" } else { "stripe.secret_key" };
            return Err(ConfigError::new(
                key,
                "is required too: Stripe both takes payments and reports them",
            ));
        }
        if self.stripe.secret_key.is_some() {
            let checked = self.payments.check_for_stripe();
            checked.map_err(|reason| ConfigError::new("payments.packs", reason))?;
        }
        Ok(())
    }

    /// The settings with these engines in place of `speech.engines`.
    ///
    /// # Errors
    /// [`ConfigError`] when one of them is not known, with `origin` as what set them.
    pub fn with_engines(mut self, engines: Vec<String>, origin: &str) -> Result<Self, ConfigError> {
        self.speech.engines = engines;
        self.check_engines().map_err(|error| ConfigError { origin: Some(origin.to_owned()), ..error })?;
        Ok(self)
    }

    fn check_engines(&self) -> Result<(), ConfigError> {
        let known: Vec<&str> = engines::names().chain([UPSTREAM]).collect();
        let named = &self.speech.engines;
        if named.iter().any(|name| !known.contains(&name.as_str())) {
            let reason = format!("names an engine that does not exist; there are: {}", known.join(", "));
            return Err(ConfigError::new("speech.engines", reason));
        }
        if named.iter().any(|name| name == UPSTREAM) && self.upstream.base_url.is_none() {
            return Err(ConfigError::new("speech.engines", "names upstream, which needs upstream.base_url"));
        }
        Ok(())
    }
}
