//! What only the web application's routes, `/v1/bff`, take and answer.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    AccountId, Balance, Credits, EreaderId, MaterialId, Profile, PurchaseId, SessionId, Timestamp,
    TransactionId,
};

/// A session that began in a browser. Its token is in a cookie that scripts cannot read.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WebLogin {
    /// When it ends.
    pub expires_at: Timestamp,
    /// What every change must carry as `X-Lectern-CSRF`, for as long as the session lasts.
    pub csrf_token: String,
    /// The account.
    pub account: Profile,
}

/// Who is signed in, and what the pages need to know first.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WebMe {
    /// The account.
    pub account: Profile,
    /// The session.
    pub session: WebSession,
    /// What every change must carry as `X-Lectern-CSRF`.
    pub csrf_token: String,
    /// The documents whose current version the account has not accepted, `terms` before `privacy`.
    pub owed: Vec<DocumentKind>,
    /// The largest file that can be uploaded, in bytes.
    pub max_file_bytes: u64,
}

/// A session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WebSession {
    /// Its id.
    pub id: SessionId,
    /// When it began.
    pub created_at: Timestamp,
    /// When it ends by itself.
    pub expires_at: Timestamp,
    /// The IP address it began from.
    pub ip: Option<String>,
    /// What the browser called itself.
    pub user_agent: Option<String>,
    /// Whether it is the one that asks.
    pub current: bool,
}

/// All live sessions of an account, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WebSessions {
    /// The sessions.
    pub data: Vec<WebSession>,
}

/// A session that was ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SessionRevoked {
    /// Its id.
    pub id: SessionId,
    /// What became of it.
    pub status: SessionStatus,
}

/// What became of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SessionStatus {
    /// It has ended.
    Revoked,
}

/// The token of an invitation.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "invite_token": "inv_0123456789abcdef" }))]
pub struct InvitationRequest {
    /// The token.
    pub invite_token: String,
}

/// An invitation that can be taken up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Invitation {
    /// The address that is invited.
    #[schema(example = "ada@example.com")]
    pub email: String,
}

/// Who may register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RegistrationPolicy {
    /// Whether anybody may register; otherwise an invitation is needed.
    pub open: bool,
}

/// A password on trial.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "password": "correct horse", "email": "ada@example.com" }))]
pub struct PasswordCheckRequest {
    /// The password.
    #[schema(max_length = 256, format = "password")]
    pub password: String,
    /// The address of the account it would be for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub email: Option<String>,
}

/// What is to be said of a password.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PasswordCheck {
    /// The requirements that it does not meet, of `min_length_12`, `not_common`, `strength`, `not_email`.
    pub requirements: Vec<String>,
    /// How hard it is to guess, 0 to 4.
    #[schema(minimum = 0, maximum = 4)]
    pub score: u8,
}

/// A change of password by who is signed in.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangePasswordRequest {
    /// The password until now.
    #[schema(format = "password")]
    pub current_password: String,
    /// The new one, as at registration.
    #[schema(min_length = 12, max_length = 256, format = "password")]
    pub password: String,
}

/// What became of a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PasswordChangedStatus {
    /// It is changed.
    PasswordChanged,
}

/// A password that was changed. All other sessions of the account have ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PasswordChanged {
    /// What became of it.
    pub status: PasswordChangedStatus,
}

/// A document that accounts consent to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DocumentKind {
    /// The terms of use.
    Terms,
    /// The privacy policy.
    Privacy,
}

/// A document in force, and how the account stands to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ConsentDocument {
    /// Which document.
    pub kind: DocumentKind,
    /// Its version.
    pub version: String,
    /// When it came into force.
    pub published_at: Timestamp,
    /// Its whole text, in Markdown.
    pub text: String,
    /// Whether the account owes its acceptance.
    pub owed: bool,
    /// The version that the account accepted last.
    pub accepted_version: Option<String>,
    /// The text of that version, where it is not the one in force.
    pub accepted_text: Option<String>,
    /// When the account accepted the version in force.
    pub accepted_at: Option<Timestamp>,
}

/// The documents in force, terms before privacy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ConsentDocuments {
    /// Those that were published.
    pub data: Vec<ConsentDocument>,
    /// The kinds that the account owes.
    pub owed: Vec<DocumentKind>,
}

/// The versions that the owner was shown and accepts; each must be the one in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "terms_version": "2026-11-21" }))]
pub struct AcceptRequest {
    /// Of the terms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub terms_version: Option<String>,
    /// Of the privacy policy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub privacy_version: Option<String>,
}

/// What one e-reader spoke on one day.
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

/// Something that was spoken lately.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Activity {
    /// The id of the synthesis, or of the material.
    pub id: String,
    /// When, the last time.
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

/// What an account has and did, of one environment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Overview {
    /// What it has; the same in both environments.
    pub balance: Balance,
    /// From this day on.
    pub from: Timestamp,
    /// Up to the end of this day.
    pub to: Timestamp,
    /// The usage of the last 30 days by day and e-reader; days without use are left out.
    pub usage: Vec<DayUsage>,
    /// What was spoken lately, the latest first, at most 10.
    pub recent: Vec<Activity>,
}

/// What a line of the statement sums up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StatementKind {
    /// All that was charged for one material.
    Book,
    /// All that was charged for speech on one day (UTC).
    Speech,
    /// One purchase.
    Purchase,
    /// Credits given by the operator, once.
    Grant,
    /// Credits given back, once.
    Refund,
}

/// A line of the statement: what changed the balance, summed up as people think of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StatementLine {
    /// What it sums up.
    pub kind: StatementKind,
    /// When, the last time.
    pub at: Timestamp,
    /// The sum of its credits, signed.
    pub credits: Credits,
    /// The rows of the ledger that it sums up.
    pub entries: i64,
    /// The material of a book.
    pub material_id: Option<MaterialId>,
    /// The material's title; null when it was deleted.
    pub title: Option<String>,
    /// What the operator wrote beside a grant or a refund; null on other lines.
    pub note: Option<String>,
}

/// What one part of a book cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StatementPart {
    /// The chunk's index.
    pub index: u32,
    /// The title of its chapter; null when it has none.
    pub title: Option<String>,
    /// Characters spoken.
    pub characters: i64,
    /// Credits charged.
    pub credits: Credits,
    /// When.
    pub at: Timestamp,
}

/// What each part of a book cost, in the book's order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StatementParts {
    /// The parts that were charged.
    pub data: Vec<StatementPart>,
}

/// When an account is told that its credits run low.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "threshold": 10_000 }))]
pub struct LowBalance {
    /// Below so many available credits; null for never.
    pub threshold: Option<Credits>,
}

/// Credits that can be bought together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Pack {
    /// Its name.
    #[schema(example = "100000")]
    pub id: String,
    /// What it buys.
    pub credits: Credits,
    /// What it costs, in the currency's smallest unit.
    pub price_minor: i64,
    /// The currency, an ISO 4217 code in lower case.
    #[schema(example = "eur")]
    pub currency: String,
}

/// Who takes the money.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PaymentProvider {
    /// The operator, who approves each purchase.
    Manual,
    /// Stripe Checkout.
    Stripe,
}

/// What can be bought, and how it is paid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Packs {
    /// The packs.
    pub data: Vec<Pack>,
    /// Who takes the money.
    pub provider: PaymentProvider,
}

/// A pack that is to be bought.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "pack_id": "100000" }))]
pub struct PurchaseRequest {
    /// The pack's id.
    pub pack_id: String,
}

/// How a purchase stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PurchaseStatus {
    /// Asked for, not paid yet.
    Pending,
    /// Paid; its credits are booked.
    Paid,
    /// The payment was refused.
    Declined,
    /// Given up, or out of time.
    Expired,
}

/// A purchase of credits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Purchase {
    /// Its id.
    pub id: PurchaseId,
    /// Whose it is.
    pub account_id: AccountId,
    /// How it stands.
    pub status: PurchaseStatus,
    /// Who takes the money.
    pub provider: PaymentProvider,
    /// What it buys.
    pub credits: Credits,
    /// What it costs, in the currency's smallest unit.
    pub price_minor: i64,
    /// The currency, an ISO 4217 code in lower case.
    #[schema(example = "eur")]
    pub currency: String,
    /// The row of the ledger that it became.
    pub transaction_id: Option<TransactionId>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it was paid.
    pub paid_at: Option<Timestamp>,
}

/// A purchase that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PurchaseBegun {
    /// The purchase.
    #[serde(flatten)]
    pub purchase: Purchase,
    /// Where the browser goes to pay; null when the operator is waited for.
    pub checkout_url: Option<String>,
}

/// What became of a payment provider's message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Received {
    /// Always true.
    pub received: bool,
}
