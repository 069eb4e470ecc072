//! The signature of Stripe's events: `Stripe-Signature: t=TIME,v1=HEX[,v1=HEX…]`, an HMAC-SHA-256
//! over the time, a dot and the body.

use hmac::{Hmac, KeyInit as _, Mac as _};
use secrecy::{ExposeSecret as _, SecretString};
use sha2::Sha256;
use subtle::ConstantTimeEq as _;

/// The most seconds by which an event's time may differ from now, as in Stripe's own libraries.
const TOLERANCE_SECONDS: i64 = 300;

/// Whether `header` is a valid signature of `body` with this secret at about this time.
pub(super) fn is_valid(secret: &SecretString, header: &str, body: &[u8], now_seconds: i64) -> bool {
    let pairs = || header.split(',').filter_map(|pair| pair.trim().split_once('='));
    let mut times = pairs().filter(|(name, _)| *name == "t").map(|(_, value)| value);
    let (Some(time), None) = (times.next(), times.next()) else { return false };
    let Ok(signed_at) = time.parse::<i64>() else { return false };
    if now_seconds.saturating_sub(signed_at).saturating_abs() > TOLERANCE_SECONDS {
        return false;
    }
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.expose_secret().as_bytes()) else { return false };
    mac.update(time.as_bytes());
    mac.update(b".");
    mac.update(body);
    let expected = hex::encode(mac.finalize().into_bytes());
    // The header has several signatures while a secret is rotated. Schemes other than v1 are
    // ignored.
    pairs()
        .filter(|(name, _)| *name == "v1")
        .any(|(_, signature)| expected.as_bytes().ct_eq(signature.as_bytes()).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed with another program: `printf '1492774577.{"a":1}' | openssl dgst -sha256 -hmac
    /// whsec_test`.
    const VALID_SIGNATURE: &str = "2a55874e33dedb30da6fac02873208f53a243141599a71c0d52a1d5b89656823";

    // Negative control: with a tolerance of days instead of minutes the stale signature is
    // accepted, and this fails.
    #[test]
    fn only_a_recent_signature_of_this_body_is_valid() {
        let secret = SecretString::from("whsec_test");
        let body = br#"{"a":1}"#;
        let at = 1_492_774_577;
        let is = |header: &str, body: &[u8], now| is_valid(&secret, header, body, now);
        assert!(is(&format!("t={at},v1={VALID_SIGNATURE}"), body, at));
        assert!(is(&format!("t={at},v1={},v1={VALID_SIGNATURE},v0=x", "0".repeat(64)), body, at + 300));
        for (header, body, now) in [
            (format!("t={at},v1={VALID_SIGNATURE}"), &b"{\"a\":2}"[..], at),
            (format!("t={at},v1={VALID_SIGNATURE}"), body, at + 301),
            (format!("t={at},v1={VALID_SIGNATURE}"), body, at - 301),
            (format!("t={},v1={VALID_SIGNATURE}", at + 1), body, at),
            (format!("t={at},v0={VALID_SIGNATURE}"), body, at),
            (format!("t={at},t={at},v1={VALID_SIGNATURE}"), body, at),
            (format!("v1={VALID_SIGNATURE}"), body, at),
            (format!("t={at},v1={}", VALID_SIGNATURE.to_uppercase()), body, at),
            (String::new(), body, at),
        ] {
            assert!(!is(&header, body, now), "{header}");
        }
    }
}
