//! Errors of the services, independent of HTTP. `lectern_http::envelope` maps them to responses
//! once, in one exhaustive match. The client sees the code, the message and the details; the
//! operator sees the chain of sources, logged once at the edge.

use std::sync::Arc;

use lectern_store::{Environment, Scope};
pub use lectern_types::FieldErrors;
use lectern_types::{EreaderId, ErrorCode, MaterialStatus};

/// The result of a service.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A refusal or failure of a request.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// A refusal that its code describes completely.
    #[error("{0}")]
    Refused(ErrorCode),
    #[error("the request is not valid: {}", .0.0.keys().cloned().collect::<Vec<_>>().join(", "))]
    Invalid(FieldErrors),
    #[error("the account owes consent")]
    ConsentRequired {
        /// `terms`, `privacy` or both, in this order.
        owed: Vec<&'static str>,
        /// The terms now in force.
        terms_version: Option<String>,
        /// The privacy policy now in force.
        privacy_version: Option<String>,
    },
    #[error("the key lacks the scope {required}")]
    InsufficientScope { required: Scope },
    /// A key tried to create a key with more rights than its own.
    #[error("a key asked for more than it has")]
    ScopeEscalation {
        /// The requested scopes.
        requested: Vec<Scope>,
        held: Vec<Scope>,
        /// The requested environment, when the calling key may not create keys in it.
        environment: Option<Environment>,
    },
    #[error("a password does not meet the policy")]
    WeakPassword {
        /// The names of the unmet requirements, in the contract's order.
        requirements: Vec<&'static str>,
    },
    /// The body exceeds its limit.
    #[error("the body is over {max_bytes} bytes")]
    RequestTooLarge { max_bytes: u64 },
    /// An upload exceeds its limit.
    #[error("the file is over {max_bytes} bytes")]
    FileTooLarge {
        /// The limit on a file.
        max_bytes: u64,
    },
    /// An upload is not a document that can be read.
    #[error("the file cannot be read: {reason}")]
    Unreadable {
        /// The stable code for the reason.
        reason: &'static str,
        /// The message for people.
        message: String,
    },
    /// A material's status does not allow the operation.
    #[error("the material is {}", .status.as_str())]
    MaterialNotReady { status: MaterialStatus },
    #[error("the e-reader does not speak {}", .language.as_deref().unwrap_or("the script of the text"))]
    LanguageNotSupported {
        /// The language of the text, where it is known.
        language: Option<String>,
        /// The languages of the e-reader.
        supported: Vec<String>,
    },
    #[error("the material is bound to {ereader}")]
    EreaderLocked {
        /// The e-reader it is bound to.
        ereader: EreaderId,
    },
    #[error("{count} chunks have no audio yet")]
    ChunksNotReady {
        /// The indexes of the first of these chunks.
        indexes: Vec<u32>,
        /// The number of these chunks.
        count: u32,
    },
    /// All chapters of a material are left out.
    #[error("no chapter is included")]
    NoChapterIncluded,
    /// The subscription names an event type that the service does not emit.
    #[error("an event type is not one that the service emits")]
    InvalidEventType,
    /// A page of another origin, according to the browser, tried to sign someone in.
    #[error("a page of another origin would sign somebody in")]
    OriginNotAllowed {
        /// The origin of this service's pages.
        own: String,
    },
    /// The object does not have the requested byte range.
    #[error("the range is outside of {length} bytes")]
    RangeNotSatisfiable {
        /// The object's size in bytes.
        length: u64,
    },
    /// A limit was exceeded.
    #[error("a limit was passed: {limit}")]
    RateLimited {
        /// The name of the limit, for the message.
        limit: &'static str,
        /// Whole seconds until a retry may succeed.
        retry_after_seconds: u64,
    },
    /// Something is full or not ready at the moment.
    #[error("not available now: {what}")]
    Unavailable {
        /// The name of the full or unready part, for the message.
        what: &'static str,
        /// Whole seconds until a retry may succeed.
        retry_after_seconds: u64,
    },
    /// Required parts do not respond.
    #[error("not ready: {}", .0.join(", "))]
    NotReady(Vec<&'static str>),
    #[error("the speech engine failed")]
    Engine(#[source] Arc<dyn std::error::Error + Send + Sync>),
    #[error("the store failed")]
    Store(#[source] Arc<lectern_store::Error>),
    #[error("object storage failed")]
    Objects(#[source] Arc<object_store::Error>),
    /// Any other error that the client cannot fix.
    #[error("{0}")]
    Internal(String),
}

impl Error {
    /// One field, and a sentence that says what is wrong with it.
    pub fn invalid(field: impl Into<String>, sentence: impl Into<String>) -> Self {
        Self::Invalid(FieldErrors::one(field, sentence))
    }
}

impl From<ErrorCode> for Error {
    fn from(code: ErrorCode) -> Self {
        Self::Refused(code)
    }
}

impl From<FieldErrors> for Error {
    fn from(fields: FieldErrors) -> Self {
        Self::Invalid(fields)
    }
}

impl From<lectern_store::Error> for Error {
    fn from(error: lectern_store::Error) -> Self {
        Self::Store(Arc::new(error))
    }
}

impl From<object_store::Error> for Error {
    fn from(error: object_store::Error) -> Self {
        Self::Objects(Arc::new(error))
    }
}

/// An error and its causes on one line.
pub fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}
