//! The secrets of one endpoint, sealed while they are stored: the current one, and those before it for as long as they stay
//! valid. What is sealed opens under the endpoint's own id only.

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

/// How long a secret stays valid after another took its place.
pub const OVERLAP_SECONDS: i64 = 24 * 60 * 60;

/// The most secrets that are valid at once, because each lengthens a header that receivers must take. Who wants another waits for
/// the oldest to end: each was promised its day.
const MOST: usize = 24;

/// Bytes of a nonce, which go in front of what is sealed.
const NONCE_BYTES: usize = 24;

/// The secrets of an endpoint, the current one first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Secrets(Vec<Held>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Held {
    secret: WebhookSecret,
    /// `None`: it is the current one.
    until: Option<Timestamp>,
}

/// What is sealed.
#[derive(Serialize, Deserialize)]
struct Row {
    secret: String,
    until: Option<i64>,
}

impl Secrets {
    /// Those of a new endpoint: one.
    pub fn make() -> Self {
        Self(vec![Held { secret: WebhookSecret::make(), until: None }])
    }

    /// These with a new one before them, from this instant on.
    ///
    /// # Errors
    /// When the oldest ends, if there are as many as there may be.
    pub fn rotated(&self, now: Timestamp) -> Result<Self, Timestamp> {
        let mut next = Self::make();
        let end = now.plus_seconds(OVERLAP_SECONDS);
        let before = self.0.iter().filter(|held| held.until.is_none_or(|until| until > now));
        next.0.extend(before.map(|held| Held { until: held.until.or(Some(end)), ..held.clone() }));
        if next.0.len() > MOST {
            return Err(next.0.last().and_then(|oldest| oldest.until).unwrap_or(end));
        }
        Ok(next)
    }

    /// The current one, as its owner gets it.
    pub fn expose(&self) -> String {
        self.0.first().map(|held| held.secret.expose()).unwrap_or_default()
    }

    /// Those that are valid, the newest first.
    pub fn valid(&self, now: Timestamp) -> impl Iterator<Item = &WebhookSecret> {
        self.0.iter().filter(move |held| held.until.is_none_or(|until| until > now)).map(|held| &held.secret)
    }

    /// These, sealed for an endpoint.
    ///
    /// # Errors
    /// [`Error::Internal`] when they cannot be sealed.
    pub fn seal(&self, key: &Key, webhook: WebhookId) -> Result<Vec<u8>> {
        let failed = || Error::Internal("a webhook's secrets could not be sealed".to_owned());
        let rows = self
            .0
            .iter()
            .map(|held| Row { secret: held.secret.expose(), until: held.until.map(|until| until.0) });
        let plain = serde_json::to_vec(&rows.collect::<Vec<_>>()).map_err(|_| failed())?;
        let nonce = clock::random::<NONCE_BYTES>();
        let about = webhook.to_string();
        let payload = Payload { msg: &plain, aad: about.as_bytes() };
        let cipher = XChaCha20Poly1305::new(key.bytes().into());
        let sealed = cipher.encrypt(&XNonce::from(nonce), payload).map_err(|_| failed())?;
        Ok([&nonce[..], &sealed].concat())
    }

    /// Those that were sealed for an endpoint.
    ///
    /// # Errors
    /// [`Error::Internal`] when they were changed, moved or sealed under another key.
    pub fn open(key: &Key, webhook: WebhookId, sealed: &[u8]) -> Result<Self> {
        opened(key, webhook, sealed)
            .ok_or_else(|| Error::Internal(format!("the secrets of {webhook} cannot be opened")))
    }
}

fn opened(key: &Key, webhook: WebhookId, sealed: &[u8]) -> Option<Secrets> {
    let (nonce, sealed) = sealed.split_at_checked(NONCE_BYTES)?;
    let nonce: [u8; NONCE_BYTES] = nonce.try_into().ok()?;
    let about = webhook.to_string();
    let payload = Payload { msg: sealed, aad: about.as_bytes() };
    let plain = XChaCha20Poly1305::new(key.bytes().into()).decrypt(&XNonce::from(nonce), payload).ok()?;
    let rows: Vec<Row> = serde_json::from_slice(&plain).ok()?;
    let held = rows.into_iter().map(|row| {
        Some(Held { secret: WebhookSecret::parse(&row.secret)?, until: row.until.map(Timestamp) })
    });
    held.collect::<Option<Vec<_>>>().filter(|held| !held.is_empty()).map(Secrets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        clock::{Clock, Ids},
        secrets::Secrets as Keys,
    };

    // Negative control: with the id taken out of the associated data the secrets open for another endpoint.
    #[test]
    fn secrets_open_for_their_own_endpoint_under_their_own_key_only() {
        let (one, two) = (Keys::derive(b"one").webhooks, Keys::derive(b"two").webhooks);
        let ids = Ids::new(Clock::system());
        let (id, other) = (ids.make(), ids.make());
        let secrets = Secrets::make().rotated(Timestamp(0)).unwrap();
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
    fn a_secret_stays_valid_for_a_day_after_another_took_its_place() {
        let hour = 60 * 60;
        let at = |hours: i64| Timestamp(0).plus_seconds(hours * hour);
        let first = Secrets::make();
        let second = first.rotated(at(0)).unwrap();
        let third = second.rotated(at(1)).unwrap();
        let count = |secrets: &Secrets, now| secrets.valid(now).count();
        assert_eq!((count(&first, at(99)), count(&second, at(23)), count(&second, at(24))), (1, 2, 1));
        assert_eq!((count(&third, at(23)), count(&third, at(24)), count(&third, at(25))), (3, 2, 1));
        let valid: Vec<String> = third.valid(at(2)).map(WebhookSecret::expose).collect();
        assert_eq!(valid, [third.expose(), second.expose(), first.expose()]);
        assert_eq!(third.rotated(at(25)).unwrap().0.len(), 2, "what is over is kept");
        let many = (1..MOST).fold(Secrets::make(), |secrets, _| secrets.rotated(at(0)).unwrap());
        assert_eq!((many.0.len(), many.rotated(at(1))), (MOST, Err(at(24))));
        assert_eq!(many.rotated(at(24)).map(|secrets| secrets.0.len()), Ok(2));
    }
}
