//! Registration, sign-in, and the actions behind links in emails.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Profile, Timestamp};

/// A registration.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "password": "correct horse battery staple", "invite_token": "inv_0123456789abcdef" }))]
pub struct RegisterRequest {
    /// The email address; ignored if there is an `invite_token`, which has its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub email: Option<String>,
    /// 12 to 256 characters: not a common password, hard to guess, without the name in the email
    /// address.
    #[schema(min_length = 12, max_length = 256, format = "password")]
    pub password: String,
    /// The invitation's token; required unless registration is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub invite_token: Option<String>,
}

/// The state of an address confirmation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EmailConfirmation {
    /// The email with the link is on its way.
    Sent,
}

/// A registered account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Registration {
    /// The account.
    pub account: Profile,
    /// The state of the confirmation email.
    pub email_confirmation: EmailConfirmation,
}

/// A sign-in.
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

/// How a token is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum TokenType {
    /// As `Authorization: Bearer …`.
    Bearer,
}

/// A new session.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Login {
    /// The token of the session, only for `/v1/bff`.
    pub session_token: String,
    /// How the token is sent.
    pub token_type: TokenType,
    /// When it expires.
    pub expires_at: Timestamp,
    /// The account.
    pub account: Profile,
}

/// The token from the link in a confirmation email.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfirmRequest {
    /// The token.
    pub token: String,
}

/// The result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConfirmedStatus {
    /// The address is confirmed.
    Confirmed,
}

/// A confirmed address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Confirmed {
    /// The result.
    pub status: ConfirmedStatus,
    /// The address.
    #[schema(example = "ada@example.com")]
    pub email: String,
}

/// A request to reset a forgotten password.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "email": "ada@example.com" }))]
pub struct ForgotRequest {
    /// The account's address.
    pub email: String,
}

/// The result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ForgottenStatus {
    /// An email is sent if there is such an account.
    Accepted,
}

/// The response to a reset request, the same with and without an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Forgotten {
    /// The result.
    pub status: ForgottenStatus,
}

/// A new password with the token from the link in the email.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResetRequest {
    /// The token.
    pub token: String,
    /// The password, under the rules of registration.
    #[schema(min_length = 12, max_length = 256, format = "password")]
    pub password: String,
}

/// The result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PasswordResetStatus {
    /// The password is set.
    PasswordChanged,
}

/// A reset password.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PasswordReset {
    /// The result.
    pub status: PasswordResetStatus,
    /// The account's address, which is now confirmed.
    #[schema(example = "ada@example.com")]
    pub email: String,
}

/// The result for a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SignedOutStatus {
    /// The session has ended.
    SignedOut,
}

/// An ended session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SignedOut {
    /// The result.
    pub status: SignedOutStatus,
}
