//! Registration, sign-in, and the actions behind links in emails.

use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{
    ToSchema,
    openapi::{KnownFormat, RefOr, Schema, SchemaFormat},
};

use crate::{EmailAddress, Field, Profile, Timestamp, Wrong, request, request::text_schema};

/// The fewest characters of a password.
pub const MIN_PASSWORD: usize = 12;

/// The most characters of a password.
pub const MAX_PASSWORD: usize = 256;

/// A password whose schema states a length of `LEAST` to `MOST` characters. The parser accepts a
/// short one, because the password policy checks it later.
#[derive(Debug)]
pub struct Password<const LEAST: usize = 0, const MOST: usize = { usize::MAX }>(pub SecretString);

/// A password that is about to be set.
pub type NewPassword = Password<MIN_PASSWORD, MAX_PASSWORD>;

impl<const LEAST: usize, const MOST: usize> Field for Password<LEAST, MOST> {
    fn property() -> RefOr<Schema> {
        let text = text_schema().format(Some(SchemaFormat::KnownFormat(KnownFormat::Password)));
        let (least, most) = ((LEAST > 0).then_some(LEAST), (MOST < usize::MAX).then_some(MOST));
        text.min_length(least).max_length(most).into()
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        let password = String::read(value)?;
        if password.chars().count() > MOST {
            return Err(format!("must have at most {MOST} characters").into());
        }
        Ok(Self(password.into()))
    }
}

request! {
    /// A registration.
    #[example({ "password": "correct horse battery staple", "invite_token": "inv_0123456789abcdef" })]
    pub struct RegisterRequest {
        /// The email address; ignored if there is an `invite_token`, which has its own.
        pub email: Option<EmailAddress>,
        /// 12 to 256 characters: not a common password, hard to guess, without the name in the email
        /// address.
        pub password: NewPassword,
        /// The invitation's token; required unless registration is open.
        pub invite_token: Option<SecretString>,
    }
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

request! {
    /// A sign-in.
    #[example({ "email": "ada@example.com", "password": "correct horse battery staple" })]
    pub struct LoginRequest {
        /// The address.
        pub email: EmailAddress,
        /// The password.
        pub password: Password,
    }
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

request! {
    /// The token from the link in a confirmation email.
    pub struct ConfirmRequest {
        /// The token.
        pub token: SecretString,
    }
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

request! {
    /// A request to reset a forgotten password.
    #[example({ "email": "ada@example.com" })]
    pub struct ForgotRequest {
        /// The account's address.
        pub email: EmailAddress,
    }
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

request! {
    /// A new password with the token from the link in the email.
    pub struct ResetRequest {
        /// The token.
        pub token: SecretString,
        /// The password, under the rules of registration.
        pub password: NewPassword,
    }
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
