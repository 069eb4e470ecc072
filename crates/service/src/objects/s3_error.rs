//! Errors of S3: which of the operator's settings is wrong, if any, in a message that contains no
//! secret and no signed URL.

use std::io;

use object_store::{
    Error,
    client::{HttpError, HttpErrorKind},
};

/// The store name in `object_store`'s errors about S3, and in those classified here.
pub(super) const STORE: &str = "S3";

/// The most characters of a server's message that are passed on.
const MAX_CHARS: usize = 300;

/// A classified error of S3.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{operation}: {message}")]
pub struct S3Error {
    /// The cause of the error.
    pub cause: Cause,
    pub operation: String,
    /// The server's response.
    pub message: String,
}

/// The cause of an error of S3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The bucket does not exist.
    NoBucket,
    /// The key lacks a permission.
    Forbidden,
    /// The server does not know the key.
    UnknownKey,
    /// The signature does not match the key.
    WrongSecret,
    /// The server's clock and this machine's are too far apart.
    Clock,
    /// The bucket is in another region.
    Region,
    /// The server does not speak S3.
    NotS3,
    /// No connection, or no response in time.
    Unreachable,
    /// The server fails, or is overloaded.
    Server,
}

impl Cause {
    /// The wrong setting and how to fix it; `None` when the error is probably temporary.
    pub fn remedy(self) -> Option<(&'static str, &'static str)> {
        Some(match self {
            Self::NoBucket => ("storage.url", "name a bucket that exists; it is not created automatically"),
            Self::Forbidden => (
                "storage.access_key_id",
                "let this key list the bucket, and get, put and delete objects below the prefix of storage.url",
            ),
            Self::UnknownKey => ("storage.access_key_id", "name a key that the server knows"),
            Self::WrongSecret => ("storage.secret_access_key", "give the secret of storage.access_key_id"),
            Self::Clock => (
                "storage.url",
                "set this machine's clock (or the server's): they may differ by at most 15 minutes",
            ),
            Self::Region => ("storage.region", "name the bucket's own region"),
            Self::NotS3 => ("storage.endpoint", "name a server that speaks S3"),
            Self::Unreachable | Self::Server => return None,
        })
    }
}

impl S3Error {
    /// Classifies `error`; `operation` describes what was tried.
    fn of(error: &Error, operation: String) -> Self {
        let (cause, message) = classify(error);
        Self { cause, operation, message }
    }

    /// The operation timed out.
    pub(super) fn timeout(operation: String) -> Self {
        Self { cause: Cause::Unreachable, operation, message: "no answer in time".to_owned() }
    }

    /// Converts it to an error of the storage.
    pub(super) fn into_error(self) -> Error {
        Error::Generic { store: STORE, source: Box::new(self) }
    }
}

/// Classifies an error of S3. "Not found" stays as it is, unless the bucket is missing.
pub(super) fn classified(error: Error, operation: impl FnOnce() -> String) -> Error {
    let s3_error = match &error {
        Error::NotFound { .. } => match classify(&error) {
            (Cause::NoBucket, message) => S3Error { cause: Cause::NoBucket, operation: operation(), message },
            _ => return error,
        },
        _ => S3Error::of(&error, operation()),
    };
    s3_error.into_error()
}

/// The classified error in an error from [`super::Objects`], if it came from S3.
pub fn of(error: &Error) -> Option<&S3Error> {
    match error {
        Error::Generic { source, .. } => source.downcast_ref(),
        _ => None,
    }
}

/// Whether the storage cannot be reached or reports a failure that does not depend on the
/// operation.
pub fn is_unavailable(error: &Error) -> bool {
    of(error).is_some_and(|s3_error| matches!(s3_error.cause, Cause::Unreachable | Cause::Server))
}

/// Whether any error in the chain says that a disk is full.
pub fn is_disk_full(error: &(dyn std::error::Error + 'static)) -> bool {
    std::iter::successors(Some(error), |error| error.source()).any(|error| {
        error.downcast_ref::<io::Error>().is_some_and(|error| {
            matches!(
                error.kind(),
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::ReadOnlyFilesystem
            )
        })
    })
}

fn classify(error: &Error) -> (Cause, String) {
    let chain = || std::iter::successors(Some(error as &(dyn std::error::Error + 'static)), |e| e.source());
    let text = chain().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    if let Some(code) = element(&text, "Code") {
        let message = element(&text, "Message").unwrap_or_default();
        return (cause_of_code(code), shortened(&format!("the server answered {code}: {message}")));
    }
    let root = chain().last().map(ToString::to_string).unwrap_or_default();
    let http = chain().find_map(|error| error.downcast_ref::<HttpError>()).map(HttpError::kind);
    let (cause, message) = match (http, status(&text)) {
        _ if text.contains("redirect without LOCATION") => {
            (Cause::Region, "the server redirects without naming a location".to_owned())
        }
        (Some(HttpErrorKind::Timeout), _) => (Cause::Unreachable, "no answer in time".to_owned()),
        (Some(HttpErrorKind::Decode), _) | (None, None) => (Cause::NotS3, root),
        (Some(_), _) => (Cause::Unreachable, root),
        (None, Some(status)) => cause_of_status(status),
    };
    (cause, shortened(&message))
}

fn cause_of_status(status: u16) -> (Cause, String) {
    let (cause, more) = match status {
        300..400 => (Cause::Region, " and redirects"),
        403 => (Cause::Forbidden, ""),
        // A proxy in front of the storage responds like this, without S3's XML, and usually
        // not for long.
        408 | 425 | 429 | 500.. => (Cause::Server, ""),
        _ => (Cause::NotS3, ""),
    };
    (cause, format!("the server answered {status}{more}"))
}

fn cause_of_code(code: &str) -> Cause {
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
            Cause::Forbidden
        }
        _ => Cause::Server,
    }
}

/// The content of the first XML element of this name.
fn element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    rest.split_once(&format!("</{name}>")).map(|(inner, _)| inner)
}

/// The status in `object_store`'s message for an unsuccessful response.
fn status(text: &str) -> Option<u16> {
    let (_, rest) = text.split_once("non-2xx status code: ")?;
    rest.get(..3)?.parse().ok()
}

fn shortened(text: &str) -> String {
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match one_line.char_indices().nth(MAX_CHARS) {
        Some((at, _)) => format!("{}…", &one_line[..at]),
        None => one_line,
    }
}
