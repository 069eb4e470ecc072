//! Requests and responses of the web application's own routes, `/v1/bff`.

use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{
    ToSchema,
    openapi::{RefOr, Schema},
};

use crate::{
    AccountId, AudioFormat, Balance, Credits, CustomAmounts, EmailAddress, EreaderId, Field, KeyId,
    MAX_PASSWORD, MaterialId, NewPassword, Password, Positive, Profile, PurchaseId, SessionId, SynthesisId,
    TextType, Timestamp, TransactionId, Wrong, request,
    request::{Components, component, or_null, reference, whole},
    text_enum,
};

/// The highest threshold; far below what an `i64` holds.
const MAX_THRESHOLD: i64 = 1_000_000_000_000_000;

/// A new session in a browser. Its token is in a cookie that scripts cannot read.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WebLogin {
    /// When it expires.
    pub expires_at: Timestamp,
    /// The value of `X-Lectern-CSRF`, required with every change as long as the session lasts.
    pub csrf_token: String,
    /// The account.
    pub account: Profile,
}

/// The signed-in account and what the pages need first.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WebMe {
    /// The account.
    pub account: Profile,
    /// The session.
    pub session: WebSession,
    /// The value of `X-Lectern-CSRF`, required with every change.
    pub csrf_token: String,
    /// The documents whose current version the account has not accepted, `terms` before `privacy`.
    pub owed: Vec<DocumentKind>,
    /// The largest file that can be uploaded, in bytes.
    pub max_file_bytes: u64,
    /// Whether pictures of pages can be uploaded, whose text is recognized.
    pub reads_pictures: bool,
}

/// A session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WebSession {
    pub id: SessionId,
    /// When it started.
    pub created_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
    /// The IP address of the sign-in.
    pub ip: Option<String>,
    /// The browser's user agent.
    pub user_agent: Option<String>,
    /// Whether it is the session of the request.
    pub current: bool,
}

/// A text that was spoken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HistoryEntry {
    /// The synthesis, as the ledger's `reference` names it.
    pub id: SynthesisId,
    pub created_at: Timestamp,
    /// The voice.
    pub ereader_id: EreaderId,
    /// The key that asked; the web application has one of its own.
    pub key_id: KeyId,
    /// The text as it was sent; null when it is not kept any more.
    pub text: Option<String>,
    pub text_type: Option<TextType>,
    /// When the text is forgotten.
    pub text_expires_at: Option<Timestamp>,
    pub characters: u32,
    pub credits_charged: Credits,
    pub format: AudioFormat,
    pub sample_rate_hz: u32,
    pub duration_ms: u32,
    /// A signed URL of the audio; null when the audio is not kept any more, or never was, as that of a key's streams
    /// without an `Idempotency-Key`.
    pub audio_url: Option<String>,
    /// When the audio is deleted.
    pub audio_expires_at: Option<Timestamp>,
}

/// All live sessions of an account, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WebSessions {
    /// The sessions.
    pub data: Vec<WebSession>,
}

/// An ended session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SessionRevoked {
    pub id: SessionId,
    /// The result.
    pub status: SessionStatus,
}

/// The result for a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SessionStatus {
    /// The session has ended.
    Revoked,
}

request! {
    /// An invitation to check.
    #[example({ "invite_token": "inv_0123456789abcdef" })]
    pub struct InvitationRequest {
        /// The token.
        pub invite_token: SecretString,
    }
}

/// A valid invitation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Invitation {
    /// The invited address.
    #[schema(example = "ada@example.com")]
    pub email: String,
}

/// Who may register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RegistrationPolicy {
    /// Whether anyone may register; otherwise an invitation is needed.
    pub open: bool,
}

request! {
    /// A password to check.
    #[example({ "password": "correct horse", "email": "ada@example.com" })]
    pub struct PasswordCheckRequest {
        /// The password.
        pub password: Password<0, MAX_PASSWORD>,
        /// The address of the account it would be for.
        pub email: Option<EmailAddress>,
    }
}

/// The quality of a password.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PasswordCheck {
    /// The requirements it does not meet: any of `min_length_12`, `not_common`, `strength` and
    /// `not_email`.
    pub requirements: Vec<String>,
    /// How hard it is to guess, 0 to 4.
    #[schema(minimum = 0, maximum = 4)]
    pub score: u8,
}

request! {
    /// A password change by a signed-in user.
    pub struct ChangePasswordRequest {
        /// The current password.
        pub current_password: Password,
        /// The new password, under the rules of registration.
        pub password: NewPassword,
    }
}

/// The result for a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PasswordChangedStatus {
    /// The password is changed.
    PasswordChanged,
}

/// A changed password. All other sessions of the account have ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PasswordChanged {
    /// The result.
    pub status: PasswordChangedStatus,
}

text_enum! {
    /// A legal document that accounts accept.
    #[derive(ToSchema)]
    DocumentKind {
        /// The terms of use.
        Terms "terms",
        /// The privacy policy.
        Privacy "privacy",
    }
}

/// The document in force, and the account's consent to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ConsentDocument {
    /// Which document.
    pub kind: DocumentKind,
    pub version: String,
    pub published_at: Timestamp,
    /// The whole text in Markdown.
    pub text: String,
    /// Whether the account has yet to accept it.
    pub owed: bool,
    /// The version that the account accepted last.
    pub accepted_version: Option<String>,
    /// The text of that version, if it is not the one in force.
    pub accepted_text: Option<String>,
    /// When the account accepted the version in force.
    pub accepted_at: Option<Timestamp>,
}

/// The documents in force, terms before privacy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ConsentDocuments {
    /// The published documents.
    pub data: Vec<ConsentDocument>,
    /// The kinds that the account has yet to accept.
    pub owed: Vec<DocumentKind>,
}

request! {
    /// The versions that the owner was shown and accepts; each must be the one in force.
    #[example({ "terms_version": "2026-11-21" })]
    pub struct AcceptRequest {
        /// The version of the terms.
        pub terms_version: Option<String>,
        /// The version of the privacy policy.
        pub privacy_version: Option<String>,
    }
}

/// The usage of an e-reader on a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DayUsage {
    /// The day (UTC).
    #[schema(example = "2026-11-21")]
    pub day: String,
    /// The e-reader.
    pub ereader_id: EreaderId,
    /// Characters spoken.
    pub characters: i64,
    /// Credits charged.
    pub credits: Credits,
}

/// A recent synthesis or conversion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Activity {
    /// The id of the synthesis, or of the material.
    pub id: String,
    /// The last time.
    pub at: Timestamp,
    /// The e-reader.
    pub ereader_id: EreaderId,
    /// The material's title; null for a synthesis.
    pub title: Option<String>,
    /// Characters spoken.
    pub characters: i64,
    /// Credits charged.
    pub credits: Credits,
    /// Syntheses and chunks.
    pub requests: i64,
}

/// An overview of an account in one environment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Overview {
    /// The balance, the same in both environments.
    pub balance: Balance,
    /// The first day.
    pub from: Timestamp,
    /// The last day.
    pub to: Timestamp,
    /// The usage of the last 30 days by day and e-reader, without days of no usage.
    pub usage: Vec<DayUsage>,
    /// Up to 10 recent activities, the latest first.
    pub recent: Vec<Activity>,
}

text_enum! {
    /// The kind of a statement line.
    #[derive(ToSchema)]
    StatementKind {
        /// All charges for one material.
        Book "book",
        /// All charges for speech on one day (UTC).
        Speech "speech",
        /// One purchase.
        Purchase "purchase",
        /// A grant by the operator.
        Grant "grant",
        /// A refund.
        Refund "refund",
    }
}

/// A line of the statement, which sums up changes of the balance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StatementLine {
    pub kind: StatementKind,
    /// The last time.
    pub at: Timestamp,
    /// The signed sum of the credits.
    pub credits: Credits,
    /// The number of ledger rows in it.
    pub entries: i64,
    /// The material, for a book.
    pub material_id: Option<MaterialId>,
    /// The material's title; null if it was deleted.
    pub title: Option<String>,
    /// The operator's note on a grant or a refund; null on other lines.
    pub note: Option<String>,
}

/// The cost of a part of a book.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StatementPart {
    pub index: u32,
    /// The chapter's title; null if it has none.
    pub title: Option<String>,
    /// Characters spoken.
    pub characters: i64,
    /// Credits charged.
    pub credits: Credits,
    pub at: Timestamp,
}

/// The cost of each part of a book, in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StatementParts {
    /// The charged parts.
    pub data: Vec<StatementPart>,
}

/// A number of credits, or null for never.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Threshold(pub Option<Credits>);

impl Field for Threshold {
    fn property() -> RefOr<Schema> {
        or_null(reference::<Credits>())
    }

    fn components(all: &mut Components) {
        component::<Credits>(all);
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        let credits = whole(&value, 1..=MAX_THRESHOLD).ok().map(Credits);
        if value.is_null() || credits.is_some() { Ok(Self(credits)) } else { Self::absent() }
    }

    fn absent() -> Result<Self, Wrong> {
        Err(format!("must be null or a whole number from 1 to {MAX_THRESHOLD}").into())
    }
}

request! {
    /// When an account is warned of low credits.
    #[derive(Clone, Copy, Serialize)]
    #[example({ "threshold": 10_000 })]
    pub struct LowBalance {
        /// Warn below this number of available credits; null for never.
        pub threshold: Threshold,
    }
}

/// A pack of credits for sale.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Pack {
    #[schema(example = "100000")]
    pub id: String,
    /// The credits in it.
    pub credits: Credits,
    /// The price in the currency's smallest unit.
    pub price_minor: i64,
    /// The currency, an ISO 4217 code in lower case.
    #[schema(example = "eur")]
    pub currency: String,
}

text_enum! {
    /// The payment provider.
    #[derive(ToSchema)]
    PaymentProvider {
        /// The operator approves each purchase.
        Manual "manual",
        /// Stripe Checkout.
        Stripe "stripe",
    }
}

/// The packs for sale and the payment provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Packs {
    /// The packs.
    pub data: Vec<Pack>,
    /// The payment provider.
    pub provider: PaymentProvider,
    /// The amounts that can be bought besides; null when only packs are sold.
    pub custom: Option<CustomAmounts>,
}

request! {
    /// What to buy: a pack or an amount.
    #[example({ "pack_id": "100000" })]
    pub struct PurchaseRequest {
        /// The pack's id.
        pub pack_id: Option<String>,
        /// An amount as `custom` of the packs describes it, or a pack's.
        pub credits: Option<Positive>,
    }
}

text_enum! {
    /// The status of a purchase.
    #[derive(ToSchema)]
    PurchaseStatus {
        /// Not paid yet.
        Pending "pending",
        /// Paid, and the credits are booked.
        Paid "paid",
        /// The payment was refused.
        Declined "declined",
        /// Canceled or timed out.
        Expired "expired",
    }
}

/// A purchase of credits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Purchase {
    pub id: PurchaseId,
    /// The account that pays.
    pub account_id: AccountId,
    pub status: PurchaseStatus,
    /// The payment provider.
    pub provider: PaymentProvider,
    /// The credits in it.
    pub credits: Credits,
    /// The price in the currency's smallest unit.
    pub price_minor: i64,
    /// The currency, an ISO 4217 code in lower case.
    #[schema(example = "eur")]
    pub currency: String,
    /// Its row in the ledger.
    pub transaction_id: Option<TransactionId>,
    /// Whether it was made because few credits were left.
    pub automatic: bool,
    /// The number of its invoice; null when it has none.
    #[schema(example = "LEC-000042")]
    pub invoice: Option<String>,
    /// When it was requested.
    pub created_at: Timestamp,
    /// When it was paid.
    pub paid_at: Option<Timestamp>,
}

/// A requested purchase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PurchaseBegun {
    /// The purchase.
    #[serde(flatten)]
    pub purchase: Purchase,
    /// The URL where the user pays; null if the operator has to approve.
    pub checkout_url: Option<String>,
}

/// The response to a payment provider's message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Received {
    /// Always true.
    pub received: bool,
}
