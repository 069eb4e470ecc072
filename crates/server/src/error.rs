//! What can go wrong in the services, free of HTTP. [`crate::http::envelope`] maps it to a response, once, in one
//! exhaustive match. What the client sees is the code, the message and the details; what the operator sees is
//! the chain of sources, logged once at the edge.

use std::{collections::BTreeMap, sync::Arc};

use lectern_store::{Environment, Scope};
use lectern_types::{EreaderId, ErrorCode, MaterialStatus};

/// The server's results.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Which fields of a request are wrong, and what is wrong with each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FieldErrors(pub BTreeMap<String, String>);

impl FieldErrors {
    /// One field and a sentence on what is wrong with it.
    pub fn one(field: impl Into<String>, sentence: impl Into<String>) -> Self {
        Self(BTreeMap::from([(field.into(), sentence.into())]))
    }

    /// Adds a field; the first thing said about a field stays.
    pub fn add(&mut self, field: impl Into<String>, sentence: impl Into<String>) {
        self.0.entry(field.into()).or_insert_with(|| sentence.into());
    }

    /// `Err` when a field is wrong.
    pub fn into_result(self) -> Result<()> {
        if self.0.is_empty() { Ok(()) } else { Err(Error::Invalid(self)) }
    }
}

/// Why a request was refused or failed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// A refusal about which its code says everything.
    #[error("{0}")]
    Refused(ErrorCode),
    /// Fields of the request are wrong.
    #[error("the request is not valid: {}", .0.0.keys().cloned().collect::<Vec<_>>().join(", "))]
    Invalid(FieldErrors),
    /// The account owes consent.
    #[error("the account owes consent")]
    ConsentRequired {
        /// `terms`, `privacy` or both, in this order.
        owed: Vec<&'static str>,
        /// The terms now in force.
        terms_version: Option<String>,
        /// The privacy policy now in force.
        privacy_version: Option<String>,
    },
    /// The key lacks a scope.
    #[error("the key lacks the scope {required}")]
    InsufficientScope {
        /// The scope wanted.
        required: Scope,
    },
    /// A key asked for another with more than it has itself.
    #[error("a key asked for more than it has")]
    ScopeEscalation {
        /// The scopes asked for.
        requested: Vec<Scope>,
        /// The calling key's.
        held: Vec<Scope>,
        /// The environment asked for, when the calling key cannot make keys of it.
        environment: Option<Environment>,
    },
    /// A password does not meet the policy.
    #[error("a password does not meet the policy")]
    WeakPassword {
        /// The names of the requirements not met, in the contract's order.
        requirements: Vec<&'static str>,
    },
    /// The body is over its cap.
    #[error("the body is over {max_bytes} bytes")]
    RequestTooLarge {
        /// The cap.
        max_bytes: u64,
    },
    /// An upload is over its cap.
    #[error("the file is over {max_bytes} bytes")]
    FileTooLarge {
        /// The cap of a file.
        max_bytes: u64,
    },
    /// An upload is nothing that can be read.
    #[error("the file cannot be read: {reason}")]
    Unreadable {
        /// The stable word for why.
        reason: &'static str,
        /// The sentence for people.
        message: String,
    },
    /// A material's status does not allow what was asked for.
    #[error("the material is {}", .status.as_str())]
    MaterialNotReady {
        /// Its status.
        status: MaterialStatus,
    },
    /// The e-reader does not speak the language of a text.
    #[error("the e-reader does not speak {}", .language.as_deref().unwrap_or("the script of the text"))]
    LanguageNotSupported {
        /// The language of the text, where it is known.
        language: Option<String>,
        /// The languages of the e-reader.
        supported: Vec<String>,
    },
    /// A material is bound to another e-reader.
    #[error("the material is bound to {ereader}")]
    EreaderLocked {
        /// The one it is bound to.
        ereader: EreaderId,
    },
    /// Chunks of a whole book have no audio yet.
    #[error("{count} chunks have no audio yet")]
    ChunksNotReady {
        /// The first of them.
        indexes: Vec<u32>,
        /// How many they are.
        count: u32,
    },
    /// An event type that the service does not emit.
    #[error("an event type is not one that the service emits")]
    InvalidEventType,
    /// A page that is not this service's own, as far as the browser says, would sign somebody in.
    #[error("a page of another origin would sign somebody in")]
    OriginNotAllowed {
        /// Where this service's pages are.
        own: String,
    },
    /// A byte range that the object does not have.
    #[error("the range is outside of {length} bytes")]
    RangeNotSatisfiable {
        /// The object's size in bytes.
        length: u64,
    },
    /// A limit was passed.
    #[error("a limit was passed: {limit}")]
    RateLimited {
        /// Which, for the message.
        limit: &'static str,
        /// Whole seconds until trying again may succeed.
        retry_after_seconds: u64,
    },
    /// Something is full, or not ready, for the moment.
    #[error("not available now: {what}")]
    Unavailable {
        /// What, for the message.
        what: &'static str,
        /// Whole seconds until trying again may succeed.
        retry_after_seconds: u64,
    },
    /// Parts without which nothing can be served do not answer.
    #[error("not ready: {}", .0.join(", "))]
    NotReady(Vec<&'static str>),
    /// The speech engine failed.
    #[error("the speech engine failed")]
    Engine(#[source] Arc<dyn std::error::Error + Send + Sync>),
    /// The store failed.
    #[error("the store failed")]
    Store(#[source] Arc<lectern_store::Error>),
    /// Object storage failed.
    #[error("object storage failed")]
    Objects(#[source] Arc<object_store::Error>),
    /// Anything else that the client cannot mend.
    #[error("{0}")]
    Internal(String),
}

impl Error {
    /// One field and a sentence on what is wrong with it.
    pub fn invalid(field: impl Into<String>, sentence: impl Into<String>) -> Self {
        Self::Invalid(FieldErrors::one(field, sentence))
    }
}

impl From<ErrorCode> for Error {
    fn from(code: ErrorCode) -> Self {
        Self::Refused(code)
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

/// An error and its causes in one line.
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
