//! The lexicons that a text is spoken with: those that a request names, or else the account's defaults
//! in the language that is spoken.

use lectern_speech::lexicons::{Entry, Words};
use lectern_store::{Store, keys::Authenticated, lexicons, materials::OwnLexicon};
use lectern_types::{
    ErrorCode, LexiconEntry, LexiconId, LexiconIds, MAX_LEXICON_ENTRIES, MAX_LEXICONS, MaterialId, language,
};
use sha2::{Digest as _, Sha256};

use super::contents::{self, read};
use crate::error::{Error, Result};

/// The most entries of default lexicons that a request uses: as many as the lexicons that a request may name have. Each
/// request reads them, however short its text is.
const MOST_DEFAULT_ENTRIES: usize = MAX_LEXICONS * MAX_LEXICON_ENTRIES;

/// The entries of the lexicons of a request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chosen {
    /// The first lexicon's entries first: of two entries for a word the first one wins.
    entries: Vec<LexiconEntry>,
}

/// Entries in the form in which a conversion copies them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copied {
    digest: String,
    json: String,
}

impl Copied {
    /// The entries in the store's form.
    pub fn stored(&self) -> lexicons::Entries<'_> {
        lexicons::Entries { digest: &self.digest, json: &self.json }
    }
}

/// The lexicons of a request of `caller`, which is spoken in `language`.
///
/// # Errors
/// `lexicon_not_found`.
pub async fn of_request(
    store: &Store,
    caller: &Authenticated,
    ids: Option<&LexiconIds>,
    language: &str,
) -> Result<Chosen> {
    let (account, environment) = (caller.account, caller.key.environment);
    let ids: Vec<LexiconId> = if let Some(LexiconIds(ids)) = ids {
        let known = ids.iter().map(|id| id.ok_or_else(|| ErrorCode::LexiconNotFound.into()));
        known.collect::<Result<_>>()?
    } else {
        let defaults = lexicons::defaults(store, account, environment).await?;
        let own = defaults.into_iter().filter(|own| language::is_same(&own.language, language));
        let mut entries = 0;
        let mut fits = |own: &lexicons::Lexicon| {
            entries += own.entries_count as usize;
            entries <= MOST_DEFAULT_ENTRIES
        };
        own.take_while(|own| fits(own)).map(|own| own.id).collect()
    };
    let mut chosen = Chosen::default();
    for id in ids {
        let json = lexicons::entries(store, account, environment, id).await?;
        chosen.entries.extend(read(&json.ok_or(ErrorCode::LexiconNotFound)?)?);
    }
    Ok(chosen)
}

/// The lexicons of a conversion, which is read in `language`: those of a request, and after them the one
/// that comes with the book, unless the request wants none at all.
///
/// # Errors
/// `lexicon_not_found`.
pub async fn of_conversion(
    store: &Store,
    caller: &Authenticated,
    ids: Option<&LexiconIds>,
    language: &str,
    material: MaterialId,
) -> Result<Chosen> {
    let mut chosen = of_request(store, caller, ids, language).await?;
    let wants_none = ids.is_some_and(|LexiconIds(ids)| ids.is_empty());
    if let Some((own_language, json)) = lexicons::own(store, material).await?
        && !wants_none
        && own_language.is_none_or(|own| language::is_same(&own, language))
    {
        chosen.entries.extend(read(&json)?);
    }
    Ok(chosen)
}

/// The lexicon of a book in the form in which it is stored with it; `None` when no entry can be used.
///
/// # Errors
/// `internal_error` when it cannot be written.
pub fn of_book(files: &[String]) -> Result<Option<OwnLexicon>> {
    let (language, entries) = contents::of_book(files);
    let copied = Chosen { entries }.copied()?;
    Ok(copied.map(|Copied { digest, json }| OwnLexicon { language, digest, json }))
}

/// The entries of a book's own lexicons for a text that is spoken in `language`.
pub fn entries_of_book(files: &[String], language: &str) -> Vec<Entry> {
    let (own, entries) = contents::of_book(files);
    let is_meant = own.is_none_or(|own| language::is_same(&own, language));
    if is_meant { entries.iter().map(contents::spoken).collect() } else { Vec::new() }
}

/// The words of entries that a conversion copied.
///
/// # Errors
/// The store's.
pub fn words_of_copy(json: &str) -> Result<Words> {
    Chosen { entries: read(json)? }.words()
}

impl Chosen {
    /// Whether an entry gives sounds, and not other words.
    pub fn has_pronunciations(&self) -> bool {
        self.entries.iter().any(|entry| entry.alias.is_none())
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entries, ready to be found in a text.
    ///
    /// # Errors
    /// `internal_error` for entries that were not checked.
    pub fn words(&self) -> Result<Words> {
        let entries: Vec<Entry> = self.entries.iter().map(contents::spoken).collect();
        let words = Words::of([entries.as_slice()]);
        words.map_err(|error| Error::Internal(format!("a stored entry is wrong: {error}")))
    }

    /// The entries as a conversion copies them; `None` when there are none.
    ///
    /// # Errors
    /// `internal_error` when they cannot be written.
    pub fn copied(&self) -> Result<Option<Copied>> {
        if self.is_empty() {
            return Ok(None);
        }
        let json = serde_json::to_string(&self.entries)
            .map_err(|error| Error::Internal(format!("entries cannot be written: {error}")))?;
        let digest = hex::encode(Sha256::digest(&json));
        Ok(Some(Copied { digest, json }))
    }
}
