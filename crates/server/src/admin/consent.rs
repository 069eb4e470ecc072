//! `lectern admin consent accept`.

use clap::Subcommand;
use lectern_store::consent::{self, AcceptedBy};
use serde_json::json;

use super::{AccountArgument, Operator};
use crate::commands::CommandError;

#[derive(Debug, Subcommand)]
pub(super) enum Consent {
    /// Accepts the current documents for an account, noted as the operator's act.
    Accept {
        #[command(flatten)]
        account: AccountArgument,
    },
}

pub(super) async fn run(operator: &Operator, command: Consent) -> Result<(), CommandError> {
    let Consent::Accept { account } = command;
    let account = operator.account(&account.account).await?;
    let now = operator.base.clock.now();
    let standing =
        consent::accept_current(&operator.base.store, account.id, AcceptedBy::Operator, now).await?;
    let standing = standing.ok_or_else(|| CommandError::Refused("the account is gone".to_owned()))?;
    operator.print(&json!({
        "account_id": account.id,
        "terms_version": standing.accepted.terms,
        "privacy_version": standing.accepted.privacy,
    }));
    Ok(())
}
