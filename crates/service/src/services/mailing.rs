//! The delivery of stored mails. A mail is stored in the same transaction as the change it reports,
//! and encrypted, because its link may be a secret. The request that stored it may try to deliver it at once;
//! the worker retries failures until it expires. A crash between the delivery and its record sends a
//! mail twice, which is better than never.

use std::time::Duration;

use chacha20poly1305::{
    XChaCha20Poly1305, XNonce,
    aead::{Aead as _, KeyInit as _, Payload},
};
use lectern_store::mails::{self, MailKind, NewMail};
use lectern_types::{MailId, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{
    base::Base,
    clock,
    error::{Error, Result, chain},
    mail::{Mail, MailError},
    secrets::Key,
};

/// How long a mail is reserved for one attempt. Longer than an attempt takes.
const RESERVED_SECONDS: i64 = 60;

/// Timeout of one attempt.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(30);

/// Seconds until the next attempt after the first, second, … failure; the last value repeats.
const BACKOFF_SECONDS: [i64; 5] = [10, 60, 300, 900, 3_600];

/// Seconds until the next attempt after a permanent failure: longer than any mail is kept.
const NEVER_SECONDS: i64 = 365 * 24 * 60 * 60;

/// Mails that the worker claims at once.
const BATCH_SIZE: u32 = 20;

/// Bytes of the nonce, which precedes the ciphertext.
const NONCE_BYTES: usize = 24;

/// The most characters of an error that are stored.
const MAX_ERROR_CHARS: usize = 300;

/// A mail that is ready to be stored.
pub struct Sealed {
    id: MailId,
    kind: MailKind,
    bytes: Vec<u8>,
    expires_at: Timestamp,
    reserved_until: Timestamp,
    mail: Mail,
}

impl std::fmt::Debug for Sealed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sealed").field("id", &self.id).field("kind", &self.kind).finish_non_exhaustive()
    }
}

impl Sealed {
    /// A mail that this process delivers itself, once it is stored; the worker only when that fails.
    ///
    /// # Errors
    /// [`Error::Internal`] when it cannot be encrypted.
    pub fn new(base: &Base, kind: MailKind, mail: Mail, valid_seconds: i64) -> Result<Self> {
        let now = base.clock.now();
        let id: MailId = base.ids.make();
        Ok(Self {
            id,
            kind,
            bytes: encrypt(&base.secrets.mails, id, &mail)?,
            expires_at: now.plus_seconds(valid_seconds),
            reserved_until: now.plus_seconds(RESERVED_SECONDS),
            mail,
        })
    }

    /// A mail that the worker delivers.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn for_worker(base: &Base, kind: MailKind, mail: Mail, valid_seconds: i64) -> Result<Self> {
        let sealed = Self::new(base, kind, mail, valid_seconds)?;
        Ok(Self { reserved_until: base.clock.now(), ..sealed })
    }

    pub const fn expires_at(&self) -> Timestamp {
        self.expires_at
    }

    pub fn row(&self) -> NewMail<'_> {
        NewMail {
            id: self.id,
            kind: self.kind,
            sealed: &self.bytes,
            expires_at: self.expires_at,
            reserved_until: self.reserved_until,
        }
    }

    /// Makes the first attempt to deliver the stored mail.
    pub async fn deliver(self, base: &Base) {
        attempt(base, self.id, &self.mail, 0).await;
    }
}

/// The encrypted content.
#[derive(Serialize, Deserialize)]
struct MailContent {
    to: String,
    subject: String,
    text: String,
    #[serde(default)]
    html: Option<String>,
}

fn encrypt(key: &Key, id: MailId, mail: &Mail) -> Result<Vec<u8>> {
    let failed = || Error::Internal("a mail could not be encrypted".to_owned());
    let Mail { to, subject, text, html } = mail.clone();
    let content = MailContent { to, subject, text, html };
    let plain = serde_json::to_vec(&content).map_err(|_| failed())?;
    let nonce = clock::random::<NONCE_BYTES>();
    let about = id.to_string();
    let payload = Payload { msg: &plain, aad: about.as_bytes() };
    let cipher = XChaCha20Poly1305::new(key.bytes().into());
    let sealed = cipher.encrypt(&XNonce::from(nonce), payload).map_err(|_| failed())?;
    Ok([&nonce[..], &sealed].concat())
}

/// Decrypts the mail of this id; `None` when it was changed, belongs to another id or was encrypted
/// with another key.
fn decrypt(key: &Key, id: MailId, sealed: &[u8]) -> Option<Mail> {
    let (nonce, sealed) = sealed.split_at_checked(NONCE_BYTES)?;
    let nonce: [u8; NONCE_BYTES] = nonce.try_into().ok()?;
    let about = id.to_string();
    let payload = Payload { msg: sealed, aad: about.as_bytes() };
    let plain = XChaCha20Poly1305::new(key.bytes().into()).decrypt(&XNonce::from(nonce), payload).ok()?;
    let MailContent { to, subject, text, html } = serde_json::from_slice(&plain).ok()?;
    Some(Mail { to, subject, text, html })
}

/// Makes one delivery attempt and records its outcome.
async fn attempt(base: &Base, id: MailId, mail: &Mail, attempts: u32) {
    let outcome = tokio::time::timeout(ATTEMPT_TIMEOUT, base.mailer.send(mail)).await;
    let (why, is_permanent) = match outcome {
        Ok(Ok(())) => {
            tracing::info!(mail.id = %id, mail.attempt = attempts + 1, "a mail was delivered");
            if let Err(error) = mails::delivered(&base.store, id, base.clock.now()).await {
                tracing::error!(error = %error, mail.id = %id, "a delivery could not be recorded; the mail may be sent again");
            }
            return;
        }
        Ok(Err(error)) => (truncated_chain(&error), error.is_permanent()),
        Err(_) => ("the delivery timed out".to_owned(), false),
    };
    tracing::warn!(error = why, mail.id = %id, mail.attempt = attempts + 1, "a mail was not delivered");
    let wait = if is_permanent { NEVER_SECONDS } else { backoff_seconds(attempts) };
    let next = base.clock.now().plus_seconds(wait);
    if let Err(error) = mails::failed(&base.store, id, &why, next).await {
        tracing::error!(error = %error, mail.id = %id, "a failed delivery could not be recorded");
    }
}

fn backoff_seconds(attempts: u32) -> i64 {
    let at = (attempts as usize).min(BACKOFF_SECONDS.len() - 1);
    BACKOFF_SECONDS[at]
}

/// An error with its causes, truncated to what is stored.
fn truncated_chain(error: &MailError) -> String {
    chain(error).chars().take(MAX_ERROR_CHARS).collect()
}

/// Attempts all due mails once.
///
/// # Errors
/// The store's, before any attempt.
pub async fn deliver_due(base: &Base) -> Result<()> {
    let now = base.clock.now();
    let due = mails::claim_due(&base.store, now, now.plus_seconds(RESERVED_SECONDS), BATCH_SIZE).await?;
    let attempts = due.into_iter().map(|waiting| async move {
        if let Some(mail) = decrypt(&base.secrets.mails, waiting.id, &waiting.sealed) {
            attempt(base, waiting.id, &mail, waiting.attempts).await;
        } else {
            tracing::error!(mail.id = %waiting.id, "a stored mail cannot be decrypted");
        }
    });
    futures_util::future::join_all(attempts).await;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        clock::{Clock, Ids},
        secrets::Secrets,
    };

    // Negative control: without the id in the associated data the mail opens under another id.
    #[test]
    fn a_sealed_mail_opens_under_its_own_id_and_key_only() {
        let (one, two) = (Secrets::derive(b"one").mails, Secrets::derive(b"two").mails);
        let ids = Ids::new(Clock::system());
        let (id, other) = (ids.make(), ids.make());
        let mail = Mail {
            to: "ada@example.com".to_owned(),
            subject: "Hello".to_owned(),
            text: "a secret".to_owned(),
            html: Some("<p>a secret</p>".to_owned()),
        };
        let sealed = encrypt(&one, id, &mail).unwrap();
        assert!(!sealed.windows(6).any(|bytes| bytes == b"secret"));
        assert_ne!(sealed, encrypt(&one, id, &mail).unwrap());
        let opened = decrypt(&one, id, &sealed).unwrap();
        assert_eq!((opened.to, opened.subject, opened.text), (mail.to, mail.subject, mail.text));
        assert_eq!(opened.html, mail.html);
        assert!(decrypt(&two, id, &sealed).is_none() && decrypt(&one, other, &sealed).is_none());
        for at in [0, NONCE_BYTES, sealed.len() - 1] {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert!(decrypt(&one, id, &changed).is_none(), "byte {at}");
        }
        assert!(decrypt(&one, id, b"short").is_none());
    }

    #[test]
    fn retries_become_less_and_less_frequent() {
        let waits: Vec<i64> = (0..8).map(backoff_seconds).collect();
        assert!(waits.is_sorted() && waits[0] == 10 && waits[7] == 3_600);
    }
}
