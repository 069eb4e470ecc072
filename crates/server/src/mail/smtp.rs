//! Mail to an SMTP server: TLS as the settings say, connections kept for the next mail, every step with an end.

use std::{fmt, io, path::Path, time::Duration};

use lettre::{
    AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor,
    transport::smtp::{
        self, PoolConfig,
        authentication::Credentials,
        client::{Certificate, Tls, TlsParameters},
    },
};
use secrecy::ExposeSecret as _;

use super::MailError;
use crate::config::{ConfigError, SmtpTls, SmtpUrl};

/// How long one step of the conversation may take: connecting, an answer.
const STEP: Duration = Duration::from_secs(20);

/// How long a whole mail may take.
const WHOLE: Duration = Duration::from_mins(1);

/// Connections kept open at most.
const CONNECTIONS: u32 = 4;

/// How long an idle connection is kept.
const IDLE: Duration = Duration::from_secs(30);

/// The server and its connections. Clones share them.
#[derive(Clone)]
pub(super) struct Server(AsyncSmtpTransport<Tokio1Executor>);

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Server(…)")
    }
}

/// What the server said, or why nothing was heard: its code only, for its words may repeat addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// It answered with this code.
    Code(u16),
    /// It did not answer in time.
    Slow,
    /// It was not reached, or the connection broke.
    Unreachable,
    /// No TLS came about: it offers none, or its certificate is not trusted.
    Tls,
    /// It speaks, but not so that mail can be handed to it.
    Unusable,
}

impl Refusal {
    /// Whether the same mail will be refused again: a code from 500 on. A wrong password (530 to 538) is the operator's to
    /// mend, so it is not.
    pub(super) fn is_permanent(self) -> bool {
        matches!(self, Self::Code(code) if code >= 500 && !(530..=538).contains(&code))
    }

    fn of(error: &smtp::Error) -> Self {
        match error.status() {
            Some(code) => Self::Code(u16::from(code)),
            None if error.is_timeout() => Self::Slow,
            None if error.is_tls() || is_of_tls(error) => Self::Tls,
            None if error.is_client() => Self::Unusable,
            None => Self::Unreachable,
        }
    }
}

/// Whether it was the handshake that failed, which the client reports as any other failure of a connection.
fn is_of_tls(error: &smtp::Error) -> bool {
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        if let Some(inner) = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref)
            && inner.is::<rustls::Error>()
        {
            return true;
        }
        cause = error.source();
    }
    false
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code @ 530..=538) => write!(f, "wants another sign-in (it answered {code})"),
            Self::Code(code) => write!(f, "refused it (it answered {code})"),
            Self::Slow => f.write_str("did not answer in time"),
            Self::Unreachable => f.write_str("cannot be reached"),
            Self::Tls => f.write_str("offers no TLS, or its certificate is not trusted"),
            Self::Unusable => f.write_str("offers no TLS or no way to sign in that we know"),
        }
    }
}

impl Server {
    pub(super) fn new(url: &SmtpUrl, extra_ca: Option<&Path>) -> Result<Self, ConfigError> {
        let tls = || parameters(url, extra_ca);
        let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&url.host)
            .port(url.port)
            .timeout(Some(STEP))
            .pool_config(PoolConfig::new().max_size(CONNECTIONS).idle_timeout(IDLE))
            .tls(match url.tls {
                SmtpTls::Never => Tls::None,
                SmtpTls::Upgrade => Tls::Required(tls()?),
                SmtpTls::Immediate => Tls::Wrapper(tls()?),
            });
        if let Some((user, password)) = &url.credentials {
            builder =
                builder.credentials(Credentials::new(user.clone(), password.expose_secret().to_owned()));
        }
        Ok(Self(builder.build()))
    }

    pub(super) async fn send(&self, message: Message) -> Result<(), MailError> {
        match tokio::time::timeout(WHOLE, self.0.send(message)).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(MailError::Smtp(Refusal::of(&error))),
            Err(_) => Err(MailError::Smtp(Refusal::Slow)),
        }
    }

    pub(super) async fn ping(&self) -> Result<(), MailError> {
        match tokio::time::timeout(STEP, self.0.test_connection()).await {
            Ok(Ok(true)) => Ok(()),
            Ok(Ok(false)) => Err(MailError::Smtp(Refusal::Unreachable)),
            Ok(Err(error)) => Err(MailError::Smtp(Refusal::of(&error))),
            Err(_) => Err(MailError::Smtp(Refusal::Slow)),
        }
    }
}

fn parameters(url: &SmtpUrl, extra_ca: Option<&Path>) -> Result<TlsParameters, ConfigError> {
    let mut builder = TlsParameters::builder(url.host.clone());
    if let Some(path) = extra_ca {
        let refused = |why: String| ConfigError::new("mail.extra_ca_file", why);
        let pem = std::fs::read(path).map_err(|error| refused(format!("cannot be read: {error}")))?;
        let certificate = Certificate::from_pem(&pem)
            .map_err(|_| refused("holds no certificate in PEM form".to_owned()))?;
        builder = builder.add_root_certificate(certificate);
    }
    builder.build().map_err(|_| ConfigError::new("mail.url", "names a host that TLS cannot be spoken with"))
}
