//! `lectern admin consent accept`.

use clap::Subcommand;
use lectern_store::consent::{self, AcceptedBy};
use serde_json::json;

use super::{AccountArgument, Operator};
use crate::error::CommandError;

#[derive(Debug, Subcommand)]
pub(super) enum Consent {
    /// Accept the published documents for an account; the record says that the operator did it.
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
    let standing =
        standing.ok_or_else(|| CommandError::Refused("the account was deleted meanwhile".to_owned()))?;
    operator.print(&json!({
        "account_id": account.id,
        "terms_version": standing.accepted.terms,
        "privacy_version": standing.accepted.privacy,
    }));
    Ok(())
}
