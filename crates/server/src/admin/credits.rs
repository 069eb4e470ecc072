//! `lectern admin credits grant` and `threshold`.

use clap::Subcommand;
use lectern_store::ledger::{self, Addition, Booking};
use lectern_types::{AccountId, Credits as Amount};
use serde::Serialize;

use super::{AccountArgument, Operator, invite::MOST_CREDITS};
use crate::{
    commands::{CommandError, numbers},
    http::shapes,
};

#[derive(Debug, Subcommand)]
pub(super) enum Credits {
    /// Adds credits to an account.
    Grant {
        #[command(flatten)]
        account: AccountArgument,
        /// How many.
        #[arg(long, allow_negative_numbers = true, value_parser = numbers::whole::<i64>(1, MOST_CREDITS.into()))]
        credits: i64,
        /// Books a purchase, which opens live keys to a free account.
        #[arg(long)]
        purchase: bool,
    },
    /// Sets below how many available credits an account's webhooks are told `credits.low`.
    Threshold {
        #[command(flatten)]
        account: AccountArgument,
        /// How many.
        #[arg(long, required_unless_present = "off", conflicts_with = "off",
            allow_negative_numbers = true, value_parser = numbers::whole::<i64>(1, MOST_CREDITS.into()))]
        credits: Option<i64>,
        /// Tells nobody any more.
        #[arg(long)]
        off: bool,
    },
}

/// What `threshold` prints.
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
    let booked = booked.ok_or_else(|| CommandError::Refused("the account is gone".to_owned()))?;
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
        return Err(CommandError::Refused("the account is gone".to_owned()));
    }
    operator.print(&Threshold { account_id: account.id, threshold });
    Ok(())
}
