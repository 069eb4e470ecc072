//! The secrets of an endpoint, encrypted in storage: the current one, and earlier ones while they
//! are valid. They can be decrypted only under the endpoint's own id.

use chacha20poly1305::{
    XChaCha20Poly1305, XNonce,
    aead::{Aead as _, KeyInit as _, Payload},
};
use lectern_types::{Timestamp, WebhookId};
use serde::{Deserialize, Serialize};

use super::signature::WebhookSecret;
use crate::{
    clock,
    error::{Error, Result},
    secrets::Key,
};

/// How long a secret stays valid after it is replaced.
pub const OVERLAP_SECONDS: i64 = 24 * 60 * 60;

/// The most secrets that are valid at once, because each lengthens a header that receivers must
/// accept. Another rotation must wait until the oldest expires, because each stays valid for a day.
const MAX_VALID: usize = 24;

/// Bytes of the nonce, which precedes the ciphertext.
const NONCE_BYTES: usize = 24;

/// The secrets of an endpoint, the current one first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Secrets(Vec<EndpointSecret>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct EndpointSecret {
    secret: WebhookSecret,
    /// When it expires; `None` for the current one.
    until: Option<Timestamp>,
}

/// A secret in the encrypted form.
#[derive(Serialize, Deserialize)]
struct Row {
    secret: String,
    until: Option<i64>,
}

impl Secrets {
    /// The secrets of a new endpoint: one.
    pub fn generate() -> Self {
        Self(vec![EndpointSecret { secret: WebhookSecret::generate(), until: None }])
    }

    /// Adds a new secret; the previous ones expire.
    ///
    /// # Errors
    /// The time at which the oldest expires, when there are already as many as allowed.
    pub fn rotated(&self, now: Timestamp) -> Result<Self, Timestamp> {
        let mut next = Self::generate();
        let end = now.plus_seconds(OVERLAP_SECONDS);
        let before = self.0.iter().filter(|entry| entry.until.is_none_or(|until| until > now));
        next.0
            .extend(before.map(|entry| EndpointSecret { until: entry.until.or(Some(end)), ..entry.clone() }));
        if next.0.len() > MAX_VALID {
            return Err(next.0.last().and_then(|oldest| oldest.until).unwrap_or(end));
        }
        Ok(next)
    }

    /// The current secret, in the form that its owner receives.
    pub fn expose(&self) -> String {
        self.0.first().map(|entry| entry.secret.expose()).unwrap_or_default()
    }

    /// The valid secrets, newest first.
    pub fn valid(&self, now: Timestamp) -> impl Iterator<Item = &WebhookSecret> {
        self.0
            .iter()
            .filter(move |entry| entry.until.is_none_or(|until| until > now))
            .map(|entry| &entry.secret)
    }

    /// Encrypts the secrets for an endpoint.
    ///
    /// # Errors
    /// [`Error::Internal`] when encryption fails.
    pub fn seal(&self, key: &Key, webhook: WebhookId) -> Result<Vec<u8>> {
        let failed = || Error::Internal("a webhook's secrets could not be encrypted".to_owned());
        let rows = self
            .0
            .iter()
            .map(|entry| Row { secret: entry.secret.expose(), until: entry.until.map(|until| until.0) });
        let plain = serde_json::to_vec(&rows.collect::<Vec<_>>()).map_err(|_| failed())?;
        let nonce = clock::random::<NONCE_BYTES>();
        let associated_data = webhook.to_string();
        let payload = Payload { msg: &plain, aad: associated_data.as_bytes() };
        let cipher = XChaCha20Poly1305::new(key.bytes().into());
        let sealed = cipher.encrypt(&XNonce::from(nonce), payload).map_err(|_| failed())?;
        Ok([&nonce[..], &sealed].concat())
    }

    /// Decrypts the secrets of an endpoint.
    ///
    /// # Errors
    /// [`Error::Internal`] when they were changed, moved or encrypted with another key.
    pub fn open(key: &Key, webhook: WebhookId, sealed: &[u8]) -> Result<Self> {
        decrypted(key, webhook, sealed)
            .ok_or_else(|| Error::Internal(format!("the secrets of {webhook} cannot be decrypted")))
    }
}

fn decrypted(key: &Key, webhook: WebhookId, sealed: &[u8]) -> Option<Secrets> {
    let (nonce, sealed) = sealed.split_at_checked(NONCE_BYTES)?;
    let nonce: [u8; NONCE_BYTES] = nonce.try_into().ok()?;
    let associated_data = webhook.to_string();
    let payload = Payload { msg: sealed, aad: associated_data.as_bytes() };
    let plain = XChaCha20Poly1305::new(key.bytes().into()).decrypt(&XNonce::from(nonce), payload).ok()?;
    let rows: Vec<Row> = serde_json::from_slice(&plain).ok()?;
    let entries = rows.into_iter().map(|row| {
        Some(EndpointSecret { secret: WebhookSecret::parse(&row.secret)?, until: row.until.map(Timestamp) })
    });
    entries.collect::<Option<Vec<_>>>().filter(|entries| !entries.is_empty()).map(Secrets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        clock::{Clock, Ids},
        secrets::Secrets as Keys,
    };

    // Negative control: without the id in the associated data the secrets can be decrypted for
    // another endpoint.
    #[test]
    fn secrets_are_decrypted_only_for_their_own_endpoint_with_their_own_key() {
        let (one, two) = (Keys::derive(b"one").webhooks, Keys::derive(b"two").webhooks);
        let ids = Ids::new(Clock::system());
        let (id, other) = (ids.make(), ids.make());
        let secrets = Secrets::generate().rotated(Timestamp(0)).unwrap();
        let sealed = secrets.seal(&one, id).unwrap();
        assert_ne!(sealed, secrets.seal(&one, id).unwrap());
        assert_eq!(Secrets::open(&one, id, &sealed).unwrap(), secrets);
        assert!(Secrets::open(&two, id, &sealed).is_err() && Secrets::open(&one, other, &sealed).is_err());
        for at in [0, NONCE_BYTES, sealed.len() - 1] {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert!(Secrets::open(&one, id, &changed).is_err(), "byte {at}");
        }
        assert!(Secrets::open(&one, id, b"").is_err());
    }

    #[test]
    fn a_secret_stays_valid_for_a_day_after_it_is_replaced() {
        let hour = 60 * 60;
        let at = |hours: i64| Timestamp(0).plus_seconds(hours * hour);
        let first = Secrets::generate();
        let second = first.rotated(at(0)).unwrap();
        let third = second.rotated(at(1)).unwrap();
        let count = |secrets: &Secrets, now| secrets.valid(now).count();
        assert_eq!((count(&first, at(99)), count(&second, at(23)), count(&second, at(24))), (1, 2, 1));
        assert_eq!((count(&third, at(23)), count(&third, at(24)), count(&third, at(25))), (3, 2, 1));
        let valid: Vec<String> = third.valid(at(2)).map(WebhookSecret::expose).collect();
        assert_eq!(valid, [third.expose(), second.expose(), first.expose()]);
        assert_eq!(third.rotated(at(25)).unwrap().0.len(), 2, "an expired secret is kept");
        let many = (1..MAX_VALID).fold(Secrets::generate(), |secrets, _| secrets.rotated(at(0)).unwrap());
        assert_eq!((many.0.len(), many.rotated(at(1))), (MAX_VALID, Err(at(24))));
        assert_eq!(many.rotated(at(24)).map(|secrets| secrets.0.len()), Ok(2));
    }
}
