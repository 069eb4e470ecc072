//! Outgoing mail: one text to one address, written as a file or handed to an SMTP server. Which mails there are, and
//! sending again what failed, are the services'.

mod outbox;
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
        Body, Mailbox, Mailboxes,
        header::{ContentTransferEncoding, ContentType, From},
    },
};

use lectern_store::addresses;

use crate::{
    clock::{self, Clock, Ids},
    config::{Config, ConfigError, MailUrl},
};

/// A mail to one person.
#[derive(Clone)]
pub struct Mail {
    /// The address.
    pub to: String,
    /// The subject; control characters become spaces.
    pub subject: String,
    /// The text, with `\n` at the ends of lines.
    pub text: String,
}

impl std::fmt::Debug for Mail {
    /// Neither address nor text: both are private, and the text may hold a link that signs in.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Mail(…)")
    }
}

/// Why a mail was not sent. Nothing here repeats an address or what a server said about one.
#[derive(Debug, thiserror::Error)]
pub enum MailError {
    /// The address is none that mail can be sent to.
    #[error("the mail's address is not one that mail can be sent to")]
    Address,
    /// The mail could not be put together.
    #[error("the mail could not be put together")]
    Message(#[source] lettre::error::Error),
    /// The file could not be written.
    #[error("the mail could not be written to {directory}")]
    File {
        /// Where to.
        directory: PathBuf,
        /// The system's answer.
        #[source]
        source: io::Error,
    },
    /// The SMTP server refused it or was not reached.
    #[error("the mail server {0}")]
    Smtp(smtp::Refusal),
}

impl MailError {
    /// Whether sending the same mail again is no use.
    pub fn is_permanent(&self) -> bool {
        match self {
            Self::Address | Self::Message(_) => true,
            Self::File { .. } => false,
            Self::Smtp(refusal) => refusal.is_permanent(),
        }
    }
}

/// What sends mail. Clones share connections.
#[derive(Clone)]
pub struct Mailer {
    from: Mailbox,
    clock: Clock,
    way: Way,
    reader: Option<Reader>,
}

/// Who reads mails that were written as files.
type Reader = std::sync::Arc<dyn Fn(&Mail) + Send + Sync>;

impl std::fmt::Debug for Mailer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mailer").field("way", &self.way).finish_non_exhaustive()
    }
}

/// How mail leaves.
#[derive(Debug, Clone)]
enum Way {
    Files(outbox::Outbox),
    Smtp(smtp::Server),
}

impl Mailer {
    /// The mailer that the settings ask for.
    ///
    /// # Errors
    /// [`ConfigError`] when a file that the settings name cannot be used.
    pub fn new(config: &Config, clock: &Clock, ids: &Ids) -> Result<Self, ConfigError> {
        let mut from = config.mail.from.clone().unwrap_or_else(|| usual_sender(config));
        let ascii = addresses::for_mail(from.email.as_ref());
        from.email = ascii.parse().unwrap_or(from.email);
        let way = match &config.mail.url {
            MailUrl::Directory(directory) => {
                Way::Files(outbox::Outbox { directory: directory.clone(), ids: ids.clone() })
            }
            MailUrl::Smtp(url) => Way::Smtp(smtp::Server::new(url, config.mail.extra_ca_file.as_deref())?),
        };
        Ok(Self { from, clock: clock.clone(), way, reader: None })
    }

    /// Lets `reader` read every mail that is written as a file: for the demo, where nobody else would. What goes to a server
    /// is its addressee's alone.
    pub fn let_read(&mut self, reader: impl Fn(&Mail) + Send + Sync + 'static) {
        self.reader = Some(std::sync::Arc::new(reader));
    }

    /// Sends a mail; it has left this process's hands when this returns `Ok`.
    ///
    /// # Errors
    /// [`MailError`].
    pub async fn send(&self, mail: &Mail) -> Result<(), MailError> {
        let message = self.message(mail)?;
        match &self.way {
            Way::Files(outbox) => {
                outbox.write(message.formatted()).await?;
                if let Some(read) = &self.reader {
                    read(mail);
                }
                Ok(())
            }
            Way::Smtp(server) => server.send(message).await,
        }
    }

    /// Whether mail can leave now; sends nothing.
    ///
    /// # Errors
    /// [`MailError`].
    pub async fn ping(&self) -> Result<(), MailError> {
        match &self.way {
            Way::Files(_) => Ok(()),
            Way::Smtp(server) => server.ping().await,
        }
    }

    fn message(&self, mail: &Mail) -> Result<Message, MailError> {
        let to: Address = addresses::for_mail(&mail.to).parse().map_err(|_| MailError::Address)?;
        let micros = u64::try_from(self.clock.now().0).unwrap_or(0);
        let subject: String = mail.subject.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let unique = hex::encode(clock::random::<16>());
        let from = self.from.email.clone();
        let envelope = Envelope::new(Some(from.clone()), vec![to.clone()]).map_err(MailError::Message)?;
        let mut message = Message::builder()
            // Replaced below: the builder takes no address whose host is an IP address.
            .from(Mailbox::new(None, Address::new_dangerous("no-reply", "localhost")))
            .envelope(envelope)
            .to(Mailbox::new(None, to))
            .subject(subject)
            .date(SystemTime::UNIX_EPOCH + Duration::from_micros(micros))
            .message_id(Some(format!("<{unique}@{}>", from.domain())))
            .header(ContentType::TEXT_PLAIN)
            .body(body(&mail.text))
            .map_err(MailError::Message)?;
        message.headers_mut().set(From::from(Mailboxes::from(self.from.clone())));
        Ok(message)
    }
}

/// The most bytes of a line (RFC 5322 section 2.1.1).
const LONGEST_LINE: usize = 998;

/// The text as a mail's body: as it is where mail allows it, so that a link can be read in the file as well. The
/// library would take lines over 76 characters apart.
fn body(text: &str) -> Body {
    let allowed = text.is_ascii() && !text.contains(['\0', '\r']);
    let text = text.replace('\n', "\r\n");
    if allowed && text.lines().all(|line| line.len() <= LONGEST_LINE) {
        Body::dangerous_pre_encoded(text.into_bytes(), ContentTransferEncoding::SevenBit)
    } else {
        Body::new(text)
    }
}

/// `Lectern <no-reply@HOST>`, the host being what clients call the service.
fn usual_sender(config: &Config) -> Mailbox {
    let host = match &config.http.public_url {
        Some(url) => url.host(),
        None => config.http.listen.ip().to_string(),
    };
    // RFC 5321 section 4.1.3: addresses stand in brackets, those of IPv6 with a tag.
    let domain = match host.trim_matches(['[', ']']).parse::<IpAddr>() {
        Ok(IpAddr::V4(ip)) if ip.is_unspecified() => "localhost".to_owned(),
        Ok(IpAddr::V6(ip)) if ip.is_unspecified() => "localhost".to_owned(),
        Ok(IpAddr::V4(ip)) => format!("[{ip}]"),
        Ok(IpAddr::V6(ip)) => format!("[IPv6:{ip}]"),
        Err(_) => host,
    };
    Mailbox::new(Some("Lectern".to_owned()), Address::new_dangerous("no-reply", domain))
}
