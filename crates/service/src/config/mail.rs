//! `[mail]`: outgoing mail.

use std::{fmt, path::PathBuf};

use lettre::message::Mailbox;
use secrecy::SecretString;
use serde::{Deserialize, Deserializer, de::Error as _};

use super::values::optional;

/// Outgoing mail.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mail {
    pub url: MailUrl,
    /// The sender; `None`: `Lectern <no-reply@…>` at the host that clients use.
    #[serde(deserialize_with = "mailbox")]
    pub from: Option<Mailbox>,
    /// PEM file of additional certificate authorities for the SMTP server.
    #[serde(deserialize_with = "path")]
    pub extra_ca_file: Option<PathBuf>,
}

/// Where mail goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MailUrl {
    /// Each mail becomes a file in this directory.
    Directory(PathBuf),
    Smtp(SmtpUrl),
}

/// An SMTP server and how to connect to it.
#[derive(Clone)]
pub struct SmtpUrl {
    /// A name or an address, without brackets.
    pub host: String,
    pub port: u16,
    /// User and password.
    pub credentials: Option<(String, SecretString)>,
    pub tls: SmtpTls,
}

/// When TLS begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmtpTls {
    Never,
    /// After STARTTLS, which the server must offer.
    Upgrade,
    /// From the first byte.
    Immediate,
}

impl fmt::Debug for SmtpUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SmtpUrl({}:{}, {:?})", self.host, self.port, self.tls)
    }
}

impl PartialEq for SmtpUrl {
    /// Ignores the credentials: passwords are not for comparing.
    fn eq(&self, other: &Self) -> bool {
        (&self.host, self.port, self.tls) == (&other.host, other.port, other.tls)
    }
}

impl Eq for SmtpUrl {}

const EXPECTED: &str =
    "must be file://DIRECTORY, smtp://USER:PASSWORD@HOST:PORT or smtps://USER:PASSWORD@HOST:PORT";

impl std::str::FromStr for MailUrl {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(path) = text.strip_prefix("file://") {
            return if path.is_empty() { Err(EXPECTED) } else { Ok(Self::Directory(path.into())) };
        }
        let (rest, immediate) = match (text.strip_prefix("smtp://"), text.strip_prefix("smtps://")) {
            (Some(rest), _) => (rest, false),
            (_, Some(rest)) => (rest, true),
            _ => return Err(EXPECTED),
        };
        smtp_url(rest, immediate).map(Self::Smtp)
    }
}

/// Parses an SMTP URL after its scheme.
fn smtp_url(rest: &str, immediate: bool) -> Result<SmtpUrl, &'static str> {
    let (rest, query) = rest.split_once('?').map_or((rest, None), |(rest, query)| (rest, Some(query)));
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    let (credentials, address) = match rest.rsplit_once('@') {
        Some((credentials, address)) => (Some(credentials), address),
        None => (None, rest),
    };
    let credentials = credentials.map(credentials_from).transpose()?;
    let (host, port) = host_and_port(address).ok_or(EXPECTED)?;
    let tls = match (immediate, query) {
        (true, None) => SmtpTls::Immediate,
        (false, None) if is_local(&host) => SmtpTls::Never,
        (false, None | Some("tls=required")) => SmtpTls::Upgrade,
        (false, Some("tls=none")) => SmtpTls::Never,
        _ => return Err("has a query that is neither ?tls=none nor ?tls=required, which only smtp:// takes"),
    };
    let port = port.unwrap_or(if immediate { 465 } else { 587 });
    Ok(SmtpUrl { host, port, credentials, tls })
}

fn credentials_from(text: &str) -> Result<(String, SecretString), &'static str> {
    const BAD: &str =
        "has a user and password that cannot be read: USER:PASSWORD, with %XX for other characters";
    let (user, password) = text.split_once(':').ok_or(BAD)?;
    let user = percent_decoded(user).filter(|user| !user.is_empty()).ok_or(BAD)?;
    Ok((user, percent_decoded(password).ok_or(BAD)?.into()))
}

fn host_and_port(address: &str) -> Option<(String, Option<u16>)> {
    let (host, port) = match address.strip_prefix('[') {
        Some(rest) => {
            let (host, rest) = rest.split_once(']')?;
            host.parse::<std::net::Ipv6Addr>().ok()?;
            (host, (!rest.is_empty()).then(|| rest.strip_prefix(':')).map(Option::unwrap_or_default))
        }
        None => address.split_once(':').map_or((address, None), |(host, port)| (host, Some(port))),
    };
    let in_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ':');
    let port = port.map(|port| port.parse::<u16>().ok().filter(|port| *port != 0));
    (!host.is_empty() && host.chars().all(in_name) && port != Some(None))
        .then(|| (host.to_owned(), port.flatten()))
}

fn is_local(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.to_canonical().is_loopback())
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first == b'%' {
            let digits = after.get(..2).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))?;
            bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
            rest = &after[2..];
        } else {
            bytes.push(first);
        }
    }
    String::from_utf8(bytes).ok()
}

impl<'de> Deserialize<'de> for MailUrl {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

fn mailbox<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Mailbox>, D::Error> {
    let invalid = || D::Error::custom("must be an address such as Lectern <no-reply@example.com>");
    optional(deserializer)?.map(|text| text.parse().map_err(|_| invalid())).transpose()
}

fn path<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PathBuf>, D::Error> {
    Ok(optional(deserializer)?.map(PathBuf::from))
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret as _;

    use super::*;

    fn server(text: &str) -> SmtpUrl {
        match text.parse() {
            Ok(MailUrl::Smtp(url)) => url,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn a_server_has_a_host_a_port_optional_credentials_and_tls_unless_it_is_local() {
        let url = server("smtp://ann%40example.com:p%3a%2f%25s@mail.example.com:2525");
        assert_eq!((url.host.as_str(), url.port, url.tls), ("mail.example.com", 2525, SmtpTls::Upgrade));
        let (user, password) = url.credentials.unwrap();
        assert_eq!((user.as_str(), password.expose_secret()), ("ann@example.com", "p:/%s"));
        assert_eq!(server("smtp://mail.example.com").port, 587);
        assert_eq!(server("smtps://mail.example.com/").port, 465);
        assert_eq!(server("smtps://localhost").tls, SmtpTls::Immediate);
        for here in ["localhost", "127.0.0.1", "[::1]", "127.8.9.1:2525"] {
            assert_eq!(server(&format!("smtp://{here}")).tls, SmtpTls::Never, "{here}");
            assert_eq!(server(&format!("smtp://{here}?tls=required")).tls, SmtpTls::Upgrade, "{here}");
        }
        assert_eq!(server("smtp://[::1]:26").host, "::1");
        assert_eq!(server("smtp://relay.internal?tls=none").tls, SmtpTls::Never);
        assert_eq!("file:///var/mail".parse(), Ok(MailUrl::Directory("/var/mail".into())));
    }

    #[test]
    fn an_invalid_mail_url_is_refused_without_repeating_it() {
        for invalid in [
            "",
            "x",
            "file://",
            "smtp://",
            "smtp://u@h",
            "smtp://:hunter2@h",
            "smtp://u:hunter2%@h",
            "http://h",
            "smtp://u:hunter2@",
            "smtp://u:hunter2@h:x",
            "smtp://u:hunter2@h:0",
            "smtp://u:hunter2@h:99999",
            "smtp://u:hunter2@h/path",
            "smtp://h?tls=maybe",
            "smtps://h?tls=none",
            "smtp://u:hunter2@h h",
            "smtp://h:",
            "smtp://[::1",
            "smtp://[::1]x",
            "smtp://[h]",
        ] {
            let refused = invalid.parse::<MailUrl>().map_err(str::to_owned);
            assert!(refused.as_ref().is_err_and(|why| !why.contains("hunter2")), "{invalid}: {refused:?}");
        }
        let shown = format!("{:?}", server("smtp://u:hunter2@h"));
        assert!(!shown.contains("hunter2"), "{shown}");
    }
}
