//! What accounts pay with and for: invoices, automatic purchases, prices of amounts; and what they are
//! told by mail.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{
    ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};

use crate::{
    Credits, Field, Wrong, component_fields, request,
    request::{Name, text_schema, whole, word},
    text_enum,
};

text_enum! {
    /// A language of the pages, and of mails and invoices.
    #[derive(ToSchema)]
    PageLanguage {
        /// English.
        En "en",
        /// German.
        De "de",
        /// French.
        Fr "fr",
        /// Spanish.
        Es "es",
        /// Japanese.
        Ja "ja",
    }
}

component_fields! {
    PageLanguage: word;
}

/// The highest number that stands for credits or a sum; far below what an `i64` holds.
const MAX_NUMBER: i64 = 1_000_000_000_000_000;

/// A whole number of at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Positive(pub i64);

impl Positive {
    /// As credits.
    pub const fn credits(self) -> Credits {
        Credits(self.0)
    }
}

impl Field for Positive {
    fn property() -> RefOr<Schema> {
        let number = ObjectBuilder::new().schema_type(Type::Integer);
        let long = utoipa::openapi::KnownFormat::Int64;
        let number = number.format(Some(utoipa::openapi::SchemaFormat::KnownFormat(long)));
        number.minimum(Some(1)).maximum(Some(MAX_NUMBER as f64)).into()
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        whole(&value, 1..=MAX_NUMBER).map(Self)
    }
}

/// The most characters of an address.
const MAX_ADDRESS: usize = 400;

/// The most lines of an address.
const MAX_ADDRESS_LINES: usize = 6;

/// An address in lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostalAddress(pub String);

impl Field for PostalAddress {
    fn property() -> RefOr<Schema> {
        // At most six lines; no other control character than the line feed.
        let pattern = r"^[^\u0000-\u001f\u007f-\u009f]*(\n[^\u0000-\u001f\u007f-\u009f]*){0,5}$";
        text_schema().max_length(Some(MAX_ADDRESS)).pattern(Some(pattern)).into()
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        let text = String::read(value)?;
        let lines = text.split('\n').count();
        let is_plain = !text.chars().any(|c| c.is_control() && c != '\n');
        if is_plain && lines <= MAX_ADDRESS_LINES && text.chars().nth(MAX_ADDRESS).is_none() {
            return Ok(Self(text));
        }
        Err(format!(
            "must be at most {MAX_ADDRESS} characters in {MAX_ADDRESS_LINES} lines, with line feeds between them and no other control character"
        )
        .into())
    }
}

request! {
    /// Whom invoices are made out to.
    #[example({ "name": "Ada Lovelace Ltd", "address": "12 St James's Square\nLondon SW1Y 4JH", "tax_id": "GB123456789" })]
    pub struct BillingDetailsRequest {
        /// A name of 1 to 200 characters.
        pub name: Name<200>,
        /// The address: at most 400 characters in six lines.
        pub address: PostalAddress,
        /// Its tax number, at most 40 characters; none by default.
        pub tax_id: Option<Name<40>>,
    }
}

/// Whom invoices are made out to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BillingDetails {
    /// Null when nobody is named: invoices then show the account's e-mail address.
    pub name: Option<String>,
    /// In lines.
    pub address: Option<String>,
    pub tax_id: Option<String>,
    /// Whether purchases have invoices; otherwise a receipt by mail is all.
    pub has_invoices: bool,
}

/// What an amount of credits costs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CreditPrice {
    pub credits: Credits,
    /// The price in the currency's smallest unit, with its tax.
    pub price_minor: i64,
    /// The currency, an ISO 4217 code in lower case.
    #[schema(example = "eur")]
    pub currency: String,
}

/// The amounts that can be bought besides packs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CustomAmounts {
    pub least: Credits,
    pub most: Credits,
    /// Amounts are multiples of this.
    pub step: Credits,
}

request! {
    /// When credits are bought automatically.
    #[example({ "below": 20_000, "credits": 100_000, "monthly_limit_minor": 2_000 })]
    pub struct TopUpRequest {
        /// Buy when fewer credits than these are available.
        pub below: Positive,
        /// Buy these: a pack's, or an amount that is sold.
        pub credits: Positive,
        /// The most that is spent automatically in a calendar month (UTC), in the currency's smallest unit.
        pub monthly_limit_minor: Positive,
    }
}

/// Automatic purchases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TopUp {
    /// Whether the payment provider keeps cards, without which nothing is bought automatically.
    pub available: bool,
    /// The card that pays, as its owner knows it; null when there is none.
    #[schema(example = "visa 4242")]
    pub card: Option<String>,
    /// Null when nothing is bought automatically.
    pub below: Option<Credits>,
    pub credits: Option<Credits>,
    pub monthly_limit_minor: Option<i64>,
    /// What was spent automatically in this month, in the currency's smallest unit.
    pub spent_minor: i64,
    /// The currency, an ISO 4217 code in lower case.
    #[schema(example = "eur")]
    pub currency: String,
    /// Why nothing is bought although there is a rule: `declined`, `authentication`, `provider`, `unsold` or
    /// `limit`. Setting the rule ends any of them, a new card the first three, and the next month `limit`.
    pub stopped: Option<String>,
}

/// Where the owner leaves a card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CardPage {
    /// The payment provider's page.
    pub url: String,
}

request! {
    /// Changes of preferences. Fields that are left out stay.
    #[example({ "language": "de", "mail_book_ready": false })]
    pub struct PreferencesRequest {
        /// The language of mails and invoices.
        pub language: Option<PageLanguage>,
        /// Whether a mail tells that a book is ready which was converted on the pages and took longer than a minute.
        pub mail_book_ready: Option<bool>,
        /// Whether a mail tells that the credits fell below the threshold.
        pub mail_low_credits: Option<bool>,
    }
}

/// An account's preferences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Preferences {
    /// The language of mails and invoices.
    pub language: PageLanguage,
    /// Whether a mail tells that a book is ready.
    pub mail_book_ready: bool,
    /// Whether a mail tells that the credits fell below the threshold.
    pub mail_low_credits: bool,
}
