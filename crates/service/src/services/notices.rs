//! Mails that tell accounts something: a book is ready, few credits are left, a purchase was paid,
//! automatic purchases have stopped. One tells the operator that a purchase waits for approval. The change
//! itself leaves a notice; here the notice becomes a letter, with what is true by then. Accounts get it in
//! their own language, the operator in English.

use std::collections::BTreeMap;

use lectern_store::{
    Environment, accounts,
    accounts::Account,
    ledger,
    mails::MailKind,
    materials,
    notices::{self as stored, Notice, NoticeKind},
    preferences::{self, Preferences},
    purchases::{self, Purchase},
    top_ups,
};
use lectern_types::{MaterialId, MaterialStatus, PageLanguage, PurchaseId};

use crate::{
    base::Base,
    branding,
    config::Support,
    error::Result,
    mail::letters::{self, Letter, Sender, figures},
    services::{billing::payments::top_up, mailing::Sealed},
};

/// The notices that one round writes.
const BATCH_SIZE: u32 = 20;

/// Seconds until a mail that could not be written is tried again.
const POSTPONED_SECONDS: i64 = 10 * 60;

/// For how long a letter is worth sending.
const VALID_SECONDS: i64 = 3 * 24 * 60 * 60;

/// Writes the mails of the notices that are due, for the mail worker; links lead to `public_url`.
///
/// # Errors
/// The store's.
pub async fn write_due(base: &Base, public_url: &str) -> Result<()> {
    let now = base.clock.now();
    for notice in stored::due(&base.store, now, BATCH_SIZE).await? {
        if let Err(error) = settle(base, public_url, &notice).await {
            // The others must not wait for this one.
            tracing::error!(error = %error, account.id = %notice.account, notice.kind = %notice.kind, "a mail could not be written");
            stored::postpone(&base.store, &notice, now.plus_seconds(POSTPONED_SECONDS)).await?;
        }
    }
    Ok(())
}

/// Replaces a notice by its mail.
async fn settle(base: &Base, public_url: &str, notice: &Notice) -> Result<()> {
    let sealed = match write(base, public_url, notice).await? {
        Some((kind, mail)) => Some(Sealed::for_worker(base, kind, mail, VALID_SECONDS)?),
        None => None,
    };
    let row = sealed.as_ref().map(Sealed::row);
    stored::settle(&base.store, notice, row.as_ref(), base.clock.now()).await?;
    Ok(())
}

/// The account that a mail is about, and the language of the mail.
struct Reader<'a> {
    base: &'a Base,
    public_url: &'a str,
    account: Account,
    preferences: Preferences,
    language: PageLanguage,
}

/// The mail of a notice; `None` when there is nothing to say any more.
async fn write(
    base: &Base,
    public_url: &str,
    notice: &Notice,
) -> Result<Option<(MailKind, crate::mail::Mail)>> {
    let Some(account) = accounts::find(&base.store, notice.account).await? else { return Ok(None) };
    let preferences = preferences::get(&base.store, notice.account).await?;
    let brand = &base.config.brand;
    let (address, language) = match (notice.kind, &brand.support) {
        (NoticeKind::PurchaseRequested, Some(Support::Email(address))) => (address.clone(), PageLanguage::En),
        // Nobody knows where the operator reads mail.
        (NoticeKind::PurchaseRequested, _) => return Ok(None),
        _ => (account.email.clone(), preferences.language.unwrap_or(PageLanguage::En)),
    };
    let reader = Reader { base, public_url, account, preferences, language };
    let (kind, letter) = match notice.kind {
        NoticeKind::BookReady => (MailKind::BookReady, reader.book(&notice.subject).await?),
        NoticeKind::LowCredits => (MailKind::LowCredits, reader.low_credits().await?),
        NoticeKind::Receipt => (MailKind::Receipt, reader.receipt(&notice.subject).await?),
        NoticeKind::TopUpStopped => (MailKind::TopUpStopped, reader.top_up_stopped().await?),
        NoticeKind::PurchaseRequested => (MailKind::PurchaseRequested, reader.purchase_requested().await?),
    };
    let Some(letter) = letter else { return Ok(None) };
    let colors = brand.color.map(branding::on_light);
    let colors = colors.map(|(accent, text)| (accent.to_string(), text.to_string()));
    let standard = Sender::default();
    let sender = Sender {
        service: &brand.name,
        color: colors.as_ref().map_or(standard.color, |(accent, _)| accent),
        text_color: colors.as_ref().map_or(standard.text_color, |(_, text)| text),
        support: brand.support.as_ref().map(Support::text),
    };
    Ok(Some((kind, letters::write(&letter, language, &address, sender)?)))
}

impl Reader<'_> {
    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.public_url)
    }

    fn settings(&self) -> String {
        self.url("/settings")
    }

    fn number(&self, value: i64) -> String {
        figures::number(self.language, value)
    }

    /// A book whose conversion has ended.
    async fn book(&self, subject: &str) -> Result<Option<Letter>> {
        let Ok(id) = subject.parse::<MaterialId>() else { return Ok(None) };
        if !self.preferences.mail_book_ready {
            return Ok(None);
        }
        let found = materials::find(&self.base.store, self.account.id, Environment::Live, id).await?;
        let Some(book) = found else { return Ok(None) };
        let url = self.url(&format!("/books/{id}"));
        let mut values = BTreeMap::from([("title", book.title.clone())]);
        let name = match book.status {
            MaterialStatus::Completed => {
                values.insert(
                    "duration",
                    figures::duration(self.language, book.whole_duration_ms().unwrap_or_default()),
                );
                "book_ready"
            }
            MaterialStatus::PartiallyFailed => {
                values.insert("failed", self.number(i64::from(book.chunks_failed)));
                "book_failed"
            }
            // It goes on: its end will be told.
            _ => return Ok(None),
        };
        Ok(Some(Letter {
            name,
            values,
            reason: None,
            rows: Vec::new(),
            url: Some(url),
            settings_url: Some(self.settings()),
        }))
    }

    /// Credits that are below the account's threshold.
    async fn low_credits(&self) -> Result<Option<Letter>> {
        let store = &self.base.store;
        let threshold = ledger::low_threshold(store, self.account.id).await?;
        let balance = ledger::balance(store, self.account.id).await?;
        let (Some(threshold), Some(balance)) = (threshold, balance) else { return Ok(None) };
        let available = balance.available();
        if available >= threshold {
            return Ok(None);
        }
        let rows = vec![("available", self.number(available.0)), ("threshold", self.number(threshold.0))];
        Ok(Some(Letter {
            name: "low_credits",
            values: BTreeMap::new(),
            reason: None,
            rows,
            url: Some(self.url("/credits")),
            settings_url: Some(self.settings()),
        }))
    }

    /// A purchase that was paid.
    async fn receipt(&self, subject: &str) -> Result<Option<Letter>> {
        let Ok(id) = subject.parse::<PurchaseId>() else { return Ok(None) };
        let Some(purchase) = purchases::find(&self.base.store, self.account.id, id).await? else {
            return Ok(None);
        };
        let credits = self.number(purchase.credits.0);
        let mut rows = vec![
            ("credits", credits.clone()),
            ("price", figures::money(self.language, purchase.price_minor, &purchase.currency)),
            ("date", figures::date(self.language, purchase.paid_at.unwrap_or(purchase.created_at))),
            ("purchase", purchase.id.to_string()),
        ];
        rows.extend(purchase.invoice.map(|invoice| ("invoice", invoice)));
        Ok(Some(Letter {
            name: "receipt",
            values: BTreeMap::from([("credits", credits)]),
            reason: None,
            rows,
            url: Some(self.url("/credits")),
            settings_url: None,
        }))
    }

    /// Purchases that wait for the operator's approval.
    async fn purchase_requested(&self) -> Result<Option<Letter>> {
        let waiting = purchases::waiting(&self.base.store, self.account.id).await?;
        if waiting.is_empty() {
            return Ok(None);
        }
        let row = |purchase: &Purchase| {
            let price = figures::money(self.language, purchase.price_minor, &purchase.currency);
            let day = figures::date(self.language, purchase.created_at);
            let credits = self.number(purchase.credits.0);
            ("purchase", format!("{}: {credits} credits, {price}, {day}", purchase.id))
        };
        Ok(Some(Letter {
            name: "purchase_requested",
            values: BTreeMap::from([("account", self.account.email.clone())]),
            reason: None,
            rows: waiting.iter().map(row).collect(),
            url: None,
            settings_url: None,
        }))
    }

    /// Automatic purchases that have stopped.
    async fn top_up_stopped(&self) -> Result<Option<Letter>> {
        let top_up = top_ups::get(&self.base.store, self.account.id).await?;
        let (Some(rule), Some(reason)) = (top_up.rule, top_up.stopped) else { return Ok(None) };
        // A limit ends by itself, with the month.
        let name = if reason == top_up::LIMIT { "top_up_limit" } else { "top_up_stopped" };
        Ok(Some(Letter {
            name,
            values: BTreeMap::from([("credits", self.number(rule.credits.0))]),
            reason: Some(reason),
            rows: Vec::new(),
            url: Some(self.url("/credits")),
            settings_url: None,
        }))
    }
}
