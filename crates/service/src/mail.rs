//! Outgoing mail: one text to one address, written to a file or handed to an SMTP server. Which
//! mails exist, and when to retry one, is up to the services; [`letters`] has the words of those that
//! tell something.

pub mod letters;
mod mail_directory;
mod smtp;

use std::{
    io,
    net::IpAddr,
    path::PathBuf,
    time::{Duration, SystemTime},
};

use lettre::{
    Address, Message,
    address::Envelope,
    message::{
        Body, Mailbox, Mailboxes, MultiPart, SinglePart,
        header::{ContentTransferEncoding, ContentType, From},
    },
};

use lectern_store::addresses;

use self::mail_directory::MailDirectory;
use crate::{
    clock::{self, Clock, Ids},
    config::{Config, ConfigError, MailUrl},
};

/// A mail to one person.
#[derive(Clone)]
pub struct Mail {
    pub to: String,
    /// The subject; control characters become spaces.
    pub subject: String,
    /// The text, with `\n` at the ends of lines.
    pub text: String,
    /// The same as HTML, for programs that show it.
    pub html: Option<String>,
}

impl std::fmt::Debug for Mail {
    /// Omits address and text: both are private, and the text may hold a link that signs in.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Mail(…)")
    }
}

/// A reason why a mail was not sent. No variant repeats an address or a server's message about one.
#[derive(Debug, thiserror::Error)]
pub enum MailError {
    /// Mail cannot be sent to the address.
    #[error("the mail's address is not one that mail can be sent to")]
    Address,
    #[error("the mail could not be built")]
    Message(#[source] lettre::error::Error),
    #[error("the mail could not be written to {directory}")]
    File {
        directory: PathBuf,
        /// The operating system's error.
        #[source]
        source: io::Error,
    },
    /// The SMTP server refused it or could not be reached.
    #[error("the mail server {0}")]
    Smtp(smtp::SmtpFailure),
}

impl MailError {
    /// Whether a retry of the same mail is useless.
    pub fn is_permanent(&self) -> bool {
        match self {
            Self::Address | Self::Message(_) => true,
            Self::File { .. } => false,
            Self::Smtp(failure) => failure.is_permanent(),
        }
    }
}

/// Sends mail. Clones share connections.
#[derive(Clone)]
pub struct Mailer {
    from: Mailbox,
    clock: Clock,
    transport: Transport,
    observer: Option<Observer>,
}

/// Observes mails that were written to files.
type Observer = std::sync::Arc<dyn Fn(&Mail) + Send + Sync>;

impl std::fmt::Debug for Mailer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mailer").field("transport", &self.transport).finish_non_exhaustive()
    }
}

/// How mail is sent.
#[derive(Debug, Clone)]
enum Transport {
    Files(MailDirectory),
    Smtp(smtp::Server),
}

impl Mailer {
    /// Builds the mailer from the settings.
    ///
    /// # Errors
    /// [`ConfigError`] when a file that the settings name cannot be used.
    pub fn new(config: &Config, clock: &Clock, ids: &Ids) -> Result<Self, ConfigError> {
        let mut from = config.mail.from.clone().unwrap_or_else(|| default_sender(config));
        let ascii = addresses::for_mail(from.email.as_ref());
        from.email = ascii.parse().unwrap_or(from.email);
        let transport = match &config.mail.url {
            MailUrl::Directory(directory) => {
                Transport::Files(MailDirectory { directory: directory.clone(), ids: ids.clone() })
            }
            MailUrl::Smtp(url) => {
                Transport::Smtp(smtp::Server::new(url, config.mail.extra_ca_file.as_deref())?)
            }
        };
        Ok(Self { from, clock: clock.clone(), transport, observer: None })
    }

    /// Calls `observer` with every mail that is written to a file, for the demo, where no one else
    /// would read it. Mail that goes to a server is never shown to it.
    pub fn set_observer(&mut self, observer: impl Fn(&Mail) + Send + Sync + 'static) {
        self.observer = Some(std::sync::Arc::new(observer));
    }

    /// Sends a mail. After `Ok` this process is no longer responsible for it.
    ///
    /// # Errors
    /// [`MailError`].
    pub async fn send(&self, mail: &Mail) -> Result<(), MailError> {
        let message = self.message(mail)?;
        match &self.transport {
            Transport::Files(mail_directory) => {
                mail_directory.write(message.formatted()).await?;
                if let Some(observe) = &self.observer {
                    observe(mail);
                }
                Ok(())
            }
            Transport::Smtp(server) => server.send(message).await,
        }
    }

    /// Whether mail can be sent now; sends nothing.
    ///
    /// # Errors
    /// [`MailError`].
    pub async fn ping(&self) -> Result<(), MailError> {
        match &self.transport {
            Transport::Files(_) => Ok(()),
            Transport::Smtp(server) => server.ping().await,
        }
    }

    fn message(&self, mail: &Mail) -> Result<Message, MailError> {
        let to: Address = addresses::for_mail(&mail.to).parse().map_err(|_| MailError::Address)?;
        let micros = u64::try_from(self.clock.now().0).unwrap_or(0);
        let subject: String = mail.subject.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let unique = hex::encode(clock::random::<16>());
        let from = self.from.email.clone();
        let envelope = Envelope::new(Some(from.clone()), vec![to.clone()]).map_err(MailError::Message)?;
        let builder = Message::builder()
            // Replaced below: the builder accepts no address whose host is an IP address.
            .from(Mailbox::new(None, Address::new_dangerous("no-reply", "localhost")))
            .envelope(envelope)
            .to(Mailbox::new(None, to))
            .subject(subject)
            .date(SystemTime::UNIX_EPOCH + Duration::from_micros(micros))
            .message_id(Some(format!("<{unique}@{}>", from.domain())));
        let message = match &mail.html {
            None => builder.header(ContentType::TEXT_PLAIN).body(body(&mail.text)),
            Some(html) => {
                let part = |kind, text: &str| SinglePart::builder().header(kind).body(body(text));
                // The last one is what a program shows that can show both.
                builder.multipart(
                    MultiPart::alternative()
                        .singlepart(part(ContentType::TEXT_PLAIN, &mail.text))
                        .singlepart(part(ContentType::TEXT_HTML, html)),
                )
            }
        };
        let mut message = message.map_err(MailError::Message)?;
        message.headers_mut().set(From::from(Mailboxes::from(self.from.clone())));
        Ok(message)
    }
}

/// The most bytes of a line (RFC 5322 section 2.1.1).
const MAX_LINE_BYTES: usize = 998;

/// The text as a mail's body, left unencoded where mail allows it so that a link can be read in the
/// file as well. The library would break lines over 76 characters.
fn body(text: &str) -> Body {
    let allowed = text.is_ascii() && !text.contains(['\0', '\r']);
    let text = text.replace('\n', "\r\n");
    if allowed && text.lines().all(|line| line.len() <= MAX_LINE_BYTES) {
        Body::dangerous_pre_encoded(text.into_bytes(), ContentTransferEncoding::SevenBit)
    } else {
        Body::new(text)
    }
}

/// `Lectern <no-reply@HOST>`, where HOST is the one that clients use for the service.
fn default_sender(config: &Config) -> Mailbox {
    let host = match &config.http.public_url {
        Some(url) => url.host(),
        None => config.http.listen.ip().to_string(),
    };
    // RFC 5321 section 4.1.3: addresses are in brackets, IPv6 addresses with a tag.
    let domain = match host.trim_matches(['[', ']']).parse::<IpAddr>() {
        Ok(IpAddr::V4(ip)) if ip.is_unspecified() => "localhost".to_owned(),
        Ok(IpAddr::V6(ip)) if ip.is_unspecified() => "localhost".to_owned(),
        Ok(IpAddr::V4(ip)) => format!("[{ip}]"),
        Ok(IpAddr::V6(ip)) => format!("[IPv6:{ip}]"),
        Err(_) => host,
    };
    Mailbox::new(Some("Lectern".to_owned()), Address::new_dangerous("no-reply", domain))
}
