//! `lectern admin ledger verify`.

use clap::Subcommand;
use lectern_store::ledger;
use serde_json::json;

use super::Operator;
use crate::error::CommandError;

#[derive(Debug, Subcommand)]
pub(super) enum Ledger {
    /// Recompute every balance and hold from the ledger's rows; exits with 1 if one differs.
    Verify,
}

pub(super) async fn run(operator: &Operator, command: Ledger) -> Result<(), CommandError> {
    let Ledger::Verify = command;
    let verification = ledger::verify(&operator.base.store).await?;
    let difference = verification.first_difference.as_ref().map(|difference| {
        json!({
            "subject": difference.subject,
            "what": difference.what,
            "expected": difference.expected,
            "found": difference.found,
        })
    });
    operator.print(&json!({
        "ok": difference.is_none(),
        "accounts": verification.accounts,
        "transactions": verification.transactions,
        "first_difference": difference,
    }));
    if difference.is_none() { Ok(()) } else { Err(CommandError::CheckFailed) }
}
