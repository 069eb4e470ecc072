//! Signs deliveries with the symmetric scheme of Standard Webhooks 1.0
//! (<https://www.standardwebhooks.com>).
//!
//! The signed content is `{webhook-id}.{webhook-timestamp}.{body}`. The header holds one `v1,`
//! signature for each valid secret, separated by spaces, so that receivers can switch secrets while
//! both are valid.

use std::fmt;

use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::clock;

/// The prefix of a secret's text form.
const PREFIX: &str = "whsec_";

/// Bytes of a generated secret.
const GENERATED_BYTES: usize = 32;

/// The sizes of a secret that the standard allows, in bytes.
const ALLOWED_BYTES: std::ops::RangeInclusive<usize> = 24..=64;

/// The secret of one endpoint.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret(Vec<u8>);

impl WebhookSecret {
    /// A new secret of 256 random bits.
    pub fn generate() -> Self {
        Self(clock::random::<GENERATED_BYTES>().to_vec())
    }

    /// The secret of these bytes; `None` for a size that the standard does not allow.
    pub fn from_bytes(bytes: Vec<u8>) -> Option<Self> {
        ALLOWED_BYTES.contains(&bytes.len()).then_some(Self(bytes))
    }

    /// Parses the output of [`WebhookSecret::expose`]; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        Self::from_bytes(BASE64.decode(text.strip_prefix(PREFIX)?).ok()?)
    }

    /// The secret in the form that its owner receives: `whsec_` and base64.
    pub fn expose(&self) -> String {
        format!("{PREFIX}{}", BASE64.encode(&self.0))
    }

    /// The bytes, to be stored encrypted.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebhookSecret(…)")
    }
}

/// The value of `webhook-signature`: one signature for each of `secrets`, newest first. `id` is the
/// event's id, `timestamp` the attempt's time in seconds since 1970.
pub fn sign<'a>(
    secrets: impl IntoIterator<Item = &'a WebhookSecret>,
    id: &str,
    timestamp: i64,
    body: &[u8],
) -> String {
    let mut value = String::new();
    for secret in secrets {
        if !value.is_empty() {
            value.push(' ');
        }
        value.push_str("v1,");
        BASE64.encode_string(mac(secret, id, timestamp, body), &mut value);
    }
    value
}

#[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
fn mac(secret: &WebhookSecret, id: &str, timestamp: i64, body: &[u8]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(&secret.0).expect("HMAC takes keys of any length");
    mac.update(id.as_bytes());
    mac.update(b".");
    mac.update(timestamp.to_string().as_bytes());
    mac.update(b".");
    mac.update(body);
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the standard's own reference libraries.
    #[test]
    fn the_standards_example_is_signed_correctly() {
        let secret = WebhookSecret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let signature =
            sign([&secret], "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, br#"{"test": 2432232314}"#);
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn a_secret_parses_back_and_nothing_else_parses() {
        let secret = WebhookSecret::generate();
        assert_eq!(secret.bytes().len(), 32);
        assert_eq!(WebhookSecret::parse(&secret.expose()), Some(secret.clone()));
        assert_ne!(WebhookSecret::generate(), secret);
        let of = |bytes: usize| WebhookSecret::parse(&format!("whsec_{}", BASE64.encode(vec![7; bytes])));
        assert!(of(24).is_some() && of(64).is_some());
        for bad in [of(23), of(65), WebhookSecret::parse("whsec_!"), WebhookSecret::parse("MfKQ9r8GKYqrTwjU")]
        {
            assert_eq!(bad, None);
        }
        assert!(!format!("{secret:?}").contains(&secret.expose()[6..]));
    }
}
