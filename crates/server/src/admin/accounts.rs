//! `lectern admin account show|set-tier|confirm-email`.

use clap::Subcommand;
use lectern_store::{Tier, accounts};

use super::{AccountArgument, Operator, invite};
use crate::error::CommandError;
use lectern_http::shapes;

#[derive(Debug, Subcommand)]
pub(super) enum Accounts {
    /// Show an account.
    Show {
        #[command(flatten)]
        account: AccountArgument,
    },
    /// Set an account's tier.
    SetTier {
        #[command(flatten)]
        account: AccountArgument,
        /// free, standard or premium.
        #[arg(long, value_parser = invite::tier)]
        tier: Tier,
    },
    /// Mark an account's address as confirmed.
    ConfirmEmail {
        #[command(flatten)]
        account: AccountArgument,
    },
}

pub(super) async fn run(operator: &Operator, command: Accounts) -> Result<(), CommandError> {
    let (store, now) = (&operator.base.store, operator.base.clock.now());
    let account = match command {
        Accounts::Show { account } => Some(operator.account(&account.account).await?),
        Accounts::SetTier { account, tier } => {
            accounts::set_tier(store, operator.account(&account.account).await?.id, tier, now).await?
        }
        Accounts::ConfirmEmail { account } => {
            accounts::confirm_email(store, operator.account(&account.account).await?.id, now).await?
        }
    };
    let account =
        account.ok_or_else(|| CommandError::Refused("the account was deleted meanwhile".to_owned()))?;
    operator.print(&shapes::profile(&account));
    Ok(())
}
