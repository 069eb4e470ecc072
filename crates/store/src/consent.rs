//! Terms and privacy policy: the published versions, and who accepted which.

use lectern_types::{AccountId, DocumentKind, Timestamp};

use crate::{
    Result, Store,
    db::{Tx, sql},
    dialect,
    vocabulary::text_enum,
};

text_enum! {
    /// Who accepted a document.
    AcceptedBy {
        /// The account's owner, in the web application.
        Owner "owner",
        /// The operator, by command.
        Operator "operator",
    }
}

/// Who accepts, and from where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Act<'a> {
    pub by: AcceptedBy,
    /// The IP address of an owner.
    pub ip: Option<&'a str>,
}

/// The versions now in force; `None` for a document that was never published.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Versions {
    pub terms: Option<String>,
    /// The version of the privacy policy.
    pub privacy: Option<String>,
}

/// The versions in force, and those that one account accepted last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Standing {
    pub current: Versions,
    pub accepted: Versions,
}

impl Standing {
    /// The documents whose current version the account has not accepted, terms before privacy.
    pub fn owed(&self) -> Vec<DocumentKind> {
        let pairs = [
            (DocumentKind::Terms, &self.current.terms, &self.accepted.terms),
            (DocumentKind::Privacy, &self.current.privacy, &self.accepted.privacy),
        ];
        pairs
            .into_iter()
            .filter(|(_, current, accepted)| current.is_some() && current != accepted)
            .map(|(document, ..)| document)
            .collect()
    }
}

/// A published document.
#[expect(clippy::struct_field_names, reason = "published_at is what the operator's command calls it")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Published {
    pub document: DocumentKind,
    /// Its version, as named by the operator.
    pub version: String,
    pub body: String,
    /// When it came into force.
    pub published_at: Timestamp,
}

/// The outcome of a publication.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PublishOutcome {
    /// It is in force now.
    Published,
    /// A document of this kind and version exists; nothing was changed.
    VersionExists,
}

/// Publishes a document and puts it in force: from now on every account must accept it.
pub async fn publish(
    store: &Store,
    document: DocumentKind,
    version: &str,
    body: &str,
    now: Timestamp,
) -> Result<PublishOutcome> {
    let mut tx = store.begin().await?;
    let added = tx
        .run(sql!(
            "INSERT INTO consent_documents (document, version, body, published_at) VALUES ($1, $2, $3, $4)
             ON CONFLICT (document, version) DO NOTHING",
            document,
            version,
            body,
            now
        ))
        .await?;
    if added == 0 {
        return Ok(PublishOutcome::VersionExists);
    }
    tx.run(sql!(
        "INSERT INTO consent_current (document, version) VALUES ($1, $2)
         ON CONFLICT (document) DO UPDATE SET version = excluded.version",
        document,
        version
    ))
    .await?;
    tx.commit().await?;
    Ok(PublishOutcome::Published)
}

const CURRENT: &str = "SELECT document, version FROM consent_current";

fn read_versions(rows: &[crate::db::Row]) -> Result<Versions> {
    let mut versions = Versions::default();
    for row in rows {
        match row.get("document")? {
            DocumentKind::Terms => versions.terms = row.get("version")?,
            DocumentKind::Privacy => versions.privacy = row.get("version")?,
        }
    }
    Ok(versions)
}

/// The versions in force.
pub async fn current(store: &Store) -> Result<Versions> {
    read_versions(&store.all(sql!(CURRENT)).await?)
}

/// The document in force, with its text.
pub async fn current_document(store: &Store, document: DocumentKind) -> Result<Option<Published>> {
    let row = store
        .one(sql!(
            "SELECT d.version, d.body, d.published_at FROM consent_current c
             JOIN consent_documents d ON d.document = c.document AND d.version = c.version
             WHERE c.document = $1",
            document
        ))
        .await?;
    row.map(|row| {
        Ok(Published {
            document,
            version: row.get("version")?,
            body: row.get("body")?,
            published_at: row.get("published_at")?,
        })
    })
    .transpose()
}

/// The text of a published version.
pub async fn text(store: &Store, document: DocumentKind, version: &str) -> Result<Option<String>> {
    let row = store
        .one(sql!(
            "SELECT body FROM consent_documents WHERE document = $1 AND version = $2",
            document,
            version
        ))
        .await?;
    row.map(|row| row.scalar()).transpose()
}

/// When, by whom and from where a version was accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acceptance {
    /// Who accepted it.
    pub by: AcceptedBy,
    pub at: Timestamp,
    /// The owner's IP address.
    pub ip: Option<String>,
}

/// The account's acceptance of a version.
pub async fn acceptance(
    store: &Store,
    account: AccountId,
    document: DocumentKind,
    version: &str,
) -> Result<Option<Acceptance>> {
    let row = store
        .one(sql!(
            "SELECT accepted_by, accepted_at, ip FROM consent_acceptances
             WHERE account_id = $1 AND document = $2 AND version = $3",
            account,
            document,
            version
        ))
        .await?;
    row.map(|row| {
        Ok(Acceptance { by: row.get("accepted_by")?, at: row.get("accepted_at")?, ip: row.get("ip")? })
    })
    .transpose()
}

/// Accepts both current documents for the account. Returns its new consent state, or `None` when
/// there is no such account.
pub async fn accept_current(
    store: &Store,
    account: AccountId,
    by: AcceptedBy,
    now: Timestamp,
) -> Result<Option<Standing>> {
    let mut tx = store.begin().await?;
    if tx.one(sql!(dialect::lock_account(tx.backend()), account)).await?.is_none() {
        return Ok(None);
    }
    let standing = accept_current_in(&mut tx, account, by, now).await?;
    tx.commit().await?;
    Ok(Some(standing))
}

/// [`accept_current`], inside a caller's transaction.
pub(crate) async fn accept_current_in(
    tx: &mut Tx,
    account: AccountId,
    by: AcceptedBy,
    now: Timestamp,
) -> Result<Standing> {
    let current = read_versions(&tx.all(sql!(CURRENT)).await?)?;
    for (document, version) in
        [(DocumentKind::Terms, &current.terms), (DocumentKind::Privacy, &current.privacy)]
    {
        if let Some(version) = version {
            note(tx, account, document, version, Act { by, ip: None }, now).await?;
        }
    }
    let row = tx
        .one(sql!(
            "SELECT terms_accepted_version, privacy_accepted_version FROM accounts WHERE id = $1",
            account
        ))
        .await?;
    let accepted = row.map_or(Ok(Versions::default()), |row| {
        let (terms, privacy) = row.pair("terms_accepted_version", "privacy_accepted_version")?;
        Ok::<_, crate::Error>(Versions { terms, privacy })
    })?;
    Ok(Standing { current, accepted })
}

/// Records an acceptance: in the history, and as the account's last.
async fn note(
    tx: &mut Tx,
    account: AccountId,
    document: DocumentKind,
    version: &str,
    act: Act<'_>,
    now: Timestamp,
) -> Result<()> {
    tx.run(sql!(
        "INSERT INTO consent_acceptances (account_id, document, version, accepted_by, accepted_at, ip)
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (account_id, document, version) DO NOTHING",
        account,
        document,
        version,
        act.by,
        now,
        act.ip
    ))
    .await?;
    let last = match document {
        DocumentKind::Terms => {
            "UPDATE accounts SET terms_accepted_version = $2, updated_at = $3 WHERE id = $1"
        }
        DocumentKind::Privacy => {
            "UPDATE accounts SET privacy_accepted_version = $2, updated_at = $3 WHERE id = $1"
        }
    };
    tx.run(sql!(last, account, version, now)).await?;
    Ok(())
}

/// The outcome of accepting one document.
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
    document: DocumentKind,
    version: &str,
    by: Act<'_>,
    now: Timestamp,
) -> Result<AcceptOutcome> {
    let mut tx = store.begin().await?;
    if tx.one(sql!(dialect::lock_account(tx.backend()), account)).await?.is_none() {
        return Ok(AcceptOutcome::NoAccount);
    }
    let current = read_versions(&tx.all(sql!(CURRENT)).await?)?;
    let current = match document {
        DocumentKind::Terms => current.terms,
        DocumentKind::Privacy => current.privacy,
    };
    if current.as_deref() != Some(version) {
        return Ok(AcceptOutcome::NotCurrent);
    }
    note(&mut tx, account, document, version, by, now).await?;
    tx.commit().await?;
    Ok(AcceptOutcome::Accepted)
}
