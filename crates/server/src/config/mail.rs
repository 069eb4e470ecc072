//! `[mail]`: outgoing mail.

use serde::Deserialize;

/// Outgoing mail.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mail {
    /// `file://DIRECTORY` or `smtp://…`.
    pub url: String,
}
