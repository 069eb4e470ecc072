//! Mail to an SMTP server, with TLS as configured, a connection pool, and a timeout on every step.

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

/// Timeout for one step of the conversation, such as connecting or a reply.
const STEP_TIMEOUT: Duration = Duration::from_secs(20);

/// Timeout for a whole mail.
const MAIL_TIMEOUT: Duration = Duration::from_mins(1);

/// The most connections in the pool.
const MAX_CONNECTIONS: u32 = 4;

/// How long an idle connection stays open.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// The server and its connection pool. Clones share it.
#[derive(Clone)]
pub(super) struct Server(AsyncSmtpTransport<Tokio1Executor>);

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Server(…)")
    }
}

/// Why the server did not accept a mail. Holds only the server's code: its text may repeat
/// addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmtpFailure {
    /// It answered with this code.
    Code(u16),
    /// It did not answer in time.
    Timeout,
    /// It could not be reached, or the connection broke.
    Unreachable,
    /// TLS failed: the server does not offer it, or its certificate is not trusted.
    Tls,
    /// It responds, but offers no way to hand mail to it.
    Unsupported,
}

impl SmtpFailure {
    /// Whether the same mail will be refused again: a code of 500 or above. A wrong password (530
    /// to 538) is not, as the operator can fix it.
    pub(super) fn is_permanent(self) -> bool {
        matches!(self, Self::Code(code) if code >= 500 && !(530..=538).contains(&code))
    }

    fn of(error: &smtp::Error) -> Self {
        match error.status() {
            Some(code) => Self::Code(u16::from(code)),
            None if error.is_timeout() => Self::Timeout,
            None if error.is_tls() || is_tls_failure(error) => Self::Tls,
            None if error.is_client() => Self::Unsupported,
            None => Self::Unreachable,
        }
    }
}

/// Whether the TLS handshake failed. The client reports that like any other connection failure.
fn is_tls_failure(error: &smtp::Error) -> bool {
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

impl fmt::Display for SmtpFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code @ 530..=538) => write!(f, "rejected the sign-in (code {code})"),
            Self::Code(code) => write!(f, "refused it (code {code})"),
            Self::Timeout => f.write_str("did not answer in time"),
            Self::Unreachable => f.write_str("cannot be reached"),
            Self::Tls => f.write_str("offers no TLS, or its certificate is not trusted"),
            Self::Unsupported => f.write_str("offers no TLS or no supported way to sign in"),
        }
    }
}

impl Server {
    pub(super) fn new(url: &SmtpUrl, extra_ca: Option<&Path>) -> Result<Self, ConfigError> {
        let tls = || parameters(url, extra_ca);
        let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&url.host)
            .port(url.port)
            .timeout(Some(STEP_TIMEOUT))
            .pool_config(PoolConfig::new().max_size(MAX_CONNECTIONS).idle_timeout(IDLE_TIMEOUT))
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
        match tokio::time::timeout(MAIL_TIMEOUT, self.0.send(message)).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(MailError::Smtp(SmtpFailure::of(&error))),
            Err(_) => Err(MailError::Smtp(SmtpFailure::Timeout)),
        }
    }

    pub(super) async fn ping(&self) -> Result<(), MailError> {
        match tokio::time::timeout(STEP_TIMEOUT, self.0.test_connection()).await {
            Ok(Ok(true)) => Ok(()),
            Ok(Ok(false)) => Err(MailError::Smtp(SmtpFailure::Unreachable)),
            Ok(Err(error)) => Err(MailError::Smtp(SmtpFailure::of(&error))),
            Err(_) => Err(MailError::Smtp(SmtpFailure::Timeout)),
        }
    }
}

fn parameters(url: &SmtpUrl, extra_ca: Option<&Path>) -> Result<TlsParameters, ConfigError> {
    let mut builder = TlsParameters::builder(url.host.clone());
    if let Some(path) = extra_ca {
        let refused = |why: String| ConfigError::new("mail.extra_ca_file", why);
        let pem = std::fs::read(path).map_err(|error| refused(format!("cannot be read: {error}")))?;
        let certificate =
            Certificate::from_pem(&pem).map_err(|_| refused("holds no PEM certificate".to_owned()))?;
        builder = builder.add_root_certificate(certificate);
    }
    builder.build().map_err(|_| ConfigError::new("mail.url", "names a host that TLS cannot be used with"))
}
