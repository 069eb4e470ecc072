//! Mails with a token in their link: to confirm an address, and to set a new password.

use std::time::Duration;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use lectern_store::{
    email_tokens::{NewToken, Purpose},
    mails::NewMail,
};

use super::context::AccountContext;
use crate::{clock, error::Result, mail::Mail, secrets::Key, services::mailing::Sealed};

/// How long a request waits for the first attempt.
const FIRST_ATTEMPT_WAIT: Duration = Duration::from_secs(2);

/// A mail with the token in its link, ready to be stored.
#[derive(Debug)]
pub struct Draft {
    purpose: Purpose,
    token_hash: [u8; 32],
    sealed: Sealed,
}

impl Draft {
    /// A mail to `address` with a new token for this purpose.
    ///
    /// # Errors
    /// [`crate::error::Error::Internal`] when it cannot be encrypted.
    pub fn new(context: &AccountContext, purpose: Purpose, address: &str) -> Result<Self> {
        let AccountContext { base, public_url, .. } = context;
        let token = URL_SAFE_NO_PAD.encode(clock::random::<32>());
        let mail = compose(purpose, address, public_url, &token, &base.config.brand.name);
        Ok(Self {
            purpose,
            token_hash: token_hash(&base.secrets.email_tokens, &token),
            sealed: Sealed::new(base, purpose.into(), mail, valid_seconds(purpose))?,
        })
    }

    pub fn token(&self) -> NewToken<'_> {
        NewToken { hash: &self.token_hash, purpose: self.purpose, expires_at: self.sealed.expires_at() }
    }

    pub fn row(&self) -> NewMail<'_> {
        self.sealed.row()
    }

    /// Starts to deliver the stored mail, and waits briefly for the outcome.
    pub async fn deliver(self, context: &AccountContext) {
        let base = context.base.clone();
        let attempt = context.tasks.spawn(async move { self.sealed.deliver(&base).await });
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
fn compose(purpose: Purpose, address: &str, public_url: &str, token: &str, service: &str) -> Mail {
    let (subject, page, why, what_if_not) = match purpose {
        Purpose::Confirm => (
            "Confirm your address",
            "confirm",
            "This address was registered with SERVICE, a text-to-speech service.\n\
             To confirm that it is yours, open this page within 7 days and press\n\
             its button:",
            "If you did not register, do nothing: without your confirmation nobody\n\
             can sign in.",
        ),
        Purpose::Reset => (
            "Set a new password",
            "reset",
            "A new password was asked for, for your account with SERVICE, a\n\
             text-to-speech service. To set it, open this page within one hour:",
            "If you did not ask for it, do nothing: your password stays as it is.",
        ),
    };
    let why = why.replace("SERVICE", service);
    Mail {
        to: address.to_owned(),
        subject: subject.to_owned(),
        html: None,
        text: format!("Hello,\n\n{why}\n\n{public_url}/{page}?token={token}\n\n{what_if_not}\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Negative control: with a text line of 80 letters put into either mail this fails.
    #[test]
    fn a_mail_is_ascii_in_short_lines_with_one_link() {
        for (purpose, page) in [(Purpose::Confirm, "confirm"), (Purpose::Reset, "reset")] {
            let mail =
                compose(purpose, "ada@example.com", "https://speech.example.com", "T0ken-_", "Lectern");
            assert!(mail.text.is_ascii() && mail.subject.is_ascii());
            let link = format!("https://speech.example.com/{page}?token=T0ken-_");
            assert_eq!(mail.text.lines().filter(|line| line.contains("://")).collect::<Vec<_>>(), [link]);
            assert!(mail.text.lines().all(|line| line.len() < 76), "{}", mail.text);
            assert_eq!(mail.to, "ada@example.com");
        }
    }
}
