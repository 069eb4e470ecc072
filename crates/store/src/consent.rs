//! Terms and privacy policy: what was published, and who accepted which version.

use lectern_types::{AccountId, Timestamp};

use crate::{Result, Store, vocabulary::words};

words! {
    /// A document that accounts consent to, in the order in which owed ones are named.
    Document {
        /// The terms of use.
        Terms "terms",
        /// The privacy policy.
        Privacy "privacy",
    }
}

words! {
    /// Whose act an acceptance was.
    AcceptedBy {
        /// The account's owner, in the web application.
        Owner "owner",
        /// The operator, by command.
        Operator "operator",
    }
}

/// The versions now in force; `None` when none was ever published.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Versions {
    /// Of the terms.
    pub terms: Option<String>,
    /// Of the privacy policy.
    pub privacy: Option<String>,
}

/// What is in force and what one account accepted last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Standing {
    /// In force.
    pub current: Versions,
    /// Accepted.
    pub accepted: Versions,
}

impl Standing {
    /// The documents whose current version the account has not accepted, terms before privacy.
    pub fn owed(&self) -> Vec<Document> {
        let owes =
            |current: &Option<String>, accepted: &Option<String>| current.is_some() && current != accepted;
        let mut owed = Vec::new();
        if owes(&self.current.terms, &self.accepted.terms) {
            owed.push(Document::Terms);
        }
        if owes(&self.current.privacy, &self.accepted.privacy) {
            owed.push(Document::Privacy);
        }
        owed
    }
}

/// A published document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Published {
    /// Which document.
    pub document: Document,
    /// Its version, as the operator named it.
    pub version: String,
    /// Its whole text.
    pub body: String,
    /// When it came into force.
    pub published_at: Timestamp,
}

/// How a publication ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PublishOutcome {
    /// It is in force now.
    Published,
    /// A document of this kind and version exists; nothing was changed.
    VersionExists,
}

/// Publishes a document and puts it in force: from now on every account owes it.
pub async fn publish(
    store: &Store,
    document: Document,
    version: &str,
    body: &str,
    now: Timestamp,
) -> Result<PublishOutcome> {
    todo!()
}

/// The versions in force.
pub async fn current(store: &Store) -> Result<Versions> {
    todo!()
}

/// The document in force, with its text.
pub async fn current_document(store: &Store, document: Document) -> Result<Option<Published>> {
    todo!()
}

/// Accepts both current documents for the account; what it now stands at, or `None` when there is no such
/// account.
pub async fn accept_current(
    store: &Store,
    account: AccountId,
    by: AcceptedBy,
    now: Timestamp,
) -> Result<Option<Standing>> {
    todo!()
}

/// How the acceptance of one document ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AcceptOutcome {
    /// Accepted, now or before.
    Accepted,
    /// That version is not the one in force.
    NotCurrent,
    /// There is no such account.
    NoAccount,
}

/// Accepts the version of a document that the owner was shown.
pub async fn accept(
    store: &Store,
    account: AccountId,
    document: Document,
    version: &str,
    by: AcceptedBy,
    now: Timestamp,
) -> Result<AcceptOutcome> {
    todo!()
}
