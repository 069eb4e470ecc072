//! `lectern admin credits grant`.

use clap::Subcommand;
use lectern_store::ledger::{self, Addition, Booking};
use lectern_types::Credits as Amount;

use super::{AccountArgument, Operator, invite::MOST_CREDITS};
use crate::{commands::CommandError, http::shapes};

#[derive(Debug, Subcommand)]
pub(super) enum Credits {
    /// Adds credits to an account.
    Grant {
        #[command(flatten)]
        account: AccountArgument,
        /// How many.
        #[arg(long, value_parser = clap::value_parser!(i64).range(1..=MOST_CREDITS))]
        credits: i64,
        /// Books a purchase, which opens live keys to a free account.
        #[arg(long)]
        purchase: bool,
    },
}

pub(super) async fn run(operator: &Operator, command: Credits) -> Result<(), CommandError> {
    let Credits::Grant { account, credits, purchase } = command;
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
