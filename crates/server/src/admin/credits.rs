//! `lectern admin credits grant` and `threshold`.

use clap::Subcommand;
use lectern_store::ledger::{self, Addition, Booking};
use lectern_types::{AccountId, Credits as Amount};
use serde::Serialize;

use super::{AccountArgument, Operator, invite::MAX_CREDITS};
use crate::{error::CommandError, numbers};
use lectern_http::shapes;

#[derive(Debug, Subcommand)]
pub(super) enum Credits {
    /// Add credits to an account.
    Grant {
        #[command(flatten)]
        account: AccountArgument,
        /// The number of credits.
        #[arg(long, allow_negative_numbers = true, value_parser = numbers::whole::<i64>(1, MAX_CREDITS.into()))]
        credits: i64,
        /// Record the credits as a purchase, which lets a free account use its live keys.
        #[arg(long)]
        purchase: bool,
    },
    /// Set the number of available credits below which an account's webhooks receive `credits.low`.
    Threshold {
        #[command(flatten)]
        account: AccountArgument,
        /// The number of credits.
        #[arg(long, required_unless_present = "off", conflicts_with = "off",
            allow_negative_numbers = true, value_parser = numbers::whole::<i64>(1, MAX_CREDITS.into()))]
        credits: Option<i64>,
        /// Turn `credits.low` off.
        #[arg(long)]
        off: bool,
    },
}

/// The output of `threshold`.
#[derive(Serialize)]
struct Threshold {
    account_id: AccountId,
    threshold: Option<Amount>,
}

pub(super) async fn run(operator: &Operator, command: Credits) -> Result<(), CommandError> {
    let (account, credits, purchase) = match command {
        Credits::Grant { account, credits, purchase } => (account, credits, purchase),
        Credits::Threshold { account, credits, .. } => return threshold(operator, &account, credits).await,
    };
    let account = operator.account(&account.account).await?;
    let kind = if purchase { Addition::Purchase } else { Addition::Grant };
    let ids = || operator.base.transaction_id();
    let booking = Booking { now: operator.base.clock.now(), ids: &ids };
    let booked =
        ledger::add(&operator.base.store, account.id, kind, Amount(credits), Some("operator"), booking)
            .await?;
    let booked =
        booked.ok_or_else(|| CommandError::Refused("the account was deleted meanwhile".to_owned()))?;
    operator.print(&shapes::transaction(booked));
    Ok(())
}

async fn threshold(
    operator: &Operator,
    account: &AccountArgument,
    credits: Option<i64>,
) -> Result<(), CommandError> {
    let account = operator.account(&account.account).await?;
    let threshold = credits.map(Amount);
    if !ledger::set_low_threshold(&operator.base.store, account.id, threshold).await? {
        return Err(CommandError::Refused("the account was deleted meanwhile".to_owned()));
    }
    operator.print(&Threshold { account_id: account.id, threshold });
    Ok(())
}
