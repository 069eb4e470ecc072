//! `lectern admin account show|set-tier|confirm-email`.

use clap::Subcommand;
use lectern_store::{Tier, accounts};

use super::{AccountArgument, Operator, invite};
use crate::{commands::CommandError, http::shapes};

#[derive(Debug, Subcommand)]
pub(super) enum Accounts {
    /// Shows an account.
    Show {
        #[command(flatten)]
        account: AccountArgument,
    },
    /// Sets an account's level.
    SetTier {
        #[command(flatten)]
        account: AccountArgument,
        /// free, standard or premium.
        #[arg(long, value_parser = invite::tier)]
        tier: Tier,
    },
    /// Marks an account's address as confirmed.
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
    let account = account.ok_or_else(|| CommandError::Refused("the account is gone".to_owned()))?;
    operator.print(&shapes::profile(&account));
    Ok(())
}
