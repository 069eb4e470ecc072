//! `lectern admin invite create`.

use clap::Subcommand;
use lectern_store::Tier;
use lectern_types::Credits;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::json;

use super::Operator;
use crate::{error::CommandError, numbers, output};
use lectern_service::{
    config::Http,
    services::accounts::invitations::{self, InviteError},
};

#[derive(Debug, Subcommand)]
pub(super) enum Invite {
    /// Create an account in state "invited" with its first two keys. An address that was invited
    /// before gets a new token.
    Create {
        /// The e-mail address to invite.
        #[arg(long)]
        email: String,
        /// free, standard or premium; the default is free. An address that was invited before keeps
        /// its tier.
        #[arg(long, value_parser = tier)]
        tier: Option<Tier>,
        /// Credits that the account starts with, recorded as a purchase. An address that was
        /// invited before gets none.
        #[arg(long, allow_negative_numbers = true, value_parser = numbers::whole::<i64>(0, MAX_CREDITS.into()))]
        credits: Option<i64>,
    },
}

/// The most credits that one command can grant; far below the largest `i64`.
pub(crate) const MAX_CREDITS: i64 = 1_000_000_000_000_000;

/// Parses a tier for clap.
pub(super) fn tier(word: &str) -> Result<Tier, String> {
    word.parse().map_err(|_| "must be free, standard or premium".to_owned())
}

pub(super) async fn run(operator: &Operator, command: Invite) -> Result<(), CommandError> {
    let Invite::Create { email, tier, credits } = command;
    let named = tier.is_some() || credits.is_some();
    let invited = invitations::invite(&operator.base, &email, tier, credits.map(Credits)).await;
    let invited = invited.map_err(|error| match error {
        InviteError::Store(error) => CommandError::Store(error),
        refused => CommandError::Refused(refused.to_string()),
    })?;
    if named && invited.keys.is_none() {
        output::note(&format!(
            "{} was invited before: it got a new token, and neither tier nor credits. See: lectern admin account \
             set-tier, lectern admin credits grant",
            invited.email
        ));
    }
    operator.print(&json!({
        "account_id": invited.account,
        "email": invited.email,
        "invite_token": invited.token.expose_secret(),
        "expires_at": invited.expires_at,
        "live_key": invited.keys.as_ref().map(|keys| keys.live.expose_secret()),
        "test_key": invited.keys.as_ref().map(|keys| keys.test.expose_secret()),
    }));
    if !operator.json {
        let link = link(&operator.base.config.http, &invited.token);
        output::line(&format!("\nSend this link; it works once:\n\n  {link}"));
    }
    Ok(())
}

/// The page on which an invited person registers.
pub(crate) fn link(config: &Http, token: &SecretString) -> String {
    let from_listen = || format!("http://{}", config.listen);
    let base = config.public_url.as_ref().map_or_else(from_listen, |url| url.as_str().to_owned());
    format!("{base}/register?invite={}", token.expose_secret())
}
