//! Registers accounts, from an invitation's token or, with open registration, from an address. The
//! result is an account with a password, and a mail that asks to confirm the address.

use lectern_store::{
    accounts::Account,
    email_tokens::Purpose,
    ledger::Booking,
    registration::{self as stored, RegisterOutcome, Registrant, Registration},
};
use lectern_types::{EmailAddress, ErrorCode, RegisterRequest};
use secrecy::{ExposeSecret as _, SecretString};

use super::{context::AccountContext, invitations::is_address, mailing::Draft};
use crate::services::keys;
use crate::{
    base::Base,
    error::{Error, Result},
};

/// How the account was requested.
enum Applicant {
    Invited { token_hash: [u8; 32], email: String },
    Open { email: String },
}

impl Applicant {
    fn email(&self) -> &str {
        match self {
            Self::Invited { email, .. } | Self::Open { email } => email,
        }
    }
}

/// Registers an account, and tries to deliver the confirmation mail.
///
/// # Errors
/// `invite_required`, `invite_invalid`, `validation_failed` of the address, `weak_password`, `email_in_use`, in this
/// order.
pub async fn register(context: &AccountContext, params: RegisterRequest) -> Result<Account> {
    let base = &context.base;
    let applicant = applicant(base, params.email, params.invite_token.as_ref()).await?;
    let password_hash = context.passwords.accept(params.password.0, applicant.email()).await?;
    let draft = Draft::new(context, Purpose::Confirm, applicant.email())?;
    let registrant = match &applicant {
        Applicant::Invited { token_hash, .. } => Registrant::Invited { token_hash },
        Applicant::Open { email } => Registrant::Open { account: base.ids.make(), email },
    };
    let registration =
        Registration { registrant, password_hash: &password_hash, token: draft.token(), mail: draft.row() };
    let ids = || base.transaction_id();
    let booking = Booking { now: base.clock.now(), ids: &ids };
    match stored::register(&base.store, &registration, booking).await? {
        RegisterOutcome::Registered(account) => {
            tracing::info!(account.id = %account.id, "an account was registered");
            draft.deliver(context).await;
            Ok(account)
        }
        RegisterOutcome::InviteInvalid => Err(ErrorCode::InviteInvalid.into()),
        RegisterOutcome::EmailInUse => Err(ErrorCode::EmailInUse.into()),
    }
}

/// The address that an invitation was sent to.
///
/// # Errors
/// `invite_invalid`.
pub async fn invited(base: &Base, token: &SecretString) -> Result<String> {
    let token_hash = keys::hash(&base.secrets.invites, token.expose_secret());
    let invited = stored::find_invited(&base.store, &token_hash, base.clock.now()).await?;
    Ok(invited.ok_or(ErrorCode::InviteInvalid)?.email)
}

async fn applicant(
    base: &Base,
    email: Option<EmailAddress>,
    token: Option<&SecretString>,
) -> Result<Applicant> {
    if let Some(token) = token {
        let token_hash = keys::hash(&base.secrets.invites, token.expose_secret());
        let invited = stored::find_invited(&base.store, &token_hash, base.clock.now()).await?;
        let invited = invited.ok_or(ErrorCode::InviteInvalid)?;
        return Ok(Applicant::Invited { token_hash, email: invited.email });
    }
    if !base.config.auth.open_registration {
        return Err(ErrorCode::InviteRequired.into());
    }
    let email = email.ok_or_else(|| Error::invalid("email", "is required"))?;
    let email = email.0.trim();
    if !is_address(email) {
        return Err(Error::invalid("email", "must be an e-mail address"));
    }
    Ok(Applicant::Open { email: email.to_owned() })
}
