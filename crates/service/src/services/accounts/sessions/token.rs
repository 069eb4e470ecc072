//! The session token: a JWT (RFC 7519) signed with Ed25519 (RFC 8037), accepted only in the exact
//! form that this service writes.
//!
//! The signing key of each period of 30 days is derived from the master key, and `kid` names the
//! period: keys rotate without any state, and a token signed just before a rotation stays valid
//! until it expires. A header is never parsed, only compared with the expected one, so no other
//! algorithm or key can be smuggled in.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use ed25519_dalek::{Signature, Signer as _, SigningKey};
use lectern_types::{AccountId, SessionId, Timestamp};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};

use crate::secrets::Key;

/// How long a session lasts.
const LIFETIME_SECONDS: i64 = 12 * 60 * 60;

/// How long a signing key is used. Longer than a session, so that no token is older than the
/// previous key.
const PERIOD_SECONDS: i64 = 30 * 24 * 60 * 60;

/// How far in the future a token's start may be. The clocks of two processes differ by seconds, and
/// setting a clock back by less than a session's length signs nobody out.
const MAX_FUTURE_SECONDS: i64 = LIFETIME_SECONDS;

const ISSUER: &str = "lectern";

/// The claims of a token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claims {
    iss: String,
    /// The account that owns the session.
    #[serde(rename = "sub")]
    pub account: AccountId,
    #[serde(rename = "jti")]
    pub session: SessionId,
    iat: i64,
    exp: i64,
}

impl Claims {
    /// The claims of a session that begins now.
    pub fn new(account: AccountId, session: SessionId, now: Timestamp) -> Self {
        let iat = seconds(now);
        Self { iss: ISSUER.to_owned(), account, session, iat, exp: iat + LIFETIME_SECONDS }
    }

    /// When the session expires.
    pub fn expires_at(&self) -> Timestamp {
        Timestamp(self.exp.saturating_mul(1_000_000))
    }

    /// Whether these claims are ours and valid at this time.
    fn are_valid_at(&self, now: i64) -> bool {
        self.iss == ISSUER
            && self.iat.checked_add(LIFETIME_SECONDS) == Some(self.exp)
            && self.iat <= now + MAX_FUTURE_SECONDS
            && now < self.exp
    }
}

/// The token that carries these claims.
pub fn sign(root: &Key, claims: &Claims) -> SecretString {
    let period = claims.iat.div_euclid(PERIOD_SECONDS);
    let payload = serde_json::to_vec(claims).unwrap_or_default();
    let signed = format!("{}.{}", header(period), URL_SAFE_NO_PAD.encode(payload));
    let signature = signing_key(root, period).sign(signed.as_bytes());
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature.to_bytes())).into()
}

/// The claims of a token that this service signed and that is valid now.
pub fn verify(root: &Key, token: &str, now: Timestamp) -> Option<Claims> {
    let now = seconds(now);
    let (signed, signature) = token.rsplit_once('.')?;
    let (received_header, payload) = signed.split_once('.')?;
    // From the previous period to the current period of a clock that is slightly ahead.
    let newest = (now + MAX_FUTURE_SECONDS).div_euclid(PERIOD_SECONDS);
    let oldest = now.div_euclid(PERIOD_SECONDS) - 1;
    let period = (oldest..=newest).find(|&period| header(period) == received_header)?;
    let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
    let signature = Signature::from_slice(&signature).ok()?;
    signing_key(root, period).verifying_key().verify_strict(signed.as_bytes(), &signature).ok()?;
    let claims: Claims = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).ok()?).ok()?;
    (claims.iat.div_euclid(PERIOD_SECONDS) == period && claims.are_valid_at(now)).then_some(claims)
}

/// The header of a token signed in this period.
fn header(period: i64) -> String {
    URL_SAFE_NO_PAD.encode(format!(r#"{{"alg":"EdDSA","typ":"JWT","kid":"{period}"}}"#))
}

/// The key that signs in this period.
fn signing_key(root: &Key, period: i64) -> SigningKey {
    SigningKey::from_bytes(root.derive(&format!("period {period}")).bytes())
}

fn seconds(now: Timestamp) -> i64 {
    now.0.div_euclid(1_000_000)
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret as _;
    use serde_json::json;

    use super::*;
    use crate::{
        clock::{Clock, Ids},
        secrets::Secrets,
    };

    const NOW: Timestamp = Timestamp(1_795_244_891_524_000);

    fn claims(now: Timestamp) -> Claims {
        let ids = Ids::new(Clock::fixed_at(now));
        Claims::new(ids.make(), ids.make(), now)
    }

    fn root() -> Key {
        Secrets::derive(b"one").sessions
    }

    fn part(value: &serde_json::Value) -> String {
        URL_SAFE_NO_PAD.encode(value.to_string())
    }

    #[test]
    fn a_token_is_valid_until_it_expires() {
        let claims = claims(NOW);
        let token = sign(&root(), &claims);
        let token = token.expose_secret();
        assert_eq!(verify(&root(), token, NOW).as_ref(), Some(&claims));
        let end = NOW.plus_seconds(LIFETIME_SECONDS);
        assert_eq!(claims.expires_at().0, end.0 / 1_000_000 * 1_000_000);
        assert!(verify(&root(), token, end.plus_seconds(-1)).is_some());
        assert_eq!(verify(&root(), token, end), None);
        // After a clock was set back the token stays valid, but not by more than a session's
        // length.
        assert!(verify(&root(), token, NOW.plus_seconds(-LIFETIME_SECONDS)).is_some());
        assert_eq!(verify(&root(), token, NOW.plus_seconds(-LIFETIME_SECONDS - 2)), None);
    }

    #[test]
    fn keys_rotate_and_a_token_outlives_the_rotation() {
        let border = (seconds(NOW) / PERIOD_SECONDS + 1) * PERIOD_SECONDS;
        let before = Timestamp((border - 1) * 1_000_000);
        let (old, new) = (sign(&root(), &claims(before)), sign(&root(), &claims(before.plus_seconds(1))));
        let kid = |token: &SecretString| token.expose_secret().split('.').next().map(str::to_owned);
        assert_ne!(kid(&old), kid(&new));
        for now in [before, before.plus_seconds(1), before.plus_seconds(LIFETIME_SECONDS - 1)] {
            assert!(verify(&root(), old.expose_secret(), now).is_some());
            assert!(verify(&root(), new.expose_secret(), now).is_some());
        }
    }

    // Negative control: without `verify_strict`, every changed payload and another root are
    // accepted.
    #[test]
    fn a_changed_token_is_refused() {
        let token = sign(&root(), &claims(NOW));
        let token = token.expose_secret();
        for at in 0..token.len() {
            for replacement in ["A", "B", ".", ""] {
                let changed = format!("{}{replacement}{}", &token[..at], &token[at + 1..]);
                if changed != token {
                    assert_eq!(verify(&root(), &changed, NOW), None, "a change at {at} was accepted");
                }
            }
        }
        assert_eq!(verify(&Secrets::derive(b"two").sessions, token, NOW), None);
        for bad in ["", ".", "..", "a.b.c", &format!("{token}="), &format!("{token}."), &format!(" {token}")]
        {
            assert_eq!(verify(&root(), bad, NOW), None, "{bad}");
        }
    }

    // Negative control: each comparison in `are_valid_at`, and that of the period, was removed in
    // turn; the token named after it was then accepted.
    #[test]
    fn claims_this_service_would_not_write_are_refused_even_when_signed() {
        let (claims, period) = (claims(NOW), seconds(NOW).div_euclid(PERIOD_SECONDS));
        let forge = |header: &str, payload: &serde_json::Value, period: i64| {
            let signed = format!("{header}.{}", part(payload));
            let signature = signing_key(&root(), period).sign(signed.as_bytes());
            format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature.to_bytes()))
        };
        let good = serde_json::to_value(&claims).unwrap();
        assert!(verify(&root(), &forge(&header(period), &good, period), NOW).is_some());
        let with = |field: &str, value: serde_json::Value| {
            let mut changed = good.clone();
            changed[field] = value;
            forge(&header(period), &changed, period)
        };
        let iat = claims.iat;
        let headers = [
            json!({ "alg": "none", "typ": "JWT", "kid": period.to_string() }),
            json!({ "alg": "HS256", "typ": "JWT", "kid": period.to_string() }),
            json!({ "alg": "EdDSA", "typ": "JWT", "kid": (period + 1).to_string() }),
            json!({ "alg": "EdDSA", "typ": "JWT", "kid": "x" }),
            json!({ "alg": "EdDSA", "typ": "JWT" }),
            json!({ "alg": "EdDSA", "typ": "JWT", "kid": period.to_string(), "crit": ["exp"] }),
        ];
        for bad in headers {
            assert_eq!(verify(&root(), &forge(&part(&bad), &good, period), NOW), None, "{bad}");
        }
        for (what, forged) in [
            ("the key of two periods ago", forge(&header(period - 2), &good, period - 2)),
            (
                "the key of the former period on a token of this one",
                forge(&header(period - 1), &good, period - 1),
            ),
            ("another issuer", with("iss", json!("other"))),
            ("a longer life", with("exp", json!(iat + LIFETIME_SECONDS + 1))),
            ("no end", with("exp", json!(i64::MAX))),
            ("a beginning to come", {
                let mut later = good.clone();
                later["iat"] = json!(iat + MAX_FUTURE_SECONDS + 60);
                later["exp"] = json!(iat + MAX_FUTURE_SECONDS + 60 + LIFETIME_SECONDS);
                forge(&header(period), &later, period)
            }),
            ("an unknown claim", with("admin", json!(true))),
            ("an account that is none", with("sub", json!("acc_1"))),
        ] {
            assert_eq!(verify(&root(), &forged, NOW), None, "{what} was accepted");
        }
        let none = format!("{}.{}.", part(&json!({ "alg": "none" })), part(&good));
        assert_eq!(verify(&root(), &none, NOW), None);
    }
}
