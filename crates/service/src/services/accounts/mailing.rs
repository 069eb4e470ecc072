//! Mails to account owners: their content, and their delivery after the transaction that created
//! them.
//!
//! A mail is stored in the same transaction as the change it reports, and encrypted, because its
//! link is a secret. The request that created it tries to deliver it at once; the worker retries
//! failures until the link expires. A crash between the delivery and its record sends a mail twice,
//! which is better than never.

use std::time::Duration;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chacha20poly1305::{
    XChaCha20Poly1305, XNonce,
    aead::{Aead as _, KeyInit as _, Payload},
};
use lectern_store::{
    email_tokens::{NewToken, Purpose},
    mails::{self, NewMail},
};
use lectern_types::{MailId, Timestamp};
use serde::{Deserialize, Serialize};

use super::context::AccountContext;
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

/// How long a request waits for the first attempt.
const FIRST_ATTEMPT_WAIT: Duration = Duration::from_secs(2);

/// Seconds until the next attempt after the first, second, … failure; the last value repeats.
const BACKOFF_SECONDS: [i64; 5] = [10, 60, 300, 900, 3_600];

/// Seconds until the next attempt after a permanent failure: longer than any link is valid.
const NEVER_SECONDS: i64 = 365 * 24 * 60 * 60;

/// Mails that the worker claims at once.
const BATCH_SIZE: u32 = 20;

/// Bytes of the nonce, which precedes the ciphertext.
const NONCE_BYTES: usize = 24;

/// The most characters of an error that are stored.
const MAX_ERROR_CHARS: usize = 300;

/// A mail with the token in its link, ready to be stored.
pub struct Draft {
    id: MailId,
    purpose: Purpose,
    token_hash: [u8; 32],
    sealed: Vec<u8>,
    expires_at: Timestamp,
    reserved_until: Timestamp,
    mail: Mail,
}

impl std::fmt::Debug for Draft {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Draft").field("id", &self.id).field("purpose", &self.purpose).finish_non_exhaustive()
    }
}

impl Draft {
    /// A mail to `address` with a new token for this purpose.
    ///
    /// # Errors
    /// [`Error::Internal`] when it cannot be encrypted.
    pub fn new(context: &AccountContext, purpose: Purpose, address: &str) -> Result<Self> {
        let AccountContext { base, public_url, .. } = context;
        let now = base.clock.now();
        let token = URL_SAFE_NO_PAD.encode(clock::random::<32>());
        let mail = compose(purpose, address, public_url, &token);
        let id: MailId = base.ids.make();
        Ok(Self {
            id,
            purpose,
            token_hash: token_hash(&base.secrets.email_tokens, &token),
            sealed: encrypt(&base.secrets.mails, id, &mail)?,
            expires_at: now.plus_seconds(valid_seconds(purpose)),
            reserved_until: now.plus_seconds(RESERVED_SECONDS),
            mail,
        })
    }

    pub fn token(&self) -> NewToken<'_> {
        NewToken { hash: &self.token_hash, purpose: self.purpose, expires_at: self.expires_at }
    }

    pub fn row(&self) -> NewMail<'_> {
        NewMail {
            id: self.id,
            purpose: self.purpose,
            sealed: &self.sealed,
            expires_at: self.expires_at,
            reserved_until: self.reserved_until,
        }
    }

    /// Starts to deliver the stored mail, and waits briefly for the outcome.
    pub async fn deliver(self, context: &AccountContext) {
        let base = context.base.clone();
        let attempt = context.tasks.spawn(async move { attempt(&base, self.id, &self.mail, 0).await });
        if tokio::time::timeout(FIRST_ATTEMPT_WAIT, attempt).await.is_err() {
            tracing::info!("the first attempt to deliver a mail takes longer than its request");
        }
    }
}

/// The hash that is stored instead of a token.
pub fn token_hash(key: &Key, token: &str) -> [u8; 32] {
    key.mac(&[token.as_bytes()])
}

fn valid_seconds(purpose: Purpose) -> i64 {
    match purpose {
        Purpose::Confirm => 7 * 24 * 60 * 60,
        Purpose::Reset => 60 * 60,
    }
}

/// The text of a mail: plain ASCII in short lines, with the link on a line of its own.
fn compose(purpose: Purpose, address: &str, public_url: &str, token: &str) -> Mail {
    let (subject, page, why, what_if_not) = match purpose {
        Purpose::Confirm => (
            "Confirm your address",
            "confirm",
            "This address was registered with Lectern, a text-to-speech service.\n\
             To confirm that it is yours, open this page within 7 days and press\n\
             its button:",
            "If you did not register, do nothing: without your confirmation nobody\n\
             can sign in.",
        ),
        Purpose::Reset => (
            "Set a new password",
            "reset",
            "A new password was asked for, for your account with Lectern, a\n\
             text-to-speech service. To set it, open this page within one hour:",
            "If you did not ask for it, do nothing: your password stays as it is.",
        ),
    };
    Mail {
        to: address.to_owned(),
        subject: subject.to_owned(),
        text: format!("Hello,\n\n{why}\n\n{public_url}/{page}?token={token}\n\n{what_if_not}\n"),
    }
}

/// The encrypted content.
#[derive(Serialize, Deserialize)]
struct MailContent {
    to: String,
    subject: String,
    text: String,
}

fn encrypt(key: &Key, id: MailId, mail: &Mail) -> Result<Vec<u8>> {
    let failed = || Error::Internal("a mail could not be encrypted".to_owned());
    let content = MailContent { to: mail.to.clone(), subject: mail.subject.clone(), text: mail.text.clone() };
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
    let MailContent { to, subject, text } = serde_json::from_slice(&plain).ok()?;
    Some(Mail { to, subject, text })
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

    // Negative control: with a text line of 80 letters put into either mail this fails.
    #[test]
    fn a_mail_is_ascii_in_short_lines_with_one_link() {
        for (purpose, page) in [(Purpose::Confirm, "confirm"), (Purpose::Reset, "reset")] {
            let mail = compose(purpose, "ada@example.com", "https://speech.example.com", "T0ken-_");
            assert!(mail.text.is_ascii() && mail.subject.is_ascii());
            let link = format!("https://speech.example.com/{page}?token=T0ken-_");
            assert_eq!(mail.text.lines().filter(|line| line.contains("://")).collect::<Vec<_>>(), [link]);
            assert!(mail.text.lines().all(|line| line.len() < 76), "{}", mail.text);
            assert_eq!(mail.to, "ada@example.com");
        }
    }

    // Negative control: without the id in the associated data the mail opens under another id.
    #[test]
    fn a_sealed_mail_opens_under_its_own_id_and_key_only() {
        let (one, two) = (Secrets::derive(b"one").mails, Secrets::derive(b"two").mails);
        let ids = Ids::new(Clock::system());
        let (id, other) = (ids.make(), ids.make());
        let mail = compose(Purpose::Reset, "ada@example.com", "https://x.example", "secret");
        let sealed = encrypt(&one, id, &mail).unwrap();
        assert!(!sealed.windows(6).any(|bytes| bytes == b"secret"));
        assert_ne!(sealed, encrypt(&one, id, &mail).unwrap());
        let opened = decrypt(&one, id, &sealed).unwrap();
        assert_eq!((opened.to, opened.subject, opened.text), (mail.to, mail.subject, mail.text));
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
