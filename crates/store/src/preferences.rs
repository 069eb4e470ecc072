//! What an account prefers: the language of its mails and invoices, and which mails it wants.

use lectern_types::{AccountId, PageLanguage};

use crate::{Result, Store, db::sql};

/// An account's preferences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preferences {
    /// `None`: English, until a sign-in says something else.
    pub language: Option<PageLanguage>,
    /// Whether it wants a mail when a book that it converts on the pages is ready.
    pub mail_book_ready: bool,
    /// Whether it wants a mail when its credits fall below its threshold.
    pub mail_low_credits: bool,
}

impl Default for Preferences {
    fn default() -> Self {
        Self { language: None, mail_book_ready: true, mail_low_credits: true }
    }
}

/// The account's preferences.
pub async fn get(store: &Store, account: AccountId) -> Result<Preferences> {
    let row = store
        .one(sql!(
            "SELECT language, mail_book_ready, mail_low_credits FROM account_preferences WHERE account_id = $1",
            account
        ))
        .await?;
    let Some(row) = row else { return Ok(Preferences::default()) };
    Ok(Preferences {
        language: row.get("language")?,
        mail_book_ready: row.get("mail_book_ready")?,
        mail_low_credits: row.get("mail_low_credits")?,
    })
}

/// Changes of preferences; `None` leaves one as it is.
#[derive(Debug, Clone, Copy, Default)]
pub struct Change {
    pub language: Option<PageLanguage>,
    pub mail_book_ready: Option<bool>,
    pub mail_low_credits: Option<bool>,
}

/// Changes the account's preferences.
pub async fn change(store: &Store, account: AccountId, change: Change) -> Result<()> {
    let Change { language, mail_book_ready, mail_low_credits } = change;
    store
        .run(sql!(
            "INSERT INTO account_preferences (account_id, language, mail_book_ready, mail_low_credits)
             VALUES ($1, $2, COALESCE(CAST($3 AS BIGINT), 1), COALESCE(CAST($4 AS BIGINT), 1))
             ON CONFLICT (account_id) DO UPDATE SET
                 language = COALESCE(CAST($2 AS TEXT), account_preferences.language),
                 mail_book_ready = COALESCE(CAST($3 AS BIGINT), account_preferences.mail_book_ready),
                 mail_low_credits = COALESCE(CAST($4 AS BIGINT), account_preferences.mail_low_credits)",
            account,
            language,
            mail_book_ready,
            mail_low_credits
        ))
        .await?;
    Ok(())
}

/// Sets the language of an account that has none yet.
pub async fn suggest_language(store: &Store, account: AccountId, language: PageLanguage) -> Result<()> {
    store
        .run(sql!(
            "INSERT INTO account_preferences (account_id, language) VALUES ($1, $2)
             ON CONFLICT (account_id) DO UPDATE SET language = excluded.language
             WHERE account_preferences.language IS NULL",
            account,
            language
        ))
        .await?;
    Ok(())
}
