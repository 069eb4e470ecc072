//! `[webhooks]`: where webhooks may be sent.

use std::path::PathBuf;

use serde::{Deserialize, Deserializer};

use super::values::{Network, optional};

/// Webhook targets.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Webhooks {
    /// Private networks that may contain receivers.
    pub allowed_networks: Vec<Network>,
    /// PEM file of additional certificate authorities.
    #[serde(deserialize_with = "optional_path")]
    pub extra_ca_file: Option<PathBuf>,
}

fn optional_path<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PathBuf>, D::Error> {
    Ok(optional(deserializer)?.map(PathBuf::from))
}
