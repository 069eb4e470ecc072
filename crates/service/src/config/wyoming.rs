//! `[wyoming]`: the listener for Home Assistant.

use std::net::SocketAddr;

use secrecy::SecretString;
use serde::{Deserialize, Deserializer, de::Error as _};

use super::values::{optional, optional_secret};

/// The listener that speaks the Wyoming protocol.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wyoming {
    /// The address to listen on; port 0 takes a free port. `None`: there is no such listener.
    #[serde(deserialize_with = "optional_address")]
    pub listen: Option<SocketAddr>,
    /// The API key that pays for everything said there.
    #[serde(deserialize_with = "optional_secret")]
    pub key: Option<SecretString>,
}

fn optional_address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<SocketAddr>, D::Error> {
    let text = optional(deserializer)?;
    let form = |_| D::Error::custom("must be an address and a port, such as 0.0.0.0:10200, or empty");
    text.map(|text| text.parse().map_err(form)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Sources};

    fn with(listen: &str, key: &str) -> Result<Wyoming, String> {
        let environment = vec![
            ("LECTERN_WYOMING__LISTEN".into(), listen.into()),
            ("LECTERN_WYOMING__KEY".into(), key.into()),
        ];
        let sources = Sources { environment, ..Sources::default() };
        Config::load(&sources).map(|config| config.wyoming).map_err(|error| error.to_string())
    }

    // Not seen to fail yet: without the check of both, a listener without a key starts and refuses everybody.
    #[test]
    fn it_is_off_unless_set_and_needs_a_key() {
        assert_eq!(with("", "").unwrap().listen, None);
        assert_eq!(with("", "svc_test_x").unwrap().listen, None);
        let on = with("0.0.0.0:10200", "svc_test_x").unwrap();
        assert_eq!(on.listen.unwrap().port(), 10_200);
        assert!(!format!("{on:?}").contains("svc_test_x"));
        assert!(with("0.0.0.0:10200", "").unwrap_err().contains("wyoming.key: is required"));
        assert!(
            with("localhost", "x").unwrap_err().contains("wyoming.listen: must be an address and a port")
        );
    }
}
