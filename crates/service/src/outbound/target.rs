//! A URL that a customer provided: which forms are accepted, and its parts.
//!
//! The form is checked before the `url` crate normalizes it. Like browsers, that crate drops tabs,
//! turns backslashes into slashes, adds missing slashes and maps look-alike characters. A URL that
//! would need repair is refused, because the next program that reads it may repair it differently.

use std::{fmt, net::IpAddr};

use hyper::Uri;
use url::Url;

use super::names;

/// The longest URL, in bytes.
const MAX_URL_BYTES: usize = 2_048;

/// The longest host name, in bytes (RFC 1035, section 2.3.4, as text).
const MAX_NAME_BYTES: usize = 253;

/// The default port.
const HTTPS_PORT: u16 = 443;

/// Ports below this belong to other protocols, some of which would take parts of a request for
/// commands.
const FIRST_ALLOWED_PORT: u16 = 1_024;

/// Ports of databases, queues and control planes, where no webhook receiver listens.
const FORBIDDEN_PORTS: &[u16] = &[
    1_433, 1_521, 2_049, 2_181, 2_375, 2_376, 2_379, 2_380, 3_306, 3_389, 4_222, 5_432, 5_672, 5_900, 5_984,
    5_985, 5_986, 6_000, 6_379, 6_443, 6_667, 8_086, 8_500, 9_042, 9_092, 9_200, 9_300, 10_250, 10_255,
    10_256, 11_211, 15_672, 27_017,
];

/// Why a URL is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UrlRefusal {
    /// It is not a valid URL; the message says why without repeating it.
    Malformed(&'static str),
    /// Its scheme is not `https`.
    NotHttps,
    /// Its host is internal.
    HostNotAllowed,
}

/// The host of a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Host {
    /// A DNS name in lower case and ASCII, without a trailing dot.
    Name(String),
    /// This machine (RFC 6761, section 6.3); never looked up.
    Localhost,
    Address(IpAddr),
}

/// A URL with an acceptable form, scheme and host name. Its addresses have not been checked yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The URL as it is stored and shown.
    text: String,
    uri: Uri,
    host: Host,
    port: u16,
}

impl Target {
    /// Parses a URL. Accepts any address: [`super::Outbound::target`] checks those.
    ///
    /// # Errors
    /// [`UrlRefusal`], the first that applies, in this order: characters and length, form, scheme,
    /// user info, fragment and port, host name.
    pub fn parse(text: &str) -> Result<Self, UrlRefusal> {
        use UrlRefusal::{HostNotAllowed, Malformed, NotHttps};
        const EXPECTED: &str = "must be an absolute URL such as https://hooks.example.com/lectern";
        if text.len() > MAX_URL_BYTES {
            return Err(Malformed("must have at most 2048 bytes"));
        }
        if text.chars().any(names::is_invisible) {
            return Err(Malformed("must not contain white space, control or invisible characters"));
        }
        let (scheme, rest) = text.split_once(':').ok_or(Malformed(EXPECTED))?;
        if !is_scheme(scheme) {
            return Err(Malformed(EXPECTED));
        }
        if !scheme.eq_ignore_ascii_case("https") {
            return Err(NotHttps);
        }
        let rest = rest.strip_prefix("//").ok_or(Malformed(EXPECTED))?;
        if text.contains('\\') {
            return Err(Malformed("must not contain a backslash"));
        }
        if text.contains('#') {
            return Err(Malformed("must not have a fragment: it would never be sent"));
        }
        let authority = rest.split(['/', '?']).next().unwrap_or_default();
        if authority.contains('@') {
            return Err(Malformed("must not contain a user or password"));
        }
        let (host, port) = split_authority(authority).ok_or(Malformed(EXPECTED))?;
        let port = read_port(port)?;
        let mut url =
            Url::parse(text).map_err(|_| Malformed("has a host that is no valid name or address"))?;
        let host = match url.host().ok_or(Malformed(EXPECTED))? {
            // Other spellings of an address are used to bypass filters.
            url::Host::Ipv4(ip) if host.strip_suffix('.').unwrap_or(host) == ip.to_string() => {
                Host::Address(ip.into())
            }
            url::Host::Ipv4(_) => return Err(HostNotAllowed),
            url::Host::Ipv6(ip) => Host::Address(ip.into()),
            url::Host::Domain(mapped) => {
                let name = read_name(host, mapped)?;
                match name.as_str() {
                    "localhost" => Host::Localhost,
                    _ if names::is_internal(&name) => return Err(HostNotAllowed),
                    _ => Host::Name(name),
                }
            }
        };
        if let Host::Name(name) = &host {
            url.set_host(Some(name)).map_err(|_| Malformed(EXPECTED))?;
        }
        let uri =
            url.as_str().parse().map_err(|_| Malformed("has characters that must be percent-encoded"))?;
        // A missing path is sent as a slash, but stored as written.
        let pathless = authority.len() == rest.len();
        let text = url.as_str();
        let text = if pathless { text.strip_suffix('/').unwrap_or(text) } else { text }.to_owned();
        // The stored text is parsed before each attempt, so it must pass as well.
        if text.len() > MAX_URL_BYTES {
            return Err(Malformed(
                "must have at most 2048 bytes once all other characters are percent-encoded",
            ));
        }
        Ok(Self { text, uri, host, port })
    }

    pub(super) fn uri(&self) -> &Uri {
        &self.uri
    }

    pub(super) fn host(&self) -> &Host {
        &self.host
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }
}

/// The URL as it is stored, shown and parsed again: scheme and host in lower case, the host in
/// ASCII, without port 443.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Display for UrlRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed(why) => why,
            Self::NotHttps => "must start with https://",
            Self::HostNotAllowed => "has a host that this service may not call",
        })
    }
}

/// RFC 3986, section 3.1.
fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
}

/// Host and port of an authority without user info; an IPv6 address keeps its brackets.
fn split_authority(authority: &str) -> Option<(&str, Option<&str>)> {
    let end = if authority.starts_with('[') {
        authority.find(']')? + 1
    } else {
        authority.find(':').unwrap_or(authority.len())
    };
    let (host, rest) = authority.split_at(end);
    let port = match rest.strip_prefix(':') {
        Some(port) => Some(port),
        None if rest.is_empty() => None,
        None => return None,
    };
    (!host.is_empty()).then_some((host, port))
}

fn read_port(text: Option<&str>) -> Result<u16, UrlRefusal> {
    let Some(text) = text.filter(|text| !text.is_empty()) else { return Ok(HTTPS_PORT) };
    let number = text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse::<u16>().ok()).flatten();
    let port = number.filter(|port| *port != 0).ok_or(UrlRefusal::Malformed("has an invalid port"))?;
    if port != HTTPS_PORT && (port < FIRST_ALLOWED_PORT || FORBIDDEN_PORTS.contains(&port)) {
        return Err(UrlRefusal::Malformed("has a port that is in use for something else than web servers"));
    }
    Ok(port)
}

/// Checks a host name, as it was written and as the `url` crate mapped it to ASCII.
fn read_name(written: &str, mapped: &str) -> Result<String, UrlRefusal> {
    const INVALID: UrlRefusal = UrlRefusal::Malformed("has a host that is no valid name");
    let written = written.strip_suffix('.').unwrap_or(written);
    let mapped = mapped.strip_suffix('.').unwrap_or(mapped);
    let same_labels = written.split('.').count() == mapped.split('.').count();
    let unchanged =
        written.split('.').zip(mapped.split('.')).all(|(written, mapped)| is_unchanged(written, mapped));
    // A name that imitates another is judged by the name that it maps to.
    if (!same_labels || !unchanged) && names::is_internal(mapped) {
        return Err(UrlRefusal::HostNotAllowed);
    }
    if mapped.len() > MAX_NAME_BYTES || !same_labels || !unchanged || !mapped.split('.').all(is_label) {
        return Err(INVALID);
    }
    // Some programs take a name whose last label is a number for an address.
    let last = mapped.rsplit('.').next().unwrap_or_default();
    if last.bytes().all(|b| b.is_ascii_digit() || b == b'-') {
        return Err(UrlRefusal::HostNotAllowed);
    }
    Ok(mapped.to_owned())
}

/// Whether mapping a label to ASCII changed only its case and encoding. Characters that map to
/// others or are dropped are used to bypass filters.
fn is_unchanged(written: &str, mapped: &str) -> bool {
    if written.is_ascii() {
        return written.eq_ignore_ascii_case(mapped);
    }
    url::quirks::domain_to_unicode(mapped) == written.to_lowercase()
}

/// Whether a label has only letters, digits, inner hyphens, and the underscore that some service
/// names contain.
fn is_label(label: &str) -> bool {
    (1..=63).contains(&label.len())
        && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
        && !label.starts_with('-')
        && !label.ends_with('-')
}

#[cfg(test)]
mod tests {
    use super::{Target, UrlRefusal};

    // Negative control: without the second length check, the long URL is accepted and then refused
    // at each attempt.
    #[test]
    fn an_accepted_url_is_accepted_again_as_it_is_stored() {
        let with = |letters: usize| format!("https://hooks.example.com/{}?to=mañana", "é".repeat(letters));
        for text in [with(1), with(300), "HTTPS://Bücher.example.com:8443".to_owned()] {
            let stored = Target::parse(&text).expect("it is accepted").to_string();
            assert_eq!(Target::parse(&stored).expect("it is accepted again").to_string(), stored);
        }
        assert!(matches!(Target::parse(&with(900)), Err(UrlRefusal::Malformed(_))));
    }
}
