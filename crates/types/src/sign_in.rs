//! Registering, signing in, and what mails' links lead to.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Profile, Timestamp};

/// Somebody who registers.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "password": "correct horse battery staple", "invite_token": "inv_0123456789abcdef" }))]
pub struct RegisterRequest {
    /// The address; ignored when there is an `invite_token`, which is bound to one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub email: Option<String>,
    /// 12 to 256 characters, not a common password, hard to guess, without the name in the address.
    #[schema(min_length = 12, max_length = 256, format = "password")]
    pub password: String,
    /// The invitation's token; needed unless registration is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub invite_token: Option<String>,
}

/// How the confirmation of an address stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EmailConfirmation {
    /// The mail with the link is on its way.
    Sent,
}

/// A registered account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Registration {
    /// The account.
    pub account: Profile,
    /// The mail that asks to confirm its address.
    pub email_confirmation: EmailConfirmation,
}

/// Somebody who signs in.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "email": "ada@example.com", "password": "correct horse battery staple" }))]
pub struct LoginRequest {
    /// The address.
    pub email: String,
    /// The password.
    #[schema(format = "password")]
    pub password: String,
}

/// How a token is presented.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum TokenType {
    /// As `Authorization: Bearer …`.
    Bearer,
}

/// A session that began.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Login {
    /// The token of the session, for `/v1/bff` only.
    pub session_token: String,
    /// How it is presented.
    pub token_type: TokenType,
    /// When it ends.
    pub expires_at: Timestamp,
    /// The account.
    pub account: Profile,
}

/// The token of a confirmation mail's link.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfirmRequest {
    /// The token.
    pub token: String,
}

/// What became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConfirmedStatus {
    /// The address is confirmed.
    Confirmed,
}

/// A confirmed address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Confirmed {
    /// What became of it.
    pub status: ConfirmedStatus,
    /// The address.
    #[schema(example = "ada@example.com")]
    pub email: String,
}

/// Who forgot a password.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "email": "ada@example.com" }))]
pub struct ForgotRequest {
    /// The account's address.
    pub email: String,
}

/// What became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ForgottenStatus {
    /// A mail is sent if there is such an account.
    Accepted,
}

/// The answer to who forgot a password, with or without an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Forgotten {
    /// What became of it.
    pub status: ForgottenStatus,
}

/// A new password, and the token of the mail's link that allows it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResetRequest {
    /// The token.
    pub token: String,
    /// The password, as at registration.
    #[schema(min_length = 12, max_length = 256, format = "password")]
    pub password: String,
}

/// What became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PasswordResetStatus {
    /// The password is set.
    PasswordChanged,
}

/// A password that was set anew.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PasswordReset {
    /// What became of it.
    pub status: PasswordResetStatus,
    /// The account's address, which counts as confirmed.
    #[schema(example = "ada@example.com")]
    pub email: String,
}

/// What became of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SignedOutStatus {
    /// It has ended.
    SignedOut,
}

/// A session that was ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SignedOut {
    /// What became of it.
    pub status: SignedOutStatus,
}
