//! What a storage that speaks S3 answered instead of what was asked for: which of the operator's settings it speaks of, in
//! words that hold no secret and no signed URL.

use std::io;

use object_store::{
    Error,
    client::{HttpError, HttpErrorKind},
};

/// The name under which `object_store` reports failures of S3, and we those that we judged.
pub(super) const STORE: &str = "S3";

/// The most characters of a server's own words that are passed on.
const LONGEST: usize = 300;

/// A failure of S3, judged.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{tried}: {said}")]
pub struct Trouble {
    /// What it comes from.
    pub cause: Cause,
    /// What was tried.
    pub tried: String,
    /// What the other side answered.
    pub said: String,
}

/// What a failure of S3 comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// There is no such bucket.
    NoBucket,
    /// The key may not do that.
    NoRight,
    /// The server does not know the key.
    UnknownKey,
    /// The signature is not that of the key.
    WrongSecret,
    /// The clocks of server and this machine are too far apart.
    Clock,
    /// The bucket is in another region.
    Region,
    /// What answers does not speak S3.
    NotS3,
    /// No connection, or no answer in time.
    Unreachable,
    /// The server fails, or is overloaded.
    Server,
}

impl Cause {
    /// The setting that a failure speaks of, and what would be right; `None` when it is likely to pass by itself.
    pub fn mend(self) -> Option<(&'static str, &'static str)> {
        Some(match self {
            Self::NoBucket => ("storage.url", "name a bucket that exists; it is not made by itself"),
            Self::NoRight => (
                "storage.access_key_id",
                "let this key list the bucket, and get, put and delete objects below the prefix of storage.url",
            ),
            Self::UnknownKey => ("storage.access_key_id", "name a key that the server knows"),
            Self::WrongSecret => ("storage.secret_access_key", "give the secret of storage.access_key_id"),
            Self::Clock => (
                "storage.url",
                "set this machine's clock (or the server's): they may be 15 minutes apart at most",
            ),
            Self::Region => ("storage.region", "name the bucket's own region"),
            Self::NotS3 => ("storage.endpoint", "name a server that speaks S3"),
            Self::Unreachable | Self::Server => return None,
        })
    }
}

impl Trouble {
    /// What `error` says; `tried` in a few words.
    fn of(error: &Error, tried: String) -> Self {
        let (cause, said) = judge(error);
        Self { cause, tried, said }
    }

    /// No answer in time.
    pub(super) fn late(tried: String) -> Self {
        Self { cause: Cause::Unreachable, tried, said: "no answer in time".to_owned() }
    }

    /// As an error of the storage.
    pub(super) fn into_error(self) -> Error {
        Error::Generic { store: STORE, source: Box::new(self) }
    }
}

/// A failure of S3 in our words. That an object is not there passes as it is, unless it is its bucket that is not.
pub(super) fn judged(error: Error, tried: impl FnOnce() -> String) -> Error {
    let trouble = match &error {
        Error::NotFound { .. } => match judge(&error) {
            (Cause::NoBucket, said) => Trouble { cause: Cause::NoBucket, tried: tried(), said },
            _ => return error,
        },
        _ => Trouble::of(&error, tried()),
    };
    trouble.into_error()
}

/// The judgement on a failure that passed through [`super::Objects`], if it is one of S3.
pub fn of(error: &Error) -> Option<&Trouble> {
    match error {
        Error::Generic { source, .. } => source.downcast_ref(),
        _ => None,
    }
}

/// Whether the storage cannot be reached or fails by its own words, whatever was asked of it.
pub fn is_away(error: &Error) -> bool {
    of(error).is_some_and(|trouble| matches!(trouble.cause, Cause::Unreachable | Cause::Server))
}

/// Whether there is no room left on a disk, somewhere in an error's chain.
pub fn is_full(error: &(dyn std::error::Error + 'static)) -> bool {
    std::iter::successors(Some(error), |error| error.source()).any(|error| {
        error.downcast_ref::<io::Error>().is_some_and(|error| {
            matches!(
                error.kind(),
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::ReadOnlyFilesystem
            )
        })
    })
}

fn judge(error: &Error) -> (Cause, String) {
    let chain = || std::iter::successors(Some(error as &(dyn std::error::Error + 'static)), |e| e.source());
    let text = chain().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    if let Some(code) = element(&text, "Code") {
        let message = element(&text, "Message").unwrap_or_default();
        return (of_code(code), shortened(&format!("the server answered {code}: {message}")));
    }
    let root = chain().last().map(ToString::to_string).unwrap_or_default();
    let http = chain().find_map(|error| error.downcast_ref::<HttpError>()).map(HttpError::kind);
    let (cause, said) = match (http, status(&text)) {
        _ if text.contains("redirect without LOCATION") => {
            (Cause::Region, "the server sends us elsewhere without saying where".to_owned())
        }
        (Some(HttpErrorKind::Timeout), _) => (Cause::Unreachable, "no answer in time".to_owned()),
        (Some(HttpErrorKind::Decode), _) | (None, None) => (Cause::NotS3, root),
        (Some(_), _) => (Cause::Unreachable, root),
        (None, Some(status)) => of_status(status),
    };
    (cause, shortened(&said))
}

fn of_status(status: u16) -> (Cause, String) {
    let (cause, more) = match status {
        300..400 => (Cause::Region, " and sends us elsewhere"),
        403 => (Cause::NoRight, ""),
        // Whatever stands before the storage speaks so without S3's words, and in a moment no more.
        408 | 425 | 429 | 500.. => (Cause::Server, ""),
        _ => (Cause::NotS3, ""),
    };
    (cause, format!("the server answered {status}{more}"))
}

fn of_code(code: &str) -> Cause {
    match code {
        "NoSuchBucket" | "InvalidBucketName" => Cause::NoBucket,
        "InvalidAccessKeyId" | "NotSignedUp" | "InvalidClientTokenId" | "ExpiredToken" | "InvalidToken" => {
            Cause::UnknownKey
        }
        "SignatureDoesNotMatch" => Cause::WrongSecret,
        "RequestTimeTooSkewed" | "RequestExpired" => Cause::Clock,
        "AuthorizationHeaderMalformed"
        | "PermanentRedirect"
        | "TemporaryRedirect"
        | "Redirect"
        | "IllegalLocationConstraintException" => Cause::Region,
        code if code.starts_with("Access") || code.contains("AccessDenied") || code.contains("Account") => {
            Cause::NoRight
        }
        _ => Cause::Server,
    }
}

/// The text of the first XML element of this name.
fn element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    rest.split_once(&format!("</{name}>")).map(|(inner, _)| inner)
}

/// The status in `object_store`'s words for an answer that is none of success.
fn status(text: &str) -> Option<u16> {
    let (_, rest) = text.split_once("non-2xx status code: ")?;
    rest.get(..3)?.parse().ok()
}

fn shortened(text: &str) -> String {
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match one_line.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &one_line[..at]),
        None => one_line,
    }
}
